// Fences of code blocks in Markdown: lines of three or more backticks or tildes.
#pragma once

#include <cstddef>
#include <string_view>

#include "text/javascript/text.h"

namespace assay {

struct CodeFence {
  char mark = 0;  // 0: the line is none
  std::size_t size = 0;
  bool is_bare = false;  // nothing but blanks stands behind it, so that it may close a block

  bool Closes(const CodeFence& open) const { return mark == open.mark && size >= open.size && is_bare; }
};

// What the line begins with, behind up to three blanks.
inline CodeFence CodeFenceOf(std::string_view line) {
  constexpr std::size_t kIndentMax = 3;
  constexpr std::size_t kLeast = 3;
  std::size_t start = 0;
  while (start < line.size() && start < kIndentMax && line[start] == ' ') ++start;
  if (start >= line.size() || (line[start] != '`' && line[start] != '~')) return {};
  std::size_t end = start;
  while (end < line.size() && line[end] == line[start]) ++end;
  if (end - start < kLeast) return {};
  return {line[start], end - start, JsTrim(line.substr(end)).empty()};
}

}  // namespace assay
