// Report -> scores by case -> ranking and verdict.
#include "report/decide/standings.h"

#include <algorithm>
#include <map>

#include "base/hash.h"
#include "report/aggregate.h"
#include "report/decide/factors.h"
#include "spec/report/reduce.h"
#include "statistics/decisions/sentences.h"

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

// Which models the variants are of.
struct Models {
  std::vector<std::string> names;  // in suite order
  std::vector<std::size_t> of;     // by variant
};

Models ModelsOf(const Suite& suite) {
  Models models;
  std::map<std::string_view, std::size_t> places;
  for (const Variant& variant : suite.variants) {
    const std::string& name = variant.model_id.empty() ? variant.id : variant.model_id;
    const auto [found, is_new] = places.emplace(name, models.names.size());
    models.of.push_back(found->second);
    if (is_new) models.names.push_back(name);
  }
  return models;
}

// A case's value of a model: the mean over those of its variants that have one.
std::vector<Sample> SamplesOfModels(const Models& models, std::span<const Sample> variants) {
  std::vector<Sample> samples(models.names.size());
  std::vector<std::vector<const Sample*>> of_model(models.names.size());
  for (std::size_t v = 0; v < variants.size(); ++v) of_model[models.of[v]].push_back(&variants[v]);
  const std::size_t cases = variants.empty() ? 0 : variants.front().cases.size();
  for (std::size_t m = 0; m < samples.size(); ++m) {
    for (std::size_t i = 0; i < cases; ++i) {
      CaseValue& mean = samples[m].cases.emplace_back();
      double used = 0;
      for (const Sample* variant : of_model[m]) {
        const CaseValue& value = variant->cases[i];
        if (value.scored == 0) continue;
        mean.value += value.value;
        mean.scored += value.scored;
        mean.is_binary = mean.is_binary && value.is_binary;
        ++used;
      }
      if (used > 0) mean.value /= used;
    }
  }
  return samples;
}

// By number, whoever ranks; 0: nobody ranks it.
std::vector<std::size_t> RanksOf(const Ranking& ranking, std::size_t count) {
  std::vector<std::size_t> ranks(count);
  for (const RankPlace& place : ranking.places) ranks[place.variant] = place.rank;
  return ranks;
}

// Whether any two variants stand to each other as their models do.
bool SaysTheSame(const Models& models, const Ranking& of_models, const Ranking& of_variants) {
  const std::vector<std::size_t> by_model = RanksOf(of_models, models.names.size());
  const std::vector<std::size_t> by_variant = RanksOf(of_variants, models.of.size());
  for (std::size_t a = 0; a < by_variant.size(); ++a) {
    for (std::size_t b = 0; b < by_variant.size(); ++b) {
      if ((by_variant[a] < by_variant[b]) != (by_model[models.of[a]] < by_model[models.of[b]])) return false;
    }
  }
  return true;
}

std::string VerdictOf(const Suite& suite, const CaseScores& scores, const Ranking& ranking) {
  const Models models = ModelsOf(suite);
  const std::string of_variants = RankingSentence(SpokenNames(suite), ranking);
  if (models.names.size() < 2 || models.names.size() == suite.variants.size()) return of_variants;
  const Ranking by_model = Rank(SamplesOfModels(models, scores.samples), scores.design());
  const std::string of_models = RankingSentence(models.names, by_model);
  return SaysTheSame(models, by_model, ranking) ? of_models : of_models + " " + of_variants;
}

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

ScoreGatherer::ScoreGatherer(const Suite& suite)
    : suite_(suite), reduce_(*FindReducer(suite.aggregation.reduce)), open_(suite.variants.size()) {
  scores_.clusters = ClustersOf(suite.cases);
  for (const Case& the_case : suite.cases) scores_.weights.push_back(WeightOf(the_case));
  const ScoreBounds& bounds = suite.score_bounds;
  if (bounds.are_known) scores_.range = ScoreRange{.low = bounds.low, .high = bounds.high};
  scores_.samples.resize(suite.variants.size());
  for (Sample& sample : scores_.samples) sample.cases.reserve(suite.cases.size());
}

Status ScoreGatherer::Add(const Cell& cell) {
  while (case_index_ < cell.case_index) Close();
  Sample& sample = scores_.samples[cell.variant];
  switch (cell.state) {
    case CellState::kScored:
      open_[cell.variant].push_back(cell.score);
      break;
    case CellState::kPartial:
      sample.Leave(LeftOut::kPartial);
      break;
    case CellState::kError:
      sample.Leave(LeftOut::kError);
      break;
    case CellState::kUnscored:
      sample.Leave(LeftOut::kUnscored);
      break;
    case CellState::kSkipped:
      sample.Leave(LeftOut::kSkipped);
      break;
  }
  return Ok();
}

CaseScores ScoreGatherer::Finish() {
  while (case_index_ < suite_.cases.size()) Close();
  return std::move(scores_);
}

void ScoreGatherer::Close() {
  for (std::size_t v = 0; v < open_.size(); ++v) {
    std::vector<double>& attempts = open_[v];
    if (!attempts.empty() && !reduce_.row->keeps_attempts) attempts.assign(1, reduce_(attempts).value);
    scores_.samples[v].Add(attempts);
    attempts.clear();
  }
  ++case_index_;
}

Status CanReduce(const Suite& suite) {
  if (FindReducer(suite.aggregation.reduce)) return Ok();
  return Error{ErrorCode::kCorrupt, "the store is damaged: the run has no way to reduce attempts"};
}

Result<CaseScores> CaseScoresOf(const Report& report) {
  ASSAY_CHECK_OK(CanReduce(*report.suite));
  ScoreGatherer scores(*report.suite);
  CellGatherer* const gatherers[] = {&scores};
  ASSAY_CHECK_OK(GatherCells(report, gatherers));
  return scores.Finish();
}

Standings StandingsOf(const Suite& suite, CaseScores scores) {
  Standings standings{.scores = std::move(scores), .ranking = {}, .verdict = {}};
  standings.ranking = Rank(standings.scores.samples, standings.scores.design());
  standings.verdict = VerdictOf(suite, standings.scores, standings.ranking);
  return standings;
}

Result<Standings> StandingsOf(const Report& report) {
  ASSAY_TRY(CaseScores scores, CaseScoresOf(report));
  return StandingsOf(*report.suite, std::move(scores));
}

}  // namespace assay
