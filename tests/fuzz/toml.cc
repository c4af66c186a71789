// The TOML reader: any bytes end in a map or in a diagnostic, and every place lies within the text.
#include "text/toml.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/errors/assert.h"
#include "tests/fuzz/places.h"
#include "tests/fuzz/target.h"

FUZZ_TARGET(toml)(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  assay::Diagnostics diagnostics;
  const assay::Value value = assay::ReadToml(assay::FileId{0}, text, diagnostics);
  ASSAY_ASSERT(value.is_map() != diagnostics.HasErrors());
  assay::CheckPlaces(value, size);
  for (const assay::Diagnostic& diagnostic : diagnostics.All()) ASSAY_ASSERT(diagnostic.where.offset <= size);
  return 0;
}
