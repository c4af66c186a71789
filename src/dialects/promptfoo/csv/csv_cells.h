// Reads a table of CSV as promptfoo does: blank lines are rows, a row that is too long or too short is an
// error.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dialects/promptfoo/read/context.h"
#include "text/value.h"

namespace assay::promptfoo {

struct CsvCells {
  std::vector<Map> rows;  // text by column, each with its place
  std::vector<Span> places;
};

char CsvDelimiterOf(const EvalOptions& options);
// Nothing after an error.
std::optional<CsvCells> ReadCsvCells(const ReadContext& context, FileId file, std::string_view text,
                                     char delimiter);

}  // namespace assay::promptfoo
