// The request for an executive summary: a report of the run in which nobody is named, and the wanted form of
// the reply. Texts and layout are our own; which model, its parameters, the tags of the reply and the length
// of the report are weval's (spec: blueprint 16).
#pragma once

#include <string>

#include "base/errors/result.h"
#include "dialects/blueprint/summary/names.h"
#include "dialects/dialect.h"
#include "spec/report/report.h"

namespace assay::blueprint {

// The names of the report's variants, in suite order.
OpaqueNames NamesOf(const Suite& suite);
// Markdown, at most 500,000 UTF-16 units; says so where it was cut.
Result<std::string> SummaryReport(const Report& report, const OpaqueNames& names);
// A suite of one case that asks for the summary.
Result<Suite> SummarySuite(const Report& report);
// What the reply says. Its document is the member `executiveSummary` of result files: {modelId, content,
// structured, isStructured}.
ClosingSummary ReadClosing(const Report& report, const ClosingAnswer& answer);

}  // namespace assay::blueprint
