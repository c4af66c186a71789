// Tests of the checks that hold an answer against something wanted, beyond the golden rows: wrong arguments,
// negated forms, what is told.
#include <doctest/doctest.h>

#include "checks/check.h"
#include "spec/suite/case.h"
#include "spec/suite/check.h"
#include "text/object.h"

namespace assay {
namespace {

struct Outcome {
  Score score;
  std::string problem;  // code and message of the first error
};

Outcome GradeWanted(std::string_view kind, Value args, std::string_view text) {
  Check check;
  check.kind = kind;
  check.args = std::move(args);
  const CheckRow* row = FindCheck(kind);
  REQUIRE(row != nullptr);
  Diagnostics diagnostics;
  const CheckArgs parsed = row->parse({.check = check}, diagnostics);
  if (diagnostics.ErrorCount() > 0)
    return {.score = {}, .problem = diagnostics.All()[0].code + ": " + diagnostics.All()[0].message};
  AnswerView answer(text);
  const Transcript transcript;
  const Case the_case;
  WorkerState worker;
  return {.score = row->grade({answer, transcript, "v", the_case}, parsed, worker), .problem = ""};
}

double ValueOf(std::string_view kind, Value args, std::string_view text) {
  const Outcome outcome = GradeWanted(kind, std::move(args), text);
  CAPTURE(outcome.problem);
  CHECK(outcome.score.state == ScoreState::kScored);
  return outcome.score.value;
}

TEST_CASE("wanted values of the wrong kind are errors of the suite") {
  const std::pair<std::string_view, Value> kWrong[] = {
      {"equals", Null{}},
      {"equals", List{}},
      {"equals", Object{{"text", "a"}, {"any_of", List{"b"}}}},
      {"equals", Object{{"text", "a"}, {"ignore", List{"colour"}}}},
      {"equals", Object{{"text", "a"}, {"drop", List{"("}}}},
      {"fuzzy_match", List{}},
      {"numeric", "none"},
      {"numeric", List{}},
      {"choice", "E"},
      {"choice", Object{{"answer", "A"}, {"of", 27}}},
      {"choice", Object{{"of", 4}}},
      {"edit_distance", "Paris"},
      {"edit_distance", Object{{"to", "a"}, {"at_most", -1}}},
      {"items", Object{{"want", "a"}}},
      {"items", Object{{"want", List{"a"}}, {"score", "share"}}},
      {"json_equals", Object{{"partial", true}}},
      {"count", Object{{"of", "words"}}},
      {"count", Object{{"of", "words"}, {"exactly", 1}, {"at_most", 2}}},
      {"count", Object{{"of", Object{{"letter", "ab"}}}, {"exactly", 1}}},
      {"letter_case", "camel"},
      {"script", "Klingon"},
      {"is_valid", "phone"},
      {"bleu", Object{{"at_least", 0.5}}},
      {"bleu", Object{{"to", "a"}, {"at_least", 1.5}}},
      {"chrf", Object{{"to", "a"}, {"words", 1}}},
      {"rouge", Object{{"to", "a"}, {"metric", "rouge3"}}},
      {"ifeval", Object{{"ids", List{"punctuation:no_coma"}}}},
      {"ifeval", Object{{"ids", List{"length_constraints:number_words"}}}},
      {"math", Object{{"to", "1"}}},
  };
  for (const auto& [kind, args] : kWrong) {
    CAPTURE(kind);
    const Outcome outcome = GradeWanted(kind, args, "a");
    CHECK(outcome.problem.starts_with("check.argument: $" + std::string(kind) + ": "));
  }
}

TEST_CASE("each has a negated form") {
  for (const CheckRow& row : CheckTable()) {
    // What asks is turned around by should_not.
    if (!row.is_own || row.asks || row.name.starts_with("not_")) continue;
    CAPTURE(row.name);
    const CheckRow* negated = FindCheck("not_" + std::string(row.name));
    REQUIRE(negated != nullptr);
    CHECK(negated->is_own);
  }
  CHECK(ValueOf("not_equals", "Paris", "Lyon") == 1);
  CHECK(ValueOf("not_squad_f1", "Denver Broncos", "Broncos") == doctest::Approx(1.0 / 3));
}

TEST_CASE("use: what is not known is an error, never 0") {
  struct Row {
    std::string_view of;
    AttemptUse use;
    std::string_view error;
  };
  const Row rows[] = {
      {"cost_usd",
       {.usage = {.known = true}},
       "check.unknown-use: the cost of the answer is not known, since "
       "the model has no price"},
      {"cost_usd",
       {.nano_usd = 0},
       "check.unknown-use: the cost of the answer is not known, since its reply "
       "says nothing of its tokens"},
      {"output_tokens", {}, "check.unknown-use: the reply does not say how many tokens it has"},
  };
  for (const Row& each : rows) {
    for (const std::string_view kind : {"use", "not_use"}) {
      const CheckRow* row = FindCheck(kind);
      REQUIRE(row != nullptr);
      CHECK(row->reads_use);
      Check check;
      check.args = Object{{"of", each.of}, {"at_most", 1}};
      Diagnostics diagnostics;
      const CheckArgs args = row->parse({.check = check, .refuses_broken = true}, diagnostics);
      CHECK(diagnostics.ErrorCount() == 0);
      AnswerView answer("a");
      const Transcript transcript;
      const Case the_case;
      WorkerState worker;
      const Score score =
          row->grade({answer, transcript, "test:model", the_case, {}, each.use}, args, worker);
      CHECK(score.error == each.error);
    }
  }
}

TEST_CASE("names of other tools lead here") {
  CHECK(CheckNamedElsewhere("latency")->name == "use");
  CHECK(CheckNamedElsewhere("levenshtein")->name == "edit_distance");
  CHECK(CheckNamedElsewhere("rouge-n")->name == "rouge");
  CHECK(CheckNamedElsewhere("not-is-json")->name == "not_is_valid");
  CHECK(CheckNamedElsewhere("equals") == nullptr);
  for (const CheckRow& row : CheckTable()) {
    for (const std::string_view name : row.elsewhere) {
      CAPTURE(name);
      CHECK(FindCheck(name) == nullptr);
      CHECK(CheckNamedElsewhere(name) == &row);
    }
  }
}

TEST_CASE("distances of texts beyond a machine word") {
  const std::string a(200, 'a');
  CHECK(ValueOf("edit_distance", Object{{"to", a}, {"at_most", 3}}, a.substr(3)) == 1);
  CHECK(ValueOf("edit_distance", Object{{"to", a}, {"at_most", 2}}, a.substr(3)) == 0);
  CHECK(ValueOf("edit_distance", Object{{"to", a + "x" + a}}, a + "y" + a) == doctest::Approx(400.0 / 401));
  CHECK(ValueOf("edit_distance", Object{{"to", List{"x", "ab"}}}, "ab") == 1);
}

TEST_CASE("lists of JSON in any order, with more members than wanted") {
  const Value wanted = Array(Object{{"a", 1}}, Object{{"a", 1}, {"b", 2}});
  const Value args = Object{{"value", wanted}, {"partial", true}, {"any_order", true}};
  CHECK(ValueOf("json_equals", args, R"([{"a": 1, "b": 2}, {"a": 1, "c": 3}])") == 1);
  CHECK(ValueOf("json_equals", args, R"([{"a": 1, "b": 3}, {"a": 1, "c": 3}])") == 0);
}

TEST_CASE("what was found is told") {
  CHECK(GradeWanted("numeric", 72, "48 + 24 = 73").score.explanation == "the number 73");
  CHECK(GradeWanted("numeric", 72, "none").score.explanation == "no number found");
  CHECK(GradeWanted("numeric", 72, "x 73").score.marks == std::vector<TextRange>{{2, 4}});
  CHECK(GradeWanted("choice", "B", "nothing").score.explanation == "no choice found");
}

TEST_CASE("a language that no script decides is an error of the point, never a 0") {
  const Value args = Object{{"ids", List{"language:response_language"}},
                            {"kwargs", List{Value(Object{{"language", "de"}})}}};
  const Score score = GradeWanted("ifeval", args, "Guten Tag").score;
  CHECK(score.state == ScoreState::kError);
  CHECK(score.error.find("ifeval.language") != std::string::npos);
}

TEST_CASE("patterns that take ages cost the answer its point, negated or not") {
  const Value args = Object{{"text", "a"}, {"drop", List{"(a+)+$"}}};
  const std::string hard = std::string(60, 'a') + "!";
  CHECK(ValueOf("equals", args, hard) == 0);
  CHECK(ValueOf("not_equals", args, hard) == 0);
}

}  // namespace
}  // namespace assay
