// Report -> scores by case -> ranking and verdict.
#include "report/standings.h"

#include <map>

#include "base/hash.h"
#include "report/aggregate.h"
#include "report/factors.h"
#include "spec/reduce.h"
#include "statistics/sentences.h"

namespace assay {

namespace {

// What tells the turns of a case from those of another: who speaks, and what is said.
Digest TurnsDigest(const Case& the_case) {
  Sha256 hash;
  for (const Turn& turn : the_case.turns) {
    hash.Update(RoleName(turn.role));
    hash.Update(turn.kind == TurnKind::kGenerate ? "\x1f?" : "\x1f=");
    hash.Update(turn.text);
    hash.Update("\x1e");
  }
  return hash.Finish();
}

// Gathers the attempts of one case, variant by variant, in plan order.
class ScoreCollector {
 public:
  ScoreCollector(const Suite& suite, const Reducer& reduce, CaseScores& scores)
      : reduce_(reduce), scores_(scores) {
    scores_.samples.resize(suite.variants.size());
    for (Sample& sample : scores_.samples) sample.cases.reserve(suite.cases.size());
    open_.resize(suite.variants.size());
  }

  void Add(const Cell& cell) {
    while (case_index_ < cell.case_index) Close();
    switch (cell.state) {
      case CellState::kScored:
        open_[cell.variant].push_back(cell.score);
        return;
      case CellState::kPartial:
        return Leave(cell, LeftOut::kPartial);
      case CellState::kError:
        return Leave(cell, LeftOut::kError);
      case CellState::kUnscored:
        return Leave(cell, LeftOut::kUnscored);
      case CellState::kSkipped:
        return Leave(cell, LeftOut::kSkipped);
    }
  }

  // The case that is open, and those that follow it without a cell.
  void CloseUpTo(std::size_t cases) {
    while (case_index_ < cases) Close();
  }

 private:
  void Leave(const Cell& cell, LeftOut state) { scores_.samples[cell.variant].Leave(state); }

  void Close() {
    for (std::size_t v = 0; v < open_.size(); ++v) {
      std::vector<double>& attempts = open_[v];
      if (!attempts.empty() && !reduce_.row->keeps_attempts) attempts.assign(1, reduce_(attempts).value);
      scores_.samples[v].Add(attempts);
      attempts.clear();
    }
    ++case_index_;
  }

  const Reducer& reduce_;
  CaseScores& scores_;
  CaseIndex case_index_ = 0;
  std::vector<std::vector<double>> open_;  // by variant: the scored attempts of the open case
};

}  // namespace

std::vector<std::uint32_t> ClustersOf(const std::vector<Case>& cases) {
  std::map<std::string, std::uint32_t> numbers;
  std::vector<std::uint32_t> clusters;
  clusters.reserve(cases.size());
  for (const Case& the_case : cases) {
    const std::string name =
        the_case.cluster.empty() ? "turns " + Hex(TurnsDigest(the_case)) : "named " + the_case.cluster;
    clusters.push_back(numbers.emplace(name, static_cast<std::uint32_t>(numbers.size())).first->second);
  }
  return clusters;
}

Result<CaseScores> CaseScoresOf(const Report& report) {
  const Suite& suite = *report.suite;
  const std::optional<Reducer> reduce = FindReducer(suite.aggregation.reduce);
  if (!reduce)
    return Error{ErrorCode::kCorrupt, "the store is damaged: the run has no way to reduce attempts"};
  CaseScores scores;
  scores.clusters = ClustersOf(suite.cases);
  for (const Case& the_case : suite.cases) scores.weights.push_back(WeightOf(the_case));
  const ScoreBounds& bounds = suite.score_bounds;
  if (bounds.are_known) scores.range = ScoreRange{.low = bounds.low, .high = bounds.high};
  ScoreCollector collector(suite, *reduce, scores);
  ASSAY_CHECK_OK(report.for_each_cell(CellRange::All(), CellParts::kOutcome, [&collector](const Cell& cell) {
    collector.Add(cell);
    return Ok();
  }));
  collector.CloseUpTo(suite.cases.size());
  return scores;
}

Result<Standings> StandingsOf(const Report& report) {
  Standings standings;
  ASSAY_TRY(standings.scores, CaseScoresOf(report));
  standings.ranking = Rank(standings.scores.samples, standings.scores.design());
  standings.verdict = RankingSentence(SpokenNames(*report.suite), standings.ranking);
  return standings;
}

}  // namespace assay
