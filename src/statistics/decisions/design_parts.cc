// Computes the mean squares of judges and votes, and takes them out of those of cases and attempts.
#include "statistics/decisions/design_parts.h"

#include <algorithm>

#include "statistics/sample.h"

namespace assay {

namespace {

double SampleVariance(std::span<const double> values) {
  const double mean = MeanOf(values);
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return squares / static_cast<double>(values.size() - 1);
}

struct VoteSquares {
  double variance = 0;   // of the votes of one judge on one attempt
  double of_median = 0;  // what it leaves in a verdict
};

// The means over all judges and attempts.
std::optional<VoteSquares> SquaresOfVotes(std::span<const JudgedScore> scores) {
  VoteSquares sum;
  double count = 0;
  double shares = 0;
  for (const JudgedScore& score : scores) {
    for (const std::vector<double>& votes : score.votes) {
      if (votes.size() < 2) continue;
      sum.variance += SampleVariance(votes);
      shares += VarianceOfMedian(votes.size());
      ++count;
    }
  }
  if (count == 0) return std::nullopt;
  sum.variance /= count;
  sum.of_median = sum.variance * shares / count;
  return sum;
}

// Attempts × judges, without the means of both: what is left is how far a judge departs from the others on
// one attempt.
std::optional<double> MeanSquareOfJudges(std::span<const JudgedScore> scores) {
  const std::size_t judges = scores.empty() ? 0 : scores.front().verdicts.size();
  if (judges < 2 || scores.size() < 2) return std::nullopt;
  std::vector<double> sums(judges);
  double squares = 0;
  for (const JudgedScore& score : scores) {
    const double mean = MeanOf(score.verdicts);
    for (std::size_t k = 0; k < judges; ++k) {
      const double departs = score.verdicts[k] - mean;
      sums[k] += departs;
      squares += departs * departs;
    }
  }
  const auto count = static_cast<double>(scores.size());
  for (const double sum : sums) squares -= sum * sum / count;
  return std::max(0.0, squares) / ((count - 1) * static_cast<double>(judges - 1));
}

}  // namespace

JudgeParts SplitJudges(std::span<const JudgedScore> scores) {
  JudgeParts parts;
  const std::optional<VoteSquares> votes = SquaresOfVotes(scores);
  if (votes) parts.votes = votes->variance;
  const double of_median = votes ? votes->of_median : 0;
  const std::optional<double> judges = MeanSquareOfJudges(scores);
  if (judges) parts.judges = std::max(0.0, *judges - of_median);
  if (!scores.empty() && !scores.front().verdicts.empty()) {
    parts.of_score =
        (parts.judges.value_or(0) + of_median) / static_cast<double>(scores.front().verdicts.size());
  }
  return parts;
}

KnownParts PartsOf(const CaseSpread& spread, const JudgeParts& judges) {
  // Judges cannot leave more in a score than there is between the attempts at a case.
  const double most = spread.within.value_or(spread.of_case);
  const double share = judges.of_score > most ? most / judges.of_score : 1;
  const double of_judges = judges.of_score * share;
  KnownParts known;
  if (judges.judges) known.judges = *judges.judges * share;
  if (judges.votes) known.votes = *judges.votes * share;
  if (spread.within) known.attempts = *spread.within - of_judges;
  known.cases = std::max(0.0, spread.of_case - spread.within.value_or(of_judges) / spread.attempts);
  return known;
}

}  // namespace assay
