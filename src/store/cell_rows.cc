// Builds the SQL that pages through cells in plan order or by score.
#include "store/cell_rows.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "store/postgres/client/pg.h"
#include "store/sqlite/sqlite.h"

namespace assay {

namespace {

// Below this many cells the rows of the span are sorted; above, the index is walked in its order until the
// page is full.
constexpr CellIndex kSortedMost = 20'000;

// The parts of an order by score, one after the other.
struct Segment {
  CellState state;
  bool has_score;
};
constexpr Segment kSegments[] = {{CellState::kScored, true},    {CellState::kScored, false},
                                 {CellState::kPartial, true},   {CellState::kPartial, false},
                                 {CellState::kUnscored, false}, {CellState::kError, false},
                                 {CellState::kSkipped, false}};

// A cell's place in an order by score.
struct Place {
  std::size_t segment = 0;
  double score = 0;
  CellIndex cell = 0;
};

bool Wants(const CellQuery& query, CellState state) {
  return query.states.empty() ||
         std::find(query.states.begin(), query.states.end(), state) != query.states.end();
}

std::string StateList(const CellQuery& query) {
  std::string list;
  for (const CellState state : query.states)
    list += fmt::format("{}{}", list.empty() ? "" : ",", static_cast<int>(state));
  return list;
}

std::optional<double> StoredScore(const CellOutcome& outcome) {
  if (outcome.state == CellState::kPartial) return outcome.partial;
  if (outcome.state != CellState::kScored || !std::isfinite(outcome.value)) return std::nullopt;
  return outcome.value;
}

template <class Database>
class CellPage {
 public:
  CellPage(Database& database, std::int64_t run, CellSpan span, const CellQuery& query)
      : database_(database), run_(run), span_(span), query_(query), left_(query.limit) {}

  // All rows of the span in the order of their cells.
  Status VisitInPlan(const Store::OutcomeVisitor& visit) {
    // A sign before `state` keeps the index out of it: it would have to be sorted.
    std::string sql = Select("cell", "+state");
    sql += query_.states.empty() ? " AND +state IS NOT NULL"
                                 : fmt::format(" AND +state IN ({})", StateList(query_));
    if (query_.below) sql += " AND (+state <> 0 OR score IS NULL OR score < ?6)";
    if (query_.after) span_.first = std::max(span_.first, *query_.after + 1);
    return Visit(sql + " ORDER BY cell LIMIT ?7", std::nullopt, visit);
  }

  Status VisitByScore(const Store::OutcomeVisitor& visit) {
    std::optional<Place> after;
    if (query_.after) {
      ASSAY_TRY(after, PlaceOf(*query_.after));
    }
    for (std::size_t i = after ? after->segment : 0; i < std::size(kSegments) && left_ > 0; ++i) {
      if (!Wants(query_, kSegments[i].state)) continue;
      const bool goes_on = after && after->segment == i;
      ASSAY_CHECK_OK(VisitSegment(kSegments[i], goes_on ? after : std::nullopt, visit));
    }
    return Ok();
  }

 private:
  std::string Select(std::string_view from, std::string_view state) const {
    return fmt::format(
        "SELECT cell, {}, score FROM {} WHERE run = ?1 AND part = 1 AND cell >= ?2 AND cell < ?3 AND variant "
        ">= ?4 AND variant < ?5",
        state, from);
  }

  Status VisitSegment(const Segment& segment, const std::optional<Place>& after,
                      const Store::OutcomeVisitor& visit) {
    const bool by_index = span_.size() > kSortedMost;
    std::string sql = Select(by_index ? Database::kCellsByScore : "cell", "state");
    sql += fmt::format(" AND {}state = {}", by_index ? "" : "+", static_cast<int>(segment.state));
    sql += segment.has_score ? " AND score IS NOT NULL" : " AND score IS NULL";
    // NaN is below nothing, and yet what a limit is asked for.
    if (query_.below && segment.state == CellState::kScored && segment.has_score) sql += " AND score < ?6";
    const bool turned = query_.order == CellQuery::Order::kHighestFirst && segment.has_score;
    if (after && segment.has_score) sql += fmt::format(" AND (score, cell) {} (?8, ?9)", turned ? "<" : ">");
    if (after && !segment.has_score) sql += " AND cell > ?9";
    if (segment.has_score) {
      sql += turned ? " ORDER BY score DESC, cell DESC" : " ORDER BY score, cell";
    } else {
      sql += " ORDER BY cell";
    }
    return Visit(sql + " LIMIT ?7", after, visit);
  }

