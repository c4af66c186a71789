// PostgresStore: removes runs first, then exchanges that nothing points to, while others may be at work.
#include <fmt/core.h>

#include <algorithm>

#include "store/coordinator.h"
#include "store/postgres/postgres_store.h"
#include "store/postgres/repeating.h"
#include "store/step_links.h"
#include "store/stored_rows.h"

namespace assay {

namespace {

constexpr int kRemovedAtOnce = 10'000;
// Nobody keeps a cell that points to older exchanges meanwhile.
constexpr const char* kHoldExchanges = "SELECT pg_advisory_xact_lock(1095980889, 2)";
constexpr const char* kDatabaseBytes = "SELECT pg_database_size(current_database())";

// Of a row of `run`.
std::string IsAtWork() {
  return fmt::format(
      "EXISTS (SELECT 1 FROM seat WHERE seat.run = run.number AND ended_at IS NULL AND beat_at >= "
      "clock_timestamp() - interval '{} s')",
      kDeadAfter.count());
}

Status RunWith(PgDatabase& database, std::string_view sql, std::int64_t first, std::int64_t second) {
  ASSAY_TRY(PgStatement statement, database.Prepare(sql));
  statement.Bind(1, first).Bind(2, second);
  return statement.Run();
}

}  // namespace

// The cells of a run that goes become those of the oldest run that stays and has them too.
Status PostgresStore::HandOver(std::int64_t from, std::int64_t before_ms) {
  ASSAY_TRY(PgStatement heir,
            database_.Prepare(fmt::format(
                "SELECT number FROM run WHERE cells_of = ?1 AND (greatest(started_ms, finished_ms) >= ?2 OR "
                "{}) ORDER BY number LIMIT 1",
                IsAtWork())));
  heir.Bind(1, from).Bind(2, before_ms);
  ASSAY_TRY(const bool row, heir.Step());
  if (!row) return Ok();
  const std::int64_t to = heir.Int(0);
  heir.Reset();
  for (const char* sql :
       {"UPDATE cell SET run = ?2 WHERE run = ?1", "UPDATE score SET run = ?2 WHERE run = ?1",
        "DELETE FROM document_use WHERE run = ?2 AND id IN (SELECT id FROM document_use WHERE run = ?1)",
        "UPDATE document_use SET run = ?2 WHERE run = ?1",
        "UPDATE run SET cells_of = ?2 WHERE cells_of = ?1 AND number <> ?2",
        "UPDATE run SET cells_of = NULL WHERE number = ?2 AND cells_of = ?1"})
    ASSAY_CHECK_OK(RunWith(database_, sql, from, to));
  return Ok();
}

// All of it but its cells. False: somebody works on it, and it stays. Taking a seat locks the run's row too.
Result<bool> PostgresStore::RemoveRun(std::int64_t number, std::int64_t before_ms) {
  bool goes = false;
  ASSAY_CHECK_OK(InTransaction([&]() -> Status {
    ASSAY_TRY(PgStatement lock, database_.Prepare("SELECT 1 FROM run WHERE number = ?1 FOR UPDATE"));
    lock.Bind(1, number);
    ASSAY_CHECK_OK(lock.Run());
    // A statement of its own: it sees who took a seat while this one waited.
    ASSAY_TRY(PgStatement work,
              database_.Prepare(fmt::format("SELECT 1 FROM run WHERE number = ?1 AND {}", IsAtWork())));
    work.Bind(1, number);
    ASSAY_TRY(const bool is_at_work, work.Step());
    goes = !is_at_work;
    if (is_at_work) return Ok();
    ASSAY_CHECK_OK(HandOver(number, before_ms));
    // Whoever wakes finds no sitting at its next commit, and stops.
    for (const char* sql : {"DELETE FROM claim WHERE seat IN (SELECT number FROM seat WHERE run = ?1)",
                            "DELETE FROM sitting WHERE run = ?1", "DELETE FROM change WHERE run = ?1",
                            "DELETE FROM range WHERE run = ?1", "DELETE FROM seat WHERE run = ?1",
                            "DELETE FROM document_use WHERE run = ?1", "DELETE FROM terms WHERE run = ?1",
                            "DELETE FROM tranche WHERE run = ?1", "DELETE FROM pace WHERE run = ?1",
                            "DELETE FROM run WHERE number = ?1"}) {
      ASSAY_TRY(PgStatement remove, database_.Prepare(sql));
      remove.Bind(1, number);
      ASSAY_CHECK_OK(remove.Run());
    }
    return Ok();
  }));
  return goes;
}

// In pieces, and also those that an earlier command left when it was killed.
Status PostgresStore::RemoveCellsOfNobody() {
  std::vector<std::pair<const char*, std::int64_t>> left;
  for (const char* table : {"cell", "score"}) {
    ASSAY_TRY(PgStatement runs,
              database_.Prepare(fmt::format(
                  "SELECT DISTINCT run FROM {} WHERE run NOT IN (SELECT number FROM run)", table)));
    while (true) {
      ASSAY_TRY(const bool row, runs.Step());
      if (!row) break;
      left.emplace_back(table, runs.Int(0));
    }
  }
  for (const auto& [table, number] : left) {
    for (std::int64_t removed = kRemovedAtOnce; removed == kRemovedAtOnce;) {
      ASSAY_TRY(PgStatement remove, database_.Prepare(fmt::format(
                                        "WITH gone AS (DELETE FROM {0} WHERE ctid = ANY(ARRAY(SELECT ctid "
                                        "FROM {0} WHERE run = ?1 LIMIT {1})) RETURNING 1) SELECT "
                                        "count(*) FROM gone",
                                        table, kRemovedAtOnce)));
      remove.Bind(1, number);
      ASSAY_TRY([[maybe_unused]] const bool row, remove.Step());
      removed = remove.Int(0);
    }
  }
  return Ok();
}

Status PostgresStore::RemoveRuns(std::int64_t before_ms, PruneSummary& summary) {
  std::vector<std::pair<std::int64_t, std::string>> runs;
  {
    ASSAY_TRY(
        PgStatement old,
        database_.Prepare("SELECT number, id FROM run WHERE greatest(started_ms, finished_ms) < ?1 ORDER BY "
                          "number DESC"));
    old.Bind(1, before_ms);
    while (true) {
      ASSAY_TRY(const bool row, old.Step());
      if (!row) break;
      ASSAY_TRY(std::string id, ReadName(NameKind::kRun, old.Text(1)));
      runs.emplace_back(old.Int(0), std::move(id));
    }
  }
  // A run whose cells others have too is looked at behind them: whoever took a seat in one of those meanwhile
  // gets them.
  for (const auto& [number, id] : runs) {
    ASSAY_TRY(const bool is_gone, RemoveRun(number, before_ms));
    (is_gone ? summary.runs : summary.at_work).push_back(id);
  }
  std::reverse(summary.runs.begin(), summary.runs.end());
  std::reverse(summary.at_work.begin(), summary.at_work.end());
  return RemoveCellsOfNobody();
}

// Those that cells of the remaining runs point to, ascending.
Result<std::vector<ExchangeId>> PostgresStore::Needed() {
  std::vector<ExchangeId> needed;
  std::int64_t run = -1;
  std::int64_t part = 0;
  std::int64_t cell = 0;
  while (true) {
    ASSAY_TRY(PgStatement links, database_.Prepare(fmt::format(
                                     "SELECT run, part, cell, exchanges FROM cell WHERE (run, part, cell) > "
                                     "(?1, ?2, ?3) ORDER BY run, part, cell LIMIT {}",
                                     kRemovedAtOnce)));
    links.Bind(1, run).Bind(2, part).Bind(3, cell);
    int rows = 0;
    while (true) {
      ASSAY_TRY(const bool row, links.Step());
      if (!row) break;
      ++rows;
      run = links.Int(0);
      part = links.Int(1);
      cell = links.Int(2);
      ASSAY_TRY(const std::vector<StepLink> steps, DecodeStepLinks(links.Text(3)));
      for (const StepLink& step : steps)
        needed.insert(needed.end(), step.exchanges.begin(), step.exchanges.end());
    }
    std::sort(needed.begin(), needed.end());
    needed.erase(std::unique(needed.begin(), needed.end()), needed.end());
    if (rows < kRemovedAtOnce) return needed;
  }
}

// One transaction: a cell that is kept meanwhile waits, and then finds what it points to, or stops.
Status PostgresStore::RemoveExchanges(std::int64_t before_ms, PruneSummary& summary) {
  return InTransaction([&]() -> Status {
    summary.exchanges = 0;
    ASSAY_CHECK_OK(database_.Execute(kHoldExchanges));
    // What living sittings have asked is in no cell yet. An hour's grace: clocks of machines differ.
    ASSAY_TRY(
        const std::int64_t spared_ms,
        NumberOf("SELECT coalesce((extract(epoch FROM min(began_at) - interval '1 hour') * 1000)::bigint, "
                 "9223372036854775807) FROM sitting WHERE beat_at > clock_timestamp() - interval '60 s'"));
    ASSAY_TRY(const std::vector<ExchangeId> needed, Needed());
    ExchangeId from = 0;
    while (true) {
      ASSAY_TRY(PgStatement old, database_.Prepare(fmt::format(
                                     "SELECT id FROM exchange WHERE id > ?1 AND started_ms < ?2 ORDER BY id "
                                     "LIMIT {}",
                                     kRemovedAtOnce)));
      old.Bind(1, static_cast<std::int64_t>(from)).Bind(2, std::min(before_ms, spared_ms));
      std::vector<ExchangeId> unneeded;
      int rows = 0;
      while (true) {
        ASSAY_TRY(const bool row, old.Step());
        if (!row) break;
        ++rows;
        from = static_cast<ExchangeId>(old.Int(0));
        if (!std::binary_search(needed.begin(), needed.end(), from)) unneeded.push_back(from);
      }
      ASSAY_TRY(PgStatement remove, database_.Prepare("DELETE FROM exchange WHERE id = ANY(?1)"));
      remove.Bind(1, unneeded);
      ASSAY_CHECK_OK(remove.Run());
      summary.exchanges += unneeded.size();
      if (rows < kRemovedAtOnce) break;
    }
    ASSAY_TRY(const std::int64_t kept, NumberOf("SELECT count(*) FROM exchange"));
    summary.exchanges_kept = static_cast<std::uint64_t>(kept);
    return database_.Execute(
        "DELETE FROM suite WHERE digest NOT IN (SELECT suite FROM run WHERE suite IS NOT NULL);"
        "DELETE FROM document WHERE digest NOT IN (SELECT digest FROM document_use WHERE digest IS NOT NULL);"
        "DELETE FROM blob_use WHERE exchange NOT IN (SELECT id FROM exchange);"
        "DELETE FROM blob WHERE sha256 NOT IN (SELECT sha256 FROM blob_use)");
  });
}

Result<PruneSummary> PostgresStore::Prune(std::int64_t before_ms) {
  run_rows_.clear();
  PruneSummary summary;
  ASSAY_TRY(const std::int64_t bytes_before, NumberOf(kDatabaseBytes));
  ASSAY_CHECK_OK(RemoveRuns(before_ms, summary));
  ASSAY_TRY(PgStatement remove_batches, database_.Prepare("DELETE FROM batch WHERE created_ms < ?1"));
  remove_batches.Bind(1, before_ms);
  ASSAY_CHECK_OK(remove_batches.Run());
  ASSAY_CHECK_OK(RemoveExchanges(before_ms, summary));
  // What is free is used again; the files get smaller where their ends are.
  for (const char* table : {"exchange", "cell", "score", "blob", "document", "claim"})
    ASSAY_CHECK_OK(database_.Execute(fmt::format("VACUUM {}", table).c_str()));
  ASSAY_TRY(const std::int64_t bytes_after, NumberOf(kDatabaseBytes));
  summary.bytes = static_cast<std::uint64_t>(std::max<std::int64_t>(bytes_before - bytes_after, 0));
  return summary;
}

}  // namespace assay
