// What went wrong in an operation, as a value. Inputs with several problems fill Diagnostics instead.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/span.h"

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
};
inline constexpr std::size_t kErrorCodeCount = 13;

std::string_view ErrorCodeName(ErrorCode code);  // "invalid-input", "not-found", ...

struct Error {
  ErrorCode code = ErrorCode::kInvalidInput;
  std::string message;  // what was expected, what was found, what to do; no trailing full stop needed
  std::optional<Span> where = {};
  std::vector<std::string> notes = {};
};

}  // namespace assay
