// Collects votes and attempts of a run, and computes agreement, self-agreement, flaky cases and parts of the
// spread.
#include "report/decide/reliability.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "report/aggregate.h"
#include "report/decide/standings.h"
#include "spec/report/cell_grid.h"
#include "spec/score/graded_case.h"
#include "spec/suite/suite.h"
#include "statistics/decisions/sentence_parts.h"

namespace assay {

namespace {

constexpr std::size_t kFlakyMax = 200;
constexpr CellIndex kJudgedCellsMax = 100'000;
constexpr std::size_t kJudgesMax = 50;  // that are told one by one; votes of more count in the agreement
constexpr double kReliable = 0.8;
constexpr double kTentative = 0.667;

bool AsksJudges(const Suite& suite) {
  return std::any_of(suite.cases.begin(), suite.cases.end(), [](const Case& the_case) {
    return the_case.extracts_key_points ||
           std::any_of(the_case.checks.begin(), the_case.checks.end(),
                       [](const Check& check) { return check.IsCriterion(); });
  });
}

// How many cases from the first on have at most so many cells.
CaseIndex CasesWithin(const Suite& suite, CellIndex cells) {
  const std::optional<CellGrid> grid = CellGrid::Of(suite);
  const auto cases = static_cast<CaseIndex>(suite.cases.size());
  if (!grid) return 0;
  CaseIndex last = 0;
  while (last < cases && grid->OfCase(last).last <= cells) ++last;
  return last;
}

// One judge, while votes come in.
struct JudgeTally {
  JudgeReliability judge;
  std::vector<VoteUnit> self;
  std::vector<VoteUnit> without;
  std::vector<double> against;  // by case: votes that their words speak against
  std::vector<double> votes;    // by case
};

class VoteTally {
 public:
  VoteTally(const Suite& suite, double mark, const std::vector<std::uint32_t>& clusters, Reliability& result)
      : suite_(suite), mark_(mark), result_(result), clusters_(clusters) {
    variances_.resize(suite.variants.size());
  }

  void Add(const Cell& cell) {
    Case extracted;
    const Case* the_case = &suite_.cases[cell.case_index];
    if (!cell.record.key_points.empty()) {
      extracted = WithKeyPoints(*the_case, cell.record.key_points);
      the_case = &extracted;
    }
    std::vector<JudgedPoint> points;
    for (std::size_t i = 0; i < std::min(cell.record.scores.size(), the_case->checks.size()); ++i) {
      const Score& score = cell.record.scores[i];
      if (!the_case->checks[i].IsCriterion() || score.evidence.empty()) continue;
      AddPoint(cell, the_case->checks[i].invert, score);
      JudgedPoint& point =
          points.emplace_back(JudgedPoint{.weight = the_case->checks[i].weight, .votes = {}});
      for (const Evidence& voice : score.evidence) point.votes.push_back(voice.value);
    }
    if (const std::optional<double> variance = JudgeVariance(points)) {
      variances_[cell.variant].sum += *variance;
      ++variances_[cell.variant].count;
    }
  }

  std::optional<double> VarianceOf(VariantIndex variant) const {
    const MeanSum& sum = variances_[variant];
    if (sum.count == 0) return std::nullopt;
    return sum.sum / static_cast<double>(sum.count);
  }

  void Finish() {
    result_.agreement = EstimateAgreement(units_);
    for (JudgeTally& tally : judges_) {
      tally.judge.self = EstimateAgreement(tally.self);
      if (judges_.size() > 2) tally.judge.without = EstimateAgreement(tally.without);
      tally.judge.against_rate = RateOf(tally);
      result_.judges.push_back(std::move(tally.judge));
    }
  }

 private:
  struct MeanSum {
    double sum = 0;
    std::uint64_t count = 0;
  };

