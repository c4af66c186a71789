// Tests of the check `assertion`: its arguments, what it looks at, its scores, and the talks with graders.
#include <doctest/doctest.h>
#include <fmt/core.h>

#include "checks/graders.h"
#include "checks/judge/judge.h"
#include "spec/suite/case.h"
#include "spec/suite/check.h"
#include "spec/suite/variant.h"
#include "text/json/json.h"

namespace assay {
namespace {

// What a model of the test replies: a text, a vector, or an error.
using Said = std::variant<std::string, std::vector<double>, Error>;

struct Asserted {
  Check check;
  Diagnostics diagnostics;
  CheckArgs args;
  Case the_case;
  Variant variant;
  CaseAsking asking{.name = "p", .text = "Where is it?"};
  Transcript transcript;
  AttemptUse use;
  WorkerState worker;
  Judge grader;
  Judge embedder;

  // `graders`: JSON of the places of the graders; the judges are a grader and an embedder.
  explicit Asserted(std::string_view assertion, std::string_view graders = "[]", GradingRules rules = {},
                    std::string_view row = R"({"vars": {"city": "Oslo"}})") {
    check.kind = "assertion";
    check.args = *ParseJson(fmt::format(R"({{"assertion": {}, "graders": {}}})", assertion, graders));
    check.judges.edit() = {0, 1};
    the_case.row.edit() = *ParseJson(row);
    grader.model_id = grader.label = "openai:g";
    embedder.model_id = "openai:e";
    args = ParseAssertion({.check = check, .grading = rules, .row = &*the_case.row, .refuses_broken = true},
                          diagnostics);
  }
  JudgePanel Panel() const {
    JudgePanel panel;
    panel.judges = {&grader, &embedder};
    return panel;
  }
  GradeInput Input(AnswerView& view) {
    return {.answer = view,
            .transcript = transcript,
            .variant_id = "v",
            .the_case = the_case,
            .use = use,
            .variant = &variant,
            .asked = &asking};
  }
  Score Grade(std::string_view answer) {
    AnswerView view(answer);
    return GradeAssertion(Input(view), args, worker);
  }
  Action Next(std::string_view answer, const std::vector<Said>& replies) {
    std::vector<Exchange> exchanges;
    for (const Said& said : replies) {
      Exchange& exchange = exchanges.emplace_back();
      if (const auto* text = std::get_if<std::string>(&said)) {
        exchange.reply.emplace<ModelReply>().text = *text;
      } else if (const auto* vector = std::get_if<std::vector<double>>(&said)) {
        exchange.reply.emplace<EmbedReply>().vectors = {*vector};
      } else {
        exchange.error = std::get<Error>(said);
      }
    }
    AnswerView view(answer);
    const GradeInput grade = Input(view);
    const JudgePanel panel = Panel();
    return NextAssertion({.grade = grade, .so_far = exchanges, .tag = {}, .worker = worker, .panel = &panel},
                         args);
  }
  Score Asked(std::string_view answer, const std::vector<Said>& replies) {
    return std::get<Score>(std::get<Done>(Next(answer, replies)).value);
  }
  std::size_t Wanted(std::string_view answer, const std::vector<Said>& replies) {
    const Action action = Next(answer, replies);
    return std::holds_alternative<Need>(action) ? std::get<Need>(action).requests.size() : 0;
  }
  // "judge 1 to 2" of each party.
  std::string Parties() const {
    std::string text;
    for (const StepParty& party : PartiesOfAssertion(Panel(), args))
      text += fmt::format("{} {} {}-{};", RequestRoleName(party.role), party.id, party.usual, party.most);
    return text;
  }
  std::string Problems() const {
    std::string text;
    for (const Diagnostic& problem : diagnostics.All()) text += problem.message + "\n";
    return text;
  }
};

constexpr std::string_view kText = R"([{"text": 0}])";

}  // namespace

TEST_CASE("an assertion gives its number, its verdict and its reason") {
  Asserted contains(R"({"type": "contains", "value": "{{ city }}"})");
  const Score score = contains.Grade("in Oslo");
  CHECK(score.value == 1);
  CHECK(score.verdict == true);
  CHECK(score.explanation == "Assertion passed");
  CHECK(score.remark.is_undefined());
  CHECK(contains.Grade("in Bergen").verdict == false);
  CHECK(contains.Grade("in Bergen").explanation == "Expected output to contain \"Oslo\"");
  CHECK(contains.Parties().empty());
  Asserted rouge(R"({"type": "rouge-n", "value": "a b", "threshold": 0.4})");
  CHECK(rouge.Grade("a c").value == doctest::Approx(0.5));
  CHECK(rouge.Grade("a c").verdict == true);
}

TEST_CASE("a test's code sees the prompt, the row and the provider, and what it names goes along") {
  Asserted script(R"x({"type": "javascript", "value": "({pass: context.prompt === 'Where is it?' && )x"
                  R"x(context.test.description === 'd' && context.provider.id === 'x', )x"
                  R"x(score: 3, reason: 'so', namedScores: {n: 0.5}})"})x",
                  "[]", {}, R"({"vars": {}, "test": {"description": "d"}})");
  script.variant.details = *ParseJson(R"({"provider": {"id": "x"}})");
  const Score score = script.Grade("a");
  CHECK(score.verdict == true);
  CHECK(score.value == 1);  // of 3
  CHECK(WriteJson(score.remark, JsonStyle::kJavaScript) == R"({"named_scores":{"n":0.5},"raw":3})");
  Asserted throws(R"({"type": "contains", "value": ""})");
  CHECK(throws.Grade("a").state == ScoreState::kError);
}

