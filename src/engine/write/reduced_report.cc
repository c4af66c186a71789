// Copies the suite with another reducer.
#include "engine/write/reduced_report.h"
#include "spec/suite/suite.h"

namespace assay {

std::shared_ptr<const Suite> WithReducer(std::shared_ptr<const Suite> suite, const std::string& reducer) {
  if (reducer.empty() || reducer == suite->aggregation.reduce) return suite;
  auto other = std::make_shared<Suite>(*suite);
  other->aggregation.reduce = reducer;
  return other;
}

namespace {

void SetMeans(const CaseScores& scores, Report& report) {
  for (VariantSummary& summary : report.variants)
    summary.mean = EstimateMean(scores.samples[summary.variant], scores.design()).mean.value_or(0);
}

}  // namespace

Status TakeMeans(Report& report) {
  ASSAY_TRY(const CaseScores scores, CaseScoresOf(report));
  SetMeans(scores, report);
  return Ok();
}

Result<ReducedReport> ReducedAs(const Report& report, const std::string& reducer, const PassRule& pass) {
  const std::shared_ptr<const Suite> own(std::shared_ptr<const void>(),
                                         report.suite);  // owned by whoever folded
  const std::shared_ptr<const Suite> suite = WithReducer(own, reducer);
  if (suite == own) return ReducedReport{.suite = nullptr, .report = report};
  ReducedReport reduced{.suite = suite, .report = report};
  reduced.report.suite = suite.get();
  reduced.report.statistics = nullptr;  // gathered by the suite's own
  reduced.report.pairs = nullptr;
  ASSAY_TRY(reduced.report.statistics, StatisticsOf(reduced.report, pass));
  SetMeans(reduced.report.statistics->standings.scores, reduced.report);
  return reduced;
}

}  // namespace assay
