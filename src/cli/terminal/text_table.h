// Columns of text, aligned by the width that a terminal gives them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

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
  // Lines without trailing blanks; two blanks between columns.
  std::string Text() const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace assay
