// Texts of answers as JSON values: whole, or, where they are long, their ends and a digest by which the rest
// is asked for (docs/formats/view.md, TEXT).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "text/value.h"

namespace assay {

// How many bytes of a text stand in its place; longer ones are told by their ends.
struct TextRoom {
  std::size_t whole_max = 64u << 10;
  std::size_t head = 16u << 10;
  std::size_t tail = 4u << 10;

  static TextRoom All() { return {.whole_max = static_cast<std::size_t>(-1)}; }
};

Value TextValue(std::string_view text, const TextRoom& room);
// Its first line that says anything, cut.
std::string TitleOf(std::string_view text);

}  // namespace assay
