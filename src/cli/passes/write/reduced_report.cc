// Copies the suite with another reducer.
#include "cli/passes/write/reduced_report.h"

namespace assay {

ReducedReport ReducedAs(const Report& report, const std::string& reducer) {
  if (reducer.empty() || reducer == report.suite->aggregation.reduce)
    return {.suite = nullptr, .report = report};
  auto suite = std::make_shared<Suite>(*report.suite);
  suite->aggregation.reduce = reducer;
  ReducedReport reduced{.suite = suite, .report = report};
  reduced.report.suite = suite.get();
  reduced.report.statistics = nullptr;  // gathered by the suite's own
  reduced.report.pairs = nullptr;
  return reduced;
}

}  // namespace assay
