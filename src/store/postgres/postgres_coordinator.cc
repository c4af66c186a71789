// Seats, ranges and claims as rows of a PostgreSQL store; all times are the server's.
#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "store/column_fields.h"
#include "store/coordinator.h"
#include "store/postgres/postgres_store.h"

namespace assay {

namespace {

// Seats that were not heard of for too long have ended; nobody keeps what one that has ended held.
constexpr std::string_view kEndDead =
    "UPDATE seat SET ended_at = clock_timestamp() WHERE run = ?1 AND ended_at IS NULL AND beat_at < "
    "clock_timestamp() - ?2 * interval '1 ms'";
constexpr std::string_view kFreeRanges =
    "UPDATE range SET seat = NULL WHERE run = ?1 AND is_done = 0 AND seat IN (SELECT number FROM seat WHERE "
    "run = ?1 AND ended_at IS NOT NULL)";
constexpr std::string_view kFreeClaims =
    "DELETE FROM claim WHERE seat IN (SELECT number FROM seat WHERE run = ?1 AND ended_at IS NOT NULL)";

constexpr const char* kHoldAllRuns = "SELECT pg_advisory_xact_lock(1095980889, 3)";

std::int64_t MsOf(std::chrono::milliseconds time) { return time.count(); }

class PgCoordinator final : public Coordinator {
 public:
  explicit PgCoordinator(PostgresStore& store) : store_(store), database_(store.database()) {}

  Result<SeatId> Sit(const SeatRequest& request) override {
    ASSAY_CHECK_OK(store_.InTransaction([&] { return TakeSeat(request); }));
    return seat_;
  }

  Result<bool> Beat(const SeatNews& news) override {
    bool lives = false;
    ASSAY_CHECK_OK(store_.InTransaction([&]() -> Status {
      ASSAY_TRY(
          PgStatement beat,
          database_.Prepare("UPDATE seat SET beat_at = clock_timestamp(), cells_done = ?2, in_flight = ?3 "
                            "WHERE number = ?1 AND ended_at IS NULL RETURNING 1"));
      beat.Bind(1, seat_)
          .Bind(2, static_cast<std::int64_t>(news.cells_done))
          .Bind(3, static_cast<std::int64_t>(news.in_flight));
      ASSAY_TRY(lives, beat.Step());
      ASSAY_TRY(PgStatement sittings,
                database_.Prepare("UPDATE sitting SET beat_at = clock_timestamp() WHERE seat = ?1"));
      sittings.Bind(1, seat_);
      return sittings.Run();
    }));
    if (lives) ASSAY_CHECK_OK(store_.InTransaction([&] { return FreeOfDead(); }));
    return lives;
  }

  Result<RangesClaimed> ClaimRanges(std::size_t most) override {
    RangesClaimed claimed;
    ASSAY_CHECK_OK(store_.InTransaction([&]() -> Status {
      claimed = {};
      ASSAY_TRY(PgStatement take,
                database_.Prepare(
                    "UPDATE range SET seat = ?2 WHERE (run, number) IN (SELECT run, number FROM range "
                    "WHERE run = ?1 AND seat IS NULL AND is_done = 0 AND EXISTS (SELECT 1 FROM seat "
                    "WHERE seat.number = ?2 AND ended_at IS NULL) ORDER BY number LIMIT ?3 FOR "
                    "UPDATE SKIP LOCKED) RETURNING number, first, last"));
      take.Bind(1, run_).Bind(2, seat_).Bind(3, static_cast<std::int64_t>(most));
      while (true) {
        ASSAY_TRY(const bool row, take.Step());
        if (!row) break;
        claimed.ranges.push_back(
            {.number = take.Int(0),
             .cells = {static_cast<CellIndex>(take.Int(1)), static_cast<CellIndex>(take.Int(2))}});
      }
      if (!claimed.ranges.empty()) return Ok();
      ASSAY_CHECK_OK(FreeOfDead());
      ASSAY_TRY(
          PgStatement left,
          database_.Prepare("SELECT count(*) FROM range WHERE run = ?1 AND is_done = 0 AND seat IS DISTINCT "
                            "FROM ?2"));
      left.Bind(1, run_).Bind(2, seat_);
      ASSAY_TRY([[maybe_unused]] const bool row, left.Step());
      claimed.is_end = left.Int(0) == 0;
      return Ok();
    }));
    std::sort(claimed.ranges.begin(), claimed.ranges.end(),
              [](const SeatRange& a, const SeatRange& b) { return a.number < b.number; });
    return claimed;
  }

