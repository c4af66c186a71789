// Names of error codes, as records and messages show them.
#include "base/error.h"

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
  }
  return "unknown";
}

}  // namespace assay
