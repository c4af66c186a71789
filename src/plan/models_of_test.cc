// Tests of who may be asked, and that all of it is part of the plan's digest.
#include "plan/models_of.h"

#include <doctest/doctest.h>
#include <fmt/core.h>

#include "spec/run/worker_state.h"
#include "spec/suite/stored_suite.h"
#include "spec/suite/suite.h"

namespace assay {
namespace {

ModelRef Named(std::string provider, std::string model) {
  ModelRef ref;
  ref.provider = std::move(provider);
  ref.model = std::move(model);
  return ref;
}

Suite SuiteOfRoles() {
  Suite suite;
  Case& the_case = suite.cases.emplace_back();
  the_case.id = "a";
  the_case.turns.push_back({.role = Role::kUser, .kind = TurnKind::kText, .text = "hi", .span = {}});
  the_case.turns.push_back({.role = Role::kAssistant, .kind = TurnKind::kGenerate, .text = {}, .span = {}});
  the_case.checks.emplace_back().kind = kJudgeKind;
  Variant& variant = suite.variants.emplace_back();
  static_cast<ModelRef&>(variant) = Named("p", "m");
  variant.id = "p:m[temp:0]";
  variant.fallbacks = {Named("q", "n"), Named("r", "o")};
  static_cast<ModelRef&>(suite.judges.emplace_back()) = Named("j", "one");
  static_cast<ModelRef&>(suite.backup_judge.emplace()) = Named("b", "two");
  static_cast<ModelRef&>(suite.extractors.emplace_back()) = Named("x", "three");
  static_cast<ModelRef&>(suite.embedder.emplace()) = Named("e", "four");
  suite.attempts = 2;
  return suite;
}

std::shared_ptr<const Plan> BuildPlan(Suite suite) {
  Diagnostics diagnostics;
  auto plan = Plan::Build(std::move(suite), {}, diagnostics);
  REQUIRE(plan != nullptr);
  return plan;
}

TEST_CASE("everybody who may be asked is there, with the number of steps that may ask") {
  const auto plan = BuildPlan(SuiteOfRoles());
  std::string said;
  for (const PlannedModel& model : ModelsOf(*plan)) {
    said += fmt::format("{} {}:{} {} {}\n", RequestRoleName(model.role), model.ref->provider,
                        model.ref->model, model.stand_in, model.requests);
  }
  CHECK(said ==
        "candidate p:m 0 2\n"
        "candidate q:n 1 2\n"
        "candidate r:o 2 2\n"
        "judge j:one 0 2\n"
        "backup judge b:two 0 2\n"
        "embedding e:four 0 2\n");
  std::string pools;
  for (const Pool& pool : plan->pools()) pools += pool.name + " ";
  CHECK(pools == "embed:e judge:b judge:j p q r ");
}

TEST_CASE("every parameter that somebody wrote changes the digest") {
  const Digest plain = DigestOf(SuiteOfRoles());
  using Change = void (*)(Suite&);
  const Change kChanges[] = {
      [](Suite& suite) { suite.variants[0].params.temperature = 0.5; },
      [](Suite& suite) { suite.variants[0].params.top_p = 0.5; },
      [](Suite& suite) { suite.variants[0].params.max_tokens = 5; },
      [](Suite& suite) { suite.variants[0].params.seed = 5; },
      [](Suite& suite) { suite.variants[0].params.stop = {"a"}; },
      [](Suite& suite) { suite.variants[0].params.effort = "low"; },
      [](Suite& suite) { suite.variants[0].params.thinking_tokens = 5; },
      [](Suite& suite) { suite.variants[0].fallbacks.pop_back(); },
      [](Suite& suite) { suite.variants[0].fallbacks[0].model = "other"; },
      [](Suite& suite) { suite.judges[0].params.max_tokens = 5; },
      [](Suite& suite) { suite.backup_judge->params.top_p = 0.5; },
      [](Suite& suite) { suite.extractors[0].params.seed = 5; },
      [](Suite& suite) { suite.embedder->model = "other"; },
      [](Suite& suite) { suite.cases[0].answer_schema = Value(true); },
  };
  for (std::size_t i = 0; i < std::size(kChanges); ++i) {
    CAPTURE(i);
    Suite suite = SuiteOfRoles();
    kChanges[i](suite);
    CHECK(DigestOf(suite) != plain);
  }
}

Exchange Reply(std::string text) {
  Exchange exchange;
  exchange.reply = ModelReply{
      .text = std::move(text), .reasoning = {}, .tool_calls = {}, .finish_reason = {}, .usage = {}};
  return exchange;
}

Exchange Failure(ErrorCode code) {
  Exchange exchange;
  exchange.error = Error{code, "no"};
  return exchange;
}

// "ask q:n", or what came of it.
std::string Next(const Plan& plan, const std::vector<Exchange>& so_far) {
  const RunContext run;
  WorkerState worker;
  const StepContext context{.suite = plan.suite(), .inputs = {}, .run = run, .worker = worker};
  const CasePlan& case_plan = plan.case_plan(0);
  Action action = NextOf(plan, case_plan.slots[kAnswerSlot], context, so_far);
  if (const auto* need = std::get_if<Need>(&action)) {
    const auto& request = std::get<ModelRequest>(need->requests.front().request);
    return fmt::format("ask {}:{}", request.provider, request.model);
  }
  const auto& transcript = std::get<Transcript>(std::get<Done>(action).value);
  return transcript.error.empty() ? fmt::format("{} by {}", transcript.answer, transcript.answered_by)
                                  : transcript.error;
}

TEST_CASE("a model that is down is stood in for, in order, and the answer says by whom") {
  const auto plan = BuildPlan(SuiteOfRoles());
  CHECK(Next(*plan, {}) == "ask p:m");
  CHECK(Next(*plan, {Reply("yes")}) == "yes by ");
  CHECK(Next(*plan, {Failure(ErrorCode::kNetwork)}) == "ask q:n");
  CHECK(Next(*plan, {Failure(ErrorCode::kService)}) == "ask q:n");
  CHECK(Next(*plan, {Failure(ErrorCode::kTimeout), Reply("so")}) == "so by q:n");
  CHECK(Next(*plan, {Failure(ErrorCode::kRateLimited), Failure(ErrorCode::kNetwork)}) == "ask r:o");
  CHECK(Next(*plan, {Failure(ErrorCode::kNetwork), Failure(ErrorCode::kNetwork),
                     Failure(ErrorCode::kNetwork)}) == "no");
  // What it says of the question is its answer.
  CHECK(Next(*plan, {Failure(ErrorCode::kRefused)}) == "no");
  CHECK(Next(*plan, {Failure(ErrorCode::kNoAnswer)}) == "no");
}

}  // namespace
}  // namespace assay
