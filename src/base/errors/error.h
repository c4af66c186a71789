// Error and ErrorCode: the failure of one operation as a value. An input with several problems uses
// Diagnostics instead.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors/span.h"

namespace assay {

// Persisted with exchanges: do not renumber, add at the end.
enum class ErrorCode {
  kInvalidInput = 0,
  kNotFound = 1,
  kUnsupported = 2,
  kLimit = 3,
  kIo = 4,
  kNetwork = 5,
  kTimeout = 6,
  kRateLimited = 7,
  kRefused = 8,
  kCancelled = 9,
  kCorrupt = 10,
  kNoAnswer = 11,  // a model spent its tokens before it said anything
  kService = 12,   // a service answered that something went wrong on its side (HTTP 500 and more)
  // Ends of replies that are no answers, each with its own remedy (providers/shapes/reply/endings.cc).
  kRefusal = 13,         // the model would not answer
  kContentFilter = 14,   // the service held the answer, or the question, back
  kRecitation = 15,      // held back: it repeats a source
  kPersonalData = 16,    // held back: personal data
  kImageWithheld = 17,   // held back: an image
  kLanguage = 18,        // the service does not serve the language
  kBrokenOff = 19,       // the service broke it off and does not say why
  kMalformedCall = 20,   // the model called a tool that it was not given, or wrote a broken call
  kMalformedReply = 21,  // the service could not read what its model wrote
  kPausedTurn = 22,      // the service paused the model in the middle of its own tools
  kContextWindow = 23,   // question and answer are longer than the model's context
};
inline constexpr std::size_t kErrorCodeCount = static_cast<std::size_t>(ErrorCode::kContextWindow) + 1;

// Whether the error says how a reply ended that its service gave: of this one question, not of its model.
constexpr bool IsEnding(ErrorCode code) {
  return code == ErrorCode::kNoAnswer || code >= ErrorCode::kRefusal;
}

std::string_view ErrorCodeName(ErrorCode code);  // "invalid-input", "not-found", ...
std::optional<ErrorCode> ErrorCodeOf(std::string_view name);

struct Error {
  ErrorCode code = ErrorCode::kInvalidInput;
  std::string message;  // what was expected, what was found, what to do; no trailing full stop needed
  std::optional<Span> where = {};
  std::vector<std::string> notes = {};
};

}  // namespace assay
