// Which labels were drawn, and the estimate from them: weights by stratum, errors by stratum and by cluster.
#include "statistics/agreement/drawn_labels.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "statistics/estimates/mann_whitney.h"
#include "statistics/estimates/special.h"

namespace assay {

namespace {

constexpr std::uint64_t kPlacesBegun = 2;      // of a stratum that a draw has begun with
constexpr std::uint64_t kEqualDrawMin = 30;  // labels that stand for all without strata
constexpr double kUnlikeBelow = 0.05;
constexpr double kNoVariance = 1e-24;

// A stratum as an estimate takes it: its units, and those of them whose labels count.
struct Stratum {
  std::vector<const LabelledUnit*> units;  // in the order of the draw
  std::size_t filled = 0;                  // of them, from the first one without a gap
  std::vector<const LabelledUnit*> counted;

  bool has_begun() const { return filled >= kPlacesBegun || filled == units.size(); }
  std::size_t labels() const {
    return static_cast<std::size_t>(std::count_if(units.begin(), units.end(), [](const LabelledUnit* unit) {
      return unit->state != LabelState::kNone;
    }));
  }
};

std::vector<Stratum> StrataOf(std::span<const LabelledUnit> units, bool are_known) {
  std::map<std::uint32_t, Stratum> by_number;
  for (const LabelledUnit& unit : units) by_number[are_known ? unit.stratum : 0].units.push_back(&unit);
  std::vector<Stratum> strata;
  for (auto& [number, stratum] : by_number) {
    std::sort(stratum.units.begin(), stratum.units.end(),
              [](const LabelledUnit* a, const LabelledUnit* b) { return a->place < b->place; });
    while (stratum.filled < stratum.units.size() &&
           stratum.units[stratum.filled]->state != LabelState::kNone) {
      const LabelledUnit* unit = stratum.units[stratum.filled++];
      if (unit->state == LabelState::kGiven) stratum.counted.push_back(unit);
    }
    strata.push_back(std::move(stratum));
  }
  return strata;
}

// One with fewer than two labels that count, since the others were skipped, has no spread of its own.
void JoinThin(std::vector<Stratum>& strata) {
  while (strata.size() > 1) {
    const auto thin = std::find_if(strata.begin(), strata.end(),
                                   [](const Stratum& stratum) { return stratum.counted.size() < 2; });
    if (thin == strata.end()) return;
    Stratum& into = thin == strata.begin() ? *(thin + 1) : *(thin - 1);
    into.units.insert(into.units.end(), thin->units.begin(), thin->units.end());
    into.counted.insert(into.counted.end(), thin->counted.begin(), thin->counted.end());
    strata.erase(thin);
  }
}

// Of at least one unit.
double MeanOfJudges(std::span<const LabelledUnit> units) {
  double sum = 0;
  for (const LabelledUnit& unit : units) sum += unit.judges;
  return sum / static_cast<double>(units.size());
}

// The estimate of one set of strata; each has labels that count, or is the only one.
class ByStrata {
 public:
  ByStrata(std::span<const LabelledUnit> units, const std::vector<Stratum>& strata)
      : units_(units), strata_(strata), judge_mean_(MeanOfJudges(units)) {
    for (const Stratum& stratum : strata) {
      for (const LabelledUnit* unit : stratum.counted) scale_ = std::max(scale_, std::abs(unit->label));
    }
    for (const LabelledUnit& unit : units) scale_ = std::max(scale_, std::abs(unit.judges));
    SetLambda();
  }

  double lambda() const { return lambda_; }
  double scale() const { return scale_; }
  // Of what `value` says of a labelled unit, with the weights of the strata.
  template <class Value>
  double Mean(Value value) const {
    double mean = 0;
    for (const Stratum& stratum : strata_) {
      double sum = 0;
      for (const LabelledUnit* unit : stratum.counted) sum += value(*unit);
      mean += Share(stratum) * sum / static_cast<double>(stratum.counted.size());
    }
    return mean;
  }