TEST_CASE("scores stay as the original has them under its accidents") {
  const std::string_view three = R"({"type": "javascript", "value": "3"})";
  CHECK(Asserted(three, "[]", {.original_accidents = true}).Grade("a").value == 3);
  CHECK(Asserted(three).Grade("a").value == 1);
  const std::string_view huge = R"({"type": "javascript", "value": "1e300"})";
  const Score score = Asserted(huge, "[]", {.original_accidents = true}).Grade("a");
  CHECK(score.value == 1e9);
  CHECK(score.remark.NumberAt("raw") == 1e300);
  AttemptRecord record;
  record.scores = {score};
  CHECK(DecodeScores(EncodeScores(record)).has_value());
}

TEST_CASE("the answer passes the transforms of the provider, the test and the assertion, in this order") {
  Asserted transformed(R"({"type": "equals", "value": "a123", "transform": "output + 3"})", "[]", {},
                       R"({"vars": {}, "test": {"options": {"transform": "output + 2"}}})");
  transformed.variant.details = *ParseJson(R"({"transform": "output + 1"})");
  CHECK(transformed.Grade("a").verdict == true);
  AnswerView view("a");
  CHECK(GradeAssertion(transformed.Input(view), transformed.args, transformed.worker).verdict == true);
  REQUIRE(view.transformed.has_value());
  CHECK((*view.transformed)->AsString() == "a12");
  // Made once an answer.
  view.transformed = Value("b12");
  CHECK(GradeAssertion(transformed.Input(view), transformed.args, transformed.worker).verdict == false);
  transformed.variant.details = *ParseJson(R"({"transform": "null"})");
  CHECK(transformed.Grade("a").state == ScoreState::kError);
}

TEST_CASE("what the answer took, and calls of tools in the place of a text") {
  Asserted latency(R"({"type": "latency", "threshold": 5})");
  latency.use.duration_us = 5'000;
  CHECK(latency.Grade("a").verdict == true);
  latency.use.duration_us = 5'001;
  CHECK(latency.Grade("a").verdict == false);
  Asserted cost(R"({"type": "cost", "threshold": 0.002})");
  CHECK(cost.Grade("a").state == ScoreState::kError);  // nobody knows it
  cost.use.nano_usd = 2'000'000;
  cost.use.usage.known = true;
  CHECK(cost.Grade("a").verdict == true);
  Asserted finish(R"({"type": "finish-reason", "value": "stop"})");
  CHECK(finish.Grade("a").verdict == false);
  finish.use.finish_reason = "STOP";
  CHECK(finish.Grade("a").verdict == true);
  Asserted calls(R"({"type": "tool-call-f1", "value": ["f"]})");
  calls.transcript.told.tool_calls.push_back({.id = "1", .name = "f", .arguments = "{}"});
  CHECK(calls.Grade("").verdict == true);
}

TEST_CASE("a set adds its members up, and tells each") {
  Asserted set(R"({"type": "assert-set", "threshold": 0.5, "assert": [
      {"type": "contains", "value": "a", "weight": 3, "metric": "m"}, {"type": "contains", "value": "b"}]})");
  // (1 x 3 + 0 x 1) / 4
  const Score score = set.Grade("a");
  CHECK(score.value == 0.75);
  CHECK(score.verdict == true);
  CHECK(score.explanation == "Aggregate score 0.75 ≥ 0.5 threshold");
  REQUIRE(score.items.size() == 2);
  CHECK(score.items[0].wanted == "contains: \"a\"");
  CHECK(score.items[0].points == 3);
  CHECK(score.items[1].share == 0);
  CHECK(score.items[1].sentence == "Expected output to contain \"b\"");
  CHECK(score.remark.MapAt("named_scores").NumberAt("m") == 1);
  CHECK(score.remark.ListAt("components").size() == 2);
  CHECK(set.Grade("c").verdict == false);
  // The threshold of a set alone decides.
  CHECK(Asserted(R"({"type": "assert-set", "assert": [{"type": "contains", "value": "a"},
      {"type": "contains", "value": "b"}]})")
            .Grade("a")
            .verdict == false);
}

