// The readers of one file: CSV and TSV, JSON and JSON Lines. Each hands the rows of the file over one by one.
#pragma once

#include <cstdint>
#include <functional>

#include "base/errors/span.h"
#include "dataset/options.h"
#include "dataset/read/text_feed.h"
#include "dataset/table.h"

namespace assay::dataset {

// A file whose text is in `sources`.
struct SourceText {
  FileId file;
  std::string_view text;
  Span named_at;  // where the dataset names it
  const Options& options;
  Problems& problems;
  // Proves the letters of the text; null: they are proved.
  TextFeed* feed = nullptr;
  // What becomes of a row; false: nothing more is read. Null: the table gets it.
  std::function<bool(Row row)> take = nullptr;

  Span At(std::size_t offset, std::size_t length = 0) const {
    return {file, static_cast<std::uint32_t>(offset), static_cast<std::uint32_t>(length)};
  }
};

void ReadCsvRows(const SourceText& source, Format format, Table& table);
void ReadJsonLines(const SourceText& source, Table& table);
void ReadJsonDocument(const SourceText& source, Table& table);
// Rows that the dataset itself contains.
void ReadInlineRows(const SourceText& source, Table& table);

// Adds the names that the table does not have yet.
void AddColumns(const Map& row, Table& table);
// Whether the text is one up to there; otherwise that is told.
bool IsProved(const SourceText& source, std::size_t offset);
// Whether the row between these places is no longer than rows may be; otherwise that is told.
bool FitsRow(const SourceText& source, std::size_t begin, std::size_t end);
// Counts the row and hands it over. False: nothing more is read.
bool HandOver(const SourceText& source, Row row, Table& table);

}  // namespace assay::dataset