  struct Error {
    double se = 0;
    double df = 0;
    Interval Around(double center) const {
      const double half = se == 0 ? 0 : StudentQuantile(0.975, df) * se;
      return {center - half, center + half};
    }
  };
  // About these units alone; nothing where what `value` says does not vary.
  template <class Value>
  std::optional<Error> ErrorHere(Value value) const {
    double sum = 0;
    double parts = 0;
    for (const Stratum& stratum : strata_) {
      const auto n = static_cast<double>(stratum.counted.size());
      const auto size = static_cast<double>(stratum.units.size());
      if (stratum.counted.size() == stratum.units.size()) continue;
      double mean = 0;
      for (const LabelledUnit* unit : stratum.counted) mean += value(*unit) / n;
      double squares = 0;
      for (const LabelledUnit* unit : stratum.counted)
        squares += (value(*unit) - mean) * (value(*unit) - mean);
      const double part = Share(stratum) * Share(stratum) * (1 - n / size) * squares / (n - 1) / n;
      sum += part;
      parts += part * part / (n - 1);
    }
    if (std::sqrt(sum) <= kNoise * scale_) return std::nullopt;
    return Error{.se = std::sqrt(sum), .df = sum * sum / parts};
  }
  // About such cases: how far each cluster moves the estimate.
  std::optional<Error> ErrorOverClusters() const {
    const double corrected =
        Mean([this](const LabelledUnit& unit) { return unit.label - lambda_ * unit.judges; });
    std::map<std::uint32_t, double> moves;
    for (const LabelledUnit& unit : units_) moves[unit.cluster] += lambda_ * (unit.judges - judge_mean_);
    for (const Stratum& stratum : strata_) {
      const double weight = WeightOf(stratum);
      for (const LabelledUnit* unit : stratum.counted)
        moves[unit->cluster] += weight * (unit->label - lambda_ * unit->judges - corrected);
    }
    const auto clusters = static_cast<double>(moves.size());
    if (moves.size() < 2) return std::nullopt;
    double squares = 0;
    for (const auto& [cluster, move] : moves) squares += move * move;
    const double units = static_cast<double>(units_.size());
    return Error{.se = std::sqrt(clusters / (clusters - 1) * squares) / units, .df = clusters - 1};
  }

 private:
  double Share(const Stratum& stratum) const {
    return static_cast<double>(stratum.units.size()) / static_cast<double>(units_.size());
  }
  static double WeightOf(const Stratum& stratum) {
    return static_cast<double>(stratum.units.size()) / static_cast<double>(stratum.counted.size());
  }
  void SetLambda() {
    double squares = 0;
    for (const LabelledUnit& unit : units_)
      squares += (unit.judges - judge_mean_) * (unit.judges - judge_mean_);
    const double variance = squares / static_cast<double>(units_.size());
    if (variance <= kNoVariance) return;
    const double labels = Mean([](const LabelledUnit& unit) { return unit.label; });
    const double judged = Mean([](const LabelledUnit& unit) { return unit.judges; });
    const double product = Mean([labels, judged](const LabelledUnit& unit) {
      return (unit.label - labels) * (unit.judges - judged);
    });
    lambda_ = std::clamp(product / variance, 0.0, 1.0);
  }

