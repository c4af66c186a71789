// Quoting of CSV cells.
#include "dialects/infibench/csv.h"

#include <string_view>

namespace assay::infibench {
namespace {

void AppendCell(std::string_view cell, std::string& out) {
  if (cell.find_first_of(",\"\r\n") == std::string_view::npos) {
    out += cell;
    return;
  }
  out += '"';
  for (const char c : cell) {
    if (c == '"') out += '"';
    out += c;
  }
  out += '"';
}

}  // namespace

void AppendCsvLine(std::span<const std::string> cells, std::string& out) {
  for (std::size_t at = 0; at < cells.size(); ++at) {
    if (at > 0) out += ',';
    AppendCell(cells[at], out);
  }
  out += '\n';
}

}  // namespace assay::infibench
