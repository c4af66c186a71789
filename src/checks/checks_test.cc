// Tests of checks beyond the golden rows: the table itself, places of warnings, behaviour of the default mode
// alone, shared forms.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <optional>
#include <set>
#include <variant>

#include "base/text/utf8.h"
#include "checks/args.h"
#include "checks/check.h"
#include "checks/judge/judge.h"
#include "checks/judge/panel.h"
#include "checks/tools/trace.h"
#include "spec/score/passing.h"
#include "spec/suite/suite.h"
#include "text/javascript/regex.h"

namespace assay {
namespace {

struct Graded {
  Score score;
  Diagnostics diagnostics;
};

Graded Grade(std::string_view kind, Value args, std::string_view answer_text, GradingRules rules = {},
             bool invert = false) {
  Graded graded;
  Check check;
  check.kind = kind;
  check.args = std::move(args);
  check.invert = invert;
  const CheckRow* row = FindCheck(kind);
  REQUIRE(row != nullptr);
  const CheckArgs parsed = row->parse({.check = check, .grading = rules}, graded.diagnostics);
  REQUIRE(parsed != nullptr);
  AnswerView answer(answer_text);
  const Transcript transcript;
  const Case the_case;
  WorkerState worker;
  const GradeInput input{
      .answer = answer, .transcript = transcript, .variant_id = "echo:x", .the_case = the_case};
  graded.score = row->grade(input, parsed, worker);
  return graded;
}

TEST_CASE("inverting turns a check's own verdict around as well") {
  Score score = Score::Of(0.75);
  CHECK(!Invert(score).verdict.has_value());
  score.verdict = true;
  CHECK(Invert(score).verdict == false);
  CHECK(Invert(score).value == 0.25);
}

TEST_CASE("the table: names are unique, every row explains itself and can be graded or asked") {
  std::set<std::string_view> seen;
  for (const std::string_view name : CheckNames()) {
    CAPTURE(name);
    CHECK(seen.insert(name).second);
    CHECK(FindCheck(name) != nullptr);
  }
  CHECK(CheckNames({"keywords", "similarity"}).size() == CheckNames().size() + 2);
  for (const CheckRow& row : CheckTable()) {
    CAPTURE(row.name);
    CHECK(FindCheck(row.name, {std::string(row.name)}) == &row);
    CHECK((FindCheck(row.name) == nullptr) == row.is_offered);
    CHECK_FALSE(row.help.empty());
    CHECK(row.example.find('\n') == std::string_view::npos);
    CHECK((row.parse != nullptr));
    CHECK((row.grade == nullptr) == (row.name == "judge"));
    // A format's own kinds stand there as its files name them: "type: contains" for "expected_contains",
    // "type: multi" for "multi_grader", "filter_list" for "filtered_match".
    std::string_view written = row.name == "filtered_match" ? "filter_list" : row.name;
    if (written == "assertion") written = "assert";
    if (written.starts_with("expected_")) written.remove_prefix(written.find('_') + 1);
    if (written.ends_with("_grader")) written = written.substr(0, written.rfind('_'));
    CHECK((row.name == "judge" ||
           row.example.find((row.is_offered ? "" : "$") + std::string(written)) != std::string_view::npos));
  }
}

TEST_CASE("names that the original lacks, or only inherits, are unknown") {
  for (const char* name : {"imatches_all_of", "imatches_at_least_n_of", "start_with", "end_with",
                           "not_is_json", "contain_any_of", "toString", "constructor", "__proto__",
                           "hasOwnProperty", "Contains", "$contains", "", "Call", "keywords", "similarity"}) {
    CAPTURE(name);
    CHECK(FindCheck(name) == nullptr);
  }
}

TEST_CASE("bad arguments warn at their place and give the same words to every answer") {
  Check check;
  check.kind = "contains_all_of";
  check.span = {FileId{0}, 10, 40};
  List list{"ok", 5};
  check.args = list;
  check.args.span = {FileId{0}, 30, 7};
  for (const bool nan_is_score : {false, true}) {
    Diagnostics diagnostics;
    const CheckArgs args =
        FindCheck(check.kind)
            ->parse({.check = check, .grading = {.nan_is_score = nan_is_score}}, diagnostics);
    REQUIRE(diagnostics.All().size() == 1);
    CHECK(diagnostics.All()[0].severity == Severity::kWarning);
    CHECK(diagnostics.All()[0].where.offset == 30);
    AnswerView answer("ok");
    const Transcript transcript;
    const Case the_case;
    WorkerState worker;
    const Score score = FindCheck(check.kind)->grade({answer, transcript, "v", the_case}, args, worker);
    CHECK(score.state == ScoreState::kError);
    CHECK(score.error == diagnostics.All()[0].message);
  }
}

TEST_CASE("a bad pattern in a list is warned about where it stands") {
  Check check;
  check.kind = "matches_all_of";
  Value good("a");
  good.span = {FileId{0}, 5, 1};
  Value bad("(");
  bad.span = {FileId{0}, 9, 1};
  check.args = List{good, bad};
  Diagnostics diagnostics;
  FindCheck(check.kind)->parse({.check = check}, diagnostics);
  REQUIRE(diagnostics.All().size() == 1);
  CHECK(diagnostics.All()[0].where.offset == 9);
  CHECK(Grade("matches_at_least_n_of", List{0, List{"("}}, "x").score.value == 1);
}

TEST_CASE("NaN of nothing is reached") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK(Grade("contains_at_least_n_of", List{nan, List{}}, "a").score.value == 1);
  CHECK(Grade("contains_at_least_n_of", List{1, List{}}, "a").score.value == 0);
}

TEST_CASE("an empty name counts the calls of all tools") {
  const char* const calls = "TOOL_CALL {\"name\": \"a\"}\nTOOL_CALL {\"name\": \"b\"}";
  CHECK(Grade("tool_call_count_between", List{2, 2, ""}, calls).score.value == 1);
  CHECK(Grade("tool_call_count_between", List{2, 2, "a"}, calls).score.value == 0);
}

TEST_CASE("an object whose score is inherited is an error") {
  const Score score = Grade("js", "Object.create({score: 1})", "a").score;
  CHECK(score.state == ScoreState::kError);
  CHECK(score.error.find("a score that is undefined") != std::string::npos);
}

TEST_CASE("NaN is a score only where weval's behaviour is asked for") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Score ours = Grade("contains_at_least_n_of", List{nan, List{"a"}}, "a").score;
  CHECK(ours.state == ScoreState::kError);
  const Score theirs =
      Grade("contains_at_least_n_of", List{nan, List{"a"}}, "a", {.nan_is_score = true}).score;
  CHECK(theirs.state == ScoreState::kScored);
  CHECK(std::isnan(theirs.value));
}

