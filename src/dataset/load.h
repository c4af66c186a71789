// Loads a dataset: reads its rows, gives them their ids and selects those that become cases.
#pragma once

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

// What `keep` names of a row; columns without a value are left out.
Map KeptCells(const Table& table, const Row& row, const SourceFiles& sources);

// Nothing after an error. `all_rows`: gets the rows before any is left out, for whoever draws from them.
std::optional<Table> Load(const Options& options, const Overrides& overrides, const Surroundings& around,
                          std::vector<Row>* all_rows = nullptr);

}  // namespace assay::dataset
