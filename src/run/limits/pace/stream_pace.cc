// Counts values in logarithmic classes, and reads quantiles from them.
#include "run/limits/pace/stream_pace.h"

#include <algorithm>
#include <cmath>

namespace assay {

namespace {

constexpr double kClassWidth = 1.02;
constexpr double kLeast = 1e-3;  // everything below counts as this
constexpr double kMost = 1e9;
constexpr double kMicrosecondsPerMs = 1e3;
constexpr double kMicrosecondsPerSecond = 1e6;

}  // namespace

void Quantiles::Add(double value) {
  const double bounded = std::clamp(value, kLeast, kMost);
  ++classes_[static_cast<int>(std::lround(std::log(bounded) / std::log(kClassWidth)))];
  ++count_;
}

double Quantiles::At(double q) const {
  const auto rank = static_cast<std::uint64_t>(std::ceil(q * static_cast<double>(count_)));
  std::uint64_t seen = 0;
  for (const auto& [index, count] : classes_) {
    seen += count;
    if (seen >= std::max<std::uint64_t>(rank, 1)) return std::pow(kClassWidth, index);
  }
  return 0;
}

void StreamPace::Add(std::chrono::microseconds first, std::chrono::microseconds whole,
                     const ModelReply& reply) {
  first_token_ms.Add(static_cast<double>(first.count()) / kMicrosecondsPerMs);
  const Usage& usage = reply.usage;
  const std::int64_t shown = usage.output_tokens - (reply.reasoning.empty() ? usage.reasoning_tokens : 0);
  if (!usage.known || shown < 2 || whole <= first) return;
  // The first token opens the time that the others take.
  tokens_per_s.Add(static_cast<double>(shown - 1) * kMicrosecondsPerSecond /
                   static_cast<double>((whole - first).count()));
}

}  // namespace assay
