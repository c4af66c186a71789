// The table of ends. Sources: the finish reasons of the clients' types (openai, anthropic, google-genai,
// mistralai) and of OpenRouter's reference.
#include "providers/shapes/endings.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>

#include "base/diagnostics.h"

namespace assay {

namespace {

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
    {"other", ErrorCode::kBrokenOff, kOnce, "the service broke the answer off and does not say why",
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
  const std::string words = said.empty() ? std::string() : fmt::format(": {}", Quoted(said));
  return {ending.code, fmt::format("{}{}; {}", ending.happened, words, ending.remedy)};
}

}  // namespace assay
