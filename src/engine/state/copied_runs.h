// Copies runs from one store to another, where each row stays its maker's: what somebody else made is marked
// in the other store, too, and goes into no run of the user's.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/errors/result.h"
#include "engine/state/known_stores.h"
#include "store/copy/copy_run.h"

namespace assay {

struct CopiedRuns {
  CopyCounts counts = {};
  std::vector<std::string> kept = {};  // RunCopier::kept
};
// `runs`: of `from`, whose maker `origin` names; oldest first. `now_ms`: wall clock. A process that is killed
// half-way leaves everything marked that came from a store of others; the same call goes on.
Result<CopiedRuns> CopyRunsOf(Store& from, const StoreOrigin& origin, std::span<const RunRecord> runs,
                              OwnStore& to, std::int64_t now_ms);

}  // namespace assay
