// What an HTTP status says about trying again, the same for every provider.
#pragma once

#include "providers/provider.h"

namespace assay {

// 2xx is kOk. No reply at all, 408, 409, 429 and 5xx may pass: kRetry. Every other status is kFail.
ReplyClass ClassifyByStatus(const HttpReply& reply);

// Whether the same request may fare better later: lost connections, deadlines, limits of rate, and replies
// that are cut or cannot be read.
bool MayPass(const Error& error);

}  // namespace assay
