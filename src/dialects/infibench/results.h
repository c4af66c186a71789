// Collects the attempts of a case from the report in the form of InfiBench's result files, and the totals
// over all cases.
#pragma once

#include "base/errors/result.h"
#include "dialects/infibench/score_table.h"
#include "spec/report/report.h"

namespace assay::infibench {

// The result of one case for one variant. An attempt that failed is left out of the reduction; under
// `--compat infibench` it makes the whole case an error, as does a case without answers.
Result<CaseResult> ResultOf(const Report& report, CaseIndex case_index, VariantIndex variant);

// Whether the run was decided before the case was asked: files and tables then leave it out, since 0 would
// count.
bool IsLeft(const Report& report, const CaseResult& result);

// What a check of this kind says of an attempt, as the attempt's map in the result file has it.
void AddScore(std::string_view kind, const Score& score, ResultForm form, Map& detail);

// The form of the files: the evaluator's under `--compat infibench`, else the harness's.
ResultForm FormOf(const Suite& suite);

// The score table of one variant over results in the order of their paths.
ScoreTable TableOf(const Suite& suite, VariantIndex variant, std::span<const CaseResult> results);
// The results of one variant in the order of their paths, without the texts that tables do not need: those
// that were gathered at the run's end, else from its cells.
Result<std::vector<CaseResult>> ResultsOf(const Report& report, VariantIndex variant);
// The cases in the order of their paths.
std::vector<CaseIndex> CasesByPath(const Suite& suite);
// Tables need no more of an attempt than its numbers.
CaseResult WithoutTexts(CaseResult result);

// What the summary says, over the cases in the order of the suite, each counted with its weight.
struct Totals {
  double now = 0;
  double std = 0;  // the sum of the cases' deviations, as the original has it
  double full = 0;
  std::size_t cases = 0;
  std::size_t with_response = 0;

  void Add(const CaseResult& result, bool has_response);
};
std::string SummaryText(const Totals& totals);

}  // namespace assay::infibench
