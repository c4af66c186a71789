// Numbers of statistics as golden files have them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "statistics/estimates/mean.h"
#include "text/value.h"

namespace assay::conformance {

inline Value NumberOf(std::uint64_t count) { return Value(static_cast<double>(count)); }
template <class T>
Value NumberOf(const std::optional<T>& number) {
  return number ? Value(static_cast<double>(*number)) : Value(Null{});
}
inline Value PairOf(const std::optional<Interval>& interval) {
  return interval ? Value(List{interval->low, interval->high}) : Value(Null{});
}
// 16 hex digits.
inline std::string HexOf(std::uint64_t number) {
  std::string text(16, '0');
  for (std::size_t i = 16; i-- > 0; number >>= 4) text[i] = "0123456789abcdef"[number & 15];
  return text;
}

}  // namespace assay::conformance
