// Computes delays: what the service asks for, longer ones for overload, else exponential backoff with full
// jitter.
#include "run/limits/pace/retry_delays.h"

#include <algorithm>

namespace assay {

// What the user said of the whole run bounds what a request says of itself.
int RetryDelays::RetriesMax(const std::optional<RetryRule>& rule, const Patience& patience) const {
  if (!rule) return patience.max_retries.value_or(policy_.max_retries);
  return policy_.is_chosen ? std::min(policy_.max_retries, rule->max_retries) : rule->max_retries;
}

// Who was told how long to wait waits that long.
std::chrono::microseconds RetryDelays::Next(int tries, const Pace& pace, const std::optional<RetryRule>& rule,
                                            const Patience& patience) {
  if (pace.wait) return *pace.wait + Jitter();
  if (pace.overloaded && !rule && !patience.backoff) return OverloadDelay(tries);
  return rule ? rule->backoff * tries : Backoff(tries, patience);
}

// A service that is overloaded is so for a while: the first two further tries come after more than a minute
// in all, at random up to half as much later.
std::chrono::microseconds RetryDelays::OverloadDelay(int tries) {
  constexpr std::chrono::seconds kFirst{20};
  constexpr int kDoublingsMost = 2;
  const std::chrono::microseconds least = kFirst * (1 << std::min(tries - 1, kDoublingsMost));
  return least + std::chrono::microseconds(
                     static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(least.count() / 2)));
}

// Exponential with full jitter: uniform in (0, min(cap, base * 2^(tries-1))].
std::chrono::microseconds RetryDelays::Backoff(int tries, const Patience& patience) {
  constexpr int kDoublingsMost = 20;
  const std::chrono::microseconds base = patience.backoff.value_or(policy_.base);
  const std::chrono::microseconds cap = patience.backoff_max.value_or(policy_.cap);
  const std::int64_t bound =
      std::min<std::int64_t>(cap.count(), base.count() << std::min(tries - 1, kDoublingsMost));
  return std::chrono::microseconds(
      1 +
      static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(std::max<std::int64_t>(bound, 1))));
}

}  // namespace assay
