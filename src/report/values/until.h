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

// One look of a question while its run goes on, for programs that follow it. Of a gate that has no looks: how
// it is decided.
Value LookValue(const Suite& suite, const StopRule& rule, const StopScores& scores,
                const QuestionCourse& course, std::uint64_t at);

}  // namespace assay
