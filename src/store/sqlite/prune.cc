// Removes runs first, then exchanges, suites and other rows that only they pointed to.
#include "store/sqlite/prune.h"

#include <algorithm>

#include "store/sqlite/exchange_keys.h"
#include "store/step_links.h"
#include "store/stored_rows.h"

namespace assay {

namespace {

Result<std::int64_t> NumberOf(SqliteDatabase& database, std::string_view query) {
  ASSAY_TRY(SqliteStatement select, database.Prepare(query));
  ASSAY_TRY(const bool row, select.Step());
  return row ? select.Int(0) : std::int64_t{0};
}

Result<std::int64_t> SizeBytes(SqliteDatabase& database) {
  ASSAY_TRY(const std::int64_t pages, NumberOf(database, "PRAGMA page_count"));
  ASSAY_TRY(const std::int64_t page_bytes, NumberOf(database, "PRAGMA page_size"));
  return pages * page_bytes;
}

// The cells of runs that go become those of the oldest run each that stays and has them too: all at once, as
// a store may have thousands of runs.
Status HandOver(SqliteDatabase& database, std::int64_t before_ms) {
  ASSAY_CHECK_OK(database.Execute("CREATE TEMP TABLE heir(owner INTEGER PRIMARY KEY, to_run INTEGER)"));
  ASSAY_TRY(
      SqliteStatement insert,
      database.Prepare("INSERT INTO heir SELECT cells_of, min(number) FROM run WHERE cells_of IN (SELECT "
                       "number FROM run WHERE max(started_ms, finished_ms) < ?1) AND max(started_ms, "
                       "finished_ms) >= ?1 GROUP BY cells_of"));
  insert.Bind(1, before_ms);
  ASSAY_CHECK_OK(insert.Run());
  return database.Execute(
      "UPDATE cell SET run = (SELECT to_run FROM heir WHERE owner = run) WHERE run IN (SELECT owner FROM "
      "heir);"
      "UPDATE score SET run = (SELECT to_run FROM heir WHERE owner = run) WHERE run IN (SELECT owner FROM "
      "heir);"
      "UPDATE OR REPLACE document_use SET run = (SELECT to_run FROM heir WHERE owner = run) WHERE run IN "
      "(SELECT owner FROM heir);"
      "UPDATE run SET cells_of = (SELECT to_run FROM heir WHERE owner = cells_of) WHERE cells_of IN (SELECT "
      "owner FROM heir);"
      "UPDATE run SET cells_of = NULL WHERE cells_of = number AND number IN (SELECT to_run FROM heir);"
      "DROP TABLE heir");
}

Status RemoveRuns(SqliteDatabase& database, std::int64_t before_ms, PruneSummary& summary) {
  ASSAY_TRY(SqliteStatement old, database.Prepare("SELECT number, id FROM run WHERE "
                                                  "max(started_ms, finished_ms) < ?1 ORDER BY number"));
  ASSAY_TRY(SqliteStatement remove_cells, database.Prepare("DELETE FROM cell WHERE run = ?1"));
  ASSAY_TRY(SqliteStatement remove_scores, database.Prepare("DELETE FROM score WHERE run = ?1"));
  ASSAY_TRY(SqliteStatement remove_documents, database.Prepare("DELETE FROM document_use WHERE run = ?1"));
  ASSAY_TRY(SqliteStatement remove_sittings, database.Prepare("DELETE FROM sitting WHERE run = ?1"));
  ASSAY_TRY(SqliteStatement remove_changes, database.Prepare("DELETE FROM change WHERE run = ?1"));
  ASSAY_TRY(SqliteStatement remove_run, database.Prepare("DELETE FROM run WHERE number = ?1"));
  std::vector<std::int64_t> numbers;
  old.Bind(1, before_ms);
  while (true) {
    ASSAY_TRY(const bool row, old.Step());
    if (!row) break;
    numbers.push_back(old.Int(0));
    ASSAY_TRY(summary.runs.emplace_back(), ReadName(NameKind::kRun, old.Text(1)));
  }
  ASSAY_CHECK_OK(HandOver(database, before_ms));
  for (const std::int64_t number : numbers) {
    for (SqliteStatement* remove :
         {&remove_cells, &remove_scores, &remove_documents, &remove_sittings, &remove_changes, &remove_run}) {
      remove->Bind(1, number);
      ASSAY_CHECK_OK(remove->Run());
    }
  }
  return Ok();
}

// The exchanges that the remaining runs point to, as a table of this connection.
Status ListNeeded(SqliteDatabase& database) {
  ASSAY_CHECK_OK(database.Execute("CREATE TEMP TABLE needed(id INTEGER PRIMARY KEY)"));
  ASSAY_TRY(SqliteStatement links, database.Prepare("SELECT exchanges FROM cell"));
  ASSAY_TRY(SqliteStatement insert, database.Prepare("INSERT OR IGNORE INTO needed VALUES(?1)"));
  while (true) {
    ASSAY_TRY(const bool row, links.Step());
    if (!row) return Ok();
    ASSAY_TRY(const std::vector<StepLink> steps, DecodeStepLinks(links.Text(0)));
    for (const StepLink& step : steps) {
      for (const ExchangeId id : step.exchanges) {
        insert.Bind(1, static_cast<std::int64_t>(id));
        ASSAY_CHECK_OK(insert.Run());
      }
    }
  }
}

Status Remove(SqliteDatabase& database, std::int64_t before_ms, PruneSummary& summary) {
  ASSAY_CHECK_OK(RemoveRuns(database, before_ms, summary));
  ASSAY_CHECK_OK(ListNeeded(database));
  ASSAY_TRY(SqliteStatement remove_batches, database.Prepare("DELETE FROM batch WHERE created_ms < ?1"));
  remove_batches.Bind(1, before_ms);
  ASSAY_CHECK_OK(remove_batches.Run());
  ASSAY_CHECK_OK(database.Execute(
      "DELETE FROM suite WHERE digest NOT IN (SELECT suite FROM run WHERE suite IS NOT NULL);"
      "DELETE FROM document WHERE digest NOT IN (SELECT digest FROM document_use WHERE digest IS NOT NULL)"));
  ASSAY_TRY(
      SqliteStatement remove,
      database.Prepare("DELETE FROM exchange WHERE started_ms < ?1 AND id NOT IN (SELECT id FROM needed)"));
  remove.Bind(1, before_ms);
  ASSAY_CHECK_OK(remove.Run());
  ASSAY_TRY(const std::int64_t removed, NumberOf(database, "SELECT changes()"));
  ASSAY_TRY(const std::int64_t kept, NumberOf(database, "SELECT count(*) FROM exchange"));
  ASSAY_CHECK_OK(
      database.Execute("DELETE FROM blob_use WHERE exchange NOT IN (SELECT id FROM exchange);"
                       "DELETE FROM blob WHERE sha256 NOT IN (SELECT sha256 FROM blob_use)"));
  ASSAY_CHECK_OK(MakeExchangeKeys(database));
  summary.exchanges = static_cast<std::uint64_t>(removed);
  summary.exchanges_kept = static_cast<std::uint64_t>(kept);
  return database.Execute("DROP TABLE needed");
}

}  // namespace

Result<PruneSummary> PruneStore(SqliteDatabase& database, std::int64_t before_ms) {
  PruneSummary summary;
  ASSAY_TRY(const std::int64_t before_bytes, SizeBytes(database));
  ASSAY_CHECK_OK(database.InTransaction([&] { return Remove(database, before_ms, summary); }));
  ASSAY_CHECK_OK(database.Execute("VACUUM; PRAGMA wal_checkpoint(TRUNCATE)"));
  ASSAY_TRY(const std::int64_t after_bytes, SizeBytes(database));
  summary.bytes = static_cast<std::uint64_t>(std::max<std::int64_t>(before_bytes - after_bytes, 0));
  return summary;
}

}  // namespace assay