  Status Visit(const std::string& sql, const std::optional<Place>& after,
               const Store::OutcomeVisitor& visit) {
    ASSAY_TRY(auto select, database_.Prepare(sql));
    const auto most = std::int64_t{std::numeric_limits<VariantIndex>::max()};
    select.Bind(1, run_)
        .Bind(2, static_cast<std::int64_t>(span_.first))
        .Bind(3, static_cast<std::int64_t>(span_.last))
        .Bind(4, std::int64_t{query_.cells.first_variant})
        .Bind(5, std::min<std::int64_t>(query_.cells.last_variant, most))
        .Bind(7, static_cast<std::int64_t>(left_));
    if (query_.below) select.Bind(6, *query_.below);
    if (after) select.Bind(8, after->score).Bind(9, static_cast<std::int64_t>(after->cell));
    while (true) {
      ASSAY_TRY(const bool row, select.Step());
      if (!row) return Ok();
      --left_;
      ASSAY_TRY(const CellIndex cell, ReadCell(select, 0, span_));
      ASSAY_TRY(const std::optional<CellOutcome> outcome, ReadOutcome(select, 1));
      if (outcome) ASSAY_CHECK_OK(visit(cell, *outcome));
    }
  }

  Result<Place> PlaceOf(CellIndex cell) {
    ASSAY_TRY(auto select,
              database_.Prepare("SELECT state, score FROM cell WHERE run = ?1 AND part = 1 AND cell = ?2"));
    select.Bind(1, run_).Bind(2, static_cast<std::int64_t>(cell));
    ASSAY_TRY(const bool row, select.Step());
    std::optional<CellOutcome> outcome;
    if (row) {
      ASSAY_TRY(outcome, ReadOutcome(select, 0));
    }
    if (!outcome) return Error{ErrorCode::kNotFound, fmt::format("the run has no outcome of cell {}", cell)};
    const std::optional<double> score = StoredScore(*outcome);
    const auto at = std::find_if(std::begin(kSegments), std::end(kSegments), [&](const Segment& segment) {
      return segment.state == outcome->state && segment.has_score == score.has_value();
    });
    return Place{.segment = static_cast<std::size_t>(at - std::begin(kSegments)),
                 .score = score.value_or(0),
                 .cell = cell};
  }

  Database& database_;
  std::int64_t run_;
  CellSpan span_;
  const CellQuery& query_;
  std::uint64_t left_;  // of the page
};

}  // namespace

template <class Row>
Result<CellIndex> ReadCell(const Row& row, int column, CellSpan span) {
  const std::int64_t number = row.Int(column);
  const auto cell = static_cast<CellIndex>(number);
  if (!row.IsNull(column) && number >= 0 && cell >= span.first && cell < span.last) return cell;
  return Error{ErrorCode::kCorrupt, fmt::format("the store is damaged: expected a cell of {} to {}, found {}",
                                                span.first, span.last, number)};
}

template <class Row>
Result<std::optional<CellOutcome>> ReadOutcome(const Row& row, int column) {
  if (row.IsNull(column)) return std::optional<CellOutcome>();
  const std::int64_t state = row.Int(column);
  const bool has_score = !row.IsNull(column + 1);
  const double score = has_score ? row.Double(column + 1) : 0;
  if (state < 0 || state >= kCellStates || !std::isfinite(score))
    return Error{ErrorCode::kCorrupt, "the store is damaged: a cell's outcome cannot be read"};
  CellOutcome outcome{.state = static_cast<CellState>(state)};
  if (outcome.state == CellState::kScored)
    outcome.value = has_score ? score : std::numeric_limits<double>::quiet_NaN();
  if (outcome.state == CellState::kPartial && has_score) outcome.partial = score;
  return std::optional<CellOutcome>(outcome);
}

template <class To>
void BindColumns(const std::optional<CellColumns>& columns, int parameter, To& insert) {
  if (!columns) {
    for (int i = 0; i < 5; ++i) insert.BindNull(parameter + i);
    return;
  }
  insert.Bind(parameter, std::int64_t{columns->variant})
      .Bind(parameter + 1, std::int64_t{columns->attempt})
      .Bind(parameter + 2, static_cast<std::int64_t>(columns->outcome.state))
      .Bind(parameter + 4, columns->weight);
  const std::optional<double> score = StoredScore(columns->outcome);
  if (score) {
    insert.Bind(parameter + 3, *score);
  } else {
    insert.BindNull(parameter + 3);
  }
}

template <class Database>
Status FindCellRows(Database& database, std::int64_t run, CellSpan span, const CellQuery& query,
                    const Store::OutcomeVisitor& visit) {
  if (query.limit == 0 || span.first >= span.last) return Ok();
  CellPage<Database> page(database, run, span, query);
  return query.order == CellQuery::Order::kPlan ? page.VisitInPlan(visit) : page.VisitByScore(visit);
}

template Result<CellIndex> ReadCell(const SqliteStatement&, int, CellSpan);
template Result<CellIndex> ReadCell(const PgStatement&, int, CellSpan);
template Result<std::optional<CellOutcome>> ReadOutcome(const SqliteStatement&, int);
template Result<std::optional<CellOutcome>> ReadOutcome(const PgStatement&, int);
template void BindColumns(const std::optional<CellColumns>&, int, SqliteStatement&);
template void BindColumns(const std::optional<CellColumns>&, int, PgArrays&);
template Status FindCellRows(SqliteDatabase&, std::int64_t, CellSpan, const CellQuery&,
                             const Store::OutcomeVisitor&);
template Status FindCellRows(PgDatabase&, std::int64_t, CellSpan, const CellQuery&,
                             const Store::OutcomeVisitor&);

}  // namespace assay
