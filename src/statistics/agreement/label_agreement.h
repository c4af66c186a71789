// How well a judge agrees with the labels that people gave, and which of several judges is nearest to them.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "statistics/agreement/agreement.h"

namespace assay {

// Bands of scores: below 25, from 25 to below 75, from 75 on. What is within 1e-9 of a limit is on it.
inline constexpr std::size_t kLabelBands = 3;
std::size_t LabelBandOf(double score);
// Rows: labels; columns: the judge.
using ConfusionTable = std::array<std::array<std::uint64_t, kLabelBands>, kLabelBands>;

// A label, and what the judge gave the same.
struct LabelledVote {
  std::uint32_t unit = 0;  // the same number for several judges: the same unit
  double label = 0;
  double judge = 0;
  std::uint32_t cluster = 0;
};

struct LabelAgreement {
  std::uint64_t labels = 0;
  std::optional<double> same = {};      // share in the same band
  std::optional<double> distance = {};  // mean of |judge - label|
  std::optional<double> bias = {};      // mean of judge - label
  std::optional<Interval> bias_interval = {};
  AgreementEstimate alpha = {};
  ConfusionTable confusion = {};
};
LabelAgreement AgreementWithLabels(std::span<const LabelledVote> votes);

// Which judge is nearest to the labels, on the units that all judges voted on.
struct NearestJudge {
  std::size_t judge = 0;
  double distance = 0;
  std::size_t next = 0;
  double next_distance = 0;
  std::uint64_t labels = 0;
  bool is_shown = false;  // the interval of the difference between the two, over clusters, excludes 0
};
// Nothing below two judges, or without a label on what all of them voted on.
std::optional<NearestJudge> NearestToLabels(std::span<const std::vector<LabelledVote>> judges);

}  // namespace assay
