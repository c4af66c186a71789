// Reads and writes the outcomes of cells as columns of the table `cell`, and queries cells by state and
// score, of either kind of store: `Row`, `To` and `Database` are its statements and itself.
#pragma once

#include <optional>

#include "store/store.h"

namespace assay {

// The number of the cell in this column of a row that was asked for within the span. kCorrupt: another one,
// which rows out of order give, or a server; whoever asked has no place for it.
template <class Row>
Result<CellIndex> ReadCell(const Row& row, int column, CellSpan span);
// Columns `column` (state) and the next one (score); absent where the state is NULL. kCorrupt: no outcome.
template <class Row>
Result<std::optional<CellOutcome>> ReadOutcome(const Row& row, int column);
// Parameters from `parameter` on: variant, attempt, state, score, weight.
template <class To>
void BindColumns(const std::optional<CellColumns>& columns, int parameter, To& insert);

// Store::FindCells of the run with this number.
template <class Database>
Status FindCellRows(Database& database, std::int64_t run, CellSpan span, const CellQuery& query,
                    const Store::OutcomeVisitor& visit);

}  // namespace assay
