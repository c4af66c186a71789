// Laying out columns.
#include "cli/terminal/text_table.h"

#include <algorithm>

#include "base/errors/assert.h"
#include "cli/terminal/ui.h"

namespace assay {

void TextTable::Add(std::vector<std::string> row) {
  ASSAY_ASSERT(row.size() == columns_.size());
  rows_.push_back(std::move(row));
}

std::string TextTable::Text() const {
  std::vector<std::string> titles;
  std::vector<std::size_t> widths;
  for (const Column& column : columns_) {
    titles.push_back(column.title);
    widths.push_back(DisplayWidth(column.title));
  }
  for (const auto& row : rows_) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], DisplayWidth(row[i]));
  }
  std::string text;
  const auto add_line = [&](const std::vector<std::string>& row) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string padding(widths[i] - DisplayWidth(row[i]), ' ');
      if (i > 0) line += "  ";
      line += columns_[i].align == Align::kRight ? padding + row[i] : row[i] + padding;
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  };
  add_line(titles);
  for (const auto& row : rows_) add_line(row);
  return text;
}

}  // namespace assay
