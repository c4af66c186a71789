// RunCost: what a run cost over all its sittings, in billionths of a US dollar.
#pragma once

#include <cstdint>

namespace assay {

inline constexpr double kNanoPerUsd = 1e9;

struct RunCost {
  std::int64_t nano_usd = 0;
  std::uint64_t unpriced = 0;  // calls of models without a known price, or that did not say what they used
  std::int64_t estimated_nano_usd = 0;  // what the latter may have cost; no part of `nano_usd`
  friend bool operator==(const RunCost&, const RunCost&) = default;
};

}  // namespace assay
