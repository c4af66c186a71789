// Classifies HTTP replies as fine, worth another try, or final; the same for every provider.
#pragma once

#include "providers/provider.h"
#include "text/value.h"

namespace assay {

inline constexpr int kStatusOk = 200;

// 2xx is kOk. No reply at all, 408, 409, 429, 498 and 5xx may pass: kRetry. Every other status is kFail, and
// so is a quota that waiting does not bring back.
ReplyClass ClassifyByStatus(const HttpReply& reply);

// Whether a service refuses for as long as nobody pays, or until tomorrow: `insufficient_quota`, no credit,
// or a quota of a day.
bool IsQuotaSpent(const HttpReply& reply);
// What a person can do then, to follow the service's words; "" where it says nothing of the kind.
std::string_view RemedyOfSpent(int status, std::string_view body);

// The error of a body or an event: at its top, of its only choice (OpenRouter), of a response that failed,
// beside the rest (Groq), or the event itself (Responses). Null: it has none.
const Value* ErrorIn(const Value& body);
// The status that an error stands for by its names, or by what it says; 0: none that is known.
int StatusOfError(const Value& error);
// The status that an error inside a 200 would have had by itself, in a body or in an event of a stream; 0: it
// holds none, or one of no known name.
int StatusInside(const HttpReply& reply);

// Whether the same request may fare better later: lost connections, deadlines, limits of rate, and replies
// that are cut or cannot be read.
bool MayPass(const Error& error);

}  // namespace assay
