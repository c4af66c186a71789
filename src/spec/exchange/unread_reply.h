// Which roles are judges, and which of their replies stand though no codec could read them.
#pragma once

#include <algorithm>
#include <iterator>

#include "base/errors/error.h"
#include "spec/exchange/request.h"

namespace assay {

constexpr bool IsJudge(RequestRole role) {
  return role == RequestRole::kJudge || role == RequestRole::kBackupJudge;
}

// Whether a judge that quotes may be the cause of a reply that nobody could read, by the class of its error.
constexpr bool MayQuoteUnread(ErrorCode code) {
  constexpr ErrorCode kCodes[] = {ErrorCode::kCorrupt,        ErrorCode::kNoAnswer,
                                  ErrorCode::kBrokenOff,      ErrorCode::kMalformedCall,
                                  ErrorCode::kMalformedReply, ErrorCode::kRecitation};
  return std::find(std::begin(kCodes), std::end(kCodes), code) != std::end(kCodes);
}

}  // namespace assay
