// The units of a suite in the order in which they are asked, and their values: what a run that may end early
// looks at. Of a look after n units only the values of the first n are read.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "statistics/sample.h"

namespace assay {

class UnitTable {
 public:
  // The cases of `design` that have weight. A unit is a cluster, in the order in which `order` first names
  // one of its cases; within a unit, cases keep the order of `order`. Empty: cases stand as they are asked.
  // The design has a range, and no score lies outside it.
  UnitTable(std::size_t cases, const Design& design, std::span<const std::uint32_t> order = {});

  std::uint64_t units() const { return starts_.size() - 1; }
  std::uint64_t cases() const { return cases_.size(); }
  std::uint64_t CasesBefore(std::uint64_t unit) const { return starts_[unit]; }  // of the first `unit` units

  // Indices into the cases of the design, unit by unit; the first CasesBefore(n) are those of the first n.
  std::span<const std::uint32_t> order() const { return cases_; }
  // G/W times the weight of the case at this place of order(): the mean over units of what is weighted so is
  // the weighted mean over cases.
  double ShareAt(std::uint64_t place) const { return shares_[place]; }
  double largest_unit() const { return largest_unit_; }  // the largest sum of shares of a unit
  const ScoreRange& range() const { return range_; }

 private:
  std::vector<std::uint32_t> cases_;
  std::vector<double> shares_;
  std::vector<std::uint64_t> starts_;  // of each unit, and the end
  double largest_unit_ = 0;
  ScoreRange range_;
};

// One value for each of the first units.
struct UnitValues {
  std::vector<double> values;
  ScoreRange range;            // that the design allows them
  std::uint64_t cases = 0;     // of these units
  std::uint64_t left_out = 0;  // of `cases`: without a score, or without one of both
};

// a - b + margin, summed over the cases of a unit. A case that one of them has no score for counts as 0,
// which leaves the sign of the whole suite's difference as it is.
UnitValues DifferencesOf(const UnitTable& table, std::span<const CaseValue> a, std::span<const CaseValue> b,
                         double margin, std::uint64_t units);

// Scores as shares of the range, from 0 to 1. A case without a score counts as `missing`.
UnitValues LevelsOf(const UnitTable& table, std::span<const CaseValue> scores, double missing,
                    std::uint64_t units);

// The weighted mean over the cases with a score; nothing without any.
std::optional<double> MeanOfUnits(const UnitTable& table, std::span<const CaseValue> scores,
                                  std::uint64_t units);

}  // namespace assay
