// Agreement of judges: Krippendorff's alpha with the interval metric, with a standard error by leaving out
// one cluster at a time.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "statistics/estimates/mean.h"

namespace assay {

// The votes on one point of one answer; fewer than two say nothing of agreement.
struct VoteUnit {
  std::vector<double> votes;
  std::uint32_t cluster = 0;  // its case
};

struct AgreementEstimate {
  std::uint64_t units = 0;  // with two votes or more
  std::uint64_t units_left_out = 0;
  std::uint64_t votes = 0;
  std::uint32_t clusters = 0;
  std::optional<double> equal_pairs = {};  // share of pairs of votes within units that are the same
  std::optional<double> alpha = {};
  std::optional<double> se = {};
  std::optional<Interval> interval = {};
  Why why = Why::kNone;
};
AgreementEstimate EstimateAgreement(std::span<const VoteUnit> units);

// The sums that alpha needs of a set of units; they add up.
struct AgreementSums {
  double votes = 0;
  double sum = 0;      // of votes - center
  double squares = 0;  // of the same
  double within = 0;   // votes of a unit × its squared deviations / (votes - 1)
  AgreementSums& operator+=(const AgreementSums& other);
  AgreementSums& operator-=(const AgreementSums& other);
  // Absent without variation: squared deviations at most `noise`.
  std::optional<double> Alpha(double noise) const;
};
AgreementSums SumsOf(const VoteUnit& unit, double center);

}  // namespace assay
