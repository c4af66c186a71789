// Matches labels with the units of a run, sees which of them were drawn, and calls the estimators.
#include "report/decide/calibration.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "base/errors/diagnostics.h"
#include "report/decide/labels/label_units.h"
#include "spec/suite/suite.h"
#include "statistics/decisions/label_sentences.h"

namespace assay {

namespace {

constexpr std::uint64_t kLabelsOfVariantMin = 10;  // of a draw over all variants

Error BadLine(std::size_t line, std::string_view what) {
  return {ErrorCode::kInvalidInput, fmt::format("line {}: {}", line, what)};
}

template <class Items>
std::optional<std::size_t> PlaceOf(const Items& items, const std::string& id) {
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (items[i].id == id) return i;
  }
  return std::nullopt;
}

// What the file says as a whole: labels of one kind, and at most one draw.
Result<UnitsAsk> AskOf(const std::vector<LabelRow>& rows, std::uint64_t seed,
                       std::optional<DrawClaim>& claim) {
  UnitsAsk ask{.unit = rows.front().check ? LabelUnit::kCriterion : LabelUnit::kAnswer, .seed = seed};
  for (const LabelRow& row : rows) {
    if (row.check.has_value() != rows.front().check.has_value())
      return BadLine(row.line, "labels of criteria and of whole answers cannot be mixed; use two files");
    if (!row.claim) continue;
    if (claim && *claim != *row.claim)
      return BadLine(row.line, fmt::format("expected the draw {} of the lines before, found {}; use a file "
                                           "for each draw",
                                           DrawClaimText(*claim), DrawClaimText(*row.claim)));
    if (row.claim->unit != ask.unit)
      return BadLine(row.line, fmt::format("a draw of the unit `{}` {} numbers in the column `check`",
                                           LabelUnitName(row.claim->unit),
                                           ask.unit == LabelUnit::kAnswer ? "needs" : "has no"));
    claim = row.claim;
    ask.seed = claim->seed;
  }
  return ask;
}

Result<LabelKey> KeyOf(const Suite& suite, const LabelRow& row) {
  const std::optional<std::size_t> case_index = PlaceOf(suite.cases, row.case_id);
  if (!case_index) return BadLine(row.line, fmt::format("the run has no case {}", Quoted(row.case_id)));
  const std::optional<std::size_t> variant = PlaceOf(suite.variants, row.variant_id);
  if (!variant) return BadLine(row.line, fmt::format("the run has no variant {}", Quoted(row.variant_id)));
  return LabelKey{.case_index = static_cast<CaseIndex>(*case_index),
                  .variant = static_cast<VariantIndex>(*variant),
                  .attempt = row.attempt,
                  .check = row.check.value_or(0)};
}

// The labels of one unit: of several, the mean counts.
struct UnitLabel {
  double sum = 0;
  std::uint64_t given = 0;
  std::uint64_t skipped = 0;
};

// Labels, and the units of the run that they are of.
class Labels {
 public:
  static Result<Labels> Of(const Report& report, const std::vector<LabelRow>& rows, std::uint64_t seed) {
    Labels labels;
    ASSAY_TRY(UnitsAsk ask, AskOf(rows, seed, labels.claim_));
    std::vector<std::optional<LabelKey>> keys(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (rows[i].place) {
        ask.kinds.insert(std::string(kJudgeKind));
        continue;
      }
      ASSAY_TRY(keys[i], KeyOf(*report.suite, rows[i]));
      if (rows[i].check) ask.kinds.insert(KindOfPoint(*report.suite, keys[i]->case_index, keys[i]->check));
      if (!ask.wanted.insert(*keys[i]).second)
        return BadLine(rows[i].line, "this answer has a label already, on a line before");
    }
    const LabelUnit unit = ask.unit;
    ASSAY_TRY(labels.units_, LabelUnits::Collect(report, std::move(ask)));
    std::set<std::uint64_t> places;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (rows[i].place && !places.insert(*rows[i].place).second)
        return BadLine(rows[i].line, "this answer has a label already, on a line before");
      const std::uint32_t* at =
          rows[i].place ? labels.units_.FindPlace(*rows[i].place) : labels.units_.Find(*keys[i]);
      if (at == nullptr && !rows[i].place)
        return BadLine(rows[i].line, fmt::format("the run has no score of this {}",
                                                 unit == LabelUnit::kAnswer ? "answer" : "criterion"));
      if (at == nullptr) {
        ++labels.changed_;
      } else {
        labels.Add(rows[i], *at);
      }
    }
    if (labels.count_ == 0)
      return Error{ErrorCode::kInvalidInput,
                   "every label is of an answer that this run does not have; was it drawn from another run?"};
    return labels;
  }

