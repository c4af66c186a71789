// What a reply says about the pace that its service wants. Pure; the same for every provider, because the
// headers are looked for under all of their names.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "base/wire.h"

namespace assay {

struct Pace {
  bool too_fast = false;  // 429 or 529, or no reply in time: fewer calls at once would do better
  // How long the service asks its callers to wait, at most limits::kServiceWaitMax.
  std::optional<std::chrono::milliseconds> wait;
};

// `now_ms`: the wall clock, which dates are compared with. Headers: retry-after-ms, retry-after (seconds or
// an HTTP date), and where nothing remains of a limit of requests or tokens the time until it is filled
// again: x-ratelimit-reset-* (seconds or "6m0s"), anthropic-ratelimit-*-reset (a date). What cannot be read
// says nothing.
Pace PaceOf(const HttpReply& reply, std::int64_t now_ms);

}  // namespace assay
