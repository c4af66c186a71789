// Groups cases into units, and sums what their cases contribute.
#include "statistics/sequential/units.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_map>

namespace assay {

namespace {

// Sums `value_of` (of a place in the order) over the cases of each of the first units.
template <class ValueOf>
std::vector<double> SumsOverUnits(const UnitTable& table, std::uint64_t units, const ValueOf& value_of) {
  std::vector<double> sums(units, 0.0);
  std::uint64_t place = 0;
  for (std::uint64_t unit = 0; unit < units; ++unit) {
    double sum = 0;
    for (; place < table.CasesBefore(unit + 1); ++place) sum += value_of(place);
    sums[unit] = sum;
  }
  return sums;
}

}  // namespace

UnitTable::UnitTable(std::size_t cases, const Design& design, std::span<const std::uint32_t> order)
    : range_(*design.range) {
  std::vector<std::uint32_t> as_they_stand;
  if (order.empty()) {
    as_they_stand.resize(cases);
    std::iota(as_they_stand.begin(), as_they_stand.end(), 0u);
    order = as_they_stand;
  }
  std::unordered_map<std::uint32_t, std::size_t> numbers;
  std::vector<std::vector<std::uint32_t>> units;
  double weight_sum = 0;
  for (const std::uint32_t i : order) {
    if (!(design.WeightOf(i) > 0)) continue;
    const auto [at, is_new] = numbers.emplace(design.ClusterOf(i), units.size());
    if (is_new) units.emplace_back();
    units[at->second].push_back(i);
    weight_sum += design.WeightOf(i);
  }
  starts_.push_back(0);
  for (const std::vector<std::uint32_t>& unit : units) {
    double sum = 0;
    for (const std::uint32_t i : unit) {
      cases_.push_back(i);
      shares_.push_back(static_cast<double>(units.size()) / weight_sum * design.WeightOf(i));
      sum += shares_.back();
    }
    largest_unit_ = std::max(largest_unit_, sum);
    starts_.push_back(cases_.size());
  }
}

UnitValues DifferencesOf(const UnitTable& table, std::span<const CaseValue> a, std::span<const CaseValue> b,
                         double margin, std::uint64_t units) {
  const ScoreRange& range = table.range();
  const double width = range.high - range.low;
  // Of the largest score that the range allows, so that a value never depends on the cases after it.
  const double noise = kNoise * std::max(std::abs(range.low), std::abs(range.high));
  UnitValues result{
      .values = {},
      .range = {(margin - width) * table.largest_unit(), (margin + width) * table.largest_unit()},
      .cases = table.CasesBefore(units)};
  result.values = SumsOverUnits(table, units, [&](std::uint64_t place) {
    const CaseValue& x = a[table.order()[place]];
    const CaseValue& y = b[table.order()[place]];
    if (x.scored == 0 || y.scored == 0) {
      ++result.left_out;
      return 0.0;
    }
    const double difference = x.value - y.value;
    return table.ShareAt(place) * ((std::abs(difference) <= noise ? 0 : difference) + margin);
  });
  return result;
}

UnitValues LevelsOf(const UnitTable& table, std::span<const CaseValue> scores, double missing,
                    std::uint64_t units) {
  const ScoreRange& range = table.range();
  UnitValues result{.values = {}, .range = {0, table.largest_unit()}, .cases = table.CasesBefore(units)};
  result.values = SumsOverUnits(table, units, [&](std::uint64_t place) {
    const CaseValue& score = scores[table.order()[place]];
    if (score.scored == 0) {
      ++result.left_out;
      return table.ShareAt(place) * missing;
    }
    return table.ShareAt(place) * (score.value - range.low) / (range.high - range.low);
  });
  return result;
}

std::optional<double> MeanOfUnits(const UnitTable& table, std::span<const CaseValue> scores,
                                  std::uint64_t units) {
  double sum = 0;
  double shares = 0;
  for (std::uint64_t place = 0; place < table.CasesBefore(units); ++place) {
    const CaseValue& score = scores[table.order()[place]];
    if (score.scored == 0) continue;
    sum += table.ShareAt(place) * score.value;
    shares += table.ShareAt(place);
  }
  if (shares == 0) return std::nullopt;
  return sum / shares;
}

}  // namespace assay
