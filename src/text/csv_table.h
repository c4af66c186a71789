// Reads a table of CSV whose first line names its columns, in the forms in which spreadsheets and people save
// them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

struct CsvProblem {
  std::string message;
  std::string hint;
  std::uint32_t offset = 0;  // in the text
  std::uint32_t length = 0;
};

struct CsvTable {
  std::vector<std::vector<std::string>> rows;  // the wanted fields of each, in the wanted order
  std::vector<CsvProblem> problems;            // all of them; without any, the rows are whole
};

// A byte order mark, semicolons or tabs in place of commas, and capitals or blanks in the names of columns
// are no problem. A row with fewer or more fields than there are columns is one, but with `fills_short_rows`
// what is missing is empty.
CsvTable ReadCsvTable(std::string_view text, std::span<const std::string_view> wanted,
                      bool fills_short_rows = false);

}  // namespace assay
