// Sorts units by SHA-256, and counts the places of looks.
#include "statistics/sequential/order.h"

#include <algorithm>
#include <utility>

#include "statistics/estimates/bootstrap.h"

namespace assay {

std::vector<std::size_t> OrderOfUnits(std::span<const std::string> names, std::string_view seed) {
  std::vector<std::pair<std::uint64_t, std::size_t>> keys;
  keys.reserve(names.size());
  for (std::size_t i = 0; i < names.size(); ++i) keys.emplace_back(RandomKeyOf("order/" + names[i], seed), i);
  std::stable_sort(keys.begin(), keys.end(), [&names](const auto& a, const auto& b) {
    return a.first != b.first ? a.first < b.first : names[a.second] < names[b.second];
  });
  std::vector<std::size_t> order;
  order.reserve(keys.size());
  for (const auto& [key, unit] : keys) order.push_back(unit);
  return order;
}

std::uint64_t UnitsPerLook(std::uint64_t units) { return std::max(kUnitsBeforeLooks, (units + 99) / 100); }

std::vector<std::uint64_t> LookPlaces(std::uint64_t units, std::optional<std::uint64_t> every) {
  const std::uint64_t step = every.value_or(UnitsPerLook(units));
  std::vector<std::uint64_t> places;
  for (std::uint64_t n = step; n < units; n += step) {
    if (n >= kUnitsBeforeLooks) places.push_back(n);
  }
  return places;
}

}  // namespace assay
