// RetryPolicy and RetryDelays: how often a call is tried, and how long it waits before the next try. Pure but
// for its seeded random numbers.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <random>

#include "providers/facts/pace.h"
#include "run/wire/endpoints.h"
#include "spec/exchange/request.h"

namespace assay {

inline constexpr std::chrono::seconds kPatienceMost{604'800};  // that anybody can have

struct RetryPolicy {
  int max_retries = 5;            // after the first try
  bool is_chosen = false;         // the user said so: a request that asks for more gets no more
  bool rate_limits_only = false;  // of replies with a status 429 alone is tried again
  std::chrono::milliseconds base{1000};
  std::chrono::milliseconds cap{30'000};
  // A service that says "wait" costs no try: its pool waits for as long as this, from the first such reply
  // that no answer followed. `waits_are_tries`: such a reply is a try like any other.
  std::chrono::milliseconds patience{600'000};
  bool waits_are_tries = false;
};

class RetryDelays {
 public:
  RetryDelays(const RetryPolicy& policy, std::uint64_t seed) : policy_(policy), random_(seed) {}

  // `rule`: what the request says of itself; `patience`: what the user says of its endpoint.
  int RetriesMax(const std::optional<RetryRule>& rule, const Patience& patience) const;
  // Before the try after `tries` tries, the last of which was answered at this pace.
  std::chrono::microseconds Next(int tries, const Pace& pace, const std::optional<RetryRule>& rule,
                                 const Patience& patience);
  // For who was told how long to wait: a little more, so that not all come back at once.
  std::chrono::microseconds Jitter() { return Backoff(1, {}) / 10; }

 private:
  std::chrono::microseconds Backoff(int tries, const Patience& patience);
  std::chrono::microseconds OverloadDelay(int tries);

  RetryPolicy policy_;
  std::mt19937_64 random_;
};

}  // namespace assay