TEST_CASE("every problem of an assertion is reported before the run") {
  CHECK(Asserted(R"({"type": "containz", "value": "x"})").Problems().find("did you mean \"contains\"") !=
        std::string::npos);
  const std::string python = Asserted(R"({"type": "python", "value": "x"})").Problems();
  CHECK(python == "assertions of type \"python\" are not run here\n");
  const Asserted set(R"({"type": "assert-set", "assert": [{"type": "equalz"}, {"type": "select-best"},
      {"type": "assert-set"}, {"value": "x"}, {"type": "trace-span"}, {"type": "classifier"}]})");
  CHECK(set.diagnostics.ErrorCount() == 6);
  CHECK(Asserted(R"({"type": "assert-set"})").Problems() ==
        "an assert-set needs `assert`, a list of assertions\n");
  for (const std::string_view graders : {"[]", R"([{"text": 2}])", R"([{"text": -1}])", R"([{"text": 0.5}])"})
    CHECK(Asserted(R"({"type": "llm-rubric", "value": "x"})", graders)
              .Problems()
              .find("needs a model that grades") != std::string::npos);
  CHECK(Asserted(R"({"type": "similar", "value": "x"})", kText)
            .Problems()
            .find("needs a model that turns texts into vectors") != std::string::npos);
  Asserted broken(R"({"type": "containz", "value": "x"})");
  CHECK(broken.Grade("a").state == ScoreState::kError);
  CHECK(broken.Parties().empty());
}

TEST_CASE("a grader is asked once for a rubric, and its voice goes along") {
  Asserted rubric(R"({"type": "llm-rubric", "value": "names {{ city }}"})", kText);
  CHECK(rubric.Parties() == "judge openai:g 1-1;");
  const Action action = rubric.Next("Oslo!", {});
  REQUIRE(std::holds_alternative<Need>(action));
  const PlannedRequest& planned = std::get<Need>(action).requests.at(0);
  const auto& request = std::get<ModelRequest>(planned.request);
  CHECK(planned.tag.role == RequestRole::kJudge);
  CHECK(planned.tag.judge_model == "openai:g");
  CHECK(request.messages.back().text.find("names Oslo") != std::string::npos);
  CHECK(request.messages.back().text.find("Oslo!") != std::string::npos);
  const Score score = rubric.Asked("a", {"{\n\"pass\": true,\n\"score\": 0.8, \"reason\": \"fine\"}"});
  CHECK(score.value == 0.8);
  CHECK(score.verdict == true);
  CHECK(score.explanation == "fine");
  CHECK(score.grader == "openai:g");
  REQUIRE(score.evidence.size() == 1);
  CHECK(score.evidence[0].value == 0.8);
  CHECK(score.evidence[0].text == "fine");
  const Score unread = rubric.Asked("a", {"no JSON"});
  CHECK(unread.verdict == false);
  CHECK(unread.error == "Could not extract JSON from llm-rubric response");
  const Error down{ErrorCode::kService, "down"};
  CHECK(rubric.Asked("a", {down}).state == ScoreState::kMissing);
  CHECK(rubric.Asked("a", {down}).error == "openai:g: down");
}

TEST_CASE("the author's own prompt is asked in place of ours") {
  Asserted own(R"({"type": "llm-rubric", "value": "r", "rubricPrompt":
      "[{\"role\": \"system\", \"content\": \"S {{ city }}\"}, )"
               R"({\"role\": \"user\", \"content\": \"{{ rubric }}\"}]"})",
               kText);
  const auto messages = [](const Action& action) {
    return std::get<ModelRequest>(std::get<Need>(action).requests.at(0).request).messages;
  };
  CHECK(messages(own.Next("a", {})) == std::vector<Message>{{Role::kSystem, "S Oslo"}, {Role::kUser, "r"}});
  Asserted of_test(R"({"type": "llm-rubric", "value": "r"})", kText, {},
                   R"({"vars": {}, "test": {"options": {"rubricPrompt": "T {{ output }}"}}})");
  CHECK(messages(of_test.Next("a", {})) == std::vector<Message>{{Role::kUser, "T a"}});
}

