// Tests of fixtures: which recorded reply is taken for which request.
#include "dialects/blueprint/read/fixtures.h"

#include <doctest/doctest.h>

#include "dialects/blueprint/read/test_reading.h"
#include "spec/suite/suite.h"

namespace assay::blueprint {

namespace {

constexpr const char* kSuite =
    "models: [\"e:m\", \"e:n\"]\n---\n- {id: one, prompt: q, should: [polite, kind]}\n"
    "- {id: two, messages: [{user: a}, {assistant: null}, {user: b}]}\n";

struct Recorded {
  TestReading reading;
  Suite suite;
  std::optional<Recording> recording;

  explicit Recorded(const std::string& fixtures, Compat compat = Compat::kNone,
                    const std::string& header = "") {
    reading.options.compat = compat;
    suite = std::move(*reading.Read("t.yml", header + kSuite));
    reading.diagnostics = {};
    recording =
        ReadBlueprintFixtures(reading.Input("f.yml"), reading.sources.Add("f.yml", fixtures), fixtures);
  }

  std::string Find(const RequestTag& tag) const {
    const std::optional<ModelReply> reply = recording->find(suite, ModelRequest{}, tag);
    return reply ? reply->text : "(none)";
  }
  std::string Candidate(CaseIndex index, std::uint32_t turn, bool is_final, AttemptIndex attempt = 0) const {
    RequestTag tag;
    tag.case_index = index;
    tag.turn = turn;
    tag.is_final_turn = is_final;
    tag.attempt = attempt;
    return Find(tag);
  }
  std::string JudgeReply(CheckIndex check, VariantIndex variant, RequestRole role,
                         std::string_view judge) const {
    RequestTag tag;
    tag.role = role;
    tag.check = check;
    tag.criterion = suite.cases[0].checks[check].text;
    tag.variant = variant;
    tag.judge_model = judge;
    return Find(tag);
  }
};

}  // namespace

TEST_CASE("turns and the answer after the last user message") {
  const char* turns = "responses: {two: {default: {turns: [T1, T2], final: F}}}\n";
  const Recorded seed(turns);
  CHECK(seed.Candidate(1, 0, false) == "T1");
  CHECK(seed.Candidate(1, 1, true) == "F");
  const Recorded weval(turns, Compat::kWeval);
  CHECK(weval.Candidate(1, 0, false) == "T1");
  CHECK(weval.Candidate(1, 1, true) == "(none)");
  const Recorded without_final("responses: {two: {default: {turns: [T1, T2]}}}\n");
  CHECK(without_final.Candidate(1, 1, true) == "T2");
  const char* plain = "responses: {two: {default: P}}\n";
  CHECK(Recorded(plain).Candidate(1, 1, true) == "P");
  CHECK(Recorded(plain, Compat::kWeval).Candidate(1, 1, true) == "(none)");
  CHECK(Recorded(plain).Candidate(1, 0, false) == "(none)");
  CHECK(Recorded(plain).Candidate(0, 0, true) == "(none)");
}

TEST_CASE("round-robin goes by attempt") {
  const char* text = "strategy: round-robin\nresponses: {one: {default: [a, b]}}\n";
  CHECK(Recorded(text).Candidate(0, 0, true, 0) == "a");
  CHECK(Recorded(text).Candidate(0, 0, true, 3) == "b");
  CHECK(Recorded(text, Compat::kWeval).Candidate(0, 0, true, 3) == "a");
}

TEST_CASE("an id with its suffixes comes before the model's") {
  const char* text =
      "responses: {one: {byModel: {\"e:m\": any, \"e:n\": other, \"e:m[temp:1]\": exact}}}\n"
      "judges: {one: {polite: {byModel: {\"e:m\": of any, \"e:m[temp:1]\": of exact}}}}\n";
  const Recorded recorded(text, Compat::kNone, "temperatures: [1, 0]\n");
  CHECK(recorded.suite.variants[0].id == "e:m[temp:1]");
  CHECK(recorded.Candidate(0, 0, true) == "exact");
  CHECK(recorded.JudgeReply(0, 0, RequestRole::kJudge, "k:1") == "of exact");
  CHECK(Recorded(text, Compat::kWeval, "temperatures: [1, 0]\n").Candidate(0, 0, true) == "any");
}

TEST_CASE("the hash of seeded picks takes whole UTF-16 units") {
  CHECK(FixtureHash("") == 2166136261u);
  CHECK(FixtureHash("a") == 0xe40c292cu);
  CHECK(FixtureHash("\xe2\x82\xac") == (2166136261u ^ 0x20acu) * 16777619u);
}

TEST_CASE("recorded judges") {
  const Recorded recorded(
      "judges:\n"
      "  one:\n"
      "    polite: {class: MAJOR, reflection: why}\n"
      "    kind:\n"
      "      byModel:\n"
      "        \"e:m\": {\"j:*\": {class: EXACT}, backup: raw reply}\n"
      "      default: {class: UNMET, reflection: no}\n");
  REQUIRE(recorded.recording.has_value());
  constexpr auto kJudge = RequestRole::kJudge;
  constexpr auto kBackup = RequestRole::kBackupJudge;
  CHECK(recorded.JudgeReply(0, 1, kJudge, "any:judge") ==
        "<reflection>why</reflection>\n<classification>CLASS_MAJOR</classification>");
  CHECK(recorded.JudgeReply(1, 0, kJudge, "j:1") ==
        "<reflection>recorded</reflection>\n<classification>CLASS_EXACT</classification>");
  CHECK(recorded.JudgeReply(1, 0, kJudge, "k:1") == "(none)");
  CHECK(recorded.JudgeReply(1, 0, kBackup, "k:1") == "raw reply");
  CHECK(recorded.JudgeReply(1, 1, kJudge, "k:1") ==
        "<reflection>no</reflection>\n<classification>CLASS_UNMET</classification>");
}

TEST_CASE("key points are replies of whoever extracts them") {
  const Recorded recorded("keyPoints:\n  one: [First., Second.]\n");
  RequestTag tag;
  tag.role = RequestRole::kExtraction;
  CHECK(recorded.Find(tag) == "<key_point>First.</key_point>\n<key_point>Second.</key_point>\n");
  tag.case_index = 1;
  CHECK(recorded.Find(tag) == "(none)");
}

TEST_CASE("mistakes in a fixtures file") {
  struct Row {
    std::string text;
    std::string want;
  };
  const Row rows[] = {
      {"[]\n", "error fixtures.document 1:1\n"},
      {"response: {}\n", "warning fixtures.unknown-key 1:1\n"},
      {"strategy: random\n", "warning fixtures.strategy 1:11\n"},
      {"responses: {p: text}\n", "error fixtures.responses 1:16\n"},
      {"judges: {p: {c: {class: MAJRO}}}\n", "error fixtures.class 1:25\n"},
      {"judges: {p: {c: 5}}\n", "error fixtures.judge 1:17\n"},
      {"judges: {p: c}\n", "error fixtures.judge 1:13\n"},
      {"a: 1\n---\nb: 2\n", "error fixtures.document 3:1\n"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text);
    TestReading reading;
    ReadBlueprintFixtures(reading.Input("f.yml"), reading.sources.Add("f.yml", row.text), row.text);
    CHECK(reading.Problems() == row.want);
  }
}

}  // namespace assay::blueprint