  // Null: there are kJudgesMax others.
  JudgeTally* TallyOf(const std::string& judge) {
    const auto found = std::find_if(judges_.begin(), judges_.end(),
                                    [&judge](const JudgeTally& tally) { return tally.judge.judge == judge; });
    if (found != judges_.end()) return &*found;
    if (judges_.size() == kJudgesMax) return nullptr;
    JudgeTally& tally = judges_.emplace_back();
    tally.judge.judge = judge;
    tally.against.resize(result_.judged_cases);
    tally.votes.resize(result_.judged_cases);
    return &tally;
  }

  void AddPoint(const Cell& cell, bool is_inverted, const Score& score) {
    VoteUnit unit{.votes = {}, .cluster = clusters_[cell.case_index]};
    for (const Evidence& voice : score.evidence) {
      unit.votes.push_back(voice.value);
      if (JudgeTally* const tally = TallyOf(voice.source)) AddVoice(cell, is_inverted, voice, *tally);
    }
    AddOthers(unit, score.evidence);
    units_.push_back(std::move(unit));
  }

  // For each judge the votes of the others, of which there may not be more than judges are told.
  void AddOthers(const VoteUnit& unit, const std::vector<Evidence>& voices) {
    if (voices.size() < 3 || voices.size() > kJudgesMax) return;
    for (std::size_t k = 0; k < voices.size(); ++k) {
      JudgeTally* const tally = TallyOf(voices[k].source);
      if (tally == nullptr) continue;
      VoteUnit others = unit;
      others.votes.erase(others.votes.begin() + static_cast<std::ptrdiff_t>(k));
      tally->without.push_back(std::move(others));
    }
  }

  void AddVoice(const Cell& cell, bool is_inverted, const Evidence& voice, JudgeTally& tally) {
    const std::size_t votes = std::max<std::size_t>(voice.votes.size(), 1);
    tally.judge.votes += votes;
    tally.judge.against += voice.against;
    tally.votes[cell.case_index] += static_cast<double>(votes);
    tally.against[cell.case_index] += voice.against;
    if (voice.votes.size() < 2) return;
    tally.self.push_back({.votes = voice.votes, .cluster = clusters_[cell.case_index]});
    // Votes say how far the criterion is met, which it should not be where it is inverted.
    const auto passed = std::count_if(voice.votes.begin(), voice.votes.end(),
                                      [&](double vote) { return (is_inverted ? 1 - vote : vote) >= mark_; });
    const auto count = static_cast<std::uint64_t>(passed);
    if (count == 0 || count == votes) return;
    if (result_.flaky.size() == kFlakyMax) {
      ++result_.flaky_more;
      return;
    }
    result_.flaky.push_back({.case_index = cell.case_index,
                             .variant = cell.variant,
                             .judge = voice.source,
                             .passed = count,
                             .of = votes});
  }

  MeanEstimate RateOf(const JudgeTally& tally) const {
    Sample sample;
    for (std::size_t i = 0; i < tally.votes.size(); ++i) {
      CaseValue& value = sample.cases.emplace_back();
      value.scored = static_cast<std::uint32_t>(tally.votes[i]);
      value.value = value.scored == 0 ? 0 : tally.against[i] / tally.votes[i];
    }
    return EstimateMean(sample, {.clusters = clusters_, .range = ScoreRange{}});
  }

