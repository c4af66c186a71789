// Judging one criterion by one judge, and the backup that steps in when a judge failed.
// Source of the rules: weval 51dc4d3 (spec blueprint 12.2, 12.5); the repair turn is ours.
#include <algorithm>

#include "checks/judge.h"
#include "plan/steps.h"

namespace assay {

namespace {

const Transcript& TranscriptOf(const StepContext& context) {
  return std::get<Transcript>(std::get<Done>(*context.inputs[0]).value);
}

struct JudgeCall {
  const Judge& judge;
  RequestRole role;
  CheckIndex check;
  std::uint32_t repairs;
};

Need AskJudge(const JudgeCall& call, const StepContext& context, std::vector<Message> messages) {
  ModelRequest request{.provider = call.judge.provider,
                       .model = call.judge.model,
                       .base_url = call.judge.base_url,
                       .messages = std::move(messages),
                       .params = call.judge.params,
                       .attempt = context.attempt,
                       .vote = 0,
                       .source = {}};
  return Need{{{.request = std::move(request),
                .tag = {.role = call.role,
                        .case_index = context.case_index,
                        .variant = context.variant_index,
                        .attempt = context.attempt,
                        .turn = 0,
                        .is_final_turn = false,
                        .check = call.check,
                        .judge_model = call.judge.model_id}}}};
}

Action NextVerdict(const JudgeCall& call, const StepContext& context, std::span<const Exchange> so_far) {
  const Transcript& transcript = TranscriptOf(context);
  if (!transcript.error.empty()) return Failed{{ErrorCode::kCancelled, "there is no answer to judge"}};
  std::vector<Message> messages = BuildJudgePrompt({.transcript = transcript,
                                                    .the_case = context.TheCase(),
                                                    .criterion = context.TheCase().checks[call.check].text,
                                                    .suite_description = context.suite.description,
                                                    .approach = call.judge.approach});
  for (std::size_t i = 0; i < so_far.size(); ++i) {
    if (so_far[i].error) return Failed{*so_far[i].error};
    const auto* reply = std::get_if<ModelReply>(&so_far[i].reply);
    const std::string text = reply == nullptr ? std::string() : reply->text;
    Result<JudgeVerdict> verdict = ParseJudgeReply(text);
    if (verdict) return Done{Judgement{verdict->score, verdict->reflection, call.judge.label}};
    if (i == call.repairs) return Failed{std::move(verdict).error()};
    messages.push_back({Role::kAssistant, text});
    messages.push_back({Role::kUser, JudgeRepairMessage()});
  }
  return AskJudge(call, context, std::move(messages));
}

}  // namespace

Action NextJudge(const Plan& plan, const StepTemplate& step, const StepContext& context,
                 std::span<const Exchange> so_far) {
  const JudgeCall call{.judge = plan.suite().judges[step.judge],
                       .role = RequestRole::kJudge,
                       .check = step.check,
                       .repairs = plan.suite().judge_repairs};
  return NextVerdict(call, context, so_far);
}

Action NextBackup(const Plan& plan, const StepTemplate& step, const StepContext& context,
                  std::span<const Exchange> so_far) {
  const auto failed = [](const StepOutcome* outcome) { return std::holds_alternative<Failed>(*outcome); };
  if (!TranscriptOf(context).error.empty()) return Done{Skipped{}};
  if (std::none_of(context.inputs.begin() + 1, context.inputs.end(), failed)) return Done{Skipped{}};
  const JudgeCall call{.judge = *plan.suite().backup_judge,
                       .role = RequestRole::kBackupJudge,
                       .check = step.check,
                       .repairs = 0};
  return NextVerdict(call, context, so_far);
}

}  // namespace assay
