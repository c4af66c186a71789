// The ends of replies: every service's finish reasons, which of them mean a whole answer, and one row for
// each end that is none, with its error class, whether asking again can help, and the remedy.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/errors/error.h"
#include "spec/exchange/request.h"
#include "text/value.h"

namespace assay {

struct Ending {
  std::string_view finish_reason;  // in our words (FinishReason)
  ErrorCode code;
  bool may_pass = false;  // the same question may get an answer the next time
  std::string_view happened;
  std::string_view remedy;
};

const Ending* FindEnding(std::string_view finish_reason);  // null: such a reply may be an answer
const Ending* FindEnding(ErrorCode code);                  // null: no end has this class
// "what happened: \"what the service says\"; what to do". `said`: "" for nothing.
Error ErrorOfEnding(const Ending& ending, std::string_view said);

// Services whose words for a whole answer are their own: bits.
namespace end_words {
inline constexpr std::uint32_t kChat = 1 << 0;
inline constexpr std::uint32_t kMistral = 1 << 1;
inline constexpr std::uint32_t kTogether = 1 << 2;
inline constexpr std::uint32_t kXai = 1 << 3;
inline constexpr std::uint32_t kTgi = 1 << 4;
inline constexpr std::uint32_t kAnthropic = 1 << 5;
inline constexpr std::uint32_t kGoogle = 1 << 6;
inline constexpr std::uint32_t kCohere = 1 << 7;
inline constexpr std::uint32_t kResponses = 1 << 8;
inline constexpr std::uint32_t kBedrock = 1 << 9;
inline constexpr std::uint32_t kAll = ~std::uint32_t{0};
}  // namespace end_words

// Whose words for a whole answer are believed of a reply. Any other word is no end that we know, and what it
// ended is no answer.
struct EndWords {
  std::uint32_t services;  // of end_words
  // A reply that has no such member at all is whole; one whose end is null is not.
  bool may_be_unsaid = false;
};
// Of whoever speaks like some service, but is not that service.
inline constexpr EndWords kAnyEndWords = {.services = end_words::kAll, .may_be_unsaid = true};

// Reads the member that says why a reply ended: its finish_reason, and what the service says of it.
void TakeEnd(const EndWords& words, const Value& holder, std::string_view member, ModelReply& reply);
// The same of a word that stands in no member; "": the service says nothing.
void TakeEndWord(const EndWords& words, std::string_view word, ModelReply& reply);

// What the service says of the end beside its word.
void AddEndWords(std::string_view more, ModelReply& reply);

// "stop", "length", "tool_calls", "content_filter" and the like of any service's word; unknown words stay.
std::string FinishReason(std::string_view word);

}  // namespace assay
