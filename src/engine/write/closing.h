// The part of a run that comes after its cells: the request for an executive summary, and what the run's
// dialect adds to a report.
#pragma once

#include <memory>
#include <string>

#include "base/errors/result.h"
#include "dialects/dialect.h"
#include "plan/plan.h"
#include "providers/facts/model_facts.h"
#include "spec/run/retelling.h"
#include "spec/run/run_spec.h"
#include "store/store.h"

namespace assay {

// Whether a summary is asked for: as --require-executive-summary and --skip-executive-summary say, else as
// the tool does that the run is compatible with; nobody is asked unasked.
bool WantsSummary(const RunSpec& spec);

// The question about the run while nothing has been answered yet: whom it goes to, and its fixed part.
Result<std::shared_ptr<const Plan>> ClosingPlan(const DialectRow& dialect, const Suite& suite);

// What the run's dialect adds to a report that was folded from the store alone: what a model said of the run
// when it ended, and the dialect's own tables. As they are stored; else its dialect makes them again.
Status AddDialectParts(Store& store, const RunRecord& run, const ModelBook& models, Report& report);
// At the prices of the table and the user's own.
CostOfAnswer CostsBy(const ModelBook& models);
Retelling::PriceTeller PricesBy(ModelBook models);  // remembers what it was asked: one thread

// The reply that sums the run up, and who gave it; an Error that says why there is none.
Result<ClosingAnswer> ClosingReply(Store& store, const std::string& run_id);

}  // namespace assay
