// Estimates the mean that humans would give, from judge scores corrected by a few human labels (PPI++,
// Angelopoulos et al. 2023).
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "statistics/agreement/agreement.h"

namespace assay {

inline constexpr std::uint64_t kLabelsForMoreThanAHint = 10;

// Labels and judges' scores of the same responses, and judges' scores of those without a label. Borrowed.
struct LabelledScores {
  std::span<const double> labels;
  std::span<const double> judged;  // as many as labels
  std::span<const double> unlabelled;
  std::span<const std::uint32_t> clusters = {};  // of the labelled; empty: each its own
  std::span<const std::uint32_t> unlabelled_clusters = {};
};

struct LabelEstimate {
  std::uint64_t labelled = 0;
  std::uint64_t unlabelled = 0;
  std::optional<double> judge_mean = {};  // of all responses
  std::optional<double> estimate = {};    // what humans would give
  std::optional<double> lambda = {};      // how far the judges are believed, 0 to 1
  std::optional<double> se = {};
  std::optional<std::uint32_t> df = {};
  std::optional<Interval> interval = {};
  std::optional<double> bias = {};  // of the judges: mean of judge - label
  std::optional<Interval> bias_interval = {};
  std::optional<double> alpha = {};  // agreement of judge and label
  Why why = Why::kNone;
};
LabelEstimate EstimateFromLabels(const LabelledScores& scores);

}  // namespace assay
