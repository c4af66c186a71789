// TextTable: rows of text as aligned columns, measured by the width that a terminal gives each character.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/terminal/screen.h"

namespace assay {

enum class Align { kLeft, kRight };

class TextTable {
 public:
  struct Column {
    std::string title;
    Align align = Align::kLeft;
  };
  explicit TextTable(std::vector<Column> columns) : columns_(std::move(columns)) {}
  // One text per column, printable.
  void Add(std::vector<std::string> row);
  bool empty() const { return rows_.empty(); }
  // Lines without trailing blanks; two blanks between columns. What is wider than the screen is folded: first
  // texts within their columns, then the last columns below the others, behind the first text column again.
  std::string Text(const Screen& screen = {}) const;

 private:
  std::vector<std::size_t> Widths() const;
  std::vector<std::size_t> Narrowest(std::size_t name, const Screen& screen) const;
  void AddRows(const std::vector<std::size_t>& shown, const std::vector<std::size_t>& widths,
               const Screen& screen, std::string& text) const;

  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace assay
