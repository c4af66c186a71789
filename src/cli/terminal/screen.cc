// Folding and colours.
#include "cli/terminal/screen.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/text/ascii.h"
#include "base/text/utf8.h"
#include "engine/words.h"

namespace assay {

namespace {

std::string_view CodeOf(Hue hue) {
  switch (hue) {
    case Hue::kGood:
      return "\x1b[32m";
    case Hue::kBad:
      return "\x1b[31m";
    case Hue::kDoubtful:
      return "\x1b[33m";
    case Hue::kHeading:
      return "\x1b[1m";
  }
  return "";
}

struct Mark {
  std::string_view start;
  Hue hue;
};
constexpr Mark kStateMarks[] = {
    {"✓", Hue::kGood}, {"✗", Hue::kBad}, {"◐", Hue::kDoubtful}, {"error", Hue::kBad}};
constexpr Mark kProblemMarks[] = {{"error: ", Hue::kBad}, {"warning: ", Hue::kDoubtful}};

// The longest start of the text that takes at most so many columns; at least one code point.
std::size_t StartOf(std::string_view text, std::size_t columns) {
  std::size_t end = 0;
  while (end < text.size()) {
    const std::size_t next = end + DecodeUtf8(text, end).size_bytes;
    if (end > 0 && DisplayWidth(text.substr(0, next)) > columns) break;
    end = next;
  }
  return end;
}

}  // namespace

std::string InColor(std::string_view text, Hue hue, const Screen& screen) {
  return screen.has_color ? fmt::format("{}{}\x1b[0m", CodeOf(hue), text) : std::string(text);
}

std::string AsLink(std::string_view text, std::string_view path, const Screen& screen) {
  if (!screen.has_links) return std::string(text);
  constexpr std::string_view kPlain = "/-_.~";
  std::string address = "file://";
  for (const char c : path) {
    if (IsAsciiAlphanumeric(c) || kPlain.find(c) != std::string_view::npos) {
      address += c;
    } else {
      address += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return fmt::format("\x1b]8;;{}\x1b\\{}\x1b]8;;\x1b\\", address, text);
}

std::string InColorOfState(std::string_view cell, const Screen& screen) {
  for (const Mark& mark : kStateMarks) {
    if (cell.starts_with(mark.start)) return InColor(cell, mark.hue, screen);
  }
  return std::string(cell);
}

std::string ProblemsInColor(std::string_view text, const Screen& screen) {
  if (!screen.has_color) return std::string(text);
  std::string colored;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end);
    std::size_t at = std::string_view::npos;
    const Mark* found = nullptr;
    for (const Mark& mark : kProblemMarks) {
      const std::size_t place = line.find(mark.start);
      const bool is_mark = place == 0 || (place != std::string_view::npos && place > 2 &&
                                          line.substr(place - 2, 2) == ": " && place < at);
      if (!is_mark) continue;
      at = place;
      found = &mark;
    }
    if (found == nullptr) {
      colored += line;
      continue;
    }
    const std::size_t size = found->start.size() - 1;  // without the blank
    colored += line.substr(0, at);
    colored += InColor(line.substr(at, size), found->hue, screen);
    colored += line.substr(at + size);
  }
  return colored;
}

std::vector<std::string> LinesOf(std::string_view text, std::size_t columns, std::size_t word_max) {
  if (columns == 0 || DisplayWidth(text) <= columns) return {std::string(text)};
  std::vector<std::string> lines(1);
  std::size_t used = 0;
  while (!text.empty()) {
    // Blanks stay before the word that follows them, as indents do.
    const std::size_t begin = std::min(text.find_first_not_of(' '), text.size());
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    std::string_view word = text.substr(0, end);
    text.remove_prefix(end);
    if (used > 0 && used + DisplayWidth(word) > columns) {
      lines.emplace_back();
      used = 0;
      word.remove_prefix(begin);
    }
    const bool is_cut = word_max > 0 && DisplayWidth(word) > std::max(word_max, columns);
    while (is_cut && DisplayWidth(word) > columns) {
      const std::size_t cut = StartOf(word, columns);
      lines.back() = word.substr(0, cut);
      word.remove_prefix(cut);
      lines.emplace_back();
    }
    lines.back() += word;
    used += DisplayWidth(word);
  }
  if (lines.size() > 1 && lines.back().empty()) lines.pop_back();
  return lines;
}

std::string FoldLines(std::string_view text, std::size_t columns, std::size_t indent) {
  constexpr std::size_t kLeast = 20;  // columns for words, however narrow the window
  const std::size_t room = columns == 0 ? 0 : std::max(columns, indent + kLeast) - indent;
  std::string folded;
  for (const std::string& line : LinesOf(text, room))
    folded += (folded.empty() ? "" : "\n" + std::string(indent, ' ')) + line;
  return folded;
}

}  // namespace assay
