// The cheapest numbers of cases, attempts, judges and votes with which a mean is known closely enough
// (Brennan 2001; Miller 2024). Without whole numbers and limits, the totals of each kind would be in
// proportion to the root of its variance over its price.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace assay {

// Where the spread of scores comes from: each of one case, one attempt at it, one judge of that, one vote.
struct VarianceParts {
  double cases = 0;
  double attempts = 0;
  double judges = 0;
  double votes = 0;
};

// What one more costs, without what lies below it: one case, one attempt at a case, one judge of an attempt,
// one vote of that judge.
struct DesignPrices {
  double per_case = 0;
  double per_attempt = 0;
  double per_judge = 0;
  double per_vote = 0;
};

// Each case has as many attempts, each attempt as many judges, each judge votes as often; all at least 1. The
// verdict of a judge is the median of its votes, the score of an attempt the mean of its verdicts.
struct RunDesign {
  std::uint64_t cases = 1;
  std::uint64_t attempts = 1;
  std::uint64_t judges = 1;
  std::uint64_t votes = 1;
};

// The variance of the median of so many votes, where one vote has 1: as if votes were normally distributed.
// Above 25 votes it is that of 25.
double VarianceOfMedian(std::uint64_t votes);

// Half of the 95 % interval of the mean, in scores; nothing of one case.
std::optional<double> HalfWidthOf(const RunDesign& design, const VarianceParts& parts);
double PriceOf(const RunDesign& design, const DesignPrices& prices);

struct PricedDesign {
  RunDesign design;
  double price = 0;
  double half_width = 0;
};
struct DesignLimits {
  RunDesign least = {};  // a number whose part of the variance nobody knows is held where it is
  RunDesign most = {};
};
// The first `count` that are no wider than `half` > 0 and keep the limits, by price. Of equal prices the
// narrower one stands first, then the simpler one. No two differ in their cases alone.
std::vector<PricedDesign> CheapestDesigns(const VarianceParts& parts, const DesignPrices& prices, double half,
                                          const DesignLimits& limits, std::size_t count = 3);

}  // namespace assay
