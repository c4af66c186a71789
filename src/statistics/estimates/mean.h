// Estimates a mean or a pass rate with its 95 % interval (Wilson or Student).
#pragma once

#include <cstdint>
#include <optional>

#include "statistics/sample.h"

namespace assay {

struct Interval {
  double low = 0;
  double high = 0;
};

// The score interval of Wilson (1927) of a proportion p among `count` trials (it need be no whole number).
Interval WilsonInterval(double p, double count, double quantile);
// The same of scores in `range`, where the mean score is the share `p` of the way from its low end.
Interval WilsonIntervalIn(const ScoreRange& range, double p, double count, double quantile);

enum class MeanMethod { kNone, kWilson, kStudent };

struct MeanEstimate {
  std::uint64_t cases = 0;  // with a value and a weight
  std::uint64_t cells = 0;
  std::uint64_t cases_left_out = 0;
  std::uint32_t clusters = 0;
  std::optional<double> mean = {};
  std::optional<double> se = {};
  std::optional<std::uint32_t> df = {};
  std::optional<double> effective_cases = {};  // of Wilson's interval
  std::optional<double> quantile = {};         // that the interval was made with
  std::optional<Interval> interval = {};       // 95 %
  MeanMethod method = MeanMethod::kNone;
  Why why = Why::kNone;  // why there is no interval
};

// Wilson's interval on the effective number of cases (Korn & Graubard 1998; Dean & Pagano 2015) where the
// range is known, else Student's.
MeanEstimate EstimateMean(const Sample& sample, const Design& design);

}  // namespace assay
