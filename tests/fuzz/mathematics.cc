// Any two texts as mathematics: a text is equal to itself. Input: one text, a zero
// byte, the other.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/errors/assert.h"
#include "checks/math/equal.h"
#include "checks/math/expression.h"
#include "tests/fuzz/target.h"

FUZZ_TARGET(mathematics)(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::string_view one = input.substr(0, input.find('\0'));
  const std::string_view other = input.substr(std::min(one.size() + 1, input.size()));
  assay::SameMathematics(one, other);
  ASSAY_ASSERT(one.size() > assay::limits::kMathBytesMax || assay::SameMathematics(one, one));
  if (const auto expression = assay::MathExpression::Read(one)) expression->At(0);
  return 0;
}
