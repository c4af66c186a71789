// Table: the rows of a dataset, each with its place.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/errors/span.h"
#include "text/template/members.h"
#include "text/value.h"

namespace assay::dataset {

struct Row {
  Map cells;
  Span where;                // of its first character
  std::uint32_t line = 0;    // of it; in a JSON document the number of the row
  std::uint32_t number = 0;  // over all files, from 1
  std::string id = {};
};

struct TableFile {
  std::string path;
  FileId file = FileId::kNone;  // its text, unpacked and in UTF-8
  std::string sha256;           // of its bytes, of a part of it those that were read
  bool is_part = false;         // the rest was not read
};

struct Table {
  std::vector<std::string> columns;
  std::vector<Row> rows;
  std::vector<TableFile> files;
  MemberNames members;            // of all rows, before any selection
  std::vector<std::string> kept;  // columns that exports show
  std::size_t blank_rows = 0;     // rows of empty cells, which are skipped
  std::size_t read_rows = 0;      // before any selection
  std::size_t dropped = 0;        // duplicates
  std::size_t by_where = 0;       // rows that conditions leave out
  std::size_t unchosen = 0;       // rows that sample and limit leave out
  std::size_t twice = 0;          // rows whose id got a number
  std::size_t alike = 0;          // rows that are counted and not kept (RowReading::is_alike)
  bool is_part = false;           // rows behind those that were asked for were not read
};

}  // namespace assay::dataset