  Status FinishRanges(std::span<const std::int64_t> numbers) override {
    PgArray finished;
    for (const std::int64_t number : numbers) finished.Add(number);
    return store_.InTransaction([&]() -> Status {
      ASSAY_TRY(PgStatement finish,
                database_.Prepare(
                    "UPDATE range SET is_done = 1 WHERE run = ?1 AND seat = ?2 AND number = ANY(?3)"));
      finish.Bind(1, run_).Bind(2, seat_).Bind(3, finished);
      return finish.Run();
    });
  }

  Status Leave() override {
    return store_.InTransaction([&]() -> Status {
      ASSAY_TRY(PgStatement end,
                database_.Prepare("UPDATE seat SET ended_at = clock_timestamp() WHERE number = ?1 "
                                  "AND ended_at IS NULL"));
      end.Bind(1, seat_);
      ASSAY_CHECK_OK(end.Run());
      return FreeOfDead();
    });
  }

 private:
  Status Do(std::string_view sql, std::optional<std::int64_t> second = {}) {
    ASSAY_TRY(PgStatement statement, database_.Prepare(sql));
    statement.Bind(1, run_);
    if (second) statement.Bind(2, *second);
    return statement.Run();
  }

  Status FreeOfDead() {
    ASSAY_CHECK_OK(Do(kEndDead, MsOf(kDeadAfter)));
    ASSAY_CHECK_OK(Do(kFreeRanges));
    return Do(kFreeClaims);
  }

  // The run's row is locked: seats are taken one after the other.
  Status TakeSeat(const SeatRequest& request) {
    {
      ASSAY_TRY(PgStatement run, database_.Prepare("SELECT number FROM run WHERE id = ?1 FOR UPDATE"));
      run.Bind(1, std::string_view(request.run_id));
      ASSAY_TRY(const bool is_there, run.Step());
      if (!is_there)
        return Error{ErrorCode::kNotFound, fmt::format("the store has no run {}", request.run_id)};
      run_ = run.Int(0);
    }
    if (request.shard) {
      ASSAY_CHECK_OK(
          Do("UPDATE seat SET ended_at = clock_timestamp() WHERE run = ?1 AND shard = ?2 AND ended_at "
             "IS NULL",
             *request.shard));
    }
    ASSAY_CHECK_OK(FreeOfDead());
    ASSAY_TRY(const RunWork others, WorkOnRun(store_, request.run_id));
    for (const SeatRow& other : others.living) {
      if (request.shard && other.shard) continue;
      return Error{ErrorCode::kRefused,
                   fmt::format("run {} is worked on: {}", request.run_id, SeatsText(others))};
    }
    if (request.shard && others.living.empty()) ASSAY_CHECK_OK(OpenRanges(request));
    ASSAY_TRY(
        PgStatement insert,
        database_.Prepare("INSERT INTO seat(run, shard, host, process, task) VALUES(?1, ?2, ?3, ?4, ?5) "
                          "RETURNING number"));
    insert.Bind(1, run_).Bind(3, std::string_view(request.host)).Bind(4, request.process);
    insert.Bind(5, std::string_view(request.task));
    if (request.shard) {
      insert.Bind(2, *request.shard);
    } else {
      insert.BindNull(2);
    }
    ASSAY_TRY([[maybe_unused]] const bool row, insert.Step());
    seat_ = insert.Int(0);
    return Ok();
  }

