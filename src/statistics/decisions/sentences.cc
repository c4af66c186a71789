// Words estimates, comparisons, gates, labels and power.
#include "statistics/decisions/sentences.h"

#include <fmt/core.h>

#include <cmath>
#include <vector>

#include "statistics/decisions/power.h"
#include "statistics/decisions/sentence_parts.h"

namespace assay {

namespace {

// What a pair lacks that is not shown to differ, among `variants` that are compared together.
std::string TieReason(const PairedEstimate& estimate, std::size_t variants) {
  if (*estimate.difference == 0) return "; their means are equal";
  if (estimate.clusters < kClustersForPower)
    return fmt::format("; fewer than {} {} cannot show a difference", kClustersForPower,
                       estimate.clusters < estimate.cases ? "clusters" : "cases");
  if (IsShownAlone(estimate)) return NotAmongText(variants);
  const std::uint64_t changed = estimate.wins + estimate.losses;
  if (ExcludesZero(estimate)) return fmt::format("; too few cases changed ({}) to rule out chance", changed);
  if (!estimate.se || *estimate.se == 0) return "";
  const std::optional<std::uint64_t> more = MoreCasesNeeded(estimate);
  if (const std::optional<std::string> text = MoreCasesText(more, estimate.cases))
    return "; to settle a difference of this size takes about " + *text;
  if (more == std::uint64_t{0}) return fmt::format("; they differ on too few cases ({})", changed);
  return "; a difference this small needs more than 20 times as many cases";
}

}  // namespace

std::string MeanSentence(const std::string& name, const MeanEstimate& estimate) {
  if (!estimate.mean) return fmt::format("{} has no score.", name);
  const Points points(estimate.interval, 0);
  return fmt::format("{} scores {}{} on {}.", name, points.Text(*estimate.mean),
                     IntervalText(estimate.interval, estimate.why, points),
                     CountedText(estimate.cases, "case"));
}

std::string PairedSentence(const std::string& a, const std::string& b, const PairedEstimate& estimate,
                           double p, std::size_t variants) {
  if (estimate.cases == 0)
    return fmt::format("{} and {} have no case in common that both have a score for.", a, b);
  if (VerdictOf(estimate, p) == Verdict::kTie)
    return fmt::format("{} and {} are not shown to differ: {}{}.", a, b, DifferenceText(a, b, estimate),
                       TieReason(estimate, variants));
  const bool is_turned = *estimate.difference < 0;
  return fmt::format("{} leads {} by {}.", is_turned ? b : a, is_turned ? a : b, LeadText(estimate));
}

namespace {

// What a gate lacks that cannot tell.
std::string GateLack(const PairedEstimate& paired, double p, std::size_t gates) {
  const std::uint64_t least = ClustersForGate(gates);
  if (paired.clusters < least) {
    return fmt::format("; fewer than {} {} cannot show a regression", least,
                       paired.clusters < paired.cases ? "clusters" : "cases");
  }
  const std::uint64_t changed = paired.differ.value_or(0);
  if (changed < least) return fmt::format(", of which {} changed; at least {} have to", changed, least);
  return fmt::format("; chance alone gives such a pattern with p = {:.2f}", p);
}

}  // namespace

std::string GateSentence(const GateEstimate& estimate, double p, std::size_t gates) {
  const PairedEstimate& paired = estimate.paired;
  if (paired.cases == 0) return "Cannot tell: no case that both runs have a score for.";
  const Points points(paired.interval, std::abs(*paired.difference));
  std::string on = CountedText(paired.cases, "case");
  if (paired.clusters < paired.cases) on += " in " + CountedText(paired.clusters, "cluster");
  const auto sentence = [&](std::string_view outcome, const std::string& more) {
    return fmt::format("{}: {}{} on {}{}.", outcome, points.Counted(*paired.difference),
                       IntervalText(paired.interval, paired.why, points), on, more);
  };
  switch (estimate.state) {
    case GateState::kRegression:
      return sentence("Regression", "");
    case GateState::kCannotTell:
      return sentence("Cannot tell", GateLack(paired, p, gates));
    default:
      break;
  }
  const std::optional<double> least = SmallestDifferenceSeen(paired);
  const std::string unseen = least ? fmt::format("; drops below {} would often go unseen",
                                                 Points(std::nullopt, *least).Counted(*least))
                                   : std::string();
  return sentence("No regression shown", unseen);
}

std::string PowerSentence(const SuiteReach& reach) {
  const std::string cases = CountedText(reach.clusters, "case");
  const bool is_ranking = reach.variants > 2;
  const std::uint64_t fewest = FewestClusters(reach.variants);
  if (!reach.between_two) {
    const std::string to_rank =
        is_ranking ? fmt::format(", {} to rank {} variants", fewest, reach.variants) : std::string();
    return fmt::format("{} {} no difference; at least {} are needed{}.",
                       reach.clusters == 0 ? "No case" : cases, reach.clusters > 1 ? "show" : "shows",
                       kClustersForPower, to_rank);
  }
  const auto from = [](double smallest) { return Points(std::nullopt, smallest); };
  const std::string sees = fmt::format("With {} this suite sees differences from {} up", cases,
                                       from(*reach.between_two).Counted(*reach.between_two));
  if (!is_ranking) return sees + ".";
  if (!reach.in_ranking)
    return fmt::format("{} between two variants; {} cannot rank {}, {} could.", sees, reach.clusters,
                       reach.variants, fewest);
  return fmt::format("{} between two variants, from {} in a ranking of {}.", sees,
                     from(*reach.in_ranking).Text(*reach.in_ranking), reach.variants);
}

SuiteReach ReachOf(double spread, std::uint64_t clusters, std::size_t variants) {
  return {.clusters = clusters,
          .variants = variants,
          .between_two = SmallestDifferenceSeen(spread, clusters),
          .in_ranking = SmallestDifferenceSeen(spread, clusters, variants)};
}

}  // namespace assay
