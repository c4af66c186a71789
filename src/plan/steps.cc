// Calls the step function of a kind, and fails a step that asks more than its bound allows.
#include "plan/steps.h"

#include <fmt/core.h>

#include "base/limits.h"
#include "checks/judge/judge.h"
#include "checks/judge/key_points.h"
#include "checks/judge/reading/json.h"
#include "spec/suite/suite.h"

namespace assay {

RequestTag TagOf(const StepContext& context, RequestRole role) {
  return {.role = role,
          .case_index = context.case_index,
          .variant = context.variant_index,
          .attempt = context.attempt,
          .turn = 0,
          .is_final_turn = false,
          .check = 0,
          .judge_model = {}};
}

GradeInput GradeInputOf(const StepContext& context, const Transcript& transcript, AnswerView& answer) {
  return {.answer = answer,
          .transcript = transcript,
          .variant_id = context.TheVariant().id,
          .the_case = context.TheCase(),
          .world = {.now_ms = context.run.started_ms, .seed = static_cast<std::uint32_t>(context.run.seed)},
          .use = {},
          .variant = &context.TheVariant(),
          .asked = AskingOf(context.TheCase(), context.TheVariant())};
}

bool ToldNothing(const Plan& plan, const Exchange& exchange) {
  if (exchange.error) return true;
  const auto* reply = std::get_if<ModelReply>(&exchange.reply);
  const std::string_view text = reply == nullptr ? std::string_view() : std::string_view(reply->text);
  switch (exchange.role) {
    case RequestRole::kJudge:
    case RequestRole::kBackupJudge:
      return plan.judging().form == VerdictForm::kJson
                 ? !ParseJudgeJson(text).has_value()
                 : !ParseJudgeReply(text, plan.suite().judge_reading).has_value();
    case RequestRole::kExtraction:
      return !ParseKeyPoints(text).has_value();
    case RequestRole::kService:
      return true;
    default:
      return false;
  }
}

std::string NameOf(const CasePlan& plan, const StepTemplate& step, VariantIndex variant) {
  switch (step.kind) {
    case StepKind::kGenerate:
      return std::string(plan.AnswererOf(variant).name);
    case StepKind::kAsk:
      return fmt::format("{} {}", plan.checks[step.check].row->name, step.check);
    case StepKind::kEmbed:
      return step.embeds == EmbeddedText::kAnswer ? "embed answer" : "embed ideal";
    case StepKind::kGrade:
      return "grade";
  }
  return "step";
}

JudgePanel PanelFor(const Plan& plan, CaseIndex case_index, CheckIndex check) {
  const std::vector<Check>& checks = plan.suite().cases[case_index].checks;
  return PanelOf(plan.suite(), plan.judging(), check < checks.size() ? &checks[check] : nullptr);
}

const Transcript& TranscriptOf(const StepContext& context) {
  return std::get<Transcript>(std::get<Done>(*context.inputs[0]).value);
}

namespace {

// Why a step may not ask what it asks for; "" if it may.
std::string Refusal(std::size_t requests, std::size_t asked, std::size_t most, std::uint32_t rounds,
                    std::uint32_t most_rounds) {
  if (requests == 0) return "asked for nothing and was not done";
  if (asked + requests > most)
    return fmt::format("asked for {} requests where {} are its bound", asked + requests, most);
  if (rounds >= most_rounds) return fmt::format("asked for more than {} rounds of requests", most_rounds);
  return {};
}

struct StepBound {
  std::size_t requests = 0;
  std::size_t asked = 0;
  std::uint32_t rounds = 0;
  std::uint32_t most_rounds = limits::kStepRoundsMax;
};

// The action, or why it may not be.
template <class NameOfStep>
Action Within(const StepBound& bound, Action action, NameOfStep name) {
  const auto* need = std::get_if<Need>(&action);
  if (need == nullptr) return action;
  const std::string refusal =
      Refusal(need->requests.size(), bound.asked, bound.requests, bound.rounds, bound.most_rounds);
  if (refusal.empty()) return action;
  return Failed{{ErrorCode::kLimit, fmt::format("{}: the step {}", name(), refusal)}};
}

Action NextAnswer(const GeneratorRow& row, const StepContext& context, std::span<const Exchange> so_far) {
  std::string lacking =
      row.lacks == nullptr ? std::string() : row.lacks(context.TheCase(), context.TheVariant());
  if (!lacking.empty()) return Failed{{ErrorCode::kUnsupported, std::move(lacking)}};
  return row.next(context, so_far);
}

// Lets the generator go on, if it can work with the variant. Whoever reads a transcript always has one: a
// step that fails is done, with the reason.
Action BoundedAnswer(const GeneratorRow& row, const StepContext& context, std::span<const Exchange> so_far,
                     std::uint32_t rounds) {
  const Variant& variant = context.TheVariant();
  const StepBound bound{.requests = row.max_requests(context.TheCase(), variant) + variant.fallbacks.size(),
                        .asked = so_far.size(),
                        .rounds = rounds,
                        .most_rounds = row.max_rounds};
  Action action = Within(bound, NextAnswer(row, context, so_far), [&row] { return row.name; });
  auto* failed = std::get_if<Failed>(&action);
  if (failed == nullptr) return action;
  Transcript transcript;
  transcript.error = std::move(failed->error.message);
  transcript.error_class = ErrorCodeName(failed->error.code);
  return Done{std::move(transcript)};
}

Action NextOther(const Plan& plan, const StepTemplate& step, const StepContext& context,
                 std::span<const Exchange> so_far) {
  switch (step.kind) {
    case StepKind::kAsk:
      return NextAsk(plan, step, context, so_far);
    case StepKind::kEmbed:
      return NextEmbed(plan, step, context, so_far);
    case StepKind::kGrade:
      return NextGrade(plan, step, context, so_far);
    case StepKind::kGenerate:
      break;
  }
  return Failed{{ErrorCode::kUnsupported, "a step of an unknown kind"}};
}

}  // namespace

Action NextOf(const Plan& plan, const StepTemplate& step, const StepContext& context,
              std::span<const Exchange> so_far, std::uint32_t rounds) {
  const CasePlan& case_plan = plan.case_plan(context.case_index);
  if (step.kind == StepKind::kGenerate)
    return BoundedAnswer(case_plan.AnswererOf(context.variant_index), context, so_far, rounds);
  const StepBound bound{.requests = step.max_requests, .asked = so_far.size(), .rounds = rounds};
  return Within(bound, NextOther(plan, step, context, so_far),
                [&] { return NameOf(case_plan, step, context.variant_index); });
}

Action ReplayAnswer(const GeneratorRow& row, const StepContext& context, std::span<const Exchange> so_far) {
  return BoundedAnswer(row, context, so_far, 0);
}

}  // namespace assay
