// Tests of the checks of exported evals: texts with parts of the answer, formulas, and models that grade.
#include <doctest/doctest.h>

#include "checks/graders.h"
#include "checks/judge/judge.h"
#include "spec/suite/case.h"
#include "spec/suite/check.h"
#include "spec/suite/variant.h"
#include "text/json/json.h"
#include "text/numbers/formula.h"

namespace assay {
namespace {

struct Exported {
  Check check;
  Diagnostics diagnostics;
  CheckArgs args;
  Case the_case;
  Transcript transcript;
  WorkerState worker;

  Exported(std::string_view kind, std::string_view json) {
    check.kind = kind;
    check.args = *ParseJson(json);
    args = (kind == "multi_grader" ? ParseGraders : ParseGrader)({.check = check, .refuses_broken = true},
                                                                 diagnostics);
  }
  Score Grade(std::string_view answer) {
    AnswerView view(answer);
    return GradeByGrader({view, transcript, "v", the_case}, args, worker);
  }
  Action Next(std::string_view answer, const std::vector<std::string>& replies) {
    Judge judge;
    judge.model_id = "openai:j";
    judge.label = "openai:j";
    JudgePanel panel;
    panel.judges = {&judge};
    std::vector<Exchange> exchanges;
    for (const std::string& text : replies) {
      ModelReply reply;
      reply.text = text;
      exchanges.emplace_back();
      exchanges.back().reply = std::move(reply);
    }
    AnswerView view(answer);
    const GradeInput grade{view, transcript, "v", the_case};
    return NextGraders({.grade = grade, .so_far = exchanges, .tag = {}, .worker = worker, .panel = &panel},
                       args);
  }
  Score Asked(std::string_view answer, const std::vector<std::string>& replies) {
    return std::get<Score>(std::get<Done>(Next(answer, replies)).value);
  }
};

}  // namespace

TEST_CASE("exported evals: parts of the answer are compared") {
  CHECK(Exported("string_check", R"({"operation": "eq", "input": "a", "reference": "a"})").Grade("x").value ==
        1);
  const auto part = [](std::string_view sample) {
    return std::string(R"({"operation": "eq", "reference": "7", "input": [{"sample": )") +
           std::string(sample) + "}]}";
  };
  CHECK(Exported("string_check", part(R"("output_text")")).Grade("7").value == 1);
  Exported json("string_check", part(R"("output_json", "path": ["a", -1])"));
  CHECK(json.Grade(R"({"a": [1, 7]})").value == 1);
  CHECK(json.Grade(R"({"a": []})").value == 0);
  CHECK(json.Grade("no JSON").explanation == "no answer found: the answer has no sample.output_json.a[-1]");
  Exported tools("string_check", part(R"("output_tools", "path": [0, "function", "name"])"));
  tools.transcript.told.tool_calls.push_back({.id = "1", .name = "7", .arguments = "{}"});
  CHECK(tools.Grade("").value == 1);
  CHECK(Exported("string_check", part(R"("model")")).diagnostics.HasErrors());
}

TEST_CASE("exported evals: a threshold makes a share a pass") {
  const std::string_view args = R"({"metric": "rouge_1", "input": "a b", "reference": "a c")";
  CHECK(Exported("text_similarity", std::string(args) + "}").Grade("").value == doctest::Approx(0.5));
  CHECK(Exported("text_similarity", std::string(args) + R"(, "pass_threshold": 0.5})").Grade("").value == 1);
  CHECK(Exported("text_similarity", std::string(args) + R"(, "pass_threshold": 0.6})").Grade("").value == 0);
}

TEST_CASE("exported evals: a model names a label or a number, and is asked once more") {
  const std::string_view messages = R"("model": "j", "messages": [{"role": "user", "content": "q"}])";
  Exported label("label_model",
                 "{" + std::string(messages) + R"(, "labels": ["a", "b"], "passing_labels": ["a"]})");
  CHECK(std::holds_alternative<Need>(label.Next("", {})));
  CHECK(label.Asked("", {R"({"label": "a"})"}).value == 1);
  CHECK(label.Asked("", {"```json\n{\"label\": \"b\"}\n```"}).value == 0);
  CHECK(std::holds_alternative<Need>(label.Next("", {"a or b"})));
  CHECK(label.Asked("", {"a or b", "a"}).value == 1);
  CHECK(label.Asked("", {"a or b", "c"}).state == ScoreState::kMissing);
  Exported score("score_model", "{" + std::string(messages) + R"(, "range": [1, 5]})");
  CHECK(score.Asked("", {R"({"score": 2})"}).value == 0.25);
  CHECK(std::holds_alternative<Need>(score.Next("", {R"({"score": 6})"})));
  Exported several("multi_grader", R"({"calculate_output": "a * 0.5 + b-1 / 10", "graders": {"a": {"type":
      "string_check", "operation": "like", "input": [{"sample": "output_text"}], "reference": "x"},
      "b-1": {"type":
      "score_model", )" + std::string(messages) +
                                       R"(, "range": [0, 5]}}})");
  CHECK(several.diagnostics.ErrorCount() == 0);
  CHECK(several.Asked("xy", {R"({"score": 4})"}).value == doctest::Approx(0.9));
  CHECK(several.Asked("xy", {R"({"score": 4})"}).explanation == "a: 1, b-1: 4");
}

TEST_CASE("exported evals: formulas") {
  const std::string names[] = {"a", "ab"};
  const double values[] = {2, 3};
  const auto of = [&](std::string_view text) {
    const Result<Formula> formula = Formula::Read(text, names);
    return formula ? formula->Of(values) : -1'000;
  };
  CHECK(of("a + ab * 2") == 8);
  CHECK(of("(a + ab) * 2") == 10);
  CHECK(of("-a - -ab / 2") == -0.5);
  CHECK(of("1e1 - 4 - 3") == 3);
  for (const std::string_view text : {"", "a b", "abc", "a +", "(a", "a)", "a ** 2", "cosh(a)"})
    CHECK(of(text) == -1'000);
  CHECK(!Formula::Read(std::string(5'000, '('), names).has_value());
  CHECK(!Formula::Read(std::string(200, '-') + "a", names).has_value());
}

}  // namespace assay
