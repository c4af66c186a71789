// ReducedReport: a report as tables and gates take it when the user asks for another way to make one value of
// a case's attempts (--reduce). The files of the run keep the suite's own way.
#pragma once

#include <memory>
#include <string>

#include "report/decide/run_statistics.h"
#include "spec/report/report.h"

namespace assay {

// The suite with another reducer, as FindReducer takes it; "": as it is.
std::shared_ptr<const Suite> WithReducer(std::shared_ptr<const Suite> suite, const std::string& reducer);

// Puts the means of the variants into a report of the suite that WithReducer returned: a stored summary has
// those of the suite's own reducer.
Status TakeMeans(Report& report);

struct ReducedReport {
  std::shared_ptr<const Suite> suite;  // null: the report's own
  Report report;
};
// `reducer` as FindReducer takes it; "": the suite's own. With another one the means of the variants and the
// statistics are made anew.
Result<ReducedReport> ReducedAs(const Report& report, const std::string& reducer, const PassRule& pass);

}  // namespace assay
