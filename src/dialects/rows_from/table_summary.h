// What a suite keeps of its tables: the names of their files, and how many of their rows became cases.
#pragma once

#include "dataset/table.h"

namespace assay {

// {files, rows, by_where, unchosen, dropped, blank, cases}, an item of `datasets` in a suite's details.
Value TableSummary(const dataset::Table& table, std::size_t cases);

}  // namespace assay
