// Estimates pass@k, any of k attempts passes (Chen et al. 2021), and pass^k, all of k pass (Yao et al. 2024),
// without bias.
#pragma once

#include <cstdint>
#include <span>

#include "statistics/estimates/mean.h"

namespace assay {

struct PassCount {
  std::uint64_t scored = 0;
  std::uint64_t passed = 0;
};

double PassAny(PassCount count, std::uint64_t k);  // pass@k of one case; scored >= k >= 1
double PassAll(PassCount count, std::uint64_t k);  // pass^k of one case

struct PassEstimate {
  std::uint64_t cases = 0;           // with at least k scored attempts
  std::uint64_t cases_left_out = 0;  // with fewer
  std::uint64_t flaky = 0;           // of `cases`: some attempts passed, some did not
  MeanEstimate any;
  MeanEstimate all;
};
// `counts` by case; weights and clusters of `design` as everywhere, its range is not read.
PassEstimate EstimatePasses(std::span<const PassCount> counts, std::uint64_t k, const Design& design);

}  // namespace assay
