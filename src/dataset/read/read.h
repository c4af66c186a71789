// Reads the rows of a dataset: its files or inline rows, with columns renamed and none selected yet.
#pragma once

#include <string>
#include <string_view>

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

// What is wrong is in `problems`; without errors the table is whole.
Table ReadTable(const Options& options, const Surroundings& around);

// Whether the table has the column; otherwise that is told.
bool HasColumn(const Table& table, const Name& name, Problems& problems);

}  // namespace assay::dataset
