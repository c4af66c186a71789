// Bootstrap intervals of means, on request only, with a random generator that gives the same draws on every
// machine: SplitMix64 by counter (Steele et al. 2014).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "statistics/agreement/agreement.h"

namespace assay {

// The first 8 bytes of the SHA-256 of label and seed.
std::uint64_t RandomKeyOf(std::string_view label, std::string_view seed);

class CounterRandom {
 public:
  CounterRandom(std::string_view label, std::uint64_t seed);
  std::uint64_t key() const { return key_; }
  std::uint64_t At(std::uint64_t counter) const;
  // An index below `count` < 2^32.
  std::uint32_t Below(std::uint32_t count, std::uint64_t counter) const;

 private:
  std::uint64_t key_ = 0;
};

inline constexpr std::size_t kResamples = 10'000;

struct BootstrapMean {
  std::uint64_t cases = 0;
  std::uint32_t clusters = 0;
  std::optional<double> mean = {};
  std::optional<Interval> percentile = {};
  std::optional<Interval> bca = {};  // bias-corrected and accelerated (Efron 1987)
  Why why = Why::kNone;
};
BootstrapMean BootstrapOfMean(const Sample& sample, const Design& design, std::uint64_t seed);

struct BootstrapAgreement {
  std::optional<double> alpha = {};
  std::optional<Interval> interval = {};
  std::optional<std::size_t> resamples = {};  // with variation; absent if none were drawn
  Why why = Why::kNone;
};
BootstrapAgreement BootstrapOfAgreement(std::span<const VoteUnit> units, std::uint64_t seed);

}  // namespace assay
