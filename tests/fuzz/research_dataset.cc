// The reader of research datasets: any bytes, as YAML and as JSON, end in a dataset or in an error, and every
// document that a test names is there.
#include "dialects/research/read/dataset.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/errors/assert.h"
#include "tests/fuzz/target.h"

namespace {

void Read(std::string_view path, std::string_view text) {
  assay::Diagnostics diagnostics;
  const auto dataset = assay::research::ReadDataset(assay::FileId{0}, path, text, diagnostics);
  ASSAY_ASSERT(dataset.has_value() != diagnostics.HasErrors());
  for (const assay::Diagnostic& diagnostic : diagnostics.All())
    ASSAY_ASSERT(diagnostic.where.file == assay::FileId::kNone || diagnostic.where.offset <= text.size());
  if (!dataset) return;
  ASSAY_ASSERT(!dataset->id.empty() && dataset->id.find('/') == std::string::npos);
  for (const assay::research::TestCase& test : dataset->tests) {
    ASSAY_ASSERT(!test.doc_ids.empty() && !test.expected.AsValue().is_undefined());
    for (const std::string& id : test.doc_ids) ASSAY_ASSERT(dataset->Find(id) != nullptr);
  }
}

}  // namespace

FUZZ_TARGET(research_dataset)(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  Read("/a.yaml", text);
  Read("/a.json", text);
  return 0;
}
