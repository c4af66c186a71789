// Indented blocks of Markdown: lines that begin with four columns of blanks.
#pragma once

#include <cstddef>
#include <string_view>

namespace assay {

inline constexpr std::size_t kBlockIndent = 4;

// The columns of blanks that a line begins with; a tab goes on to the next multiple of four.
std::size_t IndentOf(std::string_view line);

// `part`, a trimmed part of `text`, with the blanks before it on its line if they make it an indented block;
// else `part`. Where `part` is empty: itself.
std::string_view WithIndent(std::string_view text, std::string_view part);

}  // namespace assay
