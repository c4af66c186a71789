// PostgresStore: reading the cells of a run, by parts. Rows come in pieces, so that no run is ever whole in
// memory, and a walk may start another.
#include <fmt/core.h>

#include <algorithm>

#include "base/limits.h"
#include "spec/exchange/replay.h"
#include "store/cell_rows.h"
#include "store/postgres/pg_schema.h"
#include "store/postgres/postgres_store.h"
#include "store/postgres/repeating.h"
#include "store/run_walks.h"
#include "store/sqlite/schema.h"
#include "store/step_links.h"
#include "store/stored_rows.h"

namespace assay {

namespace {

constexpr CellIndex kCellsAtFirst = 1'024;  // at first; then as many as have these bytes
constexpr CellIndex kCellsAtOnceMax = 16'384;
constexpr std::size_t kPieceBytes = std::size_t{2} << 20;
constexpr CellIndex kCellsAheadMin = 16;
constexpr CellIndex kCellsAheadMax = 256;
constexpr std::size_t kWalksMax = 4;
constexpr std::size_t kAheadBytesMax = 16u << 20;  // of the texts of one walk
constexpr std::size_t kManyIds = 10'000;

// Parameters 1 to 4 of a piece: run, part, first and last cell.
void BindPiece(std::int64_t run, RunPart part, CellSpan span, PgStatement& select) {
  select.Bind(1, run)
      .Bind(2, static_cast<std::int64_t>(part))
      .Bind(3, static_cast<std::int64_t>(span.first))
      .Bind(4, static_cast<std::int64_t>(span.last));
}

std::size_t TextBytes(const Reply& reply) {
  if (const auto* model = std::get_if<ModelReply>(&reply)) return model->text.size();
  if (const auto* http = std::get_if<HttpReply>(&reply)) return http->body.size();
  if (const auto* process = std::get_if<ProcessReply>(&reply))
    return process->stdout_text.size() + process->stderr_text.size();
  return 0;
}

bool NoLink(const CellResult&, const StepLink&) { return false; }

}  // namespace

// Visits the rows of `sql`, whose first column is the cell, in pieces of so many cells: a piece of so many
// rows would be sorted out of all that are left, each time anew, by a planner that knows nothing of a young
// table. The rows of a piece come at once: a lost connection loses none. The next piece is asked for before
// they are visited.
Status PostgresStore::VisitPieces(std::string_view sql, std::int64_t run, RunPart part, CellSpan span,
                                  const std::function<Status(const PgStatement& row)>& visit) {
  CellIndex at_once = kCellsAtFirst;
  const bool is_reading = IsWithin();  // which ends with its connection
  const auto next_piece = [&] { return CellSpan{span.first, std::min(span.last, span.first + at_once)}; };
  PgStatement select;
  std::optional<CellSpan> asked;  // of what `select` was asked for
  const auto ask = [&](std::string_view what, CellSpan cells) {
    return Repeating([&]() -> Result<bool> {
      ASSAY_TRY(select, database_.Prepare(what));
      BindPiece(run, part, cells, select);
      return select.Step();
    });
  };
  while (span.first < span.last) {
    const CellSpan piece = asked.value_or(next_piece());
    Result<bool> has_row = asked ? select.Step() : ask(sql, piece);
    if (!has_row && asked && !is_reading) has_row = ask(sql, piece);
    ASSAY_CHECK_OK(has_row);
    asked.reset();
    span.first = piece.last;
    if (!*has_row) {
      if (span.first >= span.last) break;
      ASSAY_TRY(const bool has_more, ask("SELECT cell FROM cell WHERE run = ?1 AND part = ?2 AND cell >= ?3 "
                                         "AND cell < ?4 ORDER BY cell LIMIT 1",
                                         span));
      if (!has_more) break;
      ASSAY_TRY(span.first, ReadCell(select, 0, span));
      continue;
    }
    PgStatement rows = std::move(select);
    const std::size_t of_cell = std::max<std::size_t>(rows.SizeBytes() / piece.size(), 1);
    at_once = std::clamp<CellIndex>(kPieceBytes / of_cell, kCellsAheadMin, kCellsAtOnceMax);
    if (span.first < span.last) {
      asked = next_piece();
      ASSAY_TRY(select, database_.Prepare(sql));
      BindPiece(run, part, *asked, select);
      select.Ask();
    }
    while (*has_row) {
      ASSAY_CHECK_OK(visit(rows));
      has_row = rows.Step();
      ASSAY_CHECK_OK(has_row);
    }
  }
  return Ok();
}

Result<std::vector<ExchangeId>> PostgresStore::ExchangesOf(const std::string& run_id, RunPart part) {
  ASSAY_TRY(const RunRow run, RowOfRun(run_id));
  NamedExchanges named;
  ASSAY_CHECK_OK(
      VisitPieces("SELECT cell, exchanges FROM cell WHERE run = ?1 AND part = ?2 AND cell >= ?3 AND "
                  "cell < ?4 ORDER BY cell",
                  run.cells_of, part, kEveryCell, [&named](const PgStatement& row) -> Status {
                    ASSAY_TRY(const std::vector<StepLink> steps, DecodeStepLinks(row.Text(1)));
                    named.Add(steps);
                    return Ok();
                  }));
  return named.Take();
}

Result<RequestCounts> PostgresStore::CountRequests(const std::string& run_id, RunPart part) {
  ASSAY_TRY(const std::vector<ExchangeId> ids, ExchangesOf(run_id, part));
  RequestCounts counts{.requests = ids.size(), .errors = 0};
  for (std::size_t at = 0; at < ids.size(); at += kManyIds) {
    ASSAY_TRY(
        PgStatement failed,
        database_.Prepare("SELECT count(*) FROM exchange WHERE id = ANY(?1) AND error_code IS NOT NULL"));
    failed.Bind(1, std::span(ids).subspan(at, std::min(kManyIds, ids.size() - at)));
    ASSAY_TRY([[maybe_unused]] const bool row, failed.Step());
    counts.errors += static_cast<std::uint64_t>(failed.Int(0));
  }
  return counts;
}

Result<std::map<std::string, std::uint64_t>> PostgresStore::CountRecorded(const std::string& run_id,
                                                                          RunPart part) {
  ASSAY_TRY(const std::vector<ExchangeId> ids, ExchangesOf(run_id, part));
  std::map<std::string, std::uint64_t> counts;
  for (std::size_t at = 0; at < ids.size(); at += kManyIds) {
    ASSAY_TRY(
        PgStatement tail,
        database_.Prepare(fmt::format(
            "SELECT CASE substring(request from 1 for 4) WHEN '\\x28b52ffd'::bytea THEN request ELSE "
            "substring(request from greatest(length(request) - {} + 1, 1)) END FROM exchange WHERE id = "
            "ANY(?1) AND error_code IS NULL",
            kRecordingTailBytes)));
    tail.Bind(1, std::span(ids).subspan(at, std::min(kManyIds, ids.size() - at)));
    ASSAY_CHECK_OK(CountRecordings(tail, counts));
  }
  return counts;
}

Status PostgresStore::VisitCells(const std::string& run_id, RunPart part, CellSpan span,
                                 const CellVisitor& visit) {
  if (IsReadAhead(part, span)) {
    return VisitAnswered(run_id, part, span, NoLink,
                         [&visit](CellResult& cell, std::span<Exchange>) { return visit(cell); });
  }
  ASSAY_TRY(const RunRow run, RowOfRun(run_id));
  // Each cell by its key, however little the planner knows of young tables.
  constexpr std::string_view kScored =
      "SELECT s.cell, c.exchanges, s.scores, s.transcript, c.state, c.score, s.marks FROM score AS s LEFT "
      "JOIN LATERAL (SELECT exchanges, state, score FROM cell WHERE run = ?1 AND part = ?2 AND cell = "
      "s.cell LIMIT 1) AS c ON true WHERE s.run = ?1 AND s.cell >= ?3 AND s.cell < ?4 ORDER BY s.cell";
  constexpr std::string_view kUnscored =
      "SELECT cell, exchanges FROM cell WHERE run = ?1 AND part = ?2 AND cell >= ?3 AND cell < ?4 ORDER BY "
      "cell";
  const bool is_scored = part == RunPart::kRun;
  return VisitPieces(is_scored ? kScored : kUnscored, run.cells_of, part, span,
                     [&](const PgStatement& row) -> Status {
                       CellResult result;
                       ASSAY_TRY(result.cell, ReadCell(row, 0, span));
                       if (!row.IsNull(1)) {
                         ASSAY_TRY(result.steps, DecodeStepLinks(row.Text(1)));
                       }
                       if (is_scored) {
                         result.scores = row.Text(2);
                         if (!row.IsNull(3)) result.transcript = row.Text(3);
                         ASSAY_TRY(result.outcome, ReadOutcome(row, 4));
                         result.marks = row.Text(6);
                       }
                       return visit(result);
                     });
}

// Reports walk case by case, several walks at a time. While what they read is of one moment, the cells behind
// are read with it.
bool PostgresStore::IsReadAhead(RunPart part, CellSpan span) const {
  const bool may = may_read_ahead_ && !is_reading_ahead_ && IsWithin();
  return part == RunPart::kRun && span.size() < kCellsAheadMax && may;
}

Result<const PostgresStore::ReadAhead*> PostgresStore::Ahead(const std::string& run_id, CellSpan span,
                                                             LinkFilter wants) {
  ASSAY_TRY(const RunRow run, RowOfRun(run_id));
  CellIndex count = kCellsAheadMin;
  const auto is_walk = [&](const ReadAhead& each) { return each.run == run.cells_of && each.wants == wants; };
  if (const auto last = std::find_if(aheads_.begin(), aheads_.end(), is_walk); last != aheads_.end()) {
    std::rotate(last, last + 1, aheads_.end());
    const CellSpan there = aheads_.back().span;
    if (span.first >= there.first && span.last <= there.last) return &aheads_.back();
    // Whoever goes on goes on for longer.
    const bool goes_on = span.first >= there.first && span.first <= there.last;
    if (goes_on) count = std::min(2 * there.size(), kCellsAheadMax);
    aheads_.pop_back();
  }
  if (aheads_.size() == kWalksMax) aheads_.erase(aheads_.begin());
  ReadAhead next{.run = run.cells_of,
                 .wants = wants,
                 .span = {span.first, span.first + std::max<CellIndex>(count, span.size())}};
  is_reading_ahead_ = true;
  std::size_t bytes = 0;
  const auto keep = [&next, &bytes](CellResult& cell, std::span<Exchange> exchanges) -> Status {
    for (const Exchange& each : exchanges) bytes += TextBytes(each.reply);
    // Cells may name one long answer again and again.
    if (bytes > kAheadBytesMax) return Error{ErrorCode::kLimit, "the cells ahead have long answers"};
    next.cells.push_back({std::move(cell), TakeAll(exchanges)});
    return Ok();
  };
  const Status read = VisitCellsAnswered(*this, run_id, RunPart::kRun, next.span, wants, keep);
  is_reading_ahead_ = false;
  if (!read) return read.error();
  aheads_.push_back(std::move(next));
  return &aheads_.back();
}

Status PostgresStore::VisitAnswered(const std::string& run_id, RunPart part, CellSpan span, LinkFilter wants,
                                    const AnsweredVisitor& visit) {
  if (!IsReadAhead(part, span)) return VisitCellsAnswered(*this, run_id, part, span, wants, visit);
  const Result<const ReadAhead*> found = Ahead(run_id, span, wants);
  if (!found && found.error().code == ErrorCode::kLimit) {
    may_read_ahead_ = false;
    return VisitCellsAnswered(*this, run_id, part, span, wants, visit);
  }
  ASSAY_CHECK_OK(found);
  const ReadAhead* const ahead = *found;
  // A walk within the visit may read others ahead.
  std::vector<AnsweredCell> cells;
  for (const AnsweredCell& each : ahead->cells) {
    if (each.cell.cell >= span.first && each.cell.cell < span.last) cells.push_back(each);
  }
  for (AnsweredCell& each : cells) ASSAY_CHECK_OK(visit(each.cell, each.exchanges));
  return Ok();
}

Status PostgresStore::ReadOutcomes(std::int64_t run, CellSpan span, const OutcomeVisitor& visit) {
  return VisitPieces(
      "SELECT cell, state, score FROM cell WHERE run = ?1 AND part = ?2 AND cell >= ?3 AND cell < "
      "?4 AND +state IS NOT NULL ORDER BY cell",
      run, RunPart::kRun, span, [span, &visit](const PgStatement& row) -> Status {
        ASSAY_TRY(const CellIndex cell, ReadCell(row, 0, span));
        ASSAY_TRY(const std::optional<CellOutcome> outcome, ReadOutcome(row, 1));
        return outcome ? visit(cell, *outcome) : Ok();
      });
}

// While what is read is of one moment it is kept: reports walk over all cells several times, and over those
// of a variant case by case.
Status PostgresStore::VisitOutcomes(const std::string& run_id, CellSpan span, const OutcomeVisitor& visit) {
  ASSAY_TRY(const RunRow run, RowOfRun(run_id));
  while (span.first < span.last && IsWithin()) {
    const OutcomePiece* piece = outcomes_.Find(run.cells_of, span.first);
    if (piece == nullptr) {
      const std::optional<CellSpan> room = outcomes_.RoomFor(span);
      if (!room) break;
      OutcomePiece read(*room);
      bool is_empty = true;
      ASSAY_CHECK_OK(ReadOutcomes(run.cells_of, *room, [&](CellIndex cell, const CellOutcome& outcome) {
        read.Put(cell, outcome);
        is_empty = false;
        return Ok();
      }));
      piece = &outcomes_.Keep(run.cells_of, std::move(read));
      if (is_empty) break;  // perhaps one of many
    }
    const CellIndex end = std::min(span.last, piece->span().last);
    for (; span.first < end; ++span.first) {
      const std::optional<CellOutcome> outcome = piece->Of(span.first);
      if (outcome) ASSAY_CHECK_OK(visit(span.first, *outcome));
    }
  }
  return ReadOutcomes(run.cells_of, span, visit);
}

Status PostgresStore::FindCells(const std::string& run_id, CellSpan span, const CellQuery& query,
                                const OutcomeVisitor& visit) {
  ASSAY_TRY(const RunRow run, RowOfRun(run_id));
  span.last = std::min(span.last, CellIndex{limits::kCellsMax});
  return FindCellRows(database_, run.cells_of, span, query, visit);
}

}  // namespace assay
