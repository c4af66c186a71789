// Kind -> step function.
#include "plan/steps.h"

#include "checks/judge/judge.h"
#include "checks/judge/key_points.h"

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

ModelRequest RequestTo(const ModelRef& model, const SamplingParams& params) {
  ModelRequest request{model};
  request.params = params;
  return request;
}

GradeInput GradeInputOf(const StepContext& context, const Transcript& transcript, AnswerView& answer) {
  return {.answer = answer,
          .transcript = transcript,
          .variant_id = context.TheVariant().id,
          .the_case = context.TheCase(),
          .world = {.now_ms = context.run.started_ms, .seed = static_cast<std::uint32_t>(context.run.seed)}};
}

bool ToldNothing(const Suite& suite, const Exchange& exchange) {
  if (exchange.error) return true;
  const auto* reply = std::get_if<ModelReply>(&exchange.reply);
  const std::string_view text = reply == nullptr ? std::string_view() : std::string_view(reply->text);
  switch (exchange.role) {
    case RequestRole::kJudge:
    case RequestRole::kBackupJudge:
      return !ParseJudgeReply(text, suite.judge_reading).has_value();
    case RequestRole::kExtraction:
      return !ParseKeyPoints(text).has_value();
    case RequestRole::kService:
      return true;
    default:
      return false;
  }
}

bool Asks(const CasePlan& plan, CheckIndex check) {
  const CheckRow* row = plan.rows[check];
  const bool may_ask = row != nullptr && row->next != nullptr && plan.args[check] != nullptr;
  return may_ask && row->max_requests(plan.args[check]) > 0;
}

Action NextOf(const Plan& plan, const StepTemplate& step, const StepContext& context,
              std::span<const Exchange> so_far) {
  switch (step.kind) {
    case StepKind::kGenerate:
      return NextGenerate(plan, step, context, so_far);
    case StepKind::kJudge:
      return NextJudge(plan, step, context, so_far);
    case StepKind::kBackup:
      return NextBackup(plan, step, context, so_far);
    case StepKind::kKeyPoints:
      return NextKeyPoints(plan, step, context, so_far);
    case StepKind::kEmbedAnswer:
      return NextEmbedAnswer(plan, step, context, so_far);
    case StepKind::kEmbedIdeal:
      return NextEmbedIdeal(plan, step, context, so_far);
    case StepKind::kAsk:
      return NextAsk(plan, step, context, so_far);
    case StepKind::kGrade:
      return NextGrade(plan, step, context, so_far);
  }
  return Failed{{ErrorCode::kUnsupported, "a step of an unknown kind"}};
}

}  // namespace assay
