// Columns whose cells contain lists as text, and columns whose names a template cannot contain.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "dataset/table.h"

namespace assay::blueprint {

struct ListColumn {
  std::string column;
  std::string separator;  // "" for JSON
};

// Of choices, and of criteria that stand in one column.
std::vector<ListColumn> ListsInCells(const dataset::Table& table);
// Columns with line ends or other control characters in their names: {new, old}.
std::vector<std::pair<std::string, std::string>> RenamedColumns(const dataset::Table& table);

}  // namespace assay::blueprint