  const LabelUnits& units() const { return units_; }
  std::uint64_t changed() const { return changed_; }
  bool claims_draw() const { return claim_.has_value(); }
  bool are_strata_known() const { return !claim_ || claim_->strata == units_.StrataDigest(); }

  const UnitLabel* Find(std::uint32_t unit) const {
    const auto found = labels_.find(unit);
    return found == labels_.end() ? nullptr : &found->second;
  }
  // How many lines have a label of these units.
  std::uint64_t LinesOf(std::optional<VariantIndex> variant) const {
    std::uint64_t lines = 0;
    for (const auto& [unit, label] : labels_)
      if (IsOf(unit, variant)) lines += label.given + label.skipped;
    return lines;
  }
  std::vector<LabelledUnit> UnitsOf(std::optional<VariantIndex> variant) const {
    std::vector<LabelledUnit> units;
    for (const DrawStratum& stratum : units_.draw().strata) {
      for (const std::uint32_t at : stratum.order) {
        if (IsOf(at, variant)) units.push_back(UnitAt(at));
      }
    }
    return units;
  }

 private:
  void Add(const LabelRow& row, std::uint32_t unit) {
    UnitLabel& label = labels_[unit];
    ++count_;
    ++(row.is_skipped ? label.skipped : label.given);
    if (!row.is_skipped) label.sum += row.label;
  }
  bool IsOf(std::uint32_t unit, std::optional<VariantIndex> variant) const {
    return !variant || units_.units()[unit].variants.contains(*variant);
  }
  LabelledUnit UnitAt(std::uint32_t at) const {
    const ReportUnit& unit = units_.units()[at];
    LabelledUnit labelled{.place = unit.place.number,
                          .stratum = unit.stratum,
                          .judges = unit.scores.Mean(),
                          .cluster = unit.cluster};
    if (const UnitLabel* label = Find(at)) {
      labelled.state = label->given > 0 ? LabelState::kGiven : LabelState::kSkipped;
      if (label->given > 0) labelled.label = label->sum / static_cast<double>(label->given);
    }
    return labelled;
  }

  LabelUnits units_;
  std::map<std::uint32_t, UnitLabel> labels_;
  std::optional<DrawClaim> claim_;
  std::uint64_t changed_ = 0;
  std::uint64_t count_ = 0;
};

// By the places of the labels. Where most of them are not where the draw begins, somebody picked them,
// whatever the file says; of a file that says nothing all have to be there, and more than chance puts there.
DrawnEstimate EstimateOf(const Labels& labels, std::span<const LabelledUnit> units) {
  const bool are_all_given = std::all_of(
      units.begin(), units.end(), [](const LabelledUnit& unit) { return unit.state == LabelState::kGiven; });
  if (are_all_given) return EstimateFromDraw(units);
  DrawnEstimate estimate = EstimateFromDraw(units, labels.are_strata_known());
  const bool is_drawn = labels.claims_draw()
                            ? estimate.mode != LabelMode::kDrawn || estimate.not_drawn <= estimate.drawn
                            : estimate.mode == LabelMode::kDrawn && estimate.not_drawn == 0 &&
                                  estimate.given >= kLabelsForMoreThanAHint;
  return is_drawn ? estimate : EstimateFromPicked(units);
}

// Without what cannot be told: numbers about these answers alone remain.
void Withhold(Why why, DrawnEstimate& estimate) {
  estimate.why = why;
  for (auto* number : {&estimate.lambda, &estimate.estimate, &estimate.se, &estimate.df, &estimate.bias,
                       &estimate.low_if, &estimate.high_if})
    number->reset();
  for (auto* interval : {&estimate.interval, &estimate.interval_here, &estimate.bias_interval})
    interval->reset();
}

// Of one variant no more can be told than of all: where all are hand-picked, so are its own.
DrawnEstimate EstimateOfVariant(const Labels& labels, std::span<const LabelledUnit> units,
                                const DrawnEstimate& all) {
  DrawnEstimate estimate = EstimateOf(labels, units);
  if (estimate.given == estimate.units) return estimate;
  if (all.mode == LabelMode::kPicked) {
    if (estimate.mode != LabelMode::kPicked) estimate = EstimateFromPicked(units);
    if (all.why == Why::kNotLikeTheRest) Withhold(all.why, estimate);
    return estimate;
  }
  if (estimate.mode != all.mode || estimate.given < kLabelsOfVariantMin) {
    Withhold(Why::kFewLabels, estimate);
    estimate.mode = LabelMode::kNone;
  }
  return estimate;
}

std::optional<Interval> Within(const std::optional<Interval>& interval, double low, double high) {
  if (!interval) return interval;
  return Interval{std::clamp(interval->low, low, high), std::clamp(interval->high, low, high)};
}

