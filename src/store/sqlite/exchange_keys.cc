// Remembers keys until there are enough of them to be written in their order.
#include "store/sqlite/exchange_keys.h"

#include <algorithm>
#include <cstring>

#include "store/column_fields.h"

namespace assay {

namespace {

constexpr std::size_t kBehindMax = 32'768;
constexpr std::size_t kStartBytes = sizeof(std::uint64_t);  // of a key, in the table

std::uint64_t StartOf(std::string_view key) {
  std::uint64_t start = 0;
  std::memcpy(&start, key.data(), std::min(key.size(), kStartBytes));
  return start;
}

std::string_view StartBytes(const std::uint64_t& start) {
  return {reinterpret_cast<const char*>(&start), kStartBytes};
}

}  // namespace

Status ExchangeKeys::Prepare(SqliteDatabase& database, bool is_writer) {
  is_writer_ = is_writer;
  // Where a damaged store says what cannot be, all exchanges are read.
  ASSAY_TRY(keyed_, database.Prepare("SELECT CASE WHEN CAST(up_to AS INTEGER) BETWEEN 0 AND last THEN "
                                     "CAST(up_to AS INTEGER) ELSE 0 END, times_made FROM "
                                     "(SELECT coalesce(max(id), 0) AS last FROM exchange) "
                                     "LEFT JOIN keyed LIMIT 1"));
  ASSAY_TRY(since_, database.Prepare("SELECT id, reusable, key, epoch FROM exchange WHERE id > ?1 "
                                     "ORDER BY id"));
  return Ok();
}

Status ExchangeKeys::Refresh() {
  if (is_writer_ && seen_) return Ok();
  ASSAY_TRY([[maybe_unused]] const bool is_there, keyed_.Step());
  const auto keyed = static_cast<ExchangeId>(keyed_.Int(0));
  const std::int64_t times_made = keyed_.Int(1);
  keyed_.Reset();
  if (!seen_ || *seen_ < keyed || times_made != times_made_) {
    behind_.clear();
    seen_ = keyed_up_to_ = keyed;
    times_made_ = times_made;
  }
  since_.Bind(1, static_cast<std::int64_t>(*seen_));
  while (true) {
    const Result<bool> row = since_.Step();
    if (!row) Forget();
    if (!row) return row.error();
    if (!*row) return Ok();
    seen_ = static_cast<ExchangeId>(since_.Int(0));
    if (since_.Int(1) == 0) continue;
    behind_.emplace(StartOf(since_.Text(2)), Place{.epoch = since_.Int(3), .id = *seen_});
  }
}

std::vector<ExchangeId> ExchangeKeys::Behind(const Digest& key) const {
  std::vector<ExchangeId> ids;
  const auto [first, last] = behind_.equal_range(StartOf(BytesOf(key)));
  for (auto each = first; each != last; ++each) ids.push_back(each->second.id);
  std::sort(ids.begin(), ids.end());
  return ids;
}

void ExchangeKeys::Add(const Exchange& exchange) {
  if (!seen_) return;  // it is read with the others
  seen_ = exchange.id;
  if (!exchange.Reusable()) return;
  behind_.emplace(StartOf(BytesOf(exchange.key)), Place{.epoch = exchange.epoch, .id = exchange.id});
}

bool ExchangeKeys::IsFull() const { return seen_ && *seen_ - keyed_up_to_ >= kBehindMax; }

Status ExchangeKeys::Merge(SqliteDatabase& database) {
  ASSAY_CHECK_OK(Refresh());
  ASSAY_TRY(SqliteStatement insert,
            database.Prepare("INSERT OR IGNORE INTO exchange_key VALUES(?1, ?2, ?3)"));
  ASSAY_TRY(SqliteStatement tell, database.Prepare("INSERT OR REPLACE INTO keyed(rowid, up_to, times_made) "
                                                   "VALUES(1, ?1, ?2)"));
  std::vector<std::pair<std::uint64_t, Place>> all(behind_.begin(), behind_.end());
  std::sort(all.begin(), all.end(),
            [](const auto& a, const auto& b) { return std::memcmp(&a.first, &b.first, kStartBytes) < 0; });
  for (const auto& [start, place] : all) {
    insert.BindBlob(1, StartBytes(start)).Bind(2, place.epoch).Bind(3, static_cast<std::int64_t>(place.id));
    ASSAY_CHECK_OK(insert.Run());
  }
  tell.Bind(1, static_cast<std::int64_t>(*seen_)).Bind(2, times_made_);
  ASSAY_CHECK_OK(tell.Run());
  keyed_up_to_ = *seen_;
  behind_.clear();
  return Ok();
}

void ExchangeKeys::Forget() {
  behind_.clear();
  seen_.reset();
}

Status MakeExchangeKeys(SqliteDatabase& database) {
  return database.Execute(
      "DELETE FROM exchange_key;"
      "INSERT INTO exchange_key SELECT substr(key, 1, 8), epoch, id FROM exchange WHERE reusable = 1 "
      "ORDER BY 1, 2, 3;"
      "INSERT OR REPLACE INTO keyed(rowid, up_to, times_made) SELECT 1, (SELECT coalesce(max(id), 0) FROM "
      "exchange), (SELECT coalesce(max(times_made), 0) + 1 FROM keyed)");
}

}  // namespace assay
