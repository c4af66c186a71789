// EditDistance: how many typing errors lie between two words.
#pragma once

#include <cstddef>
#include <string_view>

namespace assay {

// Optimal string alignment: insertions, deletions, replacements and swaps of neighbours cost one each.
std::size_t EditDistance(std::u32string_view a, std::u32string_view b);

}  // namespace assay