  std::span<const LabelledUnit> units_;
  const std::vector<Stratum>& strata_;
  double judge_mean_ = 0;
  double scale_ = 0;
  double lambda_ = 0;
};

// The estimate of an empty spread: every unit has a label.
void SetWhole(const ByStrata& by_strata, DrawnEstimate& result) {
  result.estimate = by_strata.Mean([](const LabelledUnit& unit) { return unit.label; });
  result.se = 0;
  result.interval_here = Interval{*result.estimate, *result.estimate};
  result.bias_interval = Interval{*result.bias, *result.bias};
}

void SetByStrata(std::span<const LabelledUnit> units, std::vector<Stratum> strata, DrawnEstimate& result) {
  JoinThin(strata);
  result.strata = static_cast<std::uint32_t>(strata.size());
  if (result.given == 0) {
    result.why = Why::kNoLabel;
    return;
  }
  const ByStrata by_strata(units, strata);
  const double lambda = by_strata.lambda();
  const double noise = kNoise * by_strata.scale();
  const auto corrected = [lambda](const LabelledUnit& unit) { return unit.label - lambda * unit.judges; };
  const auto too_much = [noise](const LabelledUnit& unit) {
    const double difference = unit.judges - unit.label;
    return std::abs(difference) <= noise ? 0 : difference;
  };
  result.lambda = lambda;
  result.estimate = lambda * *result.judge_mean + by_strata.Mean(corrected);
  result.bias = by_strata.Mean(too_much);
  if (const auto error = by_strata.ErrorOverClusters(); error && error->se > noise)
    result.interval = error->Around(*result.estimate);
  if (result.given == units.size()) return SetWhole(by_strata, result);
  if (result.given == 1) {
    result.interval = std::nullopt;
    result.why = Why::kOneLabel;
    return;
  }
  if (const auto error = by_strata.ErrorHere(too_much)) result.bias_interval = error->Around(*result.bias);
  const auto error = by_strata.ErrorHere(corrected);
  if (!error) {
    result.interval = std::nullopt;
    result.why = Why::kNoSpread;
    return;
  }
  result.se = error->se;
  result.df = error->df;
  result.interval_here = error->Around(*result.estimate);
}

// What the estimate would be if all that its reader could not tell were `label`.
std::optional<double> EstimateIf(std::span<const LabelledUnit> units, bool are_strata_known, double label) {
  std::vector<LabelledUnit> filled(units.begin(), units.end());
  for (LabelledUnit& unit : filled) {
    if (unit.state != LabelState::kSkipped) continue;
    unit.state = LabelState::kGiven;
    unit.label = label;
  }
  return EstimateFromDraw(filled, are_strata_known).estimate;
}

DrawnEstimate Counted(std::span<const LabelledUnit> units, const std::vector<Stratum>& strata) {
  DrawnEstimate result;
  result.units = units.size();
  if (!units.empty()) result.judge_mean = MeanOfJudges(units);
  for (const Stratum& stratum : strata) {
    result.labels += stratum.labels();
    result.drawn += stratum.filled;
    result.given += stratum.counted.size();
  }
  double judged = 0;
  for (const Stratum& stratum : strata) {
    for (const LabelledUnit* unit : stratum.counted) judged += unit->judges;
  }
  if (result.given > 0) result.labelled_judge_mean = judged / static_cast<double>(result.given);
  result.not_drawn = result.labels - result.drawn;
  result.skipped = result.drawn - result.given;
  return result;
}

LabelMode ModeOf(const DrawnEstimate& counted, const std::vector<Stratum>& strata, bool are_strata_known) {
  if (!are_strata_known) {
    const bool is_enough = counted.drawn == counted.units || counted.given >= kEqualDrawMin;
    return is_enough ? LabelMode::kEqual : LabelMode::kNone;
  }
  if (std::all_of(strata.begin(), strata.end(), [](const Stratum& each) { return each.has_begun(); }))
    return LabelMode::kDrawn;
  const bool has_just_begun =
      counted.not_drawn == 0 && std::all_of(strata.begin(), strata.end(),
                                            [](const Stratum& each) { return each.filled <= kPlacesBegun; });
  return has_just_begun ? LabelMode::kNone : LabelMode::kPicked;
}

}  // namespace

std::string_view LabelModeName(LabelMode mode) {
  constexpr std::string_view kNames[] = {"none", "drawn", "equal", "picked"};
  return kNames[static_cast<std::size_t>(mode)];
}

DrawnEstimate EstimateFromDraw(std::span<const LabelledUnit> units, bool are_strata_known) {
  std::vector<Stratum> strata = StrataOf(units, are_strata_known);
  DrawnEstimate result = Counted(units, strata);
  if (result.labels == 0) {
    result.why = Why::kNoLabel;
    return result;
  }
  result.mode = ModeOf(result, strata, are_strata_known);
  if (result.mode == LabelMode::kPicked) return EstimateFromPicked(units);
  if (result.mode == LabelMode::kNone) {
    result.why = Why::kFewLabels;
    return result;
  }
  SetByStrata(units, std::move(strata), result);
  if (result.skipped > 0) {
    result.low_if = EstimateIf(units, are_strata_known, 0);
    result.high_if = EstimateIf(units, are_strata_known, 1);
  }
  return result;
}

DrawnEstimate EstimateFromPicked(std::span<const LabelledUnit> units) {
  DrawnEstimate result = Counted(units, StrataOf(units, true));
  result.mode = LabelMode::kPicked;
  std::vector<double> labels, judged, others;
  std::vector<std::uint32_t> clusters, other_clusters;
  for (const LabelledUnit& unit : units) {
    const bool is_given = unit.state == LabelState::kGiven;
    (is_given ? judged : others).push_back(unit.judges);
    (is_given ? clusters : other_clusters).push_back(unit.cluster);
    if (is_given) labels.push_back(unit.label);
  }
  result.given = labels.size();
  if (!judged.empty()) result.labelled_judge_mean = MeanOf(judged);
  result.p_like = MannWhitneyTwoSidedP(judged, others);
  if (*result.p_like <= kUnlikeBelow) {
    result.why = Why::kNotLikeTheRest;
    return result;
  }
  const LabelEstimate estimate = EstimateFromLabels({.labels = labels,
                                                     .judged = judged,
                                                     .unlabelled = others,
                                                     .clusters = clusters,
                                                     .unlabelled_clusters = other_clusters});
  result.lambda = estimate.lambda;
  result.estimate = estimate.estimate;
  result.se = estimate.se;
  if (estimate.df) result.df = *estimate.df;
  result.interval = estimate.interval;
  result.bias = estimate.bias;
  result.bias_interval = estimate.bias_interval;
  result.why = estimate.why;
  return result;
}

}  // namespace assay
