// Reads and writes CSV (RFC 4180): fields in double quotes may hold commas, line ends and doubled quotes.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors/result.h"
#include "text/csv_table.h"

namespace assay {

struct CsvRow {
  std::vector<std::string> fields;  // without their quotes
  std::uint32_t offset = 0;         // where it begins in the text
  std::uint32_t length = 0;         // of its first line
};

struct CsvRows {
  std::vector<CsvRow> rows;           // those before the problem
  std::optional<CsvProblem> problem;  // a quote that stays open, or text behind a closing one: at its line
};

// All rows of the text; empty lines are left out, as pandas does.
CsvRows ParseCsvRows(std::string_view text, char separator);

// The fields of the rows between commas. kInvalidInput with the line of a problem. `lines`: gets the
// line on which each row begins, from 1; null: nobody asks.
Result<std::vector<std::vector<std::string>>> ParseCsv(std::string_view text,
                                                       std::vector<std::size_t>* lines = nullptr);
// Appends a row as Python's csv writer has it by default, but with "\n" behind it: fields are quoted only
// where they must be.
void AppendCsvRow(std::span<const std::string> fields, std::string& out);

}  // namespace assay
