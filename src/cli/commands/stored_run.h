// A finished or interrupted run as it was made, from the store alone.
#pragma once

#include <memory>

#include "base/result.h"
#include "cli/settings/options.h"
#include "plan/plan.h"
#include "store/store.h"

namespace assay {

// The plan of the run: its stored suite lowered again, with the toolchains of the machine that ran it. A run
// of a version that stored none needs its files, unchanged (kInvalidInput if they are not).
Result<std::shared_ptr<const Plan>> PlanOfRun(Store& store, const RunRecord& record, const Options& options);

}  // namespace assay
