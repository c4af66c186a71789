// Sorts scores by variant and attempt, and takes the mean of each.
#include "report/decide/attempts/attempt_means.h"
#include "spec/suite/suite.h"

#include <algorithm>
#include <cmath>

namespace assay {

namespace {

std::optional<double> DeviationOf(const std::vector<MeanEstimate>& means) {
  std::size_t most = 0;
  for (const MeanEstimate& each : means) most = std::max(most, each.cases);
  // An attempt that some cases lack is a mean over other cases.
  std::vector<double> values;
  for (const MeanEstimate& each : means) {
    if (each.mean && each.cases == most) values.push_back(*each.mean);
  }
  if (values.size() < 2) return std::nullopt;
  const double middle = MeanOf(values);
  double squares = 0;
  for (const double value : values) squares += (value - middle) * (value - middle);
  return std::sqrt(squares / static_cast<double>(values.size() - 1));
}

// By variant, then by attempt: a value for each case that has one.
using SamplesByAttempt = std::vector<std::vector<Sample>>;

Status Collect(const Report& report, SamplesByAttempt& samples) {
  const std::size_t cases = report.suite->cases.size();
  return report.for_each_cell(CellRange::All(), CellParts::kOutcome, [&](const Cell& cell) {
    if (cell.state != CellState::kScored) return Ok();
    std::vector<Sample>& attempts = samples[cell.variant];
    while (attempts.size() <= cell.attempt) attempts.emplace_back().cases.resize(cases);
    CaseValue& value = attempts[cell.attempt].cases[cell.case_index];
    value = {.value = cell.score, .scored = 1, .is_binary = cell.score == 0 || cell.score == 1};
    return Ok();
  });
}

}  // namespace

Result<std::vector<AttemptMeans>> AttemptMeansOf(const Report& report) {
  ASSAY_TRY(const CaseScores scores, CaseScoresOf(report));
  SamplesByAttempt samples(report.suite->variants.size());
  ASSAY_CHECK_OK(Collect(report, samples));
  std::vector<AttemptMeans> all;
  for (const std::vector<Sample>& attempts : samples) {
    AttemptMeans& means = all.emplace_back();
    for (const Sample& sample : attempts) means.means.push_back(EstimateMean(sample, scores.design()));
    means.deviation = DeviationOf(means.means);
  }
  return all;
}

}  // namespace assay
