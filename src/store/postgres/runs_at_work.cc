// Asks a server for its seats, and a file for its lock and its newest sitting.
#include "store/coordinator.h"
#include "store/postgres/postgres_store.h"
#include "store/sqlite/sqlite_store.h"

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
    runs.emplace_back(seats.Text(0));
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

}  // namespace assay
