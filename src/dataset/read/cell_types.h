// The types that the cells of a CSV column may have.
#pragma once

#include <string>
#include <string_view>

#include "dataset/options.h"

namespace assay::dataset {

// The type of a column, by the name that it has in the file or that the dataset gives it; null: none is
// named.
const CellType* TypeOfColumn(const Options& options, std::string_view name);
std::string_view TypeName(const CellType& type);  // for messages: "a whole number"

// Makes a value of the text of a cell. `value` has the place of that text, and keeps it; numbers inside it
// get their own. False: it is none.
bool ConvertCell(const CellType& type, const std::string& text, Value& value);

}  // namespace assay::dataset
