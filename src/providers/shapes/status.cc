// Status -> class.
#include "providers/shapes/status.h"

#include "providers/shapes/endings.h"

namespace assay {

bool MayPass(const Error& error) {
  switch (error.code) {
    case ErrorCode::kNetwork:
    case ErrorCode::kService:
    case ErrorCode::kTimeout:
    case ErrorCode::kRateLimited:
    case ErrorCode::kCorrupt:
    case ErrorCode::kIo:
      return true;
    default:
      break;
  }
  const Ending* ending = FindEnding(error.code);
  return ending != nullptr && ending->may_pass;
}

ReplyClass ClassifyByStatus(const HttpReply& reply) {
  if (reply.error) return MayPass(*reply.error) ? ReplyClass::kRetry : ReplyClass::kFail;
  if (reply.status >= 200 && reply.status < 300) return ReplyClass::kOk;
  const bool may_pass =
      reply.status == 408 || reply.status == 409 || reply.status == 429 || reply.status >= 500;
  return may_pass ? ReplyClass::kRetry : ReplyClass::kFail;
}

}  // namespace assay
