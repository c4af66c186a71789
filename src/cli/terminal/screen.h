// Lays text out for a terminal: colors, links and lines.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "cli/settings/screen.h"

namespace assay {

enum class Hue { kGood, kBad, kDoubtful, kHeading };

// The text in the hue, as a terminal takes it; as it is on a screen without colours.
std::string InColor(std::string_view text, Hue hue, const Screen& screen);
// The text as a link to a file's absolute path; as it is where the screen knows none.
std::string AsLink(std::string_view text, std::string_view path, const Screen& screen);
// What begins with the mark of a state ("✓ 0.83", "✗ 0.10", "◐ 1 missing", "error") in its hue.
std::string InColorOfState(std::string_view cell, const Screen& screen);
// `error:` and `warning:` at the start of a line or behind a place, in their hues.
std::string ProblemsInColor(std::string_view text, const Screen& screen);

// Words in lines of at most `columns`; 0: one line. A longer word has a line to itself, or is cut if it is
// even longer than `word_max`; 0: none is.
std::vector<std::string> LinesOf(std::string_view text, std::size_t columns, std::size_t word_max = 0);
// One text behind `indent` columns, as the lines behind its first stand; no line end behind the last.
std::string FoldLines(std::string_view text, std::size_t columns, std::size_t indent);

}  // namespace assay
