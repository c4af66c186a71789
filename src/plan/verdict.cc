// Asking a judge, and asking again for a reply that can be read.
// Source of the rules: weval 51dc4d3 (spec blueprint 12.2, 12.5); the repair turn is ours.
#include "plan/verdict.h"

#include "checks/judge/json.h"
#include "checks/judge/judge.h"
#include "plan/steps.h"

namespace assay {

namespace {

// The default backup is the same model as a judge: its request has to be another one, or the reply that could
// not be read would be found again.
constexpr std::uint32_t kBackupVote = 1;

Need AskJudge(const JudgeCall& call, const StepContext& context, std::vector<Message> messages) {
  ModelRequest request = RequestTo(call.judge, call.judge.params);
  request.messages = std::move(messages);
  if (call.form == VerdictForm::kJson) request.answer_schema = JudgeSchema();
  request.attempt = context.attempt;
  request.vote = call.role == RequestRole::kBackupJudge ? kBackupVote : 0;
  RequestTag tag = TagOf(context, call.role);
  tag.check = call.check;
  tag.judge_model = call.judge.model_id;
  tag.criterion = call.criterion;
  return Need{{{.request = std::move(request), .tag = std::move(tag)}}};
}

}  // namespace

const Transcript& TranscriptOf(const StepContext& context) {
  return std::get<Transcript>(std::get<Done>(*context.inputs[0]).value);
}

Action NextVerdict(const JudgeCall& call, const StepContext& context, std::span<const Exchange> so_far) {
  std::vector<Message> messages = BuildJudgePrompt({.transcript = TranscriptOf(context),
                                                    .the_case = context.TheCase(),
                                                    .criterion = call.criterion,
                                                    .suite_description = context.suite.description,
                                                    .approach = call.judge.approach,
                                                    .form = call.form});
  for (std::size_t i = 0; i < so_far.size(); ++i) {
    if (so_far[i].error) return Failed{*so_far[i].error};
    const auto* reply = std::get_if<ModelReply>(&so_far[i].reply);
    const std::string text = reply == nullptr ? std::string() : reply->text;
    Result<JudgeVerdict> verdict = call.form == VerdictForm::kJson
                                       ? ParseJudgeJson(text)
                                       : ParseJudgeReply(text, context.suite.judge_reading);
    if (verdict) return Done{Judgement{verdict->score, verdict->reflection, call.judge.label}};
    if (i == call.repairs) return Failed{std::move(verdict).error()};
    messages.push_back({Role::kAssistant, text});
    messages.push_back({Role::kUser, JudgeRepairMessage(call.form)});
  }
  return AskJudge(call, context, std::move(messages));
}

}  // namespace assay
