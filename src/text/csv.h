// Reads and writes CSV (RFC 4180): fields in double quotes may hold commas, line ends and doubled quotes.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors/result.h"

namespace assay {

// All rows of the text, their fields unquoted; empty lines are left out, as pandas does. kInvalidInput with
// the line where a quote stays open or text stands behind a closing one. `lines`: gets the line on which each
// row begins, from 1; null: nobody asks.
Result<std::vector<std::vector<std::string>>> ParseCsv(std::string_view text,
                                                       std::vector<std::size_t>* lines = nullptr);
// Appends a row as Python's csv writer has it by default, but with "\n" behind it: fields are quoted only
// where they must be.
void AppendCsvRow(std::span<const std::string> fields, std::string& out);

}  // namespace assay
