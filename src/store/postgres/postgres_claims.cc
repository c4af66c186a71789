// Claims of calls, as rows of a PostgreSQL store: which seat asks what several may need, of whatever run.
#include <fmt/core.h>

#include <set>

#include "store/column_fields.h"
#include "store/coordinator.h"
#include "store/postgres/postgres_store.h"
#include "store/postgres/repeating.h"

namespace assay {

namespace {

// A claim holds while its seat is heard of, whichever run it belongs to: processes of one run give away what
// its dead held, and nobody does so for a run whose last process was killed. A seat that was given away keeps
// the calls that it has under way until its process leaves: they are paid for, and their answers are kept.
std::string TakeClaims() {
  return fmt::format(
      "INSERT INTO claim SELECT key, ?2, ?3 FROM unnest(?1) AS key WHERE EXISTS (SELECT 1 FROM seat WHERE "
      "number = ?3 AND ended_at IS NULL) ON CONFLICT (key, epoch) DO UPDATE SET seat = excluded.seat WHERE "
      "claim.seat = excluded.seat OR NOT EXISTS (SELECT 1 FROM seat WHERE number = claim.seat AND {}) "
      "RETURNING key",
      IsHeardOf());
}

constexpr std::string_view kHolders =
    "SELECT run.id, shard, host, process, task, (extract(epoch FROM clock_timestamp() - beat_at) * "
    "1000)::bigint, count(*) FROM claim JOIN seat ON seat.number = claim.seat JOIN run ON run.number = "
    "seat.run WHERE claim.key = ANY(?1) AND claim.epoch = ?2 GROUP BY seat.number, run.id ORDER BY count(*) "
    "DESC, "
    "seat.number";

// In one order for everybody, so that nobody waits in a ring.
PgArray InOrder(std::span<const Digest> keys) {
  const std::set<Digest> ordered(keys.begin(), keys.end());
  PgArray array;
  for (const Digest& key : ordered) array.AddBytes(BytesOf(key));
  array.SetBytes();
  return array;
}

class PgCallClaims final : public CallClaims {
 public:
  explicit PgCallClaims(PostgresStore& store) : store_(store) {}

  Result<std::vector<bool>> Claim(std::span<const Digest> keys, std::uint32_t epoch) override {
    ASSAY_TRY(const std::set<Digest> granted, store_.Claim(keys, epoch));
    std::vector<bool> mine(keys.size());
    for (std::size_t i = 0; i < keys.size(); ++i) mine[i] = granted.contains(keys[i]);
    return mine;
  }
  Status Free(std::span<const Digest> keys, std::uint32_t epoch) override {
    return store_.FreeClaims(keys, epoch);
  }
  Result<std::vector<ClaimHolder>> HoldersOf(std::span<const Digest> keys, std::uint32_t epoch) override {
    return store_.HoldersOf(keys, epoch);
  }

 private:
  PostgresStore& store_;
};

}  // namespace

std::string IsHeardOf() {
  return fmt::format(
      "(ended_at IS NULL OR left_at IS NULL) AND beat_at BETWEEN clock_timestamp() - interval '{0} s' AND "
      "clock_timestamp() + "
      "interval '{0} s'",
      kDeadAfter.count());
}

Result<std::set<Digest>> PostgresStore::Claim(std::span<const Digest> keys, std::uint32_t epoch) {
  return Repeating([&]() -> Result<std::set<Digest>> {
    std::set<Digest> granted;
    ASSAY_TRY(PgStatement take, database_.Prepare(TakeClaims()));
    take.Bind(1, InOrder(keys)).Bind(2, std::int64_t{epoch}).Bind(3, *seat_);
    while (true) {
      ASSAY_TRY(const bool row, take.Step());
      if (!row) return granted;
      Digest key;
      if (!DigestBytes{key}.Read(take, 0)) continue;
      granted.insert(key);
      claimed_.emplace(key, epoch);
    }
  });
}

Status PostgresStore::FreeClaims(std::span<const Digest> keys, std::uint32_t epoch) {
  for (const Digest& key : keys) claimed_.erase({key, epoch});
  return Repeating([&]() -> Status {
    ASSAY_TRY(PgStatement free,
              database_.Prepare("DELETE FROM claim WHERE key = ANY(?1) AND epoch = ?2 AND seat = ?3"));
    free.Bind(1, InOrder(keys)).Bind(2, std::int64_t{epoch}).Bind(3, *seat_);
    return free.Run();
  });
}

// What was claimed and freed leaves index pages behind, which only emptying the table gives back. Whoever may
// not, or would have to wait, leaves it to the next one.
void PostgresStore::EmptyClaims() {
  const auto number = [this](const char* query) -> std::int64_t {
    const Result<std::int64_t> found = NumberOf(query);
    return found ? *found : 0;
  };
  constexpr std::int64_t kBytesKept = std::int64_t{1} << 20;
  if (database_.IsInTransaction() || number("SELECT has_table_privilege('claim', 'TRUNCATE')::int") == 0 ||
      number("SELECT pg_total_relation_size('claim')") < kBytesKept)
    return;
  Status emptied = database_.Execute("BEGIN; LOCK TABLE claim IN ACCESS EXCLUSIVE MODE NOWAIT");
  if (emptied && number("SELECT (NOT EXISTS (SELECT 1 FROM claim))::int") != 0)
    emptied = database_.Execute("TRUNCATE claim");
  static_cast<void>(database_.Execute(emptied ? "COMMIT" : "ROLLBACK").has_value());
}

Status PostgresStore::ClaimAgain() {
  std::map<std::uint32_t, std::vector<Digest>> by_epoch;
  for (const auto& [key, epoch] : claimed_) by_epoch[epoch].push_back(key);
  for (const auto& [epoch, keys] : by_epoch) {
    ASSAY_TRY(PgStatement take, database_.Prepare(TakeClaims()));
    take.Bind(1, InOrder(keys)).Bind(2, std::int64_t{epoch}).Bind(3, *seat_);
    ASSAY_CHECK_OK(take.Run());
  }
  return Ok();
}

Result<std::vector<ClaimHolder>> PostgresStore::HoldersOf(std::span<const Digest> keys, std::uint32_t epoch) {
  return Repeating([&]() -> Result<std::vector<ClaimHolder>> {
    std::vector<ClaimHolder> holders;
    ASSAY_TRY(PgStatement select, database_.Prepare(kHolders));
    select.Bind(1, InOrder(keys)).Bind(2, std::int64_t{epoch});
    while (true) {
      ASSAY_TRY(const bool row, select.Step());
      if (!row) return holders;
      ClaimHolder& holder = holders.emplace_back();
      holder.run_id = select.Text(0);
      if (!select.IsNull(1)) holder.seat.shard = select.Int(1);
      holder.seat.host = select.Text(2);
      holder.seat.process = select.Int(3);
      holder.seat.task = select.Text(4);
      holder.seat.beat_age_ms = select.Int(5);
      holder.calls = select.Int(6);
    }
  });
}

std::unique_ptr<CallClaims> CallClaimsOf(Store& store, SeatId seat) {
  auto* postgres = dynamic_cast<PostgresStore*>(&store);
  if (postgres == nullptr) return nullptr;
  postgres->SitAs(seat);
  return std::make_unique<PgCallClaims>(*postgres);
}

}  // namespace assay
