// Rows of JSON and JSON Lines that anyone may have written: any text ends in rows or in an error; all rows
// get ids, and no two the same.
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>

#include "base/errors/assert.h"
#include "dataset/read/decode.h"
#include "dataset/read/rows.h"
#include "dataset/select/ids.h"
#include "tests/fuzz/target.h"

namespace {

namespace dataset = assay::dataset;

void Read(const std::string& bytes, void (*read)(const dataset::SourceText& source, dataset::Table& table)) {
  dataset::Problems problems;
  assay::SourceFiles sources;
  dataset::Options options;
  const auto file = dataset::Decode("t", bytes, options, {}, sources, problems);
  if (!file) return;
  dataset::Table table;
  read({*file, sources.Text(*file), {}, options, problems}, table);
  ASSAY_ASSERT(problems.HasErrors() || !table.rows.empty());
  if (problems.HasErrors()) return;
  dataset::GiveIds(options, sources, table, problems);
  std::set<std::string> ids;
  for (const dataset::Row& row : table.rows)
    ASSAY_ASSERT(!row.id.empty() && (ids.insert(row.id).second || problems.HasErrors()));
}

}  // namespace

FUZZ_TARGET(json_rows)(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  Read(bytes, dataset::ReadJsonLines);
  Read(bytes, dataset::ReadJsonDocument);
  return 0;
}