TEST_CASE("numbers become scores in [0, 1]") {
  CHECK(NumberScore(2, {}).value == 1);
  CHECK(NumberScore(-5, {}).value == 0);
  CHECK_FALSE(std::signbit(NumberScore(-0.0, {}).value));
  CHECK(NumberScore(0.25, {}).value == 0.25);
}

TEST_CASE("inversion turns scores and leaves errors and unscored as they are") {
  CHECK(Invert(Score::Of(0.25)).value == 0.75);
  CHECK(Invert(Score::Failure("x")).state == ScoreState::kError);
  CHECK(Invert(Score{}).state == ScoreState::kUnscored);
  CHECK(Grade("not_contains", 5, "x").score.state == ScoreState::kError);
}

TEST_CASE("half of a surrogate pair is found inside a whole one, as UTF-16 has it") {
  const std::string half = "\xED\xA0\xBD";  // the first unit of U+1F44D
  CHECK(Grade("contains", half, "\xF0\x9F\x91\x8D").score.value == 1);
  CHECK(Grade("starts_with", half, "\xF0\x9F\x91\x8D").score.value == 1);
  CHECK(Grade("ends_with", half, "\xF0\x9F\x91\x8D").score.value == 0);
  CHECK(Grade("icontains", half, "A\xF0\x9F\x91\x8D").score.value == 1);
}

