// Finds the smallest whole number from which on a condition holds.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

namespace assay {

// From `least` > 0 up to `most`, by doubling and bisection; nothing if it is above `most`. `holds` stays true
// once it is.
template <class Holds>
std::optional<std::uint64_t> SmallestCount(std::uint64_t least, std::uint64_t most, const Holds& holds) {
  if (holds(least)) return least;
  std::uint64_t high = least;
  while (high <= most && !holds(high)) high *= 2;
  std::uint64_t low = high / 2;  // does not hold
  high = std::min(high, most);
  if (!holds(high)) return std::nullopt;
  while (high - low > 1) {
    const std::uint64_t middle = low + (high - low) / 2;
    (holds(middle) ? high : low) = middle;
  }
  return high;
}

}  // namespace assay
