// Alignment of a template with a text, by which InfiBench finds what an answer put into the blanks.
//
// Not the common longest subsequence: the first row and the first column of the original's table carry
// nothing over, ties go to the later column, and the way back wraps around (spec infibench 6, steps 1 and 2).
// Exact, tie by tie.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/errors/result.h"

namespace assay {

struct Alignment {
  std::uint32_t matched = 0;  // characters of the template that were found, in order
  // For each character of the template the place of the one that it matched, or of the one behind which it
  // would stand, plus 1. In 0 .. size of the text.
  std::vector<std::uint32_t> places;
};

// Code points; neither side may be empty. Any thread. kLimit over limits::kAlignCellsMax cells.
Result<Alignment> Align(std::u32string_view pattern, std::u32string_view text);

}  // namespace assay
