// Whether a file's tables are those that assay makes: SQLite runs what a stranger's tables, columns and
// indexes compute, so that no others are read.
#pragma once

#include <cstdint>
#include <string>

#include "store/sqlite/sqlite.h"

namespace assay {

// kCorrupt: the file has a table, column, index, view or trigger that no store of this version has, or lacks
// one.
Status CheckTablesAreKnown(SqliteDatabase& database, std::int64_t version, const std::string& path);

}  // namespace assay
