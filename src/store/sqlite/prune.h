// Removes old runs, and the exchanges that no remaining run uses, from a store.
#pragma once

#include "store/sqlite/sqlite.h"
#include "store/store.h"

namespace assay {

// Store::Prune over an open database; all or nothing.
Result<PruneSummary> PruneStore(SqliteDatabase& database, std::int64_t before_ms);

}  // namespace assay
