// Estimates from scores, verdicts and votes how much of the variance is due to cases, attempts, judges and
// votes (Brennan 2001: expected mean squares), for the search of designs.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "statistics/decisions/design.h"

namespace assay {

// One judged attempt: what its criteria together come to, by judge. The judges are the same, in the same
// order, in all attempts.
struct JudgedScore {
  std::vector<double> verdicts = {};
  std::vector<std::vector<double>> votes = {};  // by judge, as if each vote were the verdict; or empty
};

struct JudgeParts {
  std::optional<double> judges = {};  // one judge; nothing with fewer than two of them, or two attempts
  std::optional<double> votes = {};   // one vote; nothing where no judge votes twice
  double of_score = 0;                // what both leave in the score of an attempt
};
// That a judge is stricter than others everywhere is no part: it moves all means alike.
JudgeParts SplitJudges(std::span<const JudgedScore> scores);

// The scores of one variant.
struct CaseSpread {
  double of_case = 0;                 // the variance of a case's value: n·se²
  double attempts = 1;                // a case, k0 of SpreadParts
  std::optional<double> within = {};  // mean square within cases; nothing with one attempt each
};

// A part that the data do not tell is absent: it is contained in the part before it.
struct KnownParts {
  double cases = 0;
  std::optional<double> attempts = {};
  std::optional<double> judges = {};
  std::optional<double> votes = {};

  VarianceParts parts() const {  // 0 where absent
    return {.cases = cases,
            .attempts = attempts.value_or(0),
            .judges = judges.value_or(0),
            .votes = votes.value_or(0)};
  }
};
KnownParts PartsOf(const CaseSpread& spread, const JudgeParts& judges);

// What is assumed where no run tells: scores of 0 or 1 of cases that are equally often easy and hard (Miller
// 2024). No scores between 0 and 1 vary more.
inline constexpr KnownParts kPartsAssumed = {
    .cases = 1.0 / 12, .attempts = 1.0 / 6, .judges = {}, .votes = {}};

}  // namespace assay