TEST_CASE("graders of several calls ask round by round, and never more than they say") {
  const std::string steps = R"({"steps": ["s"]})";
  const std::string ten = R"({"score": 10, "reason": "r"})";
  Asserted several(R"({"type": "g-eval", "value": ["c", "d"]})", kText);
  CHECK(several.Parties() == "judge openai:g 4-4;");
  CHECK(several.Wanted("a", {steps, ten, steps}) == 1);
  CHECK(several.Asked("a", {steps, ten, steps, ten}).value == 1);
  // The same words are asked three times, as three votes.
  Asserted relevance(R"({"type": "answer-relevance", "threshold": 0.9})", R"([{"text": 0, "embedding": 1}])");
  CHECK(relevance.Parties() == "judge openai:g 3-3;embedding openai:e 4-4;");
  const Action third = relevance.Next("a", {"q1", "q2"});
  CHECK(std::get<ModelRequest>(std::get<Need>(third).requests.at(0).request).vote == 2);
  const Action vectors = relevance.Next("a", {"q1", "q2", "q1"});
  REQUIRE(std::get<Need>(vectors).requests.size() == 3);  // of the prompt, q1 and q2
  CHECK(std::get<Need>(vectors).requests[0].tag.role == RequestRole::kEmbedding);
  const std::vector<double> x = {1, 0};
  const std::vector<double> y = {0, 1};
  // (1 + 0 + 1) / 3
  const Score score = relevance.Asked("a", {"q1", "q2", "q1", x, x, y});
  CHECK(score.value == doctest::Approx(2.0 / 3));
  CHECK(score.verdict == false);
  Asserted conversation(R"({"type": "conversation-relevance"})", kText, {},
                        R"({"vars": {"_conversation": [{"input": "a", "output": "b"},
                            {"input": "c", "output": "d"}]}})");
  CHECK(conversation.Parties() == "judge openai:g 2-3;");
}

TEST_CASE("assumed replies make graders ask as often as good ones do") {
  const std::string assumed = AssumedVerdictText(VerdictForm::kTags);
  const struct {
    std::string_view assertion;
    std::size_t calls;
  } rows[] = {{R"({"type": "llm-rubric", "value": "r"})", 1},
              {R"({"type": "g-eval", "value": ["c", "d"]})", 4},
              {R"({"type": "factuality", "value": "f"})", 1},
              {R"({"type": "model-graded-closedqa", "value": "q"})", 1},
              {R"({"type": "context-recall", "value": "t"})", 1},
              {R"({"type": "context-faithfulness"})", 2},
              {R"({"type": "conversation-relevance"})", 1}};
  for (const auto& row : rows) {
    CAPTURE(row.assertion);
    Asserted asserted(row.assertion, kText, {}, R"({"vars": {"query": "q", "context": "c"}})");
    std::vector<Said> replies;
    while (replies.size() < 9 && asserted.Wanted("a", replies) == 1) replies.emplace_back(assumed);
    CHECK(replies.size() == row.calls);
    CHECK(asserted.Asked("a", replies).state == ScoreState::kScored);
  }
}

TEST_CASE("similar texts are found by their vectors") {
  Asserted similar(R"({"type": "similar", "value": ["{{ city }}", "Rome"], "threshold": 0.9})",
                   R"([{"embedding": 1}])");
  CHECK(similar.Parties() == "embedding openai:e 3-3;");
  const Action action = similar.Next("Rome", {});
  REQUIRE(std::holds_alternative<Need>(action));
  REQUIRE(std::get<Need>(action).requests.size() == 2);  // the answer is one of the texts
  const auto& request = std::get<EmbedRequest>(std::get<Need>(action).requests[1].request);
  CHECK(request.texts == std::vector<std::string>{"Oslo"});
  const std::vector<double> x = {1, 0};
  const std::vector<double> y = {0, 1};
  CHECK(similar.Asked("Rome", {x, y}).verdict == true);
  const Score far = similar.Asked("Bern", {x, y, y});
  CHECK(far.verdict == false);
  CHECK(far.explanation == "None of the provided values met the similarity threshold");
  CHECK(similar.Asked("Bern", {x, Error{ErrorCode::kNetwork, "gone"}, y}).error == "openai:e: gone");
}

TEST_CASE("a set asks the graders of all its members at once, and counts those that ask nobody") {
  Asserted set(R"({"type": "assert-set", "assert": [{"type": "llm-rubric", "value": "r"},
      {"type": "contains", "value": "a"}, {"type": "similar", "value": "b"}]})",
               R"([{"text": 0}, {}, {"embedding": 1}])");
  CHECK(set.diagnostics.ErrorCount() == 0);
  CHECK(set.Parties() == "judge openai:g 1-1;embedding openai:e 2-2;");
  CHECK(set.Wanted("a", {}) == 3);
  const std::vector<double> x = {1, 0};
  const std::string fine = R"({"pass": true, "score": 1, "reason": "fine"})";
  const Score score = set.Asked("a", {fine, x, x});
  CHECK(score.verdict == true);
  CHECK(score.items.size() == 3);
  CHECK(score.evidence.empty());
  CHECK(set.Asked("a", {fine, x, Error{ErrorCode::kNetwork, "gone"}}).state == ScoreState::kMissing);
}

}  // namespace assay
