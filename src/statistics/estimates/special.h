// Special functions for intervals and tests: normal, Student and binomial. Pure; relative error about 1e-13,
// down to tails of 1e-300.
#pragma once

#include <cstdint>

namespace assay {

// The 97.5 % quantile of the normal distribution.
inline constexpr double kNormal975 = 1.959963984540054;

// Of the standard normal distribution; 0 < q < 1.
double NormalQuantile(double q);
double NormalBelow(double x);  // P(Z <= x)

// Of Student's distribution with df > 0 degrees of freedom; 0 < q < 1.
double StudentQuantile(double q, double df);
double StudentTwoSidedP(double t, double df);  // P(|T| >= |t|)
double StudentBelow(double t, double df);      // P(T <= t)

// P(X >= k) of X ~ Bin(trials, 1/2), k <= trials.
double BinomialAtLeast(std::uint64_t k, std::uint64_t trials);
// min(1, 2 P(X >= k)) of X ~ Bin(trials, 1/2), k <= trials: the exact sign test.
double BinomialTwoSidedP(std::uint64_t k, std::uint64_t trials);

}  // namespace assay
