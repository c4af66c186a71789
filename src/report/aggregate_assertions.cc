// The aggregation formula of promptfoo: 1 if a test passes, else 0.
#include <algorithm>

#include "report/aggregate.h"
#include "spec/score/expectations.h"
#include "spec/suite/case.h"

namespace assay {

namespace {

double MeanByWeight(const Case& the_case, std::span<const Score> scores) {
  double sum = 0;
  double weights = 0;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    sum += scores[i].value * the_case.checks[i].weight;
    weights += the_case.checks[i].weight;
  }
  return weights > 0 ? sum / weights : 0;
}

CellOutcome AssertionsOf(const Case& the_case, std::span<const Score> scores, bool counts_silent_fails) {
  const auto is_error = [](const Score& score) { return score.failed(); };
  if (std::any_of(scores.begin(), scores.end(), is_error)) return {.state = CellState::kError};
  const auto passed = [](bool passes) {
    return CellOutcome{.state = CellState::kScored, .value = passes ? 1.0 : 0.0};
  };
  if (scores.empty()) return passed(true);
  if (const std::optional<double> threshold = the_case.details.NumberAt("threshold"))
    return passed(MeanByWeight(the_case, scores) >= *threshold);
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const Check& check = the_case.checks[i];
    const bool is_silent = scores[i].explanation.empty() && !counts_silent_fails;
    if (check.weight == 0 || is_silent) continue;
    if (!Holds(check, scores[i]).value_or(false)) return passed(false);
  }
  return passed(true);
}

}  // namespace

CellOutcome Assertions(const Case& the_case, std::span<const Score> scores) {
  return AssertionsOf(the_case, scores, true);
}

CellOutcome AssertionsWithAccidents(const Case& the_case, std::span<const Score> scores) {
  return AssertionsOf(the_case, scores, false);
}

}  // namespace assay
