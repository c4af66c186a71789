// The answer: the case's turns in order, each generated one asked for with all that was said before it.
// Source of the rules: weval 51dc4d3 response generation (spec blueprint 10.2).
#include "plan/steps.h"
#include "text/js_text.h"

namespace assay {

namespace {

std::optional<std::string> SystemPrompt(const Case& the_case, const Variant& variant) {
  switch (the_case.system.kind) {
    case SystemOverride::Kind::kNone:
      return std::nullopt;
    case SystemOverride::Kind::kText:
      return the_case.system.text;
    case SystemOverride::Kind::kInherit:
      break;
  }
  return variant.system;
}

PlannedRequest Ask(const StepContext& context, const std::vector<Message>& history, std::uint32_t turn,
                   bool is_final_turn) {
  const Variant& variant = context.TheVariant();
  ModelRequest request{.provider = variant.provider,
                       .model = variant.model,
                       .base_url = variant.base_url,
                       .messages = history,
                       .params = variant.params,
                       .attempt = context.attempt,
                       .vote = 0,
                       .source = {},
                       .custom = variant.custom};
  if (!request.params.temperature) request.params.temperature = context.TheCase().temperature;
  RequestTag tag =
      TagOf(context, context.suite.sums_up_run ? RequestRole::kSummary : RequestRole::kCandidate);
  tag.turn = turn;
  tag.is_final_turn = is_final_turn;
  return {.request = std::move(request), .tag = std::move(tag)};
}

void AddAssistant(Transcript& transcript, std::string text, std::uint32_t ordinal, TurnKind kind) {
  if (kind == TurnKind::kGenerate) {
    transcript.generated_indices.push_back(ordinal);
    transcript.generated_texts.push_back(text);
  }
  // Words that the suite put into the assistant's mouth are an answer only where nothing was generated.
  if (kind == TurnKind::kGenerate || transcript.generated_texts.empty()) transcript.answer = text;
  transcript.history.push_back({Role::kAssistant, std::move(text)});
}

// The message of an answer that marks itself as an error; "" if it does not.
std::string MarkedError(const std::optional<ErrorMarker>& marker, std::string_view answer) {
  if (!marker) return {};
  const std::size_t open = answer.find(marker->open);
  if (open == std::string_view::npos) return {};
  const std::size_t start = open + marker->open.size();
  const std::size_t close = answer.rfind(marker->close);
  if (close == std::string_view::npos || close < start) return marker->fallback;
  const std::string_view message = JsTrim(answer.substr(start, close - start));
  return message.empty() ? marker->fallback : std::string(message);
}

// Why there is no answer in a reply; "" if there is one.
std::string ReplyError(const Suite& suite, const Exchange& exchange) {
  if (exchange.error) return exchange.error->message;
  const auto* reply = std::get_if<ModelReply>(&exchange.reply);
  const bool is_empty = reply == nullptr || (!suite.grades_empty_answers && JsTrim(reply->text).empty());
  return is_empty ? "the model's answer is empty" : "";
}

}  // namespace

Action NextGenerate(const Plan&, const StepTemplate&, const StepContext& context,
                    std::span<const Exchange> so_far) {
  const Case& the_case = context.TheCase();
  Transcript transcript;
  transcript.system = SystemPrompt(the_case, context.TheVariant());
  if (transcript.system && !transcript.system->empty()) {
    transcript.history.push_back({Role::kSystem, *transcript.system});
  }
  std::uint32_t assistants = 0;
  std::uint32_t asked = 0;
  for (std::size_t i = 0; i < the_case.turns.size(); ++i) {
    const Turn& turn = the_case.turns[i];
    if (turn.role != Role::kAssistant) {
      transcript.history.push_back({turn.role, turn.text});
      continue;
    }
    if (turn.kind == TurnKind::kText) {
      AddAssistant(transcript, turn.text, assistants++, TurnKind::kText);
      continue;
    }
    if (asked == so_far.size()) {
      return Need{{Ask(context, transcript.history, asked, i + 1 == the_case.turns.size())}};
    }
    const Exchange& exchange = so_far[asked++];
    transcript.error = ReplyError(context.suite, exchange);
    if (!transcript.error.empty()) return Done{std::move(transcript)};
    AddAssistant(transcript, std::get<ModelReply>(exchange.reply).text, assistants++, TurnKind::kGenerate);
  }
  transcript.error = MarkedError(context.suite.error_marker, transcript.answer);
  return Done{std::move(transcript)};
}

}  // namespace assay
