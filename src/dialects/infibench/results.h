// What came of a case: its attempts as the original's result file has them.
#pragma once

#include "base/result.h"
#include "dialects/infibench/case_result.h"
#include "spec/report.h"

namespace assay::infibench {

// The result of one case for one variant. An attempt that failed is left out of the reduction; under
// `--compat infibench` it makes the whole case an error, as does a case without answers.
Result<CaseResult> ResultOf(const Report& report, CaseIndex case_index, VariantIndex variant);

// The form of the files: the evaluator's under `--compat infibench`, else the harness's.
ResultForm FormOf(const Suite& suite);

// What the summary says, over the cases in the order of the suite, each counted with its weight.
struct Totals {
  double now = 0;
  double std = 0;  // the sum of the cases' deviations, as the original has it
  double full = 0;
  std::size_t cases = 0;
  std::size_t with_response = 0;

  void Add(const CaseResult& result, double weight, bool has_response);
};
std::string SummaryText(const Totals& totals);

}  // namespace assay::infibench
