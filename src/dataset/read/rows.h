// The readers of one file: CSV and TSV, JSON and JSON Lines. Each appends the rows of the file to a table.
#pragma once

#include <cstdint>

#include "base/errors/span.h"
#include "dataset/options.h"
#include "dataset/table.h"

namespace assay::dataset {

// A file whose text is in `sources`.
struct SourceText {
  FileId file;
  std::string_view text;
  Span named_at;  // where the dataset names it
  const Options& options;
  Problems& problems;

  Span At(std::size_t offset, std::size_t length = 0) const {
    return {file, static_cast<std::uint32_t>(offset), static_cast<std::uint32_t>(length)};
  }
};

void ReadCsvRows(const SourceText& source, Format format, Table& table);
void ReadJsonLines(const SourceText& source, Table& table);
void ReadJsonDocument(const SourceText& source, Table& table);
// Rows that the dataset itself contains.
void ReadInlineRows(const Options& options, Table& table, Problems& problems);

// Adds the names that the table does not have yet.
void AddColumns(const Map& row, Table& table);
// False: the table has all the rows that it may have, and that is told.
bool HasRoom(const Table& table, Span at, Problems& problems);

}  // namespace assay::dataset
