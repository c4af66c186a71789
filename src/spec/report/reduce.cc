// The table of reducers, one row each.
//   source  InfiBench evaluator 96cb098 (spec: infibench 4): means are numpy's, deviations over n - 1
#include "spec/report/reduce.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <vector>

#include "base/errors/assert.h"
#include "spec/report/statistics.h"

namespace assay {
namespace {

double NumpyMean(std::span<const double> values) {
  ASSAY_ASSERT(!values.empty());
  return PairwiseSum(values) / static_cast<double>(values.size());
}

double NumpyDeviation(std::span<const double> values) {
  if (values.size() < 2) return 0;
  const double mean = NumpyMean(values);
  std::vector<double> squares;
  for (const double value : values) squares.push_back((value - mean) * (value - mean));
  return std::sqrt(PairwiseSum(squares) / static_cast<double>(values.size() - 1));
}

Reduced ToMean(std::span<const double> values, std::size_t) { return {.value = NumpyMean(values)}; }

Reduced ToMax(std::span<const double> values, std::size_t) {
  return {.value = *std::max_element(values.begin(), values.end())};
}

Reduced ToMin(std::span<const double> values, std::size_t) {
  return {.value = *std::min_element(values.begin(), values.end())};
}

Reduced ToMeanOfMaxima(std::span<const double> values, std::size_t bucket) {
  std::vector<double> maxima;
  for (std::size_t at = 0; at < values.size(); at += bucket) {
    const auto one = values.subspan(at, std::min(bucket, values.size() - at));
    maxima.push_back(*std::max_element(one.begin(), one.end()));
  }
  return {.value = NumpyMean(maxima), .deviation = NumpyDeviation(maxima)};
}

constexpr ReducerRow kReducers[] = {
    {"avg", "mean", "mean of the attempts", false, true, ToMean},
    {"max", "best of", "the best attempt", false, false, ToMax},
    {"min", "worst of", "the worst attempt", false, false, ToMin},
    {"avg_max_", "best of", "mean of the best of each K attempts in a row (avg_max_10)", true, false,
     ToMeanOfMaxima},
};

}  // namespace

std::optional<Reducer> FindReducer(std::string_view name) {
  for (const ReducerRow& row : kReducers) {
    if (!row.has_bucket && name == row.name) return Reducer{.row = &row};
    if (!row.has_bucket || !name.starts_with(row.name)) continue;
    const std::string_view digits = name.substr(row.name.size());
    Reducer reducer{.row = &row};
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), reducer.bucket);
    if (error == std::errc() && end == digits.data() + digits.size() && reducer.bucket > 0) return reducer;
  }
  return std::nullopt;
}

std::string TitleOf(const Reducer& reducer, std::size_t attempts) {
  if (reducer.row->keeps_attempts) return std::string(reducer.row->title);
  return fmt::format("{} {}", reducer.row->title, reducer.row->has_bucket ? reducer.bucket : attempts);
}

}  // namespace assay
