// Two gatherers as one.
#include "report/decide/run_statistics.h"

namespace assay {

StatisticsGatherer::StatisticsGatherer(const Suite& suite, double pass_at)
    : suite_(suite), pass_at_(pass_at), scores_(suite), reliability_(suite, pass_at) {}

Status StatisticsGatherer::Add(const Cell& cell) {
  ASSAY_CHECK_OK(scores_.Add(cell));
  return reliability_.Add(cell);
}

std::shared_ptr<const RunStatistics> StatisticsGatherer::Finish() {
  return std::make_shared<const RunStatistics>(
      RunStatistics{.standings = StandingsOf(suite_, scores_.Finish()),
                    .reliability = reliability_.Finish(),
                    .pass_at = pass_at_});
}

Result<std::shared_ptr<const RunStatistics>> StatisticsOf(const Report& report,
                                                          std::optional<double> pass_at) {
  if (report.statistics != nullptr && (!pass_at || *pass_at == report.statistics->pass_at))
    return report.statistics;
  ASSAY_CHECK_OK(CanReduce(*report.suite));
  StatisticsGatherer statistics(*report.suite, pass_at.value_or(0.5));
  CellGatherer* const gatherers[] = {&statistics};
  ASSAY_CHECK_OK(GatherCells(report, gatherers));
  return statistics.Finish();
}

}  // namespace assay
