// Estimates the spread of differences from a run, and computes the smallest difference and the number of
// cases needed.
#include "report/decide/planning/suite_power.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "report/decide/standings.h"
#include "spec/suite/suite.h"
#include "statistics/decisions/paired.h"
#include "statistics/decisions/sentence_parts.h"
#include "statistics/estimates/spread.h"

namespace assay {

namespace {

constexpr double kFivePoints = 0.05;
constexpr std::size_t kPairedVariantsMax = 500;  // of more, the pairs of the first ones say enough

// How the attempts at each case spread, by variant.
Result<std::vector<SpreadParts>> PartsOf(const Report& report) {
  const std::size_t cases = report.suite->cases.size();
  std::vector<std::vector<std::vector<double>>> scores(report.suite->variants.size(),
                                                       std::vector<std::vector<double>>(cases));
  ASSAY_CHECK_OK(report.for_each_cell(CellRange::All(), CellParts::kOutcome, [&](const Cell& cell) {
    if (cell.state == CellState::kScored) scores[cell.variant][cell.case_index].push_back(cell.score);
    return Ok();
  }));
  std::vector<SpreadParts> parts;
  for (std::vector<std::vector<double>>& each : scores) {
    std::erase_if(each, [](const std::vector<double>& attempts) { return attempts.empty(); });
    parts.push_back(SplitSpread(each, std::nullopt));
  }
  return parts;
}

double Median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

std::uint64_t CountClusters(const Suite& suite) {
  std::uint64_t clusters = 0;
  for (const std::uint32_t cluster : ClustersOf(suite.cases))
    clusters = std::max<std::uint64_t>(clusters, cluster + 1);
  return clusters;
}

// " 10 cases are needed to rank 16 variants, 7 to rank their 4 models.", where the headline is about models
// and there are too few cases for either.
std::string ModelsText(const Suite& suite, const SuitePower& power) {
  const Models models = ModelsOf(suite);
  if (!models.AreTimesParameters() || power.reach.clusters >= power.fewest) return {};
  return fmt::format(" {} cases are needed to rank {} variants, {} to rank their {} models.", power.fewest,
                     suite.variants.size(), FewestClusters(models.names.size()), models.names.size());
}

}  // namespace

Result<std::optional<double>> SpreadOfDifferences(const Report& report, AttemptIndex attempts) {
  ASSAY_TRY(const CaseScores scores, CaseScoresOf(report));
  ASSAY_TRY(const std::vector<SpreadParts> parts, PartsOf(report));
  std::vector<double> spreads;
  const std::size_t variants = std::min(scores.samples.size(), kPairedVariantsMax);
  for (std::size_t a = 0; a < variants; ++a) {
    for (std::size_t b = a + 1; b < variants; ++b) {
      const PairedEstimate paired = ComparePaired(scores.samples[a], scores.samples[b], scores.design());
      if (!paired.se || !(*paired.se > 0)) continue;
      double spread = *paired.se * std::sqrt(static_cast<double>(paired.clusters));
      const bool is_known =
          parts[a].ms_within && parts[b].ms_within && parts[a].attempts && parts[b].attempts;
      if (is_known) {
        const double had = (*parts[a].attempts + *parts[b].attempts) / 2;
        spread = SpreadAtAttempts(spread, *parts[a].ms_within + *parts[b].ms_within, had, attempts);
      }
      if (spread > 0) spreads.push_back(spread);
    }
  }
  if (spreads.empty()) return std::optional<double>();
  return std::optional<double>(Median(std::move(spreads)));
}

SuitePower PowerOf(const Suite& suite, double spread) {
  SuitePower power{.spread = spread};
  power.reach = ReachOf(spread, CountClusters(suite), suite.variants.size());
  power.fewest = FewestClusters(suite.variants.size());
  power.cases_for_5 = CasesNeeded(spread, kFivePoints);
  power.sentence = PowerSentence(power.reach) + ModelsText(suite, power);
  if (power.cases_for_5 && *power.cases_for_5 > power.reach.clusters)
    power.sentence += fmt::format(" 5 points need {} cases.", *power.cases_for_5);
  return power;
}

std::string TooFewCasesText(std::uint64_t clusters, std::size_t variants, std::string_view noun) {
  const std::string cases = CountedText(clusters, noun);
  const std::uint64_t fewest = FewestClusters(variants);
  return variants < 3 ? fmt::format("{} cannot show which of 2 variants is better; {} could", cases, fewest)
                      : fmt::format("{} cannot rank {} variants; {} could", cases, variants, fewest);
}

std::optional<std::string> TooFewCasesText(const Suite& suite) {
  const std::size_t variants = suite.variants.size();
  const std::uint64_t clusters = CountClusters(suite);
  if (variants < 2 || clusters >= FewestClusters(variants)) return std::nullopt;
  return TooFewCasesText(clusters, variants, clusters < suite.cases.size() ? "cluster" : "case");
}

}  // namespace assay
