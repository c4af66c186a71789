// Reads the rows of a dataset: its files or inline rows, with columns renamed and none selected yet.
#pragma once

#include <functional>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/files/file_reader.h"
#include "dataset/options.h"
#include "dataset/table.h"

namespace assay::dataset {

// Where a dataset stands, and what it may read.
struct Surroundings {
  std::string_view folder;  // of the file with the dataset, "" or ending in "/"
  FileReader& files;
  SourceFiles& sources;
  Problems& problems;
};

// Who gets the rows, and how many.
struct RowTaking {
  std::size_t rows_max = std::numeric_limits<std::size_t>::max();  // no more are read
  // Gets each row in place of the table, with the columns known so far; false: nothing more is read.
  std::function<bool(const std::vector<std::string>& columns, Row row)> take = nullptr;
};

// What is wrong is in `problems`; without errors the table is whole.
Table ReadTable(const Options& options, const Surroundings& around, const RowTaking& taking = {});

// For a name that no column has: the nearest one, or what columns there are.
std::string HintOfColumns(std::string_view name, std::span<const std::string> columns);
// Whether the table has the column; otherwise that is told.
bool HasColumn(const Table& table, const Name& name, Problems& problems);

}  // namespace assay::dataset
