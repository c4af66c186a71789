// Dataset: reads a research dataset: documents, and questions about them with what their answers must hold.
//   source  asky-cli 14f1a9e, evals/research_pipeline/dataset.py (spec: research, 1)
//   cases   golden research/dataset_cases.jsonl
//   known deviations: ids that leave their folder are errors; every problem is told, not the first one alone
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors/diagnostics.h"
#include "base/files/file_reader.h"
#include "dataset/load.h"
#include "dialects/research/read/expectation.h"
#include "text/value.h"

namespace assay::research {

struct Document {
  std::string id;
  std::string title;
  std::string url;  // as written
  Span span;
};

struct TestCase {
  std::string id;
  std::string query;
  std::vector<std::string> doc_ids;      // of documents that there are, each once, in order
  std::vector<std::string> tags = {};    // for filters and programs under test; the original has none
  std::vector<std::string> groups = {};  // ours as well, one per dimension
  Map row = {};                          // columns of its table that exports show
  Expectation expected;
  Span span;
};

struct Dataset {
  std::string id;
  std::string path;  // absolute
  std::vector<Document> docs;
  std::vector<TestCase> tests;
  std::vector<assay::dataset::TableFile> tables = {};  // that tests come from
  List summaries = {};                                 // of them (rows_from/table_summary.h)
  bool is_named = true;  // false after an error of its id: nothing is found by it

  const Document* Find(std::string_view id) const;  // null if there is none
};

// What tables of tests (`tests_from`) are read with.
struct TableReading {
  FileReader& files;
  SourceFiles& sources;
  assay::dataset::Overrides overrides = {};
};

// Nothing after an error, unless the reader `reads_on`: then documents and tests at fault are left out.
// YAML (1.1, as PyYAML's safe loader) or JSON, by the suffix of `path`, which the
// dataset keeps; `text` is the content of `file`.
std::optional<Dataset> ReadDataset(FileId file, std::string_view path, std::string_view text,
                                   Diagnostics& diagnostics, bool reads_on = false,
                                   const TableReading* tables = nullptr);

}  // namespace assay::research
