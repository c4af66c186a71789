// Any text for the reader of numbers: each number is finite, lies within the text, and stands behind the one
// before it, with either decimal mark.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/errors/assert.h"
#include "tests/fuzz/target.h"
#include "text/numbers/numbers.h"

FUZZ_TARGET(numbers)(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const assay::DecimalMark mark : {assay::DecimalMark::kPoint, assay::DecimalMark::kComma}) {
    std::size_t behind = 0;
    for (const assay::FoundNumber& number : assay::FindNumbers(text, mark)) {
      ASSAY_ASSERT(std::isfinite(number.value));
      ASSAY_ASSERT(number.where.from >= behind && number.where.from < number.where.to);
      ASSAY_ASSERT(number.where.to <= text.size());
      behind = number.where.to;
    }
  }
  return 0;
}
