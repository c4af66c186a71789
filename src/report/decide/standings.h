// Standings: ranks the variants of a run by their scores, and says which cannot be told apart. Every error is
// taken over cases (or clusters of them), since the case is what was drawn from the world (spec: statistics 2
// and 7).
#pragma once

#include <string>
#include <vector>

#include "base/errors/result.h"
#include "spec/report/report.h"
#include "statistics/decisions/rank.h"
#include "statistics/sample.h"

namespace assay {

// The scores of one or more variants, aligned by case, with what holds for all of them.
struct CaseScores {
  std::vector<Sample> samples;  // by variant of the suite
  std::vector<double> weights;  // by case, and so are the clusters
  std::vector<std::uint32_t> clusters;
  std::optional<ScoreRange> range;
  // Of a result file: what it tells of each case's content (CaseDigest), "" where it tells nothing. Empty:
  // the suite itself is there.
  std::vector<std::string> digests = {};

  Design design() const { return {.weights = weights, .clusters = clusters, .range = range}; }  // borrows
};

// One value for each case and variant: the mean of its scored attempts, or what the suite's reducer makes of
// them. Reads scores only.
Result<CaseScores> CaseScoresOf(const Report& report);

// The cluster of each case, numbered from 0: by Case::cluster, or the case's turns where it names none.
std::vector<std::uint32_t> ClustersOf(const std::vector<Case>& cases);

struct Standings {
  CaseScores scores;
  Ranking ranking;
  // Who leads by how much, and who cannot be told apart: in a sentence. Of models times parameters one about
  // the models, and a second one about the variants if that says something else.
  std::string verdict;
};
Result<Standings> StandingsOf(const Report& report);

}  // namespace assay
