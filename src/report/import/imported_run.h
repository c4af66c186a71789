// ImportedRun: what a reader of another tool's result file makes of it.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "spec/report/report.h"
#include "spec/suite/suite.h"

namespace assay {

// What a person should know of a file before reading its numbers.
struct ImportRemark {
  bool is_warning = false;
  std::string text;
};

// A run that was read from a file. `report` borrows the rest, so it stays where it is.
struct ImportedRun {
  ImportedRun() = default;
  ImportedRun(const ImportedRun&) = delete;
  ImportedRun& operator=(const ImportedRun&) = delete;

  Suite suite;
  std::vector<Cell> cells;              // in plan order
  std::vector<std::size_t> by_variant;  // places in `cells`, variant by variant
  std::vector<std::string> digests;     // by case (CaseDigest); "" where the file tells none
  Report report;
  std::vector<ImportRemark> remarks;
  std::vector<std::string> parts;  // what ImportAsk::part may name here
  bool is_part = false;            // ImportAsk::part chose what is read; else it means something else
  bool has_answers = true;         // false: the file holds scores alone
};

}  // namespace assay