TEST_CASE("contains_word gives the same for ASCII answers by search as by its regular expression") {
  struct Row {
    const char* kind;
    const char* word;
    const char* text;
    double want;
  };
  // A trailing "é" sends the same question through the expression.
  constexpr Row kRows[] = {
      {"contains_word", "art", "party art", 1},
      {"contains_word", "art", "party arts", 0},
      {"contains_word", "art", "art_ art2", 0},
      {"contains_word", "a.t", "art", 0},
      {"contains_word", "(a)", "f(a)", 0},
      {"contains_word", "(a)", "f (a)", 1},
      {"icontains_word", "ART", "the art", 1},
      {"icontains_word", "C++", "I like c++, too", 1},
      {"icontains_word", "C++", "I like c++x", 0},
      {"contains_word", "aa", "aaa aa", 1},
      {"contains_word", "-", "a-b", 0},
      {"contains_word", "-", "a - b", 1},
  };
  for (const Row& row : kRows) {
    CAPTURE(row.word);
    CAPTURE(row.text);
    CHECK(Grade(row.kind, row.word, row.text).score.value == row.want);
    CHECK(Grade(row.kind, row.word, std::string(row.text) + " \xC3\xA9").score.value == row.want);
  }
}

TEST_CASE(
    "what touches a word in any case is what JavaScript's i flag folds into a letter, digit or underscore") {
  const auto plain = JsRegex::Compile("^[\\p{L}\\p{N}_]$", JsRegexFlags::kIgnoreCaseUnicode);
  const auto cheap = JsRegex::Compile("^(?-i:[\\p{L}\\p{N}_\\u0345])$", JsRegexFlags::kIgnoreCaseUnicode,
                                      InlineModifiers::kUnderstood);
  REQUIRE(plain.has_value());
  REQUIRE(cheap.has_value());
  std::string differing;
  for (char32_t c = 0; c < 0x20000; ++c) {  // no character beyond has a case
    if (c >= 0xD800 && c < 0xE000) continue;
    std::string text;
    AppendUtf8(c, text);
    RegexSubject subject(text);
    if ((*plain)->Search(subject).value() != (*cheap)->Search(subject).value()) differing += text;
  }
  CHECK(differing == "");
}

TEST_CASE("arguments that change nothing are warned about") {
  CHECK(Grade("tool_call_count_between", "Hello", "x").diagnostics.WarningCount() == 1);
  Map rule;
  rule.Append("name", "search");
  CHECK(Grade("tool_args_match", rule, "x").diagnostics.WarningCount() == 1);
}

TEST_CASE("lists that decide the score before any answer is seen are warned about") {
  const auto warnings = [](std::string_view kind, Value args) {
    std::string codes;
    const Graded graded = Grade(kind, std::move(args), "x");
    for (const Diagnostic& warning : graded.diagnostics.All()) codes += warning.code + " ";
    return codes;
  };
  CHECK(warnings("contains_any_of", List{}) == "check.out-of-reach ");
  CHECK(warnings("contains_all_of", List{}) == "check.out-of-reach ");
  CHECK(warnings("contains_at_least_n_of", List{3, List{"a", "b"}}) == "check.out-of-reach ");
  CHECK(warnings("contains_at_least_n_of", List{2, List{"a", "b"}}).empty());
  CHECK(warnings("contains", "").empty());
}

TEST_CASE("patterns that explode are warned about, others are not") {
  for (const char* pattern :
       {"(a+)+$", "(x+x+)+y", "^(\\w+\\s?)*$", "(a|aa)+$", "^([a-z]+-?)*:$", "(.*1){18}2"}) {
    CAPTURE(pattern);
    const Graded graded = Grade("matches", pattern, "x");
    REQUIRE(graded.diagnostics.WarningCount() == 1);
    CHECK(graded.diagnostics.All().front().code == "check.slow");
  }
  for (const char* pattern :
       {"a+b*", "(ab)+", "(a|b)*c", "^(\\d{3}-)+\\d+$", "(\\w+ )+end", "(?:[A-Z][a-z]+ ){2,}"}) {
    CAPTURE(pattern);
    CHECK(Grade("matches", pattern, "x").diagnostics.WarningCount() == 0);
  }
}

