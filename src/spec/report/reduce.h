// Reducers: compute one value from the scored attempts of a case and variant (mean, max, ...). A suite names
// one (Aggregation::reduce); each is one row of reduce.cc.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/errors/result.h"

namespace assay {

struct Reduced {
  double value = 0;
  double deviation = 0;  // sample standard deviation of what was averaged; 0 where nothing was
};

struct ReducerRow {
  std::string_view name;   // "avg"; "avg_max_" where a bucket size follows
  std::string_view title;  // what tables call its value: "mean", "best of"
  std::string_view help;   // one line for `assay list`
  bool has_bucket = false;
  bool keeps_attempts = false;  // their mean: attempts may stay apart, for whoever tells how much they vary
  Reduced (*fn)(std::span<const double> values, std::size_t bucket) = nullptr;  // at least one value
};

// A row with its bucket size, as a suite names it: "max", "avg_max_10".
struct Reducer {
  const ReducerRow* row = nullptr;
  std::size_t bucket = 0;
  Reduced operator()(std::span<const double> values) const { return row->fn(values, bucket); }
};
// Nothing if there is no such reducer, or its bucket size is not a whole number above 0.
std::optional<Reducer> FindReducer(std::string_view name);

// What tables call a case's value of so many attempts: "mean", "best of 10".
std::string TitleOf(const Reducer& reducer, std::size_t attempts);

}  // namespace assay
