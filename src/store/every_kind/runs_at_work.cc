// Who works on what, and who left what undone: asks a server for its seats, and a file for its lock and its
// newest sitting.
#include <fmt/core.h>

#include "store/coordinator.h"
#include "store/postgres/pg_schema.h"
#include "store/postgres/postgres_store.h"
#include "store/sqlite/sqlite_store.h"
#include "store/stored_rows.h"

namespace assay {

namespace {

Result<std::vector<std::string>> RunsWithSeats(PgDatabase& database) {
  ASSAY_TRY(PgStatement seats,
            database.Prepare("SELECT DISTINCT run.id FROM seat JOIN run ON run.number = seat.run WHERE "
                             "ended_at IS NULL AND beat_at >= clock_timestamp() - ?1 * interval '1 ms'"));
  seats.Bind(1, std::int64_t{std::chrono::milliseconds(kDeadAfter).count()});
  std::vector<std::string> runs;
  while (true) {
    ASSAY_TRY(const bool row, seats.Step());
    if (!row) return runs;
    ASSAY_TRY(runs.emplace_back(), ReadName(NameKind::kRun, seats.Text(0)));
  }
}

}  // namespace

Result<std::vector<std::string>> RunsAtWork(Store& store, const std::string& location) {
  if (auto* postgres = dynamic_cast<PostgresStore*>(&store)) return RunsWithSeats(postgres->database());
  auto* sqlite = dynamic_cast<SqliteStore*>(&store);
  std::vector<std::string> runs;
  if (sqlite == nullptr || !WriterLock::IsTaken(location)) return runs;
  ASSAY_TRY(std::optional<std::string> run, sqlite->RunOfNewestSitting());
  if (run) runs.push_back(*std::move(run));
  return runs;
}

Result<RunLeft> LeftOfRun(Store& store, const std::string& run_id) {
  RunLeft left;
  auto* postgres = dynamic_cast<PostgresStore*>(&store);
  if (postgres == nullptr) return left;
  ASSAY_TRY(
      PgStatement ranges,
      postgres->database().Prepare(
          "SELECT coalesce(sum(last - first) FILTER (WHERE is_done = 0), 0)::bigint, count(*) FILTER (WHERE "
          "is_done = 0), count(*), (SELECT coalesce(max(shards), 0) FROM terms JOIN run ON run.number = "
          "terms.run WHERE run.id = ?1) FROM range JOIN run ON run.number = range.run WHERE run.id = ?1"));
  ranges.Bind(1, std::string_view(run_id));
  ASSAY_TRY([[maybe_unused]] const bool row, ranges.Step());
  left.cells = static_cast<std::uint64_t>(ranges.Int(0));
  left.ranges = ranges.Int(1);
  left.ranges_of = ranges.Int(2);
  left.shards = ranges.Int(3);
  ranges.Reset();
  ASSAY_TRY(PgStatement last,
            postgres->database().Prepare(
                "SELECT DISTINCT ON (shard) shard, host, process, task, (extract(epoch FROM "
                "clock_timestamp() - beat_at) * 1000)::bigint, coalesce(ended_at - beat_at < ?2 * interval "
                "'1 ms', false)::int FROM seat JOIN run ON run.number = seat.run JOIN terms ON terms.run = "
                "seat.run WHERE run.id = ?1 AND shard IS NOT NULL AND seat.number >= opened_by ORDER BY "
                "shard, seat.number DESC"));
  last.Bind(1, std::string_view(run_id)).Bind(2, std::int64_t{std::chrono::milliseconds(kDeadAfter).count()});
  while (true) {
    ASSAY_TRY(const bool is_there, last.Step());
    if (!is_there) return left;
    LastOfShard& seat = left.last.emplace_back();
    ASSAY_TRY(seat.shard, ReadShard(last.Int(0)));
    ASSAY_TRY(seat.host, ReadName(NameKind::kHost, last.Text(1)));
    seat.process = last.Int(2);
    ASSAY_TRY(seat.task, ReadName(NameKind::kTask, last.Text(3)));
    seat.beat_age_ms = last.Int(4);
    seat.has_left = last.Int(5) != 0;
  }
}

}  // namespace assay