  // Those of a run that was cut otherwise stay: cells of theirs are done.
  Status OpenRanges(const SeatRequest& request) {
    ASSAY_CHECK_OK(Do("UPDATE range SET seat = NULL, is_done = 0 WHERE run = ?1"));
    PgArrays columns;
    for (const SeatRange& range : RangesOf(request.cells, request.cells_per_case, request.shards)) {
      columns.Bind(1, range.number)
          .Bind(2, static_cast<std::int64_t>(range.cells.first))
          .Bind(3, static_cast<std::int64_t>(range.cells.last));
    }
    ASSAY_TRY(
        PgStatement insert,
        database_.Prepare("INSERT INTO range(run, number, first, last) SELECT ?1, new.* FROM unnest(?2, ?3, "
                          "?4) AS new WHERE NOT EXISTS (SELECT 1 FROM range WHERE run = ?1)"));
    insert.Bind(1, run_);
    for (int i = 1; i <= 3; ++i) insert.Bind(i + 1, columns.Of(i));
    return insert.Run();
  }

  PostgresStore& store_;
  PgDatabase& database_;
  std::int64_t run_ = 0;
  SeatId seat_ = 0;
};

class PgCallClaims final : public CallClaims {
 public:
  PgCallClaims(PostgresStore& store, SeatId seat) : store_(store), seat_(seat) {}

  Result<std::vector<bool>> Claim(std::span<const Digest> keys, std::uint32_t epoch) override {
    std::set<Digest> granted;
    ASSAY_CHECK_OK(store_.InTransaction([&]() -> Status {
      granted.clear();
      ASSAY_TRY(
          PgStatement take,
          store_.database().Prepare(
              "INSERT INTO claim SELECT key, ?2, ?3 FROM unnest(?1) AS key ON CONFLICT (key, epoch) DO "
              "UPDATE "
              "SET seat = excluded.seat WHERE claim.seat = excluded.seat OR NOT EXISTS (SELECT 1 FROM seat "
              "WHERE number = claim.seat AND ended_at IS NULL) RETURNING key"));
      take.Bind(1, Sorted(keys)).Bind(2, std::int64_t{epoch}).Bind(3, seat_);
      while (true) {
        ASSAY_TRY(const bool row, take.Step());
        if (!row) return Ok();
        Digest key;
        if (DigestBytes{key}.Read(take, 0)) granted.insert(key);
      }
    }));
    std::vector<bool> mine(keys.size());
    for (std::size_t i = 0; i < keys.size(); ++i) mine[i] = granted.contains(keys[i]);
    return mine;
  }

  Status Free(std::span<const Digest> keys, std::uint32_t epoch) override {
    return store_.InTransaction([&] { return store_.FreeClaims(Sorted(keys), epoch, seat_); });
  }

 private:
  // In one order for everybody, so that nobody waits in a ring.
  static PgArray Sorted(std::span<const Digest> keys) {
    const std::set<Digest> ordered(keys.begin(), keys.end());
    PgArray array;
    for (const Digest& key : ordered) array.AddBytes(BytesOf(key));
    return array;
  }

  PostgresStore& store_;
  SeatId seat_;
};

// A transaction that does nothing but hold a lock.
class PgRunsHeld final : public RunsHeld {
 public:
  explicit PgRunsHeld(PgDatabase& database) : database_(database) {}
  PgRunsHeld(const PgRunsHeld&) = delete;
  PgRunsHeld& operator=(const PgRunsHeld&) = delete;
  // Nothing was written: there is nothing that a failure could lose.
  ~PgRunsHeld() override { static_cast<void>(database_.Execute("COMMIT").has_value()); }

