// Fold: a run in the store, seen as a Report. Scores are read, transcripts are replayed from the exchanges
// that the run used; nothing is asked and nothing is written.
#pragma once

#include "base/result.h"
#include "plan/plan.h"
#include "spec/report.h"
#include "store/store.h"

namespace assay {

// `store` and `plan` must outlive the report, whose cursors read them; one thread.
Result<Report> Fold(Store& store, const Plan& plan, const RunRecord& run);

}  // namespace assay
