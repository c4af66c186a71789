// Sample and Design: the input of all statistics: one value per case, with weights and clusters that all
// variants of a run share. Cases were drawn from the world, so every error is taken over cases or clusters of
// them.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace assay {

// Why a number is not defined. WhyCode names it in JSON, WhyText tells people.
enum class Why {
  kNone,
  kNoCase,
  kNoPair,
  kOneCase,
  kOneCluster,
  kNoSpread,
  kOneAttempt,
  kNoPairs,
  kNoVariation,
  kDegenerate,
  kNoLabel,
  kOneLabel,
  kFewLabels,
  kNotLikeTheRest,
};
std::string_view WhyCode(Why why);  // "no_case"; "" for kNone
std::string_view WhyText(Why why);  // "no case has a score"

// Cells without a score, by what they are instead.
enum class LeftOut : std::uint8_t { kPartial, kError, kUnscored, kSkipped };
using LeftOutCounts = std::array<std::uint64_t, 4>;

// Summed in order; of at least one value.
double MeanOf(std::span<const double> values);

// One case of one variant: the mean (or the reducer's value) of its scored attempts.
struct CaseValue {
  double value = 0;
  std::uint32_t scored = 0;  // attempts with a finite score; 0: the case has no value
  bool is_binary = true;     // each of them is 0 or 1
};

// One variant: its cases, aligned by index with those of others.
struct Sample {
  std::vector<CaseValue> cases;
  LeftOutCounts left_out{};

  // Appends a case from the scores of its attempts; one that is not finite counts as an error.
  void Add(std::span<const double> scores);
  void Leave(LeftOut state, std::uint64_t cells = 1) { left_out[static_cast<std::size_t>(state)] += cells; }
};

struct ScoreRange {
  double low = 0;
  double high = 1;
};

// What holds for all variants: per case a weight >= 0 (0 leaves the case out) and a cluster. Borrowed.
struct Design {
  std::span<const double> weights = {};          // empty: all 1
  std::span<const std::uint32_t> clusters = {};  // any numbers; empty: each case its own
  std::optional<ScoreRange> range = {};          // absent: scores may be anything

  double WeightOf(std::size_t i) const { return weights.empty() ? 1 : weights[i]; }
  std::uint32_t ClusterOf(std::size_t i) const {
    return clusters.empty() ? static_cast<std::uint32_t>(i) : clusters[i];
  }
  bool IsUsed(const CaseValue& value, std::size_t i) const { return value.scored > 0 && WeightOf(i) > 0; }
};

// Values of the cases in use, in case order; clusters are numbered from 0 in order of first appearance.
struct Weighted {
  std::vector<double> values;
  std::vector<double> weights;
  std::vector<std::uint32_t> clusters;
  std::uint32_t cluster_count = 0;
  bool has_equal_weights = true;

  std::size_t size() const { return values.size(); }
  bool has_own_clusters() const { return cluster_count == size(); }  // each case is one
  void Resize(std::size_t cases);
  void NumberClusters();  // once, when all are set; until then as the design names them
  std::vector<double> ClusterWeights() const;
};
// The values of `sample`, clusters numbered.
Weighted UsedValues(const Sample& sample, const Design& design);

// Weighted mean with the standard error over clusters (Liang & Zeger 1986, with G/(G-1)); n > 0.
struct ClusteredMean {
  double mean = 0;
  std::optional<double> se = {};  // absent below two clusters; exactly 0 where it is rounding noise
  std::uint32_t df = 0;           // clusters - 1
};
// `scale` is the largest |score| involved: what is below 1e-12 of it is noise.
ClusteredMean MeanOver(const Weighted& weighted, double scale);

inline constexpr double kNoise = 1e-12;
double LargestOf(std::span<const double> values);  // the largest |value|, 0 without any
bool AreAllEqual(std::span<const double> values, double scale);

}  // namespace assay