 private:
  PgDatabase& database_;
};

}  // namespace

Status PostgresStore::FreeClaims(const PgArray& keys, std::uint32_t epoch, SeatId seat) {
  ASSAY_TRY(PgStatement free,
            database_.Prepare("DELETE FROM claim WHERE key = ANY(?1) AND epoch = ?2 AND seat = ?3"));
  free.Bind(1, keys).Bind(2, std::int64_t{epoch}).Bind(3, seat);
  return free.Run();
}

std::unique_ptr<Coordinator> CoordinatorOf(Store& store) {
  auto* postgres = dynamic_cast<PostgresStore*>(&store);
  if (postgres == nullptr) return nullptr;
  return std::make_unique<PgCoordinator>(*postgres);
}

std::unique_ptr<CallClaims> CallClaimsOf(Store& store, SeatId seat) {
  auto* postgres = dynamic_cast<PostgresStore*>(&store);
  if (postgres == nullptr) return nullptr;
  postgres->SitAs(seat);
  return std::make_unique<PgCallClaims>(*postgres, seat);
}

Result<std::unique_ptr<RunsHeld>> HoldRuns(Store& store) {
  auto* postgres = dynamic_cast<PostgresStore*>(&store);
  if (postgres == nullptr) return std::unique_ptr<RunsHeld>();
  ASSAY_CHECK_OK(postgres->database().Execute("BEGIN"));
  auto held = std::make_unique<PgRunsHeld>(postgres->database());
  ASSAY_CHECK_OK(postgres->database().Execute(kHoldAllRuns));
  return std::unique_ptr<RunsHeld>(std::move(held));
}

Result<RunWork> WorkOnRun(Store& store, const std::string& run_id) {
  RunWork work;
  auto* postgres = dynamic_cast<PostgresStore*>(&store);
  if (postgres == nullptr) return work;
  PgDatabase& database = postgres->database();
  ASSAY_TRY(
      PgStatement seats,
      database.Prepare(
          "SELECT seat.number, shard, host, process, task, (extract(epoch FROM began_at) * 1000)::bigint, "
          "(extract(epoch FROM clock_timestamp() - beat_at) * 1000)::bigint, cells_done, in_flight, (SELECT "
          "coalesce(sum(requests_sent), 0)::bigint FROM sitting WHERE sitting.seat = seat.number), (SELECT "
          "count(*) FROM range WHERE range.run = seat.run AND range.seat = seat.number AND is_done = 0) FROM "
          "seat JOIN run ON run.number = seat.run WHERE run.id = ?1 AND ended_at IS NULL AND beat_at >= "
          "clock_timestamp() - ?2 * interval '1 ms' ORDER BY shard, seat.number"));
  seats.Bind(1, std::string_view(run_id)).Bind(2, MsOf(kDeadAfter));
  while (true) {
    ASSAY_TRY(const bool row, seats.Step());
    if (!row) break;
    SeatRow& seat = work.living.emplace_back();
    seat.id = seats.Int(0);
    if (!seats.IsNull(1)) seat.shard = seats.Int(1);
    seat.host = seats.Text(2);
    seat.process = seats.Int(3);
    seat.task = seats.Text(4);
    seat.began_ms = seats.Int(5);
    seat.beat_age_ms = seats.Int(6);
    seat.news = {.cells_done = static_cast<std::uint64_t>(seats.Int(7)),
                 .in_flight = static_cast<std::uint64_t>(seats.Int(8))};
    seat.requests_sent = static_cast<std::uint64_t>(seats.Int(9));
    seat.ranges_held = seats.Int(10);
  }
  ASSAY_TRY(
      PgStatement ranges,
      database.Prepare("SELECT count(*) FILTER (WHERE is_done = 0 AND range.seat IS NULL), count(*) FILTER "
                       "(WHERE is_done = 0 AND range.seat IS NOT NULL), count(*) FILTER (WHERE is_done = 1) "
                       "FROM range JOIN run ON run.number = range.run WHERE run.id = ?1"));
  ranges.Bind(1, std::string_view(run_id));
  ASSAY_TRY([[maybe_unused]] const bool row, ranges.Step());
  work.ranges = {.open = ranges.Int(0), .held = ranges.Int(1), .done = ranges.Int(2)};
  return work;
}

}  // namespace assay
