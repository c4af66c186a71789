// The tables of finish reasons and of the ends that are no answers. Sources: the finish reasons of the
// clients' types (openai, anthropic, google-genai, mistralai, groq, together, cohere) and of the references
// of xAI, DeepSeek and OpenRouter.
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
  std::string_view theirs, ours, services;
};
constexpr auto kWords = std::to_array<EndWord>({
    {"stop", "stop", "chat"},
    {"length", "length", "chat"},
    {"tool_calls", "tool_calls", "chat"},
    {"function_call", "tool_calls", "chat"},
    {"model_length", "length", "mistral"},
    {"eos", "stop", "together"},
    {"end_turn", "stop", "xai anthropic"},
    {"eos_token", "stop", "tgi"},
    {"stop_sequence", "stop", "tgi anthropic"},
    {"max_tokens", "length", "anthropic"},
    {"tool_use", "tool_calls", "anthropic"},
    {"STOP", "stop", "google"},
    {"MAX_TOKENS", "length", "google cohere"},
    {"COMPLETE", "stop", "cohere"},
    {"STOP_SEQUENCE", "stop", "cohere"},
    {"TOOL_CALL", "tool_calls", "cohere"},
    {"completed", "stop", "responses"},
    {"max_output_tokens", "length", "responses"},
    {"refusal", "refusal", ""},
    {"content_filter", "content_filter", ""},
    {"SAFETY", "content_filter", ""},
    {"BLOCKLIST", "content_filter", ""},
    {"PROHIBITED_CONTENT", "content_filter", ""},
    {"MODEL_ARMOR", "content_filter", ""},
    {"ESCALATION", "content_filter", ""},
    {"IMAGE_PROHIBITED_CONTENT", "content_filter", ""},
    {"RECITATION", "recitation", ""},
    {"IMAGE_RECITATION", "recitation", ""},
    {"SPII", "personal_data", ""},
    {"IMAGE_SAFETY", "image_safety", ""},
    {"NO_IMAGE", "image_safety", ""},
    {"LANGUAGE", "language", ""},
    {"OTHER", kBrokenOffEnd, ""},
    {"IMAGE_OTHER", kBrokenOffEnd, ""},
    {"FINISH_REASON_UNSPECIFIED", kBrokenOffEnd, ""},
    {"MALFORMED_FUNCTION_CALL", "malformed_call", ""},
    {"UNEXPECTED_TOOL_CALL", "malformed_call", ""},
    {"TOO_MANY_TOOL_CALLS", "malformed_call", ""},
    {"MALFORMED_RESPONSE", "malformed_response", ""},
    {"pause_turn", "pause_turn", ""},
    {"model_context_window_exceeded", "context_window", ""},
    {"insufficient_system_resource", "insufficient_system_resource", ""},
    {"error", "error", ""},
    {"ERROR", "error", ""},
    {"TIMEOUT", "error", ""},
});

// Whether one of these services is one of those; both with blanks between.
bool AreShared(std::string_view these, std::string_view those) {
  const auto has = [those](std::string_view name) {
    for (std::size_t at = those.find(name); at != std::string_view::npos; at = those.find(name, at + 1)) {
      const std::size_t end = at + name.size();
      if ((at == 0 || those[at - 1] == ' ') && (end == those.size() || those[end] == ' ')) return true;
    }
    return false;
  };
  while (!these.empty()) {
    const std::size_t blank = std::min(these.find(' '), these.size());
    if (has(these.substr(0, blank))) return true;
    these.remove_prefix(std::min(blank + 1, these.size()));
  }
  return false;
}

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
    return each.theirs == word && (each.services.empty() || AreShared(each.services, words.services));
  });
  reply.finish_reason = known == kWords.end() ? kBrokenOffEnd : known->ours;
  reply.end_words = known == kWords.end() ? word : std::string_view();
}

void TakeEnd(const EndWords& words, const Value& holder, std::string_view member, ModelReply& reply) {
  const Value* end = holder.Find(member);
  if (end == nullptr && words.may_be_unsaid) {
    reply.finish_reason.clear();
  } else {
    TakeEndWord(words, end != nullptr && end->is_string() ? std::string_view(end->AsString()) : "", reply);
  }
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
