// A turn of a program of the user's own: it is set up as the variant's profile says and asked once, and tells
// how it came by its answer. Whatever it answers is a result: an empty answer and a turn that stopped early
// are for the checks and the dialect to judge.
// Source of the rules: spec research 5, 6 and 10.
#include "plan/answers/briefing.h"
#include "plan/answers/generator.h"
#include "plan/answers/turn.h"
#include "plan/steps.h"
#include "providers/provider.h"
#include "spec/exchange/tool_calls.h"
#include "spec/suite/case.h"
#include "spec/suite/variant.h"

namespace assay {

namespace {

PlannedRequest AskTurn(const StepContext& context, const std::string& text) {
  const Variant& variant = context.TheVariant();
  ModelRequest request{variant};
  request.params = variant.params;
  request.messages = {{Role::kUser, text}};
  request.attempt = context.attempt;
  request.profile = variant.profile;
  const std::vector<Turn>& turns = context.TheCase().turns;
  request.briefing = BriefingOf(context.TheCase(), turns.empty() ? text : turns.front().text);
  if (!request.params.max_tokens) request.room = kNoLimit;
  for (const CaseDocument& document : *context.TheCase().documents) {
    if (!document.sha256.empty()) request.inputs.push_back(document.sha256);
  }
  RequestTag tag = TagOf(context, RequestRole::kCandidate);
  tag.is_final_turn = true;
  return {.request = std::move(request), .tag = std::move(tag), .takes_silence = true};
}

double MillisecondsOf(const Exchange& exchange) {
  constexpr double kMicrosecondsPerMs = 1000;
  return static_cast<double>(exchange.duration_us) / kMicrosecondsPerMs;
}

void TakeReply(const Exchange& exchange, const std::string& text, Transcript& transcript) {
  TurnDetails details;
  if (exchange.error) {
    transcript.error = exchange.error->message;
    transcript.error_class = ErrorCodeName(exchange.error->code);
  } else {
    const auto& reply = std::get<ModelReply>(exchange.reply);
    details = DecodeTurnDetails(reply.details);
    // A bare model has one role, its own.
    if (reply.details.is_undefined() && reply.usage.known) details.usage_by_role = {{"main", reply.usage}};
    transcript.answer = TextWithCalls(reply);
    transcript.is_cut = reply.finish_reason == kCutAtLimit;
    if (details.error) {
      transcript.answer.clear();
      transcript.error = details.error->Text();
      transcript.error_class = ErrorCodeName(ErrorCode::kRefused);
    } else {
      transcript.history.push_back({Role::kAssistant, transcript.answer});
      transcript.generated_indices = {0};
      transcript.generated_texts = {transcript.answer};
      transcript.generated_reasoning = {reply.reasoning};
    }
  }
  AddTold(&exchange, MillisecondsOf(exchange), std::move(details), text, transcript.told);
}

}  // namespace

bool IsProgramOfUser(const Variant& variant) {
  const ProviderRow* provider = FindProvider(variant.provider);
  return provider != nullptr && provider->route == Route::kProgram;
}

std::uint32_t ProgramTurnRequestsMax(const Case&, const Variant&) { return 1; }

Action NextProgramTurn(const StepContext& context, std::span<const Exchange> so_far) {
  const std::string text = AskedText(context.TheCase(), context.TheVariant());
  if (so_far.empty()) return Need{{AskTurn(context, text)}};
  Transcript transcript;
  transcript.history.push_back({Role::kUser, text});
  TakeReply(so_far.front(), text, transcript);
  return Done{std::move(transcript)};
}

}  // namespace assay
