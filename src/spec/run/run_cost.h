// What a run cost, over all its sittings.
#pragma once

#include <cstdint>

namespace assay {

inline constexpr double kNanoPerUsd = 1e9;

struct RunCost {
  std::int64_t nano_usd = 0;
  std::uint64_t unpriced = 0;  // calls that said what they used, of models without a known price
};

}  // namespace assay
