// What a dialect adds to the report of a finished run, as the store keeps it: its own tables, and what a
// model said of the whole. So whoever shows the run needs no dialect (docs/decisions/0064).
#pragma once

#include <string>
#include <string_view>

#include "spec/report/report.h"
#include "store/store.h"

namespace assay {

// Never "": a run without either says so. ClosingSummary::document, which only the dialect's own files have,
// is left out.
std::string EncodeTables(const Report& report);

// Puts what the run keeps of them into its report. False, and nothing is changed, where it keeps nothing: it
// is not finished, or the text is not what EncodeTables writes.
bool AddStoredTables(const RunRecord& run, Report& report);

}  // namespace assay