TEST_CASE("whoever gets lost in a pattern has no point; an endless script is an error, as in the original") {
  const std::string text(40, 'a');
  const auto lost = [&text](std::string_view kind, Value args, bool invert) {
    const Graded graded = Grade(kind, std::move(args), text + "!", {}, invert);
    CHECK(graded.score.explanation.starts_with("no credit: "));
    return (invert ? Invert(graded.score) : graded.score).value;
  };
  for (const bool invert : {false, true}) {
    CHECK(lost("matches", "^(a+)+$", invert) == 0);
    CHECK(lost("not_matches", "^(a+)+$", invert) == 0);
    CHECK(lost("matches_all_of", List{"a", "^(a+)+$"}, invert) == 0);
    CHECK(lost("matches_at_least_n_of", List{1, List{"a", "^(a+)+$"}}, invert) == 0);
  }
  CHECK(Grade("js", "for (;;) {}", "x").score.state == ScoreState::kError);
}

// It stood in the table without a step of its own, and every criterion was lowered by hand.
TEST_CASE("the judge's row asks each judge, and says whom") {
  Check check;
  check.kind = "judge";
  check.text = "Names the capital";
  Diagnostics diagnostics;
  const CheckRow& row = *FindCheck("judge");
  const CheckArgs args = row.parse({.check = check}, diagnostics);
  REQUIRE(args != nullptr);
  Suite suite;
  suite.judges.resize(2);
  suite.backup_judge.emplace();
  const JudgePanel panel = PanelOf(suite, {});
  const std::vector<StepParty> parties = row.asks->parties(panel, args);
  REQUIRE(parties.size() == 3);
  CHECK(parties[0].most == 3);  // a question, a repair, a repeat with more room
  CHECK(parties[2].role == RequestRole::kBackupJudge);
  CHECK(parties[2].most == 2);
  const Transcript transcript;
  const Case the_case;
  AnswerView answer("Paris.");
  WorkerState worker;
  const GradeInput grade{.answer = answer, .transcript = transcript, .variant_id = "v", .the_case = the_case};
  Action action = row.asks->next(
      {.grade = grade, .so_far = {}, .tag = {.judge_model = {}}, .worker = worker, .panel = &panel}, args);
  REQUIRE(std::holds_alternative<Need>(action));
  const std::vector<PlannedRequest>& requests = std::get<Need>(action).requests;
  REQUIRE(requests.size() == 2);
  CHECK(requests[0].tag.criterion == "Names the capital");

  JudgePanel thrice = panel;
  thrice.rules.votes = 3;
  CHECK(row.asks->parties(thrice, args)[0].usual == 3);
  action = row.asks->next(
      {.grade = grade, .so_far = {}, .tag = {.judge_model = {}}, .worker = worker, .panel = &thrice}, args);
  REQUIRE(std::holds_alternative<Need>(action));
  std::vector<std::uint32_t> votes;
  for (const PlannedRequest& planned : std::get<Need>(action).requests)
    votes.push_back(std::get<ModelRequest>(planned.request).vote);
  CHECK(votes == std::vector<std::uint32_t>{0, 1, 2, 0, 1, 2});
}

struct JudgeReply {
  const char* text;
  const char* finish = "stop";
};

