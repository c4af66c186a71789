// Status -> class.
#include "providers/status.h"

namespace assay {

ReplyClass ClassifyByStatus(const HttpReply& reply) {
  if (reply.error)
    return reply.error->code == ErrorCode::kUnsupported ? ReplyClass::kFail : ReplyClass::kRetry;
  if (reply.status >= 200 && reply.status < 300) return ReplyClass::kOk;
  const bool may_pass =
      reply.status == 408 || reply.status == 409 || reply.status == 429 || reply.status >= 500;
  return may_pass ? ReplyClass::kRetry : ReplyClass::kFail;
}

}  // namespace assay
