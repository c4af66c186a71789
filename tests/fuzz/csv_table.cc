// Tables of CSV and TSV that anyone may have written: any bytes end in rows of one length or in an error
// whose place is in the file.
#include <cstddef>
#include <cstdint>
#include <string>

#include "base/errors/assert.h"
#include "dataset/read/decode.h"
#include "dataset/read/rows.h"
#include "tests/fuzz/target.h"

namespace {

void Read(const std::string& bytes, assay::dataset::Format format) {
  namespace dataset = assay::dataset;
  dataset::Problems problems;
  assay::SourceFiles sources;
  dataset::Options options;
  const auto file = dataset::Decode("t", bytes, options, {}, sources, problems);
  ASSAY_ASSERT(file.has_value() || problems.HasErrors());
  if (!file) return;
  dataset::Table table;
  dataset::ReadCsvRows({*file, sources.Text(*file), {}, options, problems}, format, table);
  for (const dataset::Problem& problem : problems.All())
    ASSAY_ASSERT(problem.where.offset <= sources.Text(*file).size());
  ASSAY_ASSERT(problems.HasErrors() || !table.rows.empty());
  for (const dataset::Row& row : table.rows) {
    ASSAY_ASSERT(row.cells.size() == table.columns.size());
    ASSAY_ASSERT(sources.Locate(row.where).line == row.line);
  }
}

}  // namespace

FUZZ_TARGET(csv_table)(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  Read(bytes, assay::dataset::Format::kCsv);
  Read(bytes, assay::dataset::Format::kTsv);
  return 0;
}
