// PostgresStore: readings, finding and reading exchanges, epochs, open batches, blobs.
#include <fmt/core.h>

#include <algorithm>
#include <unordered_map>

#include "base/hash.h"
#include "store/column_fields.h"
#include "store/packed/packed_request.h"
#include "store/postgres/postgres_store.h"
#include "store/postgres/repeating.h"
#include "store/sqlite/schema.h"
#include "store/stored_rows.h"

namespace assay {

namespace {

constexpr std::size_t kIdsAtOnce = 1'024;

// Ends with its scope; null: it is part of another one. `within`: how many are not over.
class PgReading final : public StoreReading {
 public:
  PgReading(PgDatabase* database, int& within) : database_(database), within_(within) { ++within_; }
  PgReading(const PgReading&) = delete;
  PgReading& operator=(const PgReading&) = delete;
  ~PgReading() override {
    --within_;
    // Nothing was written: there is nothing that a failure could lose.
    if (database_ != nullptr) static_cast<void>(database_->Execute("COMMIT").has_value());
  }

 private:
  PgDatabase* database_;
  int& within_;
};

}  // namespace

Result<std::unique_ptr<StoreReading>> PostgresStore::BeginReading() {
  const bool is_part = IsWithin();
  if (!is_part) {
    run_rows_.clear();
    aheads_.clear();
    may_read_ahead_ = true;
    outcomes_.Clear();
    ASSAY_CHECK_OK(Repeating([this] {
      return database_.Execute(
          "BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY; SET LOCAL jit = off");
    }));
  }
  return std::unique_ptr<StoreReading>(std::make_unique<PgReading>(is_part ? nullptr : &database_, within_));
}

Result<std::vector<std::optional<Exchange>>> PostgresStore::Find(std::span<const Digest> keys,
                                                                 EpochRange epochs) {
  using Found = Result<std::vector<std::optional<Exchange>>>;
  return Repeating([&]() -> Found {
    std::vector<std::optional<Exchange>> found(keys.size());
    std::multimap<Digest, std::size_t> places;
    PgArray wanted;
    for (std::size_t i = 0; i < keys.size(); ++i) {
      places.emplace(keys[i], i);
      wanted.AddBytes(BytesOf(keys[i]));
    }
    ASSAY_TRY(PgStatement select,
              database_.Prepare(fmt::format(
                  "SELECT DISTINCT ON (key) {} FROM exchange WHERE key = ANY(?1) AND reusable = 1 AND epoch "
                  "BETWEEN ?2 AND ?3 ORDER BY key, epoch DESC",
                  ExchangeColumns())));
    select.Bind(1, wanted).Bind(2, std::int64_t{epochs.first}).Bind(3, std::int64_t{epochs.last});
    while (true) {
      ASSAY_TRY(const bool row, select.Step());
      if (!row) return found;
      ASSAY_TRY(const Exchange exchange, ReadExchange(select));
      const auto [first, last] = places.equal_range(exchange.key);
      for (auto place = first; place != last; ++place) found[place->second] = exchange;
    }
  });
}

Result<std::vector<Exchange>> PostgresStore::Get(std::span<const ExchangeId> ids) {
  return Repeating([&]() -> Result<std::vector<Exchange>> {
    std::vector<Exchange> all(ids.size());
    std::unordered_multimap<ExchangeId, std::size_t> places;
    for (std::size_t i = 0; i < ids.size(); ++i) places.emplace(ids[i], i);
    for (std::size_t at = 0; at < ids.size(); at += kIdsAtOnce) {
      const auto some = ids.subspan(at, std::min(kIdsAtOnce, ids.size() - at));
      ASSAY_TRY(PgStatement select, database_.Prepare(fmt::format(
                                        "SELECT {} FROM exchange WHERE id = ANY(?1)", ExchangeColumns())));
      select.Bind(1, some);
      while (true) {
        ASSAY_TRY(const bool row, select.Step());
        if (!row) break;
        ASSAY_TRY(const Exchange exchange, ReadExchange(select));
        const auto [first, last] = places.equal_range(exchange.id);
        for (auto place = first; place != last; ++place) all[place->second] = exchange;
      }
    }
    for (std::size_t i = 0; i < ids.size(); ++i) {
      if (all[i].id != ids[i] || ids[i] == 0)
        return Error{ErrorCode::kCorrupt, fmt::format("the store has no exchange {}", ids[i])};
    }
    return all;
  });
}

// How long they are is asked first: what a server sends comes as a whole.
Result<std::vector<SizedExchange>> PostgresStore::GetSome(std::span<const ExchangeId> ids,
                                                          std::size_t bytes_max) {
  ids = ids.first(std::min(ids.size(), kIdsAtOnce));
  std::vector<std::size_t> sizes;
  ASSAY_CHECK_OK(Repeating([&]() -> Status {
    sizes.clear();
    ASSAY_TRY(PgStatement select,
              database_.Prepare("SELECT octet_length(reply) FROM unnest(?1) WITH ORDINALITY AS asked(wanted, "
                                "place) LEFT JOIN exchange ON id = wanted ORDER BY place"));
    select.Bind(1, ids);
    while (true) {
      ASSAY_TRY(const bool row, select.Step());
      if (!row) return Ok();
      sizes.push_back(select.IsNull(0) ? 0 : static_cast<std::size_t>(select.Int(0)));
    }
  }));
  sizes.resize(ids.size());
  std::size_t count = 0;
  for (std::size_t bytes = 0; count < ids.size(); ++count) {
    bytes += sizes[count];
    if (bytes > bytes_max && count > 0) break;
  }
  ASSAY_TRY(std::vector<Exchange> all, Get(ids.first(count)));
  std::vector<SizedExchange> some;
  for (std::size_t i = 0; i < count; ++i) some.push_back({std::move(all[i]), sizes[i]});
  return some;
}

Result<std::string> PostgresStore::RequestOf(ExchangeId id) {
  ASSAY_TRY(PgStatement request, database_.Prepare("SELECT request FROM exchange WHERE id = ?1"));
  request.Bind(1, static_cast<std::int64_t>(id));
  ASSAY_TRY(const bool row, request.Step());
  if (!row) return Error{ErrorCode::kCorrupt, fmt::format("the store has no exchange {}", id)};
  return UnpackRequest(request.Text(0));
}

Result<std::vector<StoredUsage>> PostgresStore::RecentUsage(std::size_t count) {
  ASSAY_TRY(
      PgStatement select,
      database_.Prepare(fmt::format(
          "SELECT {} FROM (SELECT * FROM exchange ORDER BY id DESC LIMIT ?1) AS newest WHERE error_code "
          "IS NULL AND input_tokens IS NOT NULL ORDER BY id DESC",
          UsageColumns())));
  select.Bind(1, static_cast<std::int64_t>(count));
  return ReadRecentUsage(select);
}

Status PostgresStore::VisitUsageOf(std::span<const ExchangeId> ids, const UsageVisitor& visit) {
  for (std::size_t at = 0; at < ids.size(); at += kIdsAtOnce) {
    ASSAY_TRY(PgStatement select,
              database_.Prepare(
                  fmt::format("SELECT {} FROM unnest(?1) WITH ORDINALITY AS asked(wanted, place) JOIN "
                              "exchange ON id = wanted WHERE {} ORDER BY place",
                              UsageColumns(), kPaidCondition)));
    select.Bind(1, ids.subspan(at, std::min(kIdsAtOnce, ids.size() - at)));
    while (true) {
      ASSAY_TRY(const bool row, select.Step());
      if (!row) break;
      ASSAY_TRY(const StoredUsage used, ReadUsage(select));
      visit(used);
    }
  }
  return Ok();
}

Result<std::int64_t> PostgresStore::NumberOf(std::string_view query) {
  ASSAY_TRY(PgStatement select, database_.Prepare(query));
  ASSAY_TRY(const bool row, select.Step());
  return row ? select.Int(0) : std::int64_t{0};
}

Result<std::uint32_t> PostgresStore::NewestEpoch() {
  ASSAY_TRY(const std::int64_t newest,
            NumberOf("SELECT greatest((SELECT coalesce(max(epoch), 0) FROM run), coalesce((SELECT epoch FROM "
                     "exchange ORDER BY id DESC LIMIT 1), 0))"));
  return ReadEpoch(newest);
}

Result<std::uint32_t> PostgresStore::NewEpoch() {
  ASSAY_TRY(const std::uint32_t newest, NewestEpoch());
  return newest + 1;
}

Status PostgresStore::SetAside(std::span<const ExchangeId> ids) {
  if (ids.empty()) return Ok();
  ASSAY_TRY(PgStatement update,
            database_.Prepare("UPDATE exchange SET reusable = 0 WHERE id = ANY(?1) AND reusable = 1"));
  update.Bind(1, ids);
  return update.Run();
}

Result<StoreEnds> PostgresStore::Ends() {
  ASSAY_TRY(const std::int64_t exchange, NumberOf("SELECT coalesce(max(id), 0) FROM exchange"));
  ASSAY_TRY(const std::int64_t run, NumberOf("SELECT coalesce(max(number), 0) FROM run"));
  return StoreEnds{.exchange = exchange, .run = run};
}

Result<std::vector<BatchRecord>> PostgresStore::Batches() {
  std::vector<BatchRecord> batches;
  ASSAY_TRY(PgStatement select,
            database_.Prepare(fmt::format("SELECT {} FROM batch ORDER BY number", BatchColumns())));
  while (true) {
    ASSAY_TRY(const bool row, select.Step());
    if (!row) return batches;
    ASSAY_TRY(BatchRecord batch, ReadBatch(select));
    batches.push_back(std::move(batch));
  }
}

Status PostgresStore::SaveBatch(BatchRecord& batch) {
  if (batch.number == 0) {
    ASSAY_TRY(batch.number, NumberOf("SELECT nextval(pg_get_serial_sequence('batch', 'number'))"));
  }
  return InTransaction([&]() -> Status {
    ASSAY_CHECK_OK(RemoveBatch(batch.number));
    ASSAY_TRY(PgStatement save, database_.Prepare("INSERT " + IntoBatchSql()));
    std::string keys;
    for (const Digest& key : batch.keys) keys += BytesOf(key);
    BindBatch(batch, keys, save);
    return save.Run();
  });
}

Status PostgresStore::RemoveBatch(std::int64_t number) {
  ASSAY_TRY(PgStatement remove, database_.Prepare("DELETE FROM batch WHERE number = ?1"));
  remove.Bind(1, number);
  return remove.Run();
}

Status PostgresStore::WriteMedia(const Exchange& exchange) {
  for (const MediaPart& part : exchange.media) {
    const std::optional<std::string> digest = DigestOfHex(part.sha256);
    if (!digest || !HasBytes(part)) continue;
    ASSAY_TRY(PgStatement insert,
              database_.Prepare("INSERT INTO blob VALUES(?1, ?2, ?3) ON CONFLICT DO NOTHING"));
    insert.BindBlob(1, *digest).Bind(2, std::string_view(part.type)).BindBlob(3, part.blob->bytes);
    ASSAY_CHECK_OK(insert.Run());
    ASSAY_TRY(PgStatement use,
              database_.Prepare("INSERT INTO blob_use VALUES(?1, ?2) ON CONFLICT DO NOTHING"));
    use.BindBlob(1, *digest).Bind(2, static_cast<std::int64_t>(exchange.id));
    ASSAY_CHECK_OK(use.Run());
  }
  return Ok();
}

Status PostgresStore::Complete(std::span<Exchange> exchanges) {
  CompletedBytes bytes(exchanges.size());
  std::map<ExchangeId, Exchange*> by_id;
  std::vector<ExchangeId> ids;
  for (Exchange& exchange : exchanges) {
    by_id[exchange.id] = &exchange;
    ids.push_back(exchange.id);
    exchange.media.clear();
  }
  ASSAY_TRY(PgStatement rest, database_.Prepare("SELECT id, request, raw FROM exchange WHERE id = ANY(?1)"));
  rest.Bind(1, ids);
  while (true) {
    ASSAY_TRY(const bool row, rest.Step());
    if (!row) break;
    const auto found = by_id.find(static_cast<ExchangeId>(rest.Int(0)));
    if (found == by_id.end()) continue;  // nobody asked for it
    ASSAY_TRY(found->second->request, UnpackRequest(rest.Text(1)));
    found->second->raw = rest.Text(2);
    ASSAY_CHECK_OK(bytes.Add(found->second->request.size() + found->second->raw.size()));
  }
  ASSAY_TRY(PgStatement uses,
            database_.Prepare("SELECT exchange, encode(sha256, 'hex'), type FROM blob_use JOIN blob "
                              "USING (sha256) WHERE exchange = ANY(?1)"));
  uses.Bind(1, ids);
  while (true) {
    ASSAY_TRY(const bool row, uses.Step());
    if (!row) break;
    const auto found = by_id.find(static_cast<ExchangeId>(uses.Int(0)));
    if (found == by_id.end()) continue;
    MediaPart& part = found->second->media.emplace_back();
    ASSAY_TRY(part.type, ReadName(NameKind::kMediaType, uses.Text(2)));
    part.sha256 = uses.Text(1);
  }
  for (Exchange& exchange : exchanges) {
    for (MediaPart& part : exchange.media) {
      ASSAY_TRY(part.blob, BlobOf(part.sha256));
      if (part.blob) ASSAY_CHECK_OK(bytes.Add(part.blob->bytes.size()));
    }
  }
  return Ok();
}

Result<std::shared_ptr<const Blob>> PostgresStore::BlobOf(std::string_view sha256) {
  return SelectBlob(database_, sha256);
}

}  // namespace assay
