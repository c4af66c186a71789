// Copies the suite with another reducer.
#include "cli/passes/write/reduced_report.h"
#include "spec/suite/suite.h"

namespace assay {

std::shared_ptr<const Suite> WithReducer(std::shared_ptr<const Suite> suite, const std::string& reducer) {
  if (reducer.empty() || reducer == suite->aggregation.reduce) return suite;
  auto other = std::make_shared<Suite>(*suite);
  other->aggregation.reduce = reducer;
  return other;
}

ReducedReport ReducedAs(const Report& report, const std::string& reducer) {
  const std::shared_ptr<const Suite> own(std::shared_ptr<const void>(),
                                         report.suite);  // owned by whoever folded
  const std::shared_ptr<const Suite> suite = WithReducer(own, reducer);
  if (suite == own) return {.suite = nullptr, .report = report};
  ReducedReport reduced{.suite = suite, .report = report};
  reduced.report.suite = suite.get();
  reduced.report.statistics = nullptr;  // gathered by the suite's own
  reduced.report.pairs = nullptr;
  return reduced;
}

}  // namespace assay
