// Fold: reads a run from the store as a Report. Nothing is asked and nothing is written.
#pragma once

#include <memory>
#include <span>

#include "base/errors/result.h"
#include "spec/report/cell_gatherer.h"
#include "spec/report/report.h"
#include "spec/run/retelling.h"
#include "store/store.h"

namespace assay {

// What the run was made of, as the store keeps it. kNotFound: a version that did not keep it made the run;
// kCorrupt: it cannot be.
Result<std::shared_ptr<const Suite>> SuiteOf(Store& store, const RunRecord& run);

// `suite` is what the run was made of, for who has it at hand; null: the store's. `store` must outlive the
// report, whose cursors read it; one thread. `retelling`: how its words are told that are not stored
// (plan/answers/retelling.h). `gatherers` see all cells in the same walk that sums them up.
Result<Report> Fold(Store& store, const RunRecord& run, std::shared_ptr<const Suite> suite = nullptr,
                    Retelling retelling = {}, std::span<CellGatherer* const> gatherers = {});

// The same report of the same run, read through another connection: for a thread of its own. Its suite is the
// first one's, which outlives it; it remembers no pairs.
Result<Report> ReadThrough(const Report& report, Store& store, const RunRecord& run, Retelling retelling);

}  // namespace assay
