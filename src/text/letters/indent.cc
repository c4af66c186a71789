// Counts columns, and finds the blanks before a part of a text.
#include "text/letters/indent.h"

namespace assay {

std::size_t IndentOf(std::string_view line) {
  std::size_t columns = 0;
  for (const char c : line) {
    if (c == ' ') {
      ++columns;
    } else if (c == '\t') {
      columns += kBlockIndent - columns % kBlockIndent;
    } else {
      break;
    }
  }
  return columns;
}

std::string_view WithIndent(std::string_view text, std::string_view part) {
  if (part.empty()) return part;
  const auto begin = static_cast<std::size_t>(part.data() - text.data());
  std::size_t first = begin;
  while (first > 0 && (text[first - 1] == ' ' || text[first - 1] == '\t')) --first;
  const bool begins_line = first == 0 || text[first - 1] == '\n' || text[first - 1] == '\r';
  const std::string_view indented = text.substr(first, begin - first + part.size());
  return begins_line && IndentOf(indented) >= kBlockIndent ? indented : part;
}

}  // namespace assay
