// Rows of the tables as what they stand for. A store may be damaged, or somebody else's work: numbers that no
// assay writes are cut to those that one can.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"
#include "store/sqlite.h"
#include "store/store.h"

namespace assay {

// What ReadExchange and ReadUsage read of the table `exchange`; a reader may meet a store that no writer has
// migrated yet.
std::string ExchangeColumns(std::int64_t version);
std::string UsageColumns(std::int64_t version);

Result<Exchange> ReadExchange(const SqliteStatement& row);  // without `request` and `raw`
StoredUsage ReadUsage(const SqliteStatement& row);
RunRecord ReadRun(const SqliteStatement& row);
Result<BatchRecord> ReadBatch(const SqliteStatement& row);

}  // namespace assay
