// Two gatherers as one.
#include "report/decide/run_statistics.h"

#include "report/decide/until/until_run.h"

namespace assay {

StatisticsGatherer::StatisticsGatherer(const Suite& suite, const PassRule& pass)
    : suite_(suite), pass_(pass), scores_(suite), reliability_(suite, pass) {}

Status StatisticsGatherer::Add(const Cell& cell) {
  ASSAY_CHECK_OK(scores_.Add(cell));
  return reliability_.Add(cell);
}

std::shared_ptr<const RunStatistics> StatisticsGatherer::Finish() {
  return std::make_shared<const RunStatistics>(
      RunStatistics{.standings = StandingsOf(suite_, scores_.Finish()),
                    .reliability = reliability_.Finish(),
                    .pass = pass_});
}

MeanEstimate PassRateOf(const RunStatistics& statistics, std::span<const VariantNumber> variants) {
  const PassCounts& passes = statistics.reliability.passes;
  std::vector<PassCount> together;
  for (const VariantNumber variant : variants) {
    together.resize(passes[variant].size());
    for (std::size_t i = 0; i < together.size(); ++i) {
      together[i].scored += passes[variant][i].scored;
      together[i].passed += passes[variant][i].passed;
    }
  }
  MeanEstimate rate = EstimatePasses(together, 1, statistics.standings.scores.design()).any;
  if (statistics.is_early) rate.interval.reset();
  return rate;
}

MeanEstimate PassRateOfModel(const RunStatistics& statistics, VariantNumber model) {
  return PassRateOf(statistics, statistics.standings.models.VariantsOf(model));
}

Result<std::shared_ptr<const RunStatistics>> StatisticsOf(const Report& report,
                                                          std::optional<PassRule> pass) {
  if (report.statistics != nullptr && (!pass || *pass == report.statistics->pass)) return report.statistics;
  ASSAY_CHECK_OK(CanReduce(*report.suite));
  StatisticsGatherer statistics(*report.suite, pass.value_or(PassRule()));
  CellGatherer* const gatherers[] = {&statistics};
  ASSAY_CHECK_OK(GatherCells(report, gatherers));
  return ToldUntil(report, statistics.Finish());
}

std::shared_ptr<const RunStatistics> ToldUntil(const Report& report,
                                               std::shared_ptr<const RunStatistics> statistics) {
  if (report.until == nullptr) return statistics;
  auto told = std::make_shared<RunStatistics>(*statistics);
  TellUntil(*report.until, told->standings);
  told->is_early = report.until->is_early();
  return told;
}

}  // namespace assay
