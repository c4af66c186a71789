// Test helper: makes samples with one attempt a case.
#pragma once

#include <initializer_list>
#include <span>

#include "statistics/sample.h"

namespace assay::testing {

// Scores from 0 to 1, as most suites have them.
inline constexpr Design kUnit = {.range = ScoreRange{0, 1}};

inline Sample SampleOf(std::initializer_list<double> scores) {
  Sample sample;
  for (const double score : scores) sample.Add(std::span(&score, 1));
  return sample;
}

}  // namespace assay::testing
