// The test of Mann and Whitney: whether one of two samples tends to have larger values. Pure.
#pragma once

#include <span>

namespace assay {

// Two-sided, by the normal distribution with corrections for ties and continuity. 1 if a sample is empty or
// all values are equal; values that differ by rounding alone are ties.
double MannWhitneyTwoSidedP(std::span<const double> a, std::span<const double> b);

}  // namespace assay
