// Fuzzes the JSON reader and writer: no text crashes them, and what was read is written in a form that reads
// back as the same value, with every place inside the text.
#include <cstdint>
#include <string_view>

#include "base/errors/assert.h"
#include "tests/fuzz/places.h"
#include "tests/fuzz/target.h"
#include "text/json/json.h"

FUZZ_TARGET(json)(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const assay::Result<assay::Value> value = assay::ParseJson(text);
  if (!value) {
    const assay::Span where = value.error().where.value_or(assay::Span{});
    ASSAY_ASSERT(where.offset <= size && where.length <= size - where.offset);
    return 0;
  }
  assay::CheckPlaces(*value, size);
  const assay::Value decoded = assay::DecodeEncoded(*value);
  for (const auto style :
       {assay::JsonStyle::kJavaScript, assay::JsonStyle::kJavaScript2, assay::JsonStyle::kCanonical}) {
    const std::string printed = assay::WriteJson(*value, style);
    const assay::Result<assay::Value> back = assay::ParseJson(printed);
    ASSAY_ASSERT(back.has_value());
    ASSAY_ASSERT(assay::WriteJson(*back, style) == printed);
    const std::string encoded = assay::WriteEncoded(decoded, style);
    ASSAY_ASSERT(assay::ParseJson(encoded).has_value());
  }
  return 0;
}
