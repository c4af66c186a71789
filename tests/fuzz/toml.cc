// The TOML reader: any bytes end in a map or in a diagnostic, and every place lies within the text.
#include "text/toml.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/assert.h"

namespace {

void CheckPlaces(const assay::Value& value, std::size_t size_bytes) {
  ASSAY_ASSERT(std::size_t{value.span.offset} + value.span.length <= size_bytes);
  if (value.is_list()) {
    for (const assay::Value& element : value.AsList()) CheckPlaces(element, size_bytes);
  }
  if (value.is_map()) {
    for (const assay::Member& member : value.AsMap()) CheckPlaces(member.value, size_bytes);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  assay::Diagnostics diagnostics;
  const assay::Value value = assay::ReadToml(assay::FileId{0}, text, diagnostics);
  ASSAY_ASSERT(value.is_map() != diagnostics.HasErrors());
  CheckPlaces(value, size);
  for (const assay::Diagnostic& diagnostic : diagnostics.All()) ASSAY_ASSERT(diagnostic.where.offset <= size);
  return 0;
}
