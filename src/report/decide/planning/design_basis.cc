// Gathers attempts, verdicts and votes of the variant with the widest interval.
#include "report/decide/planning/design_basis.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "report/decide/standings.h"
#include "spec/score/graded_case.h"
#include "spec/suite/suite.h"
#include "statistics/estimates/mean.h"
#include "statistics/estimates/spread.h"

namespace assay {

namespace {

constexpr std::uint64_t kJudgedScoresMax = 100'000;

struct WidestVariant {
  VariantIndex variant = 0;
  double of_case = 0;  // the variance of a case's value, clusters and weights included
};

std::optional<WidestVariant> WidestOf(const CaseScores& scores) {
  constexpr double kNothing = 1e-24;
  std::optional<WidestVariant> widest;
  double widest_se = 0;
  for (VariantIndex v = 0; v < scores.samples.size(); ++v) {
    const MeanEstimate mean = EstimateMean(scores.samples[v], scores.design());
    if (!mean.se || *mean.se * *mean.se <= kNothing || *mean.se <= widest_se) continue;
    widest_se = *mean.se;
    widest = {.variant = v, .of_case = *mean.se * *mean.se * static_cast<double>(mean.cases)};
  }
  return widest;
}

// The verdicts of one attempt as they count in its score, which takes criteria by their weight. Nothing where
// its criteria were judged by different judges.
std::optional<JudgedScore> JudgedScoreOf(const Cell& cell, const Case& the_case,
                                         std::vector<std::string>& judges) {
  JudgedScore judged;
  double weights = 0;
  const std::size_t checks = std::min(cell.record.scores.size(), the_case.checks.size());
  for (std::size_t i = 0; i < checks; ++i) weights += the_case.checks[i].weight;
  if (!(weights > 0)) return std::nullopt;
  for (std::size_t i = 0; i < checks; ++i) {
    const Check& check = the_case.checks[i];
    const std::vector<Evidence>& voices = cell.record.scores[i].evidence;
    if (!check.IsCriterion()) continue;
    if (judges.empty()) {
      for (const Evidence& voice : voices) judges.push_back(voice.source);
    }
    const bool is_by_all =
        std::equal(voices.begin(), voices.end(), judges.begin(), judges.end(),
                   [](const Evidence& voice, const std::string& judge) { return voice.source == judge; });
    if (!is_by_all || voices.empty()) return std::nullopt;
    judged.verdicts.resize(voices.size());
    judged.votes.resize(voices.size());
    const double share = check.weight / weights * (check.invert ? -1 : 1);
    for (std::size_t k = 0; k < voices.size(); ++k) {
      judged.verdicts[k] += share * voices[k].value;
      std::vector<double>& votes = judged.votes[k];
      if (votes.empty()) votes.resize(voices[k].votes.size());
      if (votes.size() != voices[k].votes.size()) return std::nullopt;
      for (std::size_t l = 0; l < votes.size(); ++l) votes[l] += share * voices[k].votes[l];
    }
  }
  if (judged.verdicts.empty()) return std::nullopt;
  return judged;
}

class BasisGatherer {
 public:
  BasisGatherer(const Suite& suite, VariantIndex variant)
      : suite_(suite),
        variant_(variant),
        has_judges_(!JudgesOf(suite).empty()),
        attempts_(suite.cases.size()) {}

  CellParts parts() const { return has_judges_ ? CellParts::kGrades : CellParts::kOutcome; }

  void Add(const Cell& cell) {
    if (cell.variant != variant_ || cell.state != CellState::kScored || !std::isfinite(cell.score)) return;
    attempts_[cell.case_index].push_back(cell.score);
    if (!has_judges_ || judged_.size() >= kJudgedScoresMax) return;
    const Case& the_case = suite_.cases[cell.case_index];
    const auto judged = cell.record.key_points.empty()
                            ? JudgedScoreOf(cell, the_case, judges_)
                            : JudgedScoreOf(cell, WithKeyPoints(the_case, cell.record.key_points), judges_);
    if (judged) judged_.push_back(*judged);
  }

  KnownParts Finish(double of_case) {
    std::erase_if(attempts_, [](const std::vector<double>& scores) { return scores.empty(); });
    const SpreadParts spread = SplitSpread(attempts_, std::nullopt);
    return PartsOf({.of_case = of_case, .attempts = spread.attempts.value_or(1), .within = spread.ms_within},
                   SplitJudges(judged_));
  }

 private:
  const Suite& suite_;
  VariantIndex variant_;
  bool has_judges_;
  std::vector<std::vector<double>> attempts_;  // by case: the scores
  std::vector<std::string> judges_;
  std::vector<JudgedScore> judged_;
};

}  // namespace

Result<std::optional<DesignBasis>> DesignBasisOf(const Report& report) {
  ASSAY_TRY(const CaseScores scores, CaseScoresOf(report));
  const std::optional<WidestVariant> widest = WidestOf(scores);
  if (!widest) return std::optional<DesignBasis>();
  DesignBasis basis{.variant = widest->variant, .known = {.cases = widest->of_case}};
  if (scores.is_reduced()) return std::optional(basis);
  BasisGatherer gatherer(*report.suite, widest->variant);
  ASSAY_CHECK_OK(report.for_each_cell(CellRange::All(), gatherer.parts(), [&](const Cell& cell) {
    gatherer.Add(cell);
    return Ok();
  }));
  basis.known = gatherer.Finish(widest->of_case);
  return std::optional(basis);
}

}  // namespace assay
