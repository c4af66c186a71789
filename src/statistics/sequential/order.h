// The order in which a run that may end early asks its units, and the places at which it looks at them. A
// unit is a cluster of cases, which is asked whole.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

// Indices into `names`, in the order of asking: by a key that depends on name and seed alone. Units that
// come or go leave the order of the others as it is.
std::vector<std::size_t> OrderOfUnits(std::span<const std::string> names, std::string_view seed);

inline constexpr std::uint64_t kUnitsBeforeLooks = 10;

// How many units a look adds: a hundredth of them, and at least ten.
std::uint64_t UnitsPerLook(std::uint64_t units);
// After how many units a run looks: multiples of `every`, from the tenth unit on and before the last one.
// Absent: UnitsPerLook. `every` > 0.
std::vector<std::uint64_t> LookPlaces(std::uint64_t units, std::optional<std::uint64_t> every = {});

}  // namespace assay
