// Loads a dataset: reads its rows, gives them their ids and selects those that become cases.
#pragma once

#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "dataset/options.h"
#include "dataset/read/read.h"
#include "dataset/table.h"

namespace assay::dataset {

// What the command line says of every dataset of a suite; it wins over the file.
struct Overrides {
  std::vector<std::string> where;  // COLUMN=VALUE each
  std::optional<std::size_t> sample;
  std::optional<std::string> sample_seed;
};

// How much of a dataset is read, and which of its rows are kept.
struct RowReading {
  // Of rows that become cases. Where nothing chooses among rows, no more are read (Table::is_part).
  std::size_t rows_max = std::numeric_limits<std::size_t>::max();
  // A row for which it says true is counted (Table::alike) and not kept: nothing is to be said of it that
  // rows before it do not say. Not asked where rows are chosen by their ranks.
  std::function<bool(const std::vector<std::string>& columns, const Row& row)> is_alike = nullptr;
  // Called before is_alike sees the first row, and once more where all rows pass by again with all columns
  // known.
  std::function<void()> begin = nullptr;
  bool goes_by_order = false;  // is_alike depends on the order of rows that become cases
};

// What `keep` names of a row; columns without a value are left out.
Map KeptCells(const Table& table, const Row& row, const SourceFiles& sources);

// Nothing after an error. `all_rows`: gets the rows before any is left out, for whoever draws from them.
std::optional<Table> Load(const Options& options, const Overrides& overrides, const Surroundings& around,
                          std::vector<Row>* all_rows = nullptr, const RowReading& reading = {});

}  // namespace assay::dataset
