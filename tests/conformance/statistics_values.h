// What golden rows of statistics are read into, and how their numbers are compared.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "statistics/estimates/mean.h"
#include "tests/conformance/conformance.h"
#include "text/value.h"

namespace assay::conformance {

// Compares what a row wants, number by number, with what there is: to 1e-9, relative to max(1, |want|), or
// purely relative for p-values. What there is may say more.
void StatisticsCompare(const std::string& what, std::string_view key, const Value& want, const Value& got,
                       std::vector<std::string>& wrong);

Value Low(const std::optional<Interval>& interval);
Value High(const std::optional<Interval>& interval);
Value Text(std::string_view text);  // null for ""

struct MapOf {
  Map map;
  MapOf& With(std::string key, Value value) {
    map.Set(std::move(key), std::move(value));
    return *this;
  }
};

std::vector<double> Numbers(const Value& list);           // none if it is no list
std::vector<std::uint32_t> Clusters(const Value& names);  // numbered in order of first appearance
Sample SampleOf(const Value& cases);

// The design of a row, with what it borrows.
struct RowDesign {
  std::vector<double> weights;
  std::vector<std::uint32_t> clusters;
  Design design;
  explicit RowDesign(const Value& in);
};

template <Value (*kRun)(const Value&)>
void RunStatisticsRow(const Value& row, Outcome& outcome) {
  std::vector<std::string> wrong;
  StatisticsCompare(GetText(row, "name"), "", Get(row, "out"), kRun(Get(row, "in")), wrong);
  if (wrong.empty()) return outcome.Pass();
  outcome.Fail(outcome.place + ": " + wrong.front());
}

}  // namespace assay::conformance
