// Classifies HTTP replies as fine, worth another try, or final; the same for every provider.
#pragma once

#include "providers/provider.h"

namespace assay {

// 2xx is kOk. No reply at all, 408, 409, 429 and 5xx may pass: kRetry. Every other status is kFail, and so
// is a
// quota that waiting does not bring back.
ReplyClass ClassifyByStatus(const HttpReply& reply);

// Whether a service refuses for as long as nobody pays, or until tomorrow: `insufficient_quota`, or one of
// Google's quotas of a day.
bool IsQuotaSpent(const HttpReply& reply);

// The status that an error inside a 200 would have had by itself, in a body or in an event of a stream; 0: it
// holds none, or one of no known name.
int StatusInside(const HttpReply& reply);

// Whether the same request may fare better later: lost connections, deadlines, limits of rate, and replies
// that are cut or cannot be read.
bool MayPass(const Error& error);

}  // namespace assay
