// Collects the scores of a run by case and variant, ranks the variants, and words the verdict.
#include "report/decide/standings.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <set>
#include <unordered_map>

#include "base/hash.h"
#include "report/aggregate.h"
#include "report/decide/factors.h"
#include "report/decide/remarks.h"
#include "report/decide/until/until_run.h"
#include "spec/report/reduce.h"
#include "spec/suite/suite.h"
#include "statistics/decisions/sentences.h"

namespace assay {

namespace {

constexpr std::string_view kMeanTitle = "mean";

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

// Whether two variants of one model are shown to differ.
bool DiffersWithinAModel(const Models& models, const Ranking& of_variants) {
  return std::any_of(of_variants.tests.begin(), of_variants.tests.end(), [&](const RankTest& test) {
    const bool is_shown = test.verdict == Verdict::kLeads || test.verdict == Verdict::kTrails;
    return is_shown && models.of[test.a] == models.of[test.b];
  });
}

// Whether the variants say no more than their models: none of one model differ, and those that may be the
// best are of the models that may be.
bool SaysTheSame(const Models& models, const Ranking& of_models, const Ranking& of_variants) {
  if (DiffersWithinAModel(models, of_variants)) return false;
  std::set<std::size_t> best_models;
  std::set<std::size_t> models_of_best;
  for (const RankPlace& place : of_models.places) {
    if (place.rank == 1) best_models.insert(place.variant);
  }
  for (const RankPlace& place : of_variants.places) {
    if (place.rank == 1) models_of_best.insert(models.of[place.variant]);
  }
  return best_models == models_of_best;
}

std::vector<VerdictSentence> SentencesOf(const Suite& suite, const Standings& standings) {
  using About = VerdictSentence::About;
  const CaseScores& scores = standings.scores;
  const auto text = [&scores](std::span<const std::string> names, const Ranking& ranking,
                              std::span<const Sample> samples) {
    return WithValueName(RankingSentence(names, ranking), scores) +
           RankingRemark(ranking, samples, scores.design());
  };
  const VerdictSentence of_variants{About::kVariants,
                                    text(SpokenNames(suite), standings.ranking, scores.samples)};
  if (!standings.models.AreTimesParameters()) return {of_variants};
  const VerdictSentence of_models{About::kModels, text(standings.models.spoken, standings.model_ranking,
                                                       SamplesOfModels(standings.models, scores.samples))};
  if (SaysTheSame(standings.models, standings.model_ranking, standings.ranking)) return {of_models};
  return {of_models, of_variants};
}

AttemptIndex MostAttempts(const Suite& suite) {
  AttemptIndex most = suite.attempts;
  for (const Case& the_case : suite.cases) most = std::max(most, the_case.attempts.value_or(suite.attempts));
  return most;
}

// Whether scores are shares of a total.
bool CountsShares(const Suite& suite) {
  const AggregationRow* formula = FindAggregation(suite.aggregation.formula);
  return formula != nullptr && formula->is_share;
}

// Whether a score is more than the whole of its case.
bool IsCut(bool is_share, const Case& the_case, double score) {
  return is_share && score > 1 && !the_case.max_score;
}

}  // namespace

std::string_view SpokenId(std::string_view id) {
  constexpr std::string_view kUntold = "openai-compatible:";
  return id.substr(id.starts_with(kUntold) ? kUntold.size() : 0);
}

std::vector<VariantNumber> Models::VariantsOf(std::size_t model) const {
  std::vector<VariantNumber> variants;
  for (VariantNumber v = 0; v < of.size(); ++v) {
    if (of[v] == model) variants.push_back(v);
  }
  return variants;
}

Models ModelsOf(const Suite& suite) {
  Models models;
  std::map<std::string_view, std::size_t> places;
  for (const Variant& variant : suite.variants) {
    // A profile is compared as a whole, whatever its model.
    const bool has_own_name = variant.profile.has_value() || variant.model_id.empty();
    const std::string& name = has_own_name ? variant.id : variant.model_id;
    const auto [found, is_new] = places.emplace(name, models.names.size());
    models.of.push_back(found->second);
    if (is_new) {
      models.names.push_back(name);
      models.spoken.push_back(variant.label);
    } else if (models.spoken[found->second] != variant.label) {
      models.spoken[found->second].clear();
    }
  }
  for (std::size_t m = 0; m < models.names.size(); ++m) {
    if (models.spoken[m].empty()) models.spoken[m] = SpokenId(models.names[m]);
  }
  const std::set<std::string_view> different(models.spoken.begin(), models.spoken.end());
  if (different.size() < models.names.size()) models.spoken = models.names;
  return models;
}

std::string Standings::verdict() const {
  std::string text;
  for (const VerdictSentence& sentence : sentences) text += (text.empty() ? "" : " ") + sentence.text;
  return text;
}

std::vector<std::uint32_t> ClustersOf(const std::vector<Case>& cases) {
  const auto first_bytes = [](const Digest& digest) {
    std::size_t hash = 0;
    std::memcpy(&hash, digest.data(), sizeof hash);
    return hash;
  };
  std::unordered_map<std::string_view, std::uint32_t> named;
  std::unordered_map<Digest, std::uint32_t, decltype(first_bytes)> of_turns(cases.size(), first_bytes);
  std::vector<std::uint32_t> clusters;
  clusters.reserve(cases.size());
  for (const Case& the_case : cases) {
    const auto next = static_cast<std::uint32_t>(named.size() + of_turns.size());
    clusters.push_back(the_case.cluster->empty() ? of_turns.emplace(TurnsDigest(the_case), next).first->second
                                                 : named.emplace(*the_case.cluster, next).first->second);
  }
  return clusters;
}

ScoreGatherer::ScoreGatherer(const Suite& suite)
    : suite_(suite), reduce_(*FindReducer(suite.aggregation.reduce)), open_(suite.variants.size()) {
  is_share_ = CountsShares(suite);
  scores_.clusters = ClustersOf(suite.cases);
  for (const Case& the_case : suite.cases) scores_.weights.push_back(WeightOf(the_case));
  const ScoreBounds& bounds = suite.score_bounds;
  if (bounds.are_known) scores_.range = ScoreRange{.low = bounds.low, .high = bounds.high};
  scores_.samples.resize(suite.variants.size());
  for (Sample& sample : scores_.samples) sample.cases.reserve(suite.cases.size());
  scores_.title = ValueTitleOf(suite);
  if (scores_.title != kMeanTitle) scores_.plain = scores_.samples;
}

Status ScoreGatherer::Add(const Cell& cell) {
  while (case_index_ < cell.case_index) Close();
  Sample& sample = scores_.samples[cell.variant];
  switch (cell.state) {
    case CellState::kScored:
      open_[cell.variant].push_back(Counted(cell));
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

double ScoreGatherer::Counted(const Cell& cell) {
  if (!IsCut(is_share_, suite_.cases[cell.case_index], cell.score)) return cell.score;
  ++scores_.above_whole;
  return 1;
}

CaseScores ScoreGatherer::Finish() {
  while (case_index_ < suite_.cases.size()) Close();
  return std::move(scores_);
}

void ScoreGatherer::Close() {
  for (std::size_t v = 0; v < open_.size(); ++v) {
    std::vector<double>& attempts = open_[v];
    if (scores_.is_reduced()) scores_.plain[v].Add(attempts);
    if (!attempts.empty() && !reduce_.row->keeps_attempts) attempts.assign(1, reduce_(attempts).value);
    scores_.samples[v].Add(attempts);
    attempts.clear();
  }
  ++case_index_;
}

double CountedScore(const Suite& suite, CaseIndex case_index, double score) {
  return IsCut(CountsShares(suite), suite.cases[case_index], score) ? 1 : score;
}

CaseValue ValueOfCase(const Reducer& reduce, std::span<const double> attempts) {
  Sample one;
  if (attempts.empty() || reduce.row->keeps_attempts) {
    one.Add(attempts);
  } else {
    const double value = reduce(attempts).value;
    one.Add(std::span(&value, 1));
  }
  return one.cases.front();
}

std::string ValueTitleOf(const Suite& suite) {
  const Reducer reduce = *FindReducer(suite.aggregation.reduce);
  const AttemptIndex attempts = MostAttempts(suite);
  return reduce.row->keeps_attempts || attempts < 2 ? std::string(kMeanTitle) : TitleOf(reduce, attempts);
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

std::string WithValueName(std::string sentence, const CaseScores& scores) {
  const bool has_stop = sentence.ends_with('.');
  if (scores.is_reduced()) sentence.insert(sentence.size() - (has_stop ? 1 : 0), " (" + scores.title + ")");
  return sentence;
}

Standings StandingsOf(const Suite& suite, CaseScores scores) {
  Standings standings;
  standings.scores = std::move(scores);
  const Design design = standings.scores.design();
  standings.ranking = Rank(standings.scores.samples, design);
  standings.models = ModelsOf(suite);
  if (standings.models.AreTimesParameters())
    standings.model_ranking = Rank(SamplesOfModels(standings.models, standings.scores.samples), design);
  if (standings.models.AreTimesParameters() && standings.scores.is_reduced())
    standings.model_plain = SamplesOfModels(standings.models, standings.scores.plain);
  standings.sentences = SentencesOf(suite, standings);
  return standings;
}

std::optional<double> PlainMeanOf(const CaseScores& scores, VariantNumber variant) {
  if (!scores.is_reduced()) return std::nullopt;
  return EstimateMean(scores.plain[variant], scores.design()).mean;
}

std::optional<double> PlainMeanOfModel(const Standings& standings, VariantNumber model) {
  if (standings.model_plain.empty()) return std::nullopt;
  return EstimateMean(standings.model_plain[model], standings.scores.design()).mean;
}

Result<Standings> StandingsOf(const Report& report) {
  ASSAY_TRY(CaseScores scores, CaseScoresOf(report));
  Standings standings = StandingsOf(*report.suite, std::move(scores));
  if (report.until != nullptr) TellUntil(*report.until, standings);
  return standings;
}

}  // namespace assay
