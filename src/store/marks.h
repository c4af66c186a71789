// Which rows of a store were made elsewhere, and the marks that a server keeps of them for all its users. A
// file keeps none, because whoever makes a file could mark it as he likes (docs/trust.md).
#pragma once

#include "base/errors/result.h"
#include "store/records/row_ranges.h"
#include "store/store.h"

namespace assay {

struct MarkedRows {
  RowRanges exchanges = {};  // ids
  RowRanges runs = {};       // RunRecord::number
  // Of a file: the last open batch (BatchRecord::number). Nobody copies batches, so those before were, too.
  std::int64_t batch = 0;
};

// Whether the run's row or cells are among rows that were made elsewhere: then its scores were, too,
// whatever its cells link to. A run that this command has begun has no number yet.
inline bool IsMarkedRun(const RowRanges& runs, const RunRecord& run) {
  const auto is_marked = [&runs](std::int64_t number) { return number != 0 && runs.Contains(number); };
  return is_marked(run.number) || is_marked(run.cells_of);
}

// --- of a server ---
// Of a server whose tables are older than marks: nothing.
Result<MarkedRows> ReadServerMarks(Store& store);
// From now on each row that this process adds is marked in the transaction that adds it.
Status MarkWhatComesToServer(Store& store);
// Of the rows that this process has added since then, only these stay marked.
Status SettleServerMarks(Store& store, const MarkedRows& came);
// No row is marked any more, for all users.
Status ClearServerMarks(Store& store);

}  // namespace assay
