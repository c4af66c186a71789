// The tables of finish reasons and of the ends that are no answers. Sources: the finish reasons of the
// clients' types (openai, anthropic, google-genai, mistralai, groq, together, cohere, botocore) and of the
// references of xAI, DeepSeek and OpenRouter.
#include "providers/shapes/reply/endings.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "base/errors/diagnostics.h"

namespace assay {

namespace {

constexpr std::string_view kBrokenOffEnd = "other";

// What services write. A word that means a whole answer does so where one of `services` writes it, and
// nowhere else; the others mean the same wherever they stand.
struct EndWord {
  std::string_view theirs, ours;
  std::uint32_t services;
};
constexpr auto kWords = std::to_array<EndWord>({
    {"stop", "stop", end_words::kChat},
    {"length", "length", end_words::kChat},
    {"tool_calls", "tool_calls", end_words::kChat},
    {"function_call", "tool_calls", end_words::kChat},
    {"model_length", "length", end_words::kMistral},
    {"eos", "stop", end_words::kTogether},
    {"end_turn", "stop", end_words::kXai | end_words::kAnthropic | end_words::kBedrock},
    {"eos_token", "stop", end_words::kTgi},
    {"stop_sequence", "stop", end_words::kTgi | end_words::kAnthropic | end_words::kBedrock},
    {"max_tokens", "length", end_words::kAnthropic | end_words::kBedrock},
    {"tool_use", "tool_calls", end_words::kAnthropic | end_words::kBedrock},
    {"STOP", "stop", end_words::kGoogle},
    {"MAX_TOKENS", "length", end_words::kGoogle | end_words::kCohere},
    {"COMPLETE", "stop", end_words::kCohere},
    {"STOP_SEQUENCE", "stop", end_words::kCohere},
    {"TOOL_CALL", "tool_calls", end_words::kCohere},
    {"completed", "stop", end_words::kResponses},
    {"max_output_tokens", "length", end_words::kResponses},
    {"refusal", "refusal", end_words::kAll},
    {"content_filter", "content_filter", end_words::kAll},
    {"content_filtered", "content_filter", end_words::kAll},
    {"guardrail_intervened", "content_filter", end_words::kAll},
    {"SAFETY", "content_filter", end_words::kAll},
    {"BLOCKLIST", "content_filter", end_words::kAll},
    {"PROHIBITED_CONTENT", "content_filter", end_words::kAll},
    {"MODEL_ARMOR", "content_filter", end_words::kAll},
    {"ESCALATION", "content_filter", end_words::kAll},
    {"IMAGE_PROHIBITED_CONTENT", "content_filter", end_words::kAll},
    {"RECITATION", "recitation", end_words::kAll},
    {"IMAGE_RECITATION", "recitation", end_words::kAll},
    {"SPII", "personal_data", end_words::kAll},
    {"IMAGE_SAFETY", "image_safety", end_words::kAll},
    {"NO_IMAGE", "image_safety", end_words::kAll},
    {"LANGUAGE", "language", end_words::kAll},
    {"OTHER", kBrokenOffEnd, end_words::kAll},
    {"IMAGE_OTHER", kBrokenOffEnd, end_words::kAll},
    {"FINISH_REASON_UNSPECIFIED", kBrokenOffEnd, end_words::kAll},
    {"MALFORMED_FUNCTION_CALL", "malformed_call", end_words::kAll},
    {"UNEXPECTED_TOOL_CALL", "malformed_call", end_words::kAll},
    {"TOO_MANY_TOOL_CALLS", "malformed_call", end_words::kAll},
    {"malformed_tool_use", "malformed_call", end_words::kAll},
    {"malformed_model_output", "malformed_response", end_words::kAll},
    {"MALFORMED_RESPONSE", "malformed_response", end_words::kAll},
    {"pause_turn", "pause_turn", end_words::kAll},
    {"model_context_window_exceeded", "context_window", end_words::kAll},
    {"insufficient_system_resource", "insufficient_system_resource", end_words::kAll},
    {"error", "error", end_words::kAll},
    {"ERROR", "error", end_words::kAll},
    {"TIMEOUT", "error", end_words::kAll},
});

constexpr bool kOnce = false;  // it would end so again
constexpr bool kAgain = true;

constexpr Ending kEndings[] = {
    {"refusal", ErrorCode::kRefusal, kOnce, "the model refused",
     "word the question otherwise, or ask another model"},
    {"content_filter", ErrorCode::kContentFilter, kOnce, "the service held the answer back (content filter)",
     "word the question otherwise, or relax the filter there"},
    {"recitation", ErrorCode::kRecitation, kOnce,
     "the service held the answer back because it repeats a source", "ask for its own words"},
    {"personal_data", ErrorCode::kPersonalData, kOnce,
     "the service held the answer back because of personal data", "leave such data out of the question"},
    {"image_safety", ErrorCode::kImageWithheld, kOnce,
     "the model would have answered with an image that the service held back", "ask for text"},
    {"language", ErrorCode::kLanguage, kOnce, "the service does not serve this language",
     "ask in another one, or another model"},
    {kBrokenOffEnd, ErrorCode::kBrokenOff, kOnce, "the service broke the answer off",
     "ask another model if it stays so"},
    {"malformed_call", ErrorCode::kMalformedCall, kAgain,
     "the model called a tool that it was not given, or wrote a broken call", "tell it to answer in text"},
    {"malformed_response", ErrorCode::kMalformedReply, kAgain,
     "the service could not read what its model wrote", "ask for a shorter or plainer answer if it stays so"},
    {"pause_turn", ErrorCode::kPausedTurn, kOnce, "the service paused the model in the middle of its tools",
     "ask it without the service's own tools"},
    {"context_window", ErrorCode::kContextWindow, kOnce,
     "question and answer are longer than the model's context",
     "shorten the question, or take a model with a longer one"},
    {"insufficient_system_resource", ErrorCode::kService, kAgain,
     "the service ran out of means before the answer", "ask later, or lower -j"},
    {"error", ErrorCode::kService, kAgain,
     "the service broke the answer off with an error that it does not name",
     "ask later, or another provider of the model"},
};

}  // namespace

const Ending* FindEnding(std::string_view finish_reason) {
  const auto* found = std::find_if(std::begin(kEndings), std::end(kEndings), [&](const Ending& ending) {
    return ending.finish_reason == finish_reason;
  });
  return found == std::end(kEndings) ? nullptr : found;
}

const Ending* FindEnding(ErrorCode code) {
  if (!IsEnding(code)) return nullptr;
  const auto* found = std::find_if(std::begin(kEndings), std::end(kEndings),
                                   [code](const Ending& ending) { return ending.code == code; });
  return found == std::end(kEndings) ? nullptr : found;
}

Error ErrorOfEnding(const Ending& ending, std::string_view said) {
  std::string words = said.empty() ? std::string() : fmt::format(": {}", Quoted(said));
  if (said.empty() && ending.code == ErrorCode::kBrokenOff) words = " and does not say why";
  return {ending.code, fmt::format("{}{}; {}", ending.happened, words, ending.remedy)};
}

void TakeEndWord(const EndWords& words, std::string_view word, ModelReply& reply) {
  const auto* known = std::find_if(kWords.begin(), kWords.end(), [&](const EndWord& each) {
    return each.theirs == word && (each.services & words.services) != 0;
  });
  reply.finish_reason = known == kWords.end() ? kBrokenOffEnd : known->ours;
  reply.end_words = known == kWords.end() ? word : std::string_view();
}

// OpenRouter says "error" and "content_filter" of what the model's own service says more exactly.
void TakeNativeEnd(const Value& holder, ModelReply& reply) {
  if (reply.finish_reason != "error" && reply.finish_reason != "content_filter") return;
  const Ending* native = FindEnding(FinishReason(holder.TextAt("native_finish_reason")));
  if (native != nullptr) reply.finish_reason = native->finish_reason;
}

void TakeEnd(const EndWords& words, const Value& holder, std::string_view member, ModelReply& reply) {
  const Value* end = holder.Find(member);
  // Some servers write "" for what they leave unsaid.
  const std::string& word = holder.TextAt(member);
  const bool is_unsaid = end == nullptr || (end->is_string() && word.empty());
  if (is_unsaid && words.may_be_unsaid) {
    reply.finish_reason.clear();
  } else {
    TakeEndWord(words, word, reply);
  }
  TakeNativeEnd(holder, reply);
}

void AddEndWords(std::string_view more, ModelReply& reply) {
  if (!more.empty() && !reply.end_words.empty()) reply.end_words += ": ";
  reply.end_words += more;
}

std::string FinishReason(std::string_view word) {
  const auto* known =
      std::find_if(kWords.begin(), kWords.end(), [&](const EndWord& each) { return each.theirs == word; });
  return std::string(known == kWords.end() ? word : known->ours);
}

}  // namespace assay
