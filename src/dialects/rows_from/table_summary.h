// What a suite keeps of its tables: the names of their files, and how many of their rows became cases.
#pragma once

#include "dataset/table.h"

namespace assay {

// {files, rows, by_where, unchosen, dropped, blank, cases, is_part}, an item of `datasets` in a suite's
// details. `is_part`: rows behind those that a limit wanted were not read.
Value TableSummary(const dataset::Table& table, std::size_t cases);

}  // namespace assay
