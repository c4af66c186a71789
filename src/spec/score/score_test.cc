// Tests of stored scores: every form comes back, and the short form for plain ones agrees with the long one.
#include "spec/score/score.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "spec/score/expectations.h"
#include "spec/suite/check.h"
#include "text/json/json.h"

namespace assay {

namespace {

AttemptRecord Back(const AttemptRecord& record) {
  Result<AttemptRecord> back = DecodeScores(EncodeScores(record));
  REQUIRE(back.has_value());
  return std::move(back).value();
}

}  // namespace

TEST_CASE("scores of every form survive being stored") {
  AttemptRecord record;
  record.scores = {Score::Of(1),
                   Score::Of(0.1),
                   Score::Of(1e-7),
                   Score::Of(0),
                   Score::Failure("broke"),
                   Score{},
                   Score::Missing("no judge")};
  Score judged = Score::Of(0.58);
  judged.grader = "consensus(a, b)";
  judged.explanation = "why \"so\"";
  judged.error = "one judge failed";
  judged.evidence = {{"a", 0.125, "because"}, {"b", 1, "", true}, {"c", 0.5, "so", false, {0.25, 0.5, 1}, 2}};
  record.scores.push_back(judged);
  Score custom;
  custom.state = ScoreState::kScored;
  custom.max = 4;
  custom.value = std::numeric_limits<double>::quiet_NaN();
  custom.answer = List{Value("x"), Value(2)};
  record.scores.push_back(custom);
  Score parted = Score::Of(0.5);
  parted.items = {{.wanted = "a \"word\"", .found = "words", .share = 0.5, .points = 1, .weight = 2},
                  {.sentence = "a handler's"},
                  {.wanted = "t.py", .points = -1, .weight = 0, .program = "print(1)"},
                  {.wanted = "w",
                   .given = "",
                   .against = "b",
                   .is_unwanted = true,
                   .measures = {{.name = "rouge1", .value = 0.1}}}};
  parted.remark = List{Value("said")};
  record.scores.insert(record.scores.begin() + 6, parted);
  const AttemptRecord back = Back(record);
  REQUIRE(back.scores.size() == record.scores.size());
  REQUIRE(back.scores[6].items.size() == 4);
  CHECK(back.scores[6].answer.is_undefined());
  CHECK(back.scores[6].items[0].wanted == "a \"word\"");
  CHECK(back.scores[6].items[0].found == "words");
  CHECK(back.scores[6].items[0].share == 0.5);
  CHECK(back.scores[6].items[1].sentence == "a handler's");
  CHECK(back.scores[6].items[1].is_alone());
  CHECK(back.scores[6].items[2].points == -1);
  CHECK(back.scores[6].items[2].weight == 0);
  CHECK(back.scores[6].items[2].program == "print(1)");
  CHECK(!back.scores[6].items[2].given);
  CHECK(back.scores[6].items[3].given == "");
  CHECK(back.scores[6].items[3].against == "b");
  CHECK(back.scores[6].items[3].is_unwanted);
  REQUIRE(back.scores[6].items[3].measures.size() == 1);
  CHECK(back.scores[6].items[3].measures[0].value == 0.1);
  CHECK(SameValue(back.scores[6].remark, parted.remark));
  for (std::size_t i = 0; i + 1 < record.scores.size(); ++i) {
    CHECK(back.scores[i].state == record.scores[i].state);
    CHECK(back.scores[i].value == record.scores[i].value);
    CHECK(back.scores[i].error == record.scores[i].error);
  }
  CHECK(back.scores[8].evidence.size() == 3);
  CHECK(back.scores[8].evidence[0].text == "because");
  CHECK(!back.scores[8].evidence[0].repaired);
  CHECK(back.scores[8].evidence[1].repaired);
  CHECK(back.scores[8].evidence[1].votes.empty());
  CHECK(back.scores[8].evidence[2].votes == std::vector{0.25, 0.5, 1.0});
  CHECK(back.scores[8].evidence[2].against == 2);
  CHECK(back.scores[8].explanation == judged.explanation);
  CHECK(back.scores[8].grader == judged.grader);
  CHECK(std::isnan(back.scores[9].value));
  CHECK(back.scores[9].max == 4);
  CHECK(SameValue(back.scores[9].answer, custom.answer));
}

TEST_CASE("the metric of a score is stored with it, and takes no room where there is none") {
  AttemptRecord record;
  record.scores = {Score::Of(1), Score::Of(0.5)};
  const std::string plain = EncodeScores(record);
  record.scores[1].metric = "tone";
  const std::string named = EncodeScores(record);
  CHECK(named.size() > plain.size());
  const AttemptRecord back = DecodeScores(named).value();
  CHECK(back.scores[0].metric.empty());
  CHECK(back.scores[1].metric == "tone");
  record.scores[1].metric.clear();
  CHECK(EncodeScores(record) == plain);
}

TEST_CASE("what a generator told is kept with the scores") {
  AttemptRecord record;
  record.scores = {Score::Of(1)};
  record.details = List{Value("a grader's")};
  AttemptFacts& told = record.transcript.told;
  told.tool_calls = {{"call_1", "web_search", R"({"q":"rain"})"}, {"", "save_memory", ""}};
  told.events = {Value("started"), Value(2)};
  told.usage_by_role = {
      {"main", {.input_tokens = 7, .output_tokens = 5, .reasoning_tokens = 1, .known = true}}};
  told.timings_ms = {{"client_init", 12.5}};
  told.details = List{Value("halted")};
  const AttemptRecord back = Back(record);
  const AttemptFacts& again = back.transcript.told;
  REQUIRE(again.tool_calls.size() == 2);
  CHECK(again.tool_calls[0].id == "call_1");
  CHECK(again.tool_calls[0].name == "web_search");
  CHECK(again.tool_calls[0].arguments == R"({"q":"rain"})");
  CHECK(again.tool_calls[1].name == "save_memory");
  REQUIRE(again.events.size() == 2);
  CHECK(again.events[1].AsNumber() == 2);
  REQUIRE(again.usage_by_role.size() == 1);
  CHECK(again.usage_by_role[0].first == "main");
  CHECK(again.usage_by_role[0].second.output_tokens == 5);
  REQUIRE(again.timings_ms.size() == 1);
  CHECK(again.timings_ms[0].second == 12.5);
  CHECK(again.details.AsList()[0].AsString() == "halted");
  CHECK(back.details.AsList()[0].AsString() == "a grader's");
}

TEST_CASE("usage is stored apart for each role") {
  AttemptRecord record;
  record.usage.Add(RequestRole::kEmbedding, {.input_tokens = 7, .known = true});
  record.usage.Add(RequestRole::kCandidate,
                   {.input_tokens = 30, .output_tokens = 5, .known = true, .cached_read_tokens = 20});
  record.usage.Add(RequestRole::kJudge, {.input_tokens = 2, .output_tokens = 1, .known = true});
  record.usage.Add(RequestRole::kBackupJudge,
                   {.input_tokens = 3, .output_tokens = 4, .reasoning_tokens = 1, .known = true});
  record.usage.Add(RequestRole::kService, {.input_tokens = 9});  // nobody stated it
  CHECK(record.usage.parts().size() == 4);
  CHECK(record.usage.OfAnswers().input_tokens == 30);
  CHECK(record.usage.OfJudging().output_tokens == 5);
  CHECK(record.usage.Of({RequestRole::kEmbedding}).input_tokens == 7);
  CHECK(!record.usage.Of({RequestRole::kService}).known);
  CHECK(Back(record).usage == record.usage);
  UsageByRole twice = record.usage;
  twice += record.usage;
  CHECK(twice.OfJudging().reasoning_tokens == 2);

  for (const char* text : {R"({"v":1,"s":[[0,1]],"u":[[10,1,1,1]]})", R"({"v":1,"s":[[0,1]],"u":[[-1,1]]})",
                           R"({"v":1,"s":[[0,1]],"u":[1]})"})
    CHECK(!DecodeScores(text).has_value());
  const Result<AttemptRecord> hostile = DecodeScores(R"({"v":1,"s":[[0,1]],"u":[[0,1e300,-5,null]]})");
  REQUIRE(hostile.has_value());
  CHECK(hostile->usage.OfAnswers().input_tokens == 1'000'000'000'000);
  CHECK(hostile->usage.OfAnswers().output_tokens == 0);
}

TEST_CASE("plain scores take the short cut to the same values") {
  AttemptRecord record;
  CHECK(Back(record).scores.empty());
  for (const double value : {0.0, 1.0, 0.5, 1.0 / 3, 1e-300, 0.1 + 0.2})
    record.scores.push_back(Score::Of(value));
  record.usage.Add(RequestRole::kCandidate, {.input_tokens = 12, .output_tokens = 34, .known = true});
  record.usage.Add(RequestRole::kJudge, {.input_tokens = 5,
                                         .output_tokens = 6,
                                         .reasoning_tokens = 7,
                                         .known = true,
                                         .cached_read_tokens = 8,
                                         .cached_write_tokens = 9});
  const AttemptRecord plain = Back(record);
  record.transcript.error = "forces the long way";
  const AttemptRecord whole = Back(record);
  CHECK(whole.transcript.error == record.transcript.error);
  REQUIRE(plain.scores.size() == record.scores.size());
  CHECK(plain.usage == record.usage);
  CHECK(whole.usage == record.usage);
  for (std::size_t i = 0; i < record.scores.size(); ++i) {
    CHECK(plain.scores[i].value == record.scores[i].value);
    CHECK(whole.scores[i].value == record.scores[i].value);
    CHECK(plain.scores[i].max == 1);
  }
}

TEST_CASE("what is no stored score is refused, never guessed") {
  for (const char* text :
       {"", "{}", "[]", R"({"v":2,"s":[]})", R"({"v":1,"s":[[4,1]]})", R"({"v":1,"s":[[0,1],]})",
        R"({"v":1,"s":[[0,1][0,1]]})", R"({"v":1,"s":[[0,1]],"u":[[0,1,2,3],]})",
        R"({"v":1,"s":[[0,1]],"u":[[0,1,2]})", R"({"v":1,"s":[[0,]]})", R"({"v":1,"s":[0]})",
        R"({"v":1,"s":[[0,1])", R"({"v":1,"s":[[0,1e308]]})", R"({"v":1,"s":[[0,-1e308,1,"why"]]})",
        R"({"v":1,"s":[[0,1,1e99]],"x":"long way"})"}) {
    CAPTURE(text);
    CHECK(!DecodeScores(text).has_value());
  }
}

TEST_CASE("a member of a stored score that no check gives is damage, whichever it is") {
  // A judge's vote of null led to an index that there is not, and ended the program.
  const char* score = R"x([0,0.5,1,"why","","consensus(a)",[["a",0.5,"so",1,[0.25,0.5,0.75],1]],null,)x"
                      R"x([["w","f","s",0.5,1,2,"p","g","b",1,[["rouge1",0.1]]]],null,"m"])x";
  const auto stored = [](std::string_view text) { return R"({"v":1,"s":[)" + std::string(text) + "]}"; };
  REQUIRE(DecodeScores(stored(score)).has_value());
  struct Place {
    std::vector<std::size_t> path;  // lists within lists
    const char* refused;            // JSON values of a list
  };
  const char* no_number = R"(["x",true,{},[],1e300,-1e300])";
  const char* no_vote = R"([null,"x",true,{},[],-0.1,1.1,1e300])";
  const char* no_text = R"([null,1,true,{},[]])";
  const char* no_flag = R"([null,"x",{},[],0.5,-1,2,1e300])";
  const char* no_list = R"([null,1,"x",{}])";
  const Place places[] = {{{0}, R"([null,"x",true,{},[],-1,0.5,4,1e300])"},
                          {{1}, no_number},
                          {{2}, R"([null,"x",true,{},[],1e300,-1e300])"},
                          {{3}, no_text},
                          {{4}, no_text},
                          {{5}, no_text},
                          {{6}, no_list},
                          {{6, 0}, R"([null,1,"x",{},["a",0.5,"so",0,[],26],["a",0.5,"so",0,0]])"},
                          {{6, 0, 0}, no_text},
                          {{6, 0, 1}, no_vote},
                          {{6, 0, 2}, no_text},
                          {{6, 0, 3}, no_flag},
                          {{6, 0, 4}, no_list},
                          {{6, 0, 4, 1}, no_vote},
                          {{6, 0, 5}, R"([null,"x",true,{},[],-1,0.5,26,1e300])"},
                          {{8}, no_list},
                          {{8, 0}, no_list},
                          {{8, 0, 0}, no_text},
                          {{8, 0, 1}, no_text},
                          {{8, 0, 2}, no_text},
                          {{8, 0, 3}, no_number},
                          {{8, 0, 4}, no_number},
                          {{8, 0, 5}, no_number},
                          {{8, 0, 6}, no_text},
                          {{8, 0, 7}, R"([1,true,{},[]])"},
                          {{8, 0, 8}, no_text},
                          {{8, 0, 9}, no_flag},
                          {{8, 0, 10}, no_list},
                          {{8, 0, 10, 0}, no_list},
                          {{8, 0, 10, 0, 0}, no_text},
                          {{8, 0, 10, 0, 1}, no_number},
                          {{10}, no_text}};
  for (const Place& place : places) {
    const Value values = ParseJson(place.refused).value();
    for (const Value& refused : values.AsList()) {
      Value changed = ParseJson(score).value();
      Value* member = &changed;
      for (const std::size_t step : place.path) member = &member->AsList()[step];
      *member = refused;
      const std::string text = WriteJson(changed, JsonStyle::kJavaScript);
      CAPTURE(text);
      CHECK(!DecodeScores(stored(text)).has_value());
    }
  }
  CHECK(!DecodeScores(stored("[0,nan]")).has_value());
  CHECK(!DecodeScores(stored("[0,inf]")).has_value());
}

TEST_CASE("a check's own verdict is stored with its score, and older scores have none") {
  AttemptRecord record;
  record.scores = {Score::Of(0.4), Score::Of(0.9), Score::Of(0.5)};
  record.scores[0].verdict = true;
  record.scores[1].verdict = false;
  const AttemptRecord back = Back(record);
  CHECK(back.scores[0].verdict == true);
  CHECK(back.scores[1].verdict == false);
  CHECK(!back.scores[2].verdict.has_value());
  const auto stored = [](std::string_view verdict) {
    return R"({"v":1,"s":[[0,1,1,"","","",[],null,[],null,"",0,)" + std::string(verdict) + "]]}";
  };
  CHECK(DecodeScores(stored("1"))->scores[0].verdict == true);
  CHECK(!DecodeScores(stored("null"))->scores[0].verdict.has_value());
  for (const char* refused : {"2", "-1", "0.5", "true", "\"1\"", "[]"})
    CHECK(!DecodeScores(stored(refused)).has_value());
}

TEST_CASE("a verdict decides whether a check holds, whatever its threshold") {
  Check check;
  check.threshold = 0.5;
  Score score = Score::Of(0.4);
  CHECK(Holds(check, score) == false);
  score.verdict = true;
  CHECK(Holds(check, score) == true);
  score.state = ScoreState::kError;
  CHECK(!Holds(check, score).has_value());
}

TEST_CASE("what tables tell of an answer is kept with its scores, and counts of tokens stay counts") {
  AttemptRecord record;
  record.scores = {Score::Of(1)};
  record.transcript.answered_by = "openai:two";
  record.transcript.is_cut = true;
  const AttemptRecord back = Back(record);
  CHECK(back.transcript.answered_by == "openai:two");
  CHECK(back.transcript.is_cut);
  const AttemptRecord odd = DecodeScores(R"({"v":1,"s":[],"u":[[0,1e300,-5,null]]})").value();
  CHECK(odd.usage.OfAnswers().input_tokens == 1'000'000'000'000);
  CHECK(odd.usage.OfAnswers().output_tokens == 0);
  CHECK(odd.usage.OfAnswers().reasoning_tokens == 0);
}

}  // namespace assay
