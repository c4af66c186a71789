// Converts rows of the tables to records and back: what is selected, inserted, bound and read of each record,
// by one list of its columns. A store may be damaged, or somebody else's work: amounts that no assay writes
// are cut to those that one can, and a row with a name that none can be is not read (docs/decisions/0095).
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors/result.h"
#include "base/text/names.h"
#include "store/store.h"

namespace assay {

// What the readers below read, to be put into a SELECT.
std::string ExchangeColumns();
std::string UsageColumns();
// Of exchanges that somebody was paid for, as far as their rows tell.
inline constexpr std::string_view kPaidCondition =
    "coalesce(input_tokens, cost_nano_usd, estimated_nano_usd) IS NOT NULL";
std::string RunColumns();
std::string BatchColumns();

// Of either kind of store: `Row` and `To` are its statements. Declared here, made for each in stored_rows.cc.
template <class Row>
Result<Exchange> ReadExchange(const Row& row);  // without `request` and `raw`
template <class Row>
Result<SizedExchange> ReadSizedExchange(const Row& row);
template <class Row>
Result<StoredUsage> ReadUsage(const Row& row);
template <class Row>
Result<RunRecord> ReadRun(const Row& row);
// Of all rows of a statement. kCorrupt also: their texts are together longer than those of any runs that an
// assay has made.
template <class Statement>
Result<std::vector<RunRecord>> ReadRuns(Statement& select);
// Of all rows of a statement whose first column is the id of a run.
template <class Statement>
Result<std::vector<std::string>> ReadRunIds(Statement& select);
// Adds the recordings that the requests in a statement's rows came from. A row is a request's end, or all of
// a packed one.
template <class Statement>
Status CountRecordings(Statement& select, std::map<std::string, std::uint64_t>& counts);
// As far as their requests fit in kRecentRequestsBytesMax.
template <class Statement>
Result<std::vector<StoredUsage>> ReadRecentUsage(Statement& select);
// Digests are stored as their 32 bytes; nothing of a text that is no such digest.
std::optional<std::string> DigestOfHex(std::string_view hex);
// Null: the store does not hold it. kCorrupt: its bytes have another digest.
template <class Database>
Result<std::shared_ptr<const Blob>> SelectBlob(Database& database, std::string_view sha256);
// Of a row that is no record. kCorrupt: no such name may be one.
Result<std::string> ReadName(NameKind kind, std::string_view text);
// The number of a shard, from 1 on. kCorrupt: no shard has it.
Result<std::int64_t> ReadShard(std::int64_t number);
// The newest epoch of a store. kCorrupt: no store has had as many.
Result<std::uint32_t> ReadEpoch(std::int64_t number);
// kCorrupt: it has a name that would not be read back.
Status CheckNames(const RunRecord& run);
template <class Row>
Result<BatchRecord> ReadBatch(const Row& row);

// Statements of the newest version. What is bound is borrowed until the statement has run. `reply` and
// `request` are bound as they are given.
std::string InsertExchangeSql();
std::string InsertedExchangeColumns();  // "key, epoch, …", as BindExchange binds them
template <class To>
void BindExchange(const Exchange& exchange, std::string_view reply, std::string_view request, To& insert);
std::string InsertRunSql();
template <class To>
void BindRun(const RunRecord& run, To& insert);
// A run that begins. kNotFound: the run whose cells are to be its own is not there.
template <class Database>
Status InsertRun(Database& database, const RunRecord& run);
// kNotFound: the store does not hold it.
template <class Database>
Result<Suite> SelectSuite(Database& database, const Digest& digest);
// What changes of a run while it goes on, and when it ends.
std::string UpdateRunSql();
template <class To>
void BindRunUpdate(const RunRecord& run, To& update);
std::string IntoBatchSql();  // of an INSERT or a REPLACE
template <class To>
void BindBatch(const BatchRecord& batch, std::string_view keys, To& save);

}  // namespace assay
