// PostgresStore: runs, their suites, sittings, and what changed of a run.
#include <fmt/core.h>

#include <algorithm>

#include "spec/suite/suite.h"
#include "store/column_fields.h"
#include "store/find_run.h"
#include "store/packed/packed_document.h"
#include "store/postgres/pg_schema.h"
#include "store/postgres/postgres_store.h"
#include "store/postgres/repeating.h"
#include "store/sqlite/schema.h"
#include "store/step_links.h"
#include "store/stored_rows.h"

namespace assay {

Status PostgresStore::BeginRun(const RunRecord& run) {
  ASSAY_CHECK_OK(CheckNames(run));
  if (!coming_) return InsertRun(database_, run);
  return InTransaction([&]() -> Status {
    ASSAY_CHECK_OK(InsertRun(database_, run));
    return MarkRun(run.context.run_id);
  });
}

Status PostgresStore::SaveSuite(const PackedSuite& suite) {
  ASSAY_TRY(PgStatement insert, database_.Prepare("INSERT INTO suite VALUES(?1, ?2) ON CONFLICT DO NOTHING"));
  insert.BindBlob(1, BytesOf(suite.digest)).BindBlob(2, suite.frame);
  return insert.Run();
}

Result<Suite> PostgresStore::LoadSuite(const Digest& digest) { return SelectSuite(database_, digest); }

Status PostgresStore::SaveDocuments(const std::string& run_id, std::span<const RunDocument> documents) {
  ASSAY_TRY(const RunRow run, RowOfRun(run_id));
  return InTransaction([&] { return WriteDocuments(database_, run.cells_of, documents); });
}

Result<std::optional<RunDocument>> PostgresStore::DocumentOf(const std::string& run_id, std::string_view id) {
  ASSAY_TRY(const RunRow run, RowOfRun(run_id));
  return Repeating([&] { return ReadDocument(database_, run.cells_of, id); });
}

Status PostgresStore::UpdateRun(const RunRecord& run) {
  ASSAY_CHECK_OK(CheckNames(run));
  return Repeating([&]() -> Status {
    ASSAY_TRY(PgStatement update, database_.Prepare(UpdateRunSql()));
    BindRunUpdate(run, update);
    return update.Run();
  });
}

Result<RunRecord> PostgresStore::ChangeRun(const std::string& run_id, const RunChange& change) {
  RunRecord run;
  const auto update = [this](const RunRecord& changed) { return UpdateRun(changed); };
  ASSAY_CHECK_OK(InTransaction([&] { return ChangeRunOfId(run_id, Selection(), change, update, run); }));
  return run;
}

// `where`: all after the table, with ?1 for `text` and ?2 for `bytes`.
Result<std::vector<RunRecord>> PostgresStore::SelectRuns(std::string_view where, std::string_view text,
                                                         std::string_view bytes) {
  return Repeating([&]() -> Result<std::vector<RunRecord>> {
    ASSAY_TRY(PgStatement select,
              database_.Prepare(fmt::format("SELECT {} FROM run {}", RunColumns(), where)));
    select.Bind(1, text).BindBlob(2, bytes);
    return ReadRuns(select);
  });
}

Result<std::vector<std::string>> PostgresStore::SelectRunIds(std::string_view where, std::string_view text) {
  return Repeating([&]() -> Result<std::vector<std::string>> {
    ASSAY_TRY(PgStatement select, database_.Prepare(fmt::format("SELECT id FROM run {}", where)));
    select.Bind(1, text);
    return ReadRunIds(select);
  });
}

Result<std::vector<RunRecord>> PostgresStore::Runs() { return SelectRuns("ORDER BY number"); }

RunSelection PostgresStore::Selection() {
  return {.runs = [this](std::string_view where, std::string_view text) { return SelectRuns(where, text); },
          .ids = [this](std::string_view where, std::string_view text) { return SelectRunIds(where, text); },
          .last_worked_on = "ORDER BY greatest(started_ms, finished_ms) DESC, number DESC LIMIT 1",
          .begins_with = "starts_with(id, ?1)",
          .to_change = " FOR UPDATE"};
}

Result<RunRecord> PostgresStore::FindRun(std::string_view name) { return FindRunByName(name, Selection()); }

Result<std::vector<RunRecord>> PostgresStore::Unfinished(const Digest& plan_digest, std::string_view spec) {
  return SelectRuns("WHERE state = 0 AND plan_digest = ?2 AND spec = ?1 ORDER BY number DESC", spec,
                    BytesOf(plan_digest));
}

Result<PostgresStore::RunRow> PostgresStore::RowOfRun(const std::string& run_id) {
  if (const auto known = run_rows_.find(run_id); known != run_rows_.end()) return known->second;
  PgStatement select;
  ASSAY_TRY(const bool row, Repeating([&]() -> Result<bool> {
              ASSAY_TRY(select, database_.Prepare(
                                    "SELECT number, coalesce(cells_of, number) FROM run WHERE id = ?1"));
              select.Bind(1, std::string_view(run_id));
              return select.Step();
            }));
  if (!row) return Error{ErrorCode::kNotFound, fmt::format("the store has no run {}", run_id)};
  return run_rows_[run_id] = {.number = select.Int(0), .cells_of = select.Int(1)};
}

Result<SittingId> PostgresStore::BeginSitting(const std::string& run_id, RunPart part, std::int64_t now_ms,
                                              const std::string& assay_version) {
  ASSAY_TRY(const RunRow run, RowOfRun(run_id));
  ASSAY_TRY(PgStatement insert,
            database_.Prepare("INSERT INTO sitting(run, part, started_ms, last_ms, commits, requests_sent, "
                              "version, seat) VALUES (?1, ?2, ?3, ?3, 0, 0, ?4, ?5) RETURNING number"));
  insert.Bind(1, run.number)
      .Bind(2, static_cast<std::int64_t>(part))
      .Bind(3, now_ms)
      .Bind(4, std::string_view(assay_version));
  if (seat_) {
    insert.Bind(5, *seat_);
  } else {
    insert.BindNull(5);
  }
  ASSAY_TRY([[maybe_unused]] const bool row, insert.Step());
  return insert.Int(0);
}

// A mark is a transaction's number: all that are below it have ended. What was committed since may be told
// twice, and is never left out.
Result<RunChanges> PostgresStore::ChangesSince(const std::string& run_id, std::int64_t mark) {
  RunChanges changes{.mark = mark};
  ASSAY_TRY(const RunRow run, RowOfRun(run_id));
  ASSAY_TRY(
      PgStatement select,
      database_.Prepare("SELECT part, cells, (pg_snapshot_xmin(pg_current_snapshot())::text)::bigint FROM "
                        "change WHERE run = ?1 AND transaction >= ?2 ORDER BY transaction, sitting, "
                        "commit_number"));
  select.Bind(1, run.number).Bind(2, mark);
  while (true) {
    ASSAY_TRY(const bool row, select.Step());
    if (!row) return changes;
    changes.mark = select.Int(2);
    ASSAY_TRY(std::vector<CellIndex> cells, DecodeNumbers(select.Text(1)));
    if (cells.empty()) continue;
    const auto part = static_cast<RunPart>(std::clamp<std::int64_t>(select.Int(0), 0, kRunPartCount - 1));
    changes.changed.push_back({.part = part, .cells = std::move(cells)});
  }
}

}  // namespace assay
