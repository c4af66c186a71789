// The questions that may end a run early, as JSON: what was asked, seen at each look, and decided.
#pragma once

#include "report/decide/until/until_run.h"
#include "spec/report/report.h"
#include "text/value.h"

namespace assay {

// A list, one for each question; of the mean of each variant one for each. Null: the run asks everything.
// `standings`: those of the report, with a sentence on each question.
Value UntilValue(const Report& report, const Standings& standings);
// The same with the report's own standings.
Result<Value> UntilValue(const Report& report);

}  // namespace assay
