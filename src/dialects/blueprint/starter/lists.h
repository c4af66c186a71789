// Columns whose cells contain lists as text, and columns whose names a template cannot contain.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "text/value.h"

namespace assay::blueprint {

struct ColumnFacts;

// Whether the filled cells of a column are lists as text.
struct ListFacts {
  // Between texts, the surest first.
  static constexpr std::array<std::string_view, 3> kSeparators{"\n", ";", "|"};

  void Add(const Value& value);

  std::size_t texts = 0;
  bool are_texts = true;
  bool are_json = true;
  std::array<std::size_t, kSeparators.size()> with = {};  // texts with each separator
};

struct ListColumn {
  std::string column;
  std::string separator;  // "" for JSON
};

// Of choices, and of criteria that stand in one column.
std::vector<ListColumn> ListsInCells(const std::vector<ColumnFacts>& columns);
// Columns with line ends or other control characters in their names: {new, old}.
std::vector<std::pair<std::string, std::string>> RenamedColumns(const std::vector<std::string>& columns);

}  // namespace assay::blueprint