// What comes of a criterion whose one judge says this, and what it was asked.
struct Heard {
  std::optional<Score> score = {};
  std::vector<ModelRequest> asked = {};
};
Heard HearJudge(std::string_view answer_text, const std::vector<JudgeReply>& replies,
                const JudgingRules& rules = {}) {
  Suite suite;
  suite.judges.resize(1);
  const JudgePanel panel = PanelOf(suite, rules);
  Transcript transcript;
  transcript.answer = answer_text;
  transcript.generated_texts = {transcript.answer};
  const Case the_case;
  AnswerView answer(answer_text);
  WorkerState worker;
  const GradeInput grade{.answer = answer, .transcript = transcript, .variant_id = "v", .the_case = the_case};
  const AskInput input{
      .grade = grade, .so_far = {}, .tag = {.judge_model = {}}, .worker = worker, .panel = &panel};
  const std::vector<std::string> criteria = {"Names the capital"};
  Heard heard;
  std::vector<Exchange> exchanges;
  while (true) {
    const PanelAction action = NextOfPanel(input, criteria, exchanges);
    if (const auto* scores = std::get_if<std::vector<Score>>(&action)) {
      heard.score = scores->at(0);
      return heard;
    }
    for (const PlannedRequest& planned : std::get<Need>(action).requests) {
      heard.asked.push_back(std::get<ModelRequest>(planned.request));
      if (exchanges.size() == replies.size()) return heard;
      const JudgeReply& said = replies[exchanges.size()];
      const std::string& question = heard.asked.back().messages.back().text;
      const std::size_t at = question.find("write the code ");
      std::string text = said.text;
      if (const std::size_t code = text.find("{code}"); code != std::string::npos)
        text.replace(code, 6, at == std::string::npos ? "" : question.substr(at + 15, 16));
      Exchange& exchange = exchanges.emplace_back();
      exchange.reply = ModelReply{.text = text, .reasoning = {}, .finish_reason = said.finish, .usage = {}};
    }
  }
}

constexpr const char* kSaidPlain = "<reflection>No.</reflection><classification>CLASS_UNMET</classification>";
constexpr const char* kSaidCoded =
    "<reflection>No.</reflection><classification>CLASS_UNMET {code}</classification>";
constexpr const char* kSaidOpen =
    "<reflection>It says \"All.</reflection><classification>CLASS_EXACT</classification>";

