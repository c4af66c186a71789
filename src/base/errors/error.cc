// The names of error codes, as stores and messages write them, and back.
#include "base/errors/error.h"

namespace assay {

std::string_view ErrorCodeName(ErrorCode code) {
  switch (code) {
    case ErrorCode::kInvalidInput:
      return "invalid-input";
    case ErrorCode::kNotFound:
      return "not-found";
    case ErrorCode::kUnsupported:
      return "unsupported";
    case ErrorCode::kLimit:
      return "limit";
    case ErrorCode::kIo:
      return "io";
    case ErrorCode::kNetwork:
      return "network";
    case ErrorCode::kTimeout:
      return "timeout";
    case ErrorCode::kRateLimited:
      return "rate-limited";
    case ErrorCode::kRefused:
      return "refused";
    case ErrorCode::kCancelled:
      return "cancelled";
    case ErrorCode::kCorrupt:
      return "corrupt";
    case ErrorCode::kNoAnswer:
      return "no-answer";
    case ErrorCode::kService:
      return "service";
    case ErrorCode::kRefusal:
      return "refusal";
    case ErrorCode::kContentFilter:
      return "content-filter";
    case ErrorCode::kRecitation:
      return "recitation";
    case ErrorCode::kPersonalData:
      return "personal-data";
    case ErrorCode::kImageWithheld:
      return "image-safety";
    case ErrorCode::kLanguage:
      return "language";
    case ErrorCode::kBrokenOff:
      return "broken-off";
    case ErrorCode::kMalformedCall:
      return "malformed-call";
    case ErrorCode::kMalformedReply:
      return "malformed-reply";
    case ErrorCode::kPausedTurn:
      return "paused-turn";
    case ErrorCode::kContextWindow:
      return "context-window";
  }
  return "unknown";
}

std::optional<ErrorCode> ErrorCodeOf(std::string_view name) {
  for (std::size_t i = 0; i < kErrorCodeCount; ++i) {
    const auto code = static_cast<ErrorCode>(i);
    if (ErrorCodeName(code) == name && name != "unknown") return code;
  }
  return std::nullopt;
}

}  // namespace assay
