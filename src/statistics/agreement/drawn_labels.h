// Estimates the mean that humans would give from labels that were drawn (PPI++ with the weights of the
// strata), and finds out which labels were. Labels that were picked are tested against the rest first.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "statistics/agreement/labels.h"

namespace assay {

inline constexpr std::uint64_t kUnitsForASample = 100;  // with fewer, people had better label all

enum class LabelState : std::uint8_t { kNone, kSkipped, kGiven };  // kSkipped: its reader cannot tell

struct LabelledUnit {
  std::uint64_t place = 0;  // in the draw; no two are equal
  std::uint32_t stratum = 0;
  double judges = 0;
  LabelState state = LabelState::kNone;
  double label = 0;           // kGiven
  std::uint32_t cluster = 0;  // its case
};

enum class LabelMode : std::uint8_t {
  kNone,    // no estimate: the draw has hardly begun, or its strata are not known and too few are labelled
  kDrawn,   // the beginning of every stratum
  kEqual,   // strata not known: the beginning of all
  kPicked,  // labels without a draw
};
std::string_view LabelModeName(LabelMode mode);  // "none", "drawn", "equal", "picked"

struct DrawnEstimate {
  LabelMode mode = LabelMode::kNone;
  std::uint64_t labels = 0;     // in all, with those that were skipped
  std::uint64_t drawn = 0;      // places of the draw that are filled without a gap
  std::uint64_t not_drawn = 0;  // the other labels
  std::uint64_t skipped = 0;    // among `drawn`
  std::uint64_t given = 0;      // labels that count
  std::uint64_t units = 0;
  std::optional<std::uint32_t> strata = {};        // after joining; absent: no estimate by strata
  std::optional<double> judge_mean = {};           // of all units
  std::optional<double> labelled_judge_mean = {};  // of those whose labels count
  std::optional<double> lambda = {};
  std::optional<double> estimate = {};
  std::optional<double> se = {};
  std::optional<double> df = {};
  std::optional<Interval> interval_here = {};  // about these units alone
  std::optional<Interval> interval = {};       // about such cases: over clusters
  std::optional<double> bias = {};             // mean of judges less people
  std::optional<Interval> bias_interval = {};
  std::optional<double> p_like = {};   // kPicked: that chance alone picks labels so unlike the rest
  std::optional<double> low_if = {};   // the estimate if all that was skipped were 0
  std::optional<double> high_if = {};  // and 1
  Why why = Why::kNone;
  bool is_hint() const { return given < kLabelsForMoreThanAHint; }
  bool should_label_all() const { return units < kUnitsForASample && given < units; }
};

// `are_strata_known`: false if the strata of the draw are not those of the units. Which labels were drawn is
// seen by their places alone.
DrawnEstimate EstimateFromDraw(std::span<const LabelledUnit> units, bool are_strata_known = true);
// The same where nobody says that the labels were drawn: all labels that are given count, if they are like
// the rest. The interval is over clusters.
DrawnEstimate EstimateFromPicked(std::span<const LabelledUnit> units);

}  // namespace assay
