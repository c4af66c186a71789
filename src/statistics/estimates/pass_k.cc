// Computes pass@k and pass^k by counting combinations.
#include "statistics/estimates/pass_k.h"

#include <algorithm>

namespace assay {

double PassAny(PassCount count, std::uint64_t k) {
  const std::uint64_t failed = count.scored - count.passed;
  if (failed < k) return 1;
  double none = 1;
  for (std::uint64_t i = failed + 1; i <= count.scored; ++i)
    none *= 1 - static_cast<double>(k) / static_cast<double>(i);
  return 1 - none;
}

double PassAll(PassCount count, std::uint64_t k) {
  if (count.passed < k) return 0;
  double all = 1;
  for (std::uint64_t i = 0; i < k; ++i)
    all *= static_cast<double>(count.passed - i) / static_cast<double>(count.scored - i);
  return all;
}

PassEstimate EstimatePasses(std::span<const PassCount> counts, std::uint64_t k, const Design& design) {
  PassEstimate estimate;
  Sample any;
  Sample all;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    CaseValue& any_value = any.cases.emplace_back();
    CaseValue& all_value = all.cases.emplace_back();
    if (counts[i].scored < k || !(design.WeightOf(i) > 0)) continue;
    ++estimate.cases;
    if (counts[i].passed > 0 && counts[i].passed < counts[i].scored) ++estimate.flaky;
    // The attempts behind a value are what its information is limited by.
    any_value = {.value = PassAny(counts[i], k), .scored = static_cast<std::uint32_t>(counts[i].scored)};
    all_value = {.value = PassAll(counts[i], k), .scored = static_cast<std::uint32_t>(counts[i].scored)};
  }
  estimate.cases_left_out = counts.size() - estimate.cases;
  const Design in_unit = {.weights = design.weights, .clusters = design.clusters, .range = ScoreRange{0, 1}};
  estimate.any = EstimateMean(any, in_unit);
  estimate.all = EstimateMean(all, in_unit);
  return estimate;
}

}  // namespace assay