// A cut reply took away the repair question of the next one.
TEST_CASE("a cut reply is asked for with more room, and any other one is repaired, each once") {
  constexpr JudgeReply kCut{"<reflection>It", "length"};
  constexpr JudgeReply kPreamble{"Here you are: it is not met."};
  const std::string holds = "Fine.</reflection><classification>CLASS_EXACT</classification>";
  struct Row {
    std::string answer;
    std::vector<JudgeReply> replies;
  };
  for (const Row& row :
       {Row{"Berlin.", {kCut, {kSaidOpen}, {kSaidCoded}}}, Row{holds, {kCut, {kSaidPlain}, {kSaidCoded}}},
        Row{"Berlin.", {kCut, kPreamble, {kSaidPlain}}}, Row{"Berlin.", {kPreamble, kCut, {kSaidPlain}}},
        Row{holds, {{kSaidPlain}, kCut, {kSaidCoded}}}}) {
    CAPTURE(row.answer);
    const Heard heard = HearJudge(row.answer, row.replies);
    REQUIRE(heard.score.has_value());
    CHECK(heard.score->state == ScoreState::kScored);
    CHECK(heard.score->value == 0);
    REQUIRE(heard.asked.size() == 3);
    CHECK(heard.asked[2].messages.size() == 4);
    CHECK(heard.asked[2].params.max_tokens == 6'000);
  }
}

TEST_CASE("a judge has at most two questions more, and no vote after them") {
  constexpr JudgeReply kCut{"<reflection>It", "length"};
  constexpr JudgeReply kPreamble{"Here you are: it is not met."};
  struct Row {
    std::vector<JudgeReply> replies;
    std::size_t asked;
  };
  for (const Row& row : {Row{{kCut, kCut}, 2}, Row{{kPreamble, kPreamble}, 2},
                         Row{{{kSaidOpen}, {kSaidPlain}}, 2}, Row{{kCut, {kSaidOpen}, {kSaidPlain}}, 3},
                         Row{{kCut, kPreamble, kCut}, 3}, Row{{kPreamble, kCut, kPreamble}, 3}}) {
    const Heard heard = HearJudge("Berlin.", row.replies);
    REQUIRE(heard.score.has_value());
    CHECK(heard.score->state == ScoreState::kMissing);
    CHECK(heard.asked.size() == row.asked);
  }
}

TEST_CASE("a judge with a lost vote has no verdict, whatever its other votes are") {
  constexpr JudgeReply kBroken{
      "> Fine.\n<reflection>No.</reflection><classification>CLASS_UNMET</classification>"};
  constexpr JudgeReply kAll{"<reflection>Yes.</reflection><classification>CLASS_EXACT</classification>"};
  constexpr JudgeReply kPreamble{
      "Sure. <reflection>No.</reflection><classification>CLASS_UNMET</classification>"};
  const JudgingRules thrice{.votes = 3};
  constexpr JudgeReply kRefusal{"I cannot judge this."};
  for (const JudgeReply& lost : {kBroken, kPreamble, kRefusal, JudgeReply{kSaidOpen}}) {
    CAPTURE(lost.text);
    Heard heard = HearJudge("Fine.", {lost, kAll, kAll, lost, kAll, kAll}, thrice);
    REQUIRE(heard.score.has_value());
    CHECK(heard.score->state == ScoreState::kMissing);
    CHECK(heard.score->error.find(kVerdictDoubted) != std::string::npos);
    heard = HearJudge("Fine.", {lost, kAll, kAll, lost, {kSaidCoded}, kAll}, thrice);
    REQUIRE(heard.score.has_value());
    CHECK(heard.score->state == ScoreState::kMissing);
    CHECK(heard.asked.size() == 6);
  }
}

TEST_CASE("tool calls are read line by line") {
  const std::vector<TracedCall> calls = ParseToolTrace(
      "Let me look.\r\n  TOOL_CALL {\"name\":\"search\",\"arguments\":{\"q\":1}}\r\nTOOL_CALL "
      "{broken\nTOOL_CALL []\n"
      "TOOL_CALL {\"name\":\"answer\"}");
  REQUIRE(calls.size() == 2);
  CHECK(calls[0].name == "search");
  CHECK(calls[0].arguments.Find("q") != nullptr);
  CHECK(calls[1].arguments.is_undefined());
}

TEST_CASE("kinds that have to hold whole are rows of the table that give all or nothing, or unit tests") {
  std::size_t count = 0;
  for (const CheckRow& row : CheckTable()) {
    Case the_case;
    the_case.checks.emplace_back().kind = row.name;
    if (!HasYesNoChecks(the_case)) continue;
    CAPTURE(row.name);
    ++count;
    const bool tells_a_share = row.help.find("share") != std::string_view::npos;
    CHECK_FALSE(tells_a_share);
  }
  constexpr std::size_t kListed = 67;  // of spec/score/passing.cc: none is the name of no row
  CHECK(count == kListed);
}

TEST_CASE("an answer that is nested too deeply is 0, and says so: it used to be an error") {
  const std::string deep = std::string(600, '[') + std::string(600, ']');
  const Score json = Grade("is_json", Value(true), deep).score;
  CHECK(json.state == ScoreState::kScored);
  CHECK(json.value == 0);
  CHECK_FALSE(json.explanation.empty());
  Map schema;
  schema.Append("type", "array");
  const Score matches = Grade("matches_schema", Value(schema), deep).score;
  CHECK(matches.state == ScoreState::kScored);
  CHECK(matches.value == 0);
  CHECK_FALSE(matches.explanation.empty());
  // What says that it is no JSON would gain by the same.
  CHECK(Invert(Grade("is_json", Value(true), deep, {}, true).score).value == 0);
  CHECK(Invert(Grade("is_json", Value(true), "[1", {}, true).score).value == 1);
  CHECK(Invert(Grade("matches_schema", Value(std::move(schema)), deep, {}, true).score).value == 0);
}

}  // namespace
}  // namespace assay
