// Pace: reads from a reply the rate limits and waiting times of its service. Pure; the same for every
// provider, because the headers are looked for under all of their names.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "base/wire/wire.h"

namespace assay {

struct Pace {
  bool too_fast = false;  // 429 or 529, or no reply in time: fewer calls at once would do better
  // 429, 503 or 529 that do not say how long: more than one server is busy, and will be for a while.
  bool overloaded = false;
  // 429, 529, and 503 that says how long or calls itself overloaded: the request was not looked at, and may
  // come again.
  bool says_wait = false;
  // How long the service asks its callers to wait, at most limits::kServiceWaitMax.
  std::optional<std::chrono::milliseconds> wait;
  std::chrono::milliseconds asked{0};         // the same without that bound; 0: it does not say
  std::optional<std::int64_t> requests_left;  // of the service's own limit; absent: it does not say
  bool says_until = false;                    // and when that limit is filled again
  // Of an answer: that moment is known to the second, and `wait` ends in the middle of it.
  bool is_rounded = false;
  std::optional<bool> should_retry;  // the service's own word on whether the same request may fare better
};

// `now_ms`: the wall clock, which dates are compared with. Headers: retry-after-ms, retry-after (seconds or
// an HTTP date), and where nothing remains of a limit of requests or tokens the time until it is filled
// again: x-ratelimit-reset-* (seconds or "6m0s"), x-ratelimit-reset (seconds, or a moment since 1970 in
// seconds or milliseconds: OpenRouter), anthropic-ratelimit-*-reset (a date); x-should-retry. Bodies of
// errors: Google's RetryInfo ("34.07s"), headers that OpenRouter repeats, and words ("try again in 1m2s"). A
// proxy's names for headers of the service behind it (`llm_provider-`) mean the same. Where nothing remains
// and nobody says until when, a second is waited. What cannot be read says nothing.
Pace PaceOf(const HttpReply& reply, std::int64_t now_ms);

}  // namespace assay
