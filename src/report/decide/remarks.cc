// Words what verdicts leave open.
#include "report/decide/remarks.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "statistics/decisions/power.h"
#include "statistics/decisions/sentence_parts.h"
#include "statistics/estimates/mean.h"

namespace assay {

namespace {

// Over the cases that both have, which both means are where the difference is 0.
std::string EqualMeansRemark(const PairedEstimate& estimate, const Sample& a, const Sample& b,
                             const Design& design) {
  if (!estimate.difference || *estimate.difference != 0) return {};
  const std::optional<double> mean_a = EstimateMean(a, design).mean;
  const std::optional<double> mean_b = EstimateMean(b, design).mean;
  if (!mean_a || !mean_b || MeanPoints(*mean_a) == MeanPoints(*mean_b)) return {};
  Sample shared = a;
  for (std::size_t i = 0; i < shared.cases.size(); ++i) {
    if (b.cases[i].scored == 0) shared.cases[i] = {};
  }
  const std::optional<double> mean = EstimateMean(shared, design).mean;
  if (!mean) return {};
  return fmt::format(" On the {} that both have, each mean is {}; the table's are over all cases of each.",
                     CountedText(estimate.cases, "case"), MeanPoints(*mean));
}

// Nobody can be ranked though there are enough cases: too few of them have scores of two variants.
std::string SharedCasesRemark(const Ranking& ranking, std::span<const Sample> samples) {
  if (std::any_of(ranking.places.begin(), ranking.places.end(),
                  [](const RankPlace& place) { return place.can_rank; }))
    return {};
  std::uint64_t most = 0;
  for (const RankTest& test : ranking.tests) most = std::max<std::uint64_t>(most, test.paired.cases);
  std::uint64_t scored = 0;
  for (std::size_t i = 0; i < samples.front().cases.size(); ++i) {
    scored += std::any_of(samples.begin(), samples.end(),
                          [i](const Sample& sample) { return sample.cases[i].scored > 0; });
  }
  if (most >= scored) return {};
  return fmt::format(" No two variants both have a score on more than {} of the {}.", most,
                     CountedText(scored, "case"));
}

}  // namespace

std::string ContraryRemark(const PairedEstimate& estimate, double p) {
  const std::uint64_t changed = estimate.wins + estimate.losses;
  const std::uint64_t contrary = std::min(estimate.wins, estimate.losses);
  const bool is_about_changes = estimate.difference && *estimate.difference != 0 &&
                                estimate.clusters >= kClustersForPower && ExcludesZero(estimate) &&
                                !IsShownAlone(estimate) && VerdictOf(estimate, p) == Verdict::kTie;
  if (!is_about_changes || changed < kClustersForPower || contrary == 0) return {};
  return fmt::format(" {} of these {} {} the other way, which leaves room for chance.", contrary, changed,
                     contrary == 1 ? "goes" : "go");
}

std::string RankingRemark(const Ranking& ranking, std::span<const Sample> samples, const Design& design) {
  if (ranking.places.size() < 2) return {};
  if (!ranking.AreAllCompared()) {
    return fmt::format(" Only the first {} of these {} are compared with all others.", ranking.compared,
                       ranking.places.size());
  }
  if (ranking.places.size() > 2) return SharedCasesRemark(ranking, samples);
  const RankTest& test = ranking.tests.front();
  return EqualMeansRemark(test.paired, samples[test.a], samples[test.b], design) +
         ContraryRemark(test.paired, test.p_corrected.value_or(1));
}

}  // namespace assay
