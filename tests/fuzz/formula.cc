// Formulas of graders: any text is read or refused, and what is read is a number for any numbers.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/errors/assert.h"
#include "text/numbers/formula.h"
#include "tests/fuzz/target.h"

FUZZ_TARGET(formula)(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::string names[] = {"a", "ab", "a-b", ""};
  const double values[] = {0, 0.5, 1, 2};
  const assay::Result<assay::Formula> formula = assay::Formula::Read(text, names);
  if (formula) formula->Of(values);
  ASSAY_ASSERT(formula.has_value() || !formula.error().message.empty());
  return 0;
}
