// The reader of research matrices: any bytes end in a matrix or in an error; its ids stay in their folder and
// its paths are absolute.
#include "dialects/research/read/matrix.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/errors/assert.h"
#include "tests/fuzz/target.h"

FUZZ_TARGET(research_matrix)(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const assay::PathRoots roots{.matrix_folder = "/m", .cwd = "/c", .home = "/h"};
  assay::Diagnostics diagnostics;
  const auto matrix = assay::research::ReadMatrix(assay::FileId{0}, "/m/a.toml", text, roots, diagnostics);
  ASSAY_ASSERT(matrix.has_value() != diagnostics.HasErrors());
  for (const assay::Diagnostic& diagnostic : diagnostics.All()) ASSAY_ASSERT(diagnostic.where.offset <= size);
  if (!matrix) return 0;
  for (const auto* path : {&matrix->dataset, &matrix->snapshot_root, &matrix->output_root})
    ASSAY_ASSERT(!*path || (*path)->starts_with('/'));
  for (const assay::research::RunProfile& run : matrix->runs)
    ASSAY_ASSERT(!run.id.empty() && run.id.find('/') == std::string::npos);
  return 0;
}
