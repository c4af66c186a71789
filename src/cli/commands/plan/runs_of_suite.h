// The finished runs of a suite that is planned again, as the store has them.
#pragma once

#include <functional>

#include "base/errors/result.h"
#include "spec/report/report.h"
#include "store/store.h"

namespace assay {

// Folds them from the newest on, until `visit` has what it looks for and returns true. `store` may be null.
using SuiteRunVisitor = std::function<Result<bool>(const RunRecord& run, const Report& report)>;
Status VisitRunsOf(const Suite& suite, Store* store, const SuiteRunVisitor& visit);

}  // namespace assay