  const Suite& suite_;
  double mark_;
  Reliability& result_;
  const std::vector<std::uint32_t>& clusters_;
  std::vector<VoteUnit> units_;
  std::vector<JudgeTally> judges_;
  std::vector<MeanSum> variances_;  // by variant
};

void AddFlaky(VariantIndex variant, const std::vector<PassCount>& counts, Reliability& result) {
  for (CaseIndex i = 0; i < counts.size(); ++i) {
    if (!IsFlaky(counts[i])) continue;
    if (result.flaky.size() == kFlakyMax) {
      ++result.flaky_more;
    } else {
      result.flaky.push_back({.case_index = i,
                              .variant = variant,
                              .judge = {},
                              .passed = counts[i].passed,
                              .of = counts[i].scored});
    }
  }
}

// "Judges agree well (α 0.92, 95 %: 0.81 to 1)": the word goes by the lower end.
std::string AgreementSentence(const AgreementEstimate& estimate) {
  if (!estimate.alpha) return fmt::format("No α of the judges: {}.", WhyText(estimate.why));
  const auto text = [](double alpha) {
    const std::string digits = fmt::format("{:.2f}", alpha);
    return digits == "1.00" ? std::string("1") : digits;
  };
  if (!estimate.interval)
    return fmt::format("Judges: α {} ({}).", text(*estimate.alpha), NoIntervalText(estimate.why));
  const double low = estimate.interval->low;
  const std::string_view word = low >= kReliable    ? "agree well"
                                : low >= kTentative ? "agree enough for cautious conclusions"
                                                    : "cannot be shown to agree";
  return fmt::format("Judges {} (α {}, 95 %: {} to {}).", word, text(*estimate.alpha), text(low),
                     text(estimate.interval->high));
}

}  // namespace

struct ReliabilityGatherer::Gathered {
  Gathered(const Suite& suite, const PassRule& pass)
      : clusters(AsksJudges(suite) || HasSeveralAttempts(suite) ? ClustersOf(suite.cases)
                                                                : std::vector<std::uint32_t>()),
        votes(suite, pass.mark, clusters, result) {}

  Reliability result;
  const std::vector<std::uint32_t> clusters;  // where judges or attempts need them
  VoteTally votes;
  // By variant and case, of runs that ask several times: the scores of the attempts that have one.
  std::vector<std::vector<std::vector<double>>> attempts;
};

ReliabilityGatherer::ReliabilityGatherer(const Suite& suite, const PassRule& pass)
    : suite_(suite), pass_(pass), gathered_(std::make_unique<Gathered>(suite, pass)) {
  Reliability& result = gathered_->result;
  result.asks_judges = AsksJudges(suite);
  result.has_attempts = HasSeveralAttempts(suite);
  result.passes = NoPasses(suite);
  if (result.asks_judges) result.judged_cases = CasesWithin(suite, kJudgedCellsMax);
  if (result.has_attempts)
    gathered_->attempts.resize(suite.variants.size(), std::vector<std::vector<double>>(suite.cases.size()));
}

ReliabilityGatherer::~ReliabilityGatherer() = default;

CellParts ReliabilityGatherer::parts() const {
  return next_case_ < gathered_->result.judged_cases ? CellParts::kGrades : CellParts::kOutcome;
}

Status ReliabilityGatherer::Add(const Cell& cell) {
  next_case_ = cell.case_index + 1;
  if (cell.case_index < gathered_->result.judged_cases) gathered_->votes.Add(cell);
  CountPass(cell, suite_.cases[cell.case_index], pass_, gathered_->result.passes);
  if (gathered_->result.has_attempts && cell.state == CellState::kScored && std::isfinite(cell.score))
    gathered_->attempts[cell.variant][cell.case_index].push_back(cell.score);
  return Ok();
}

Reliability ReliabilityGatherer::Finish() {
  Reliability& result = gathered_->result;
  if (result.asks_judges) {
    gathered_->votes.Finish();
    if (result.judges.size() > 1) result.sentence = AgreementSentence(result.agreement);
  }
  if (!result.has_attempts) return std::move(result);
  std::vector<double> weights;
  for (const Case& the_case : suite_.cases) weights.push_back(WeightOf(the_case));
  const Design design{.weights = weights, .clusters = gathered_->clusters, .range = ScoreRange{}};
  result.tries = TriesOf(suite_, result.passes);
  for (VariantIndex v = 0; v < suite_.variants.size(); ++v) {
    std::vector<std::vector<double>>& attempts = gathered_->attempts[v];
    AddFlaky(v, result.passes[v], result);
    const PassesAtK at = PassesAt(suite_, result.passes, v, result.tries.used, design);
    VariantReliability& variant = result.variants.emplace_back();
    variant.variant = v;
    variant.passes = at.passes;
    variant.left_out = at.left_out;
    std::erase_if(attempts, [](const std::vector<double>& scores) { return scores.empty(); });
    variant.spread = SplitSpread(attempts, gathered_->votes.VarianceOf(v));
  }
  return std::move(result);
}

}  // namespace assay
