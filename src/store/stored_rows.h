// Converts rows of the tables to records and back: what is selected, inserted, bound and read of each record,
// by one list of its columns. A store may be damaged, or somebody else's work: numbers that no assay writes
// are cut to those that one can.
#pragma once

#include <cstdint>
#include <string>

#include "base/errors/result.h"
#include "store/sqlite/sqlite.h"
#include "store/store.h"

namespace assay {

// What the readers below read, to be put into a SELECT; a reader may meet a store that no writer has migrated
// yet.
std::string ExchangeColumns(std::int64_t version);
std::string UsageColumns(std::int64_t version);
// Of exchanges that somebody was paid for, as far as their rows tell.
std::string_view PaidCondition(std::int64_t version);
std::string RunColumns(std::int64_t version);
std::string BatchColumns();

Result<Exchange> ReadExchange(const SqliteStatement& row);  // without `request` and `raw`
StoredUsage ReadUsage(const SqliteStatement& row);
RunRecord ReadRun(const SqliteStatement& row);
Result<BatchRecord> ReadBatch(const SqliteStatement& row);

// Statements of the newest version. What is bound is borrowed until the statement has run. `reply` and
// `request` are bound as they are given.
std::string InsertExchangeSql();
void BindExchange(const Exchange& exchange, std::string_view reply, std::string_view request,
                  SqliteStatement& insert);
std::string InsertRunSql();
void BindRun(const RunRecord& run, SqliteStatement& insert);
// What changes of a run while it goes on, and when it ends.
std::string UpdateRunSql();
void BindRunUpdate(const RunRecord& run, SqliteStatement& update);
std::string SaveBatchSql();  // replaces one that has this number
void BindBatch(const BatchRecord& batch, std::string_view keys, SqliteStatement& save);

}  // namespace assay