// Labels are from 0 to 1, so is their mean, and it differs from that of the judges by 1 at most; the
// estimators know no ends.
void CutAtTheEnds(DrawnEstimate& estimate) {
  for (auto* share : {&estimate.estimate, &estimate.low_if, &estimate.high_if})
    if (*share) *share = std::clamp(**share, 0.0, 1.0);
  estimate.interval = Within(estimate.interval, 0, 1);
  estimate.interval_here = Within(estimate.interval_here, 0, 1);
  estimate.bias_interval = Within(estimate.bias_interval, -1, 1);
}

LabelEstimate Shown(const DrawnEstimate& drawn, const LabelAgreement& agreement) {
  LabelEstimate shown{.labelled = drawn.given, .unlabelled = drawn.units - drawn.given};
  shown.judge_mean = drawn.judge_mean;
  shown.estimate = drawn.estimate;
  shown.lambda = drawn.lambda;
  shown.se = drawn.se;
  shown.interval = drawn.interval;
  shown.bias = drawn.bias;
  shown.bias_interval = drawn.bias_interval;
  shown.alpha = agreement.alpha.alpha;
  shown.why = drawn.why;
  return shown;
}

// The scores of the labelled units, or the votes of one judge on them.
std::vector<LabelledVote> VotesOf(const Labels& labels, std::optional<VariantIndex> variant,
                                  const std::optional<std::string>& judge) {
  std::vector<LabelledVote> votes;
  const std::vector<ReportUnit>& units = labels.units().units();
  for (std::uint32_t at = 0; at < units.size(); ++at) {
    const UnitLabel* label = labels.Find(at);
    if (label == nullptr || label->given == 0) continue;
    if (variant && !units[at].variants.contains(*variant)) continue;
    LabelledVote vote{.unit = at,
                      .label = label->sum / static_cast<double>(label->given),
                      .judge = units[at].scores.Mean(),
                      .cluster = units[at].cluster};
    if (judge) {
      const std::map<std::string, double> values = units[at].judges.Values();
      const auto found = values.find(*judge);
      if (found == values.end()) continue;
      vote.judge = found->second;
    }
    votes.push_back(vote);
  }
  return votes;
}

void AddJudges(const Labels& labels, Calibrations& to) {
  to.judges.push_back(
      {.judge = "", .agreement = AgreementWithLabels(VotesOf(labels, std::nullopt, std::nullopt))});
  std::set<std::string> judges;
  for (std::uint32_t at = 0; at < labels.units().units().size(); ++at) {
    if (labels.Find(at) == nullptr) continue;
    for (const auto& [judge, value] : labels.units().units()[at].judges.Values()) judges.insert(judge);
  }
  std::vector<std::vector<LabelledVote>> votes;
  for (const std::string& judge : judges) {
    votes.push_back(VotesOf(labels, std::nullopt, judge));
    to.judges.push_back({.judge = judge, .agreement = AgreementWithLabels(votes.back())});
  }
  to.nearest = NearestToLabels(votes);
}

std::string DrawCommand(const Report& report) {
  constexpr std::string_view kUsualDraw = "60";
  return fmt::format("assay calibrate {} --draw {}", report.run.run_id.empty() ? "RUN" : report.run.run_id,
                     kUsualDraw);
}

}  // namespace

Result<Calibrations> Calibrate(const Report& report, const std::vector<LabelRow>& rows, std::uint64_t seed) {
  ASSAY_TRY(const Labels labels, Labels::Of(report, rows, seed));
  Calibrations calibrations;
  calibrations.changed = labels.changed();
  calibrations.are_of_points = rows.front().check.has_value();
  LabelWords words{.has_copies = labels.units().has_copies(),
                   .claims_draw = labels.claims_draw(),
                   .is_of_points = calibrations.are_of_points};
  const auto add = [&](std::optional<VariantIndex> variant, DrawnEstimate drawn) {
    CutAtTheEnds(drawn);
    Calibration& one = calibrations.variants.emplace_back();
    if (variant) one.variant = report.suite->variants[*variant].id;
    one.drawn = drawn;
    one.estimate = Shown(drawn, AgreementWithLabels(VotesOf(labels, variant, std::nullopt)));
    words.name = one.variant;
    words.draw_command = variant ? std::string() : DrawCommand(report);
    words.labels = labels.LinesOf(variant);
    one.sentence = LabelSentence(words, drawn);
  };
  const DrawnEstimate all = EstimateOf(labels, labels.UnitsOf(std::nullopt));
  add(std::nullopt, all);
  const std::size_t variants = report.suite->variants.size();
  for (VariantIndex v = 0; v < variants && variants > 1 && all.mode != LabelMode::kNone; ++v) {
    if (labels.LinesOf(v) > 0) add(v, EstimateOfVariant(labels, labels.UnitsOf(v), all));
  }
  AddJudges(labels, calibrations);
  return calibrations;
}

}  // namespace assay
