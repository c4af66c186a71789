// Finds fenced blocks and joins them; the rules that cut code out of answers without fences.
#include "checks/code/code_blocks.h"

#include <algorithm>
#include <array>
#include <vector>

#include "base/text/utf8.h"

namespace assay {
namespace {

constexpr std::array<std::string_view, 3> kMarks = {"```", "\\begin{code}", "\\end{code}"};

bool HasMark(std::string_view line) {
  return std::any_of(kMarks.begin(), kMarks.end(),
                     [line](std::string_view mark) { return line.find(mark) != std::string_view::npos; });
}

// Occurrences that do not overlap; counting ends at `enough`.
std::size_t CountMarks(std::string_view text, std::size_t enough) {
  std::size_t count = 0;
  for (const std::string_view mark : kMarks) {
    for (std::size_t at = text.find(mark); at != std::string_view::npos && count < enough;
         at = text.find(mark, at + mark.size())) {
      ++count;
    }
  }
  return count;
}

// The lines strictly between two marker lines: where they start, where they end, and how many there are.
struct Block {
  std::size_t start = 0;
  std::size_t end = 0;
  std::size_t lines = 0;
};

std::vector<Block> FindBlocks(std::string_view text) {
  std::vector<Block> blocks;
  Block open;
  bool is_open = false;
  std::size_t line = 0;
  for (std::size_t start = 0; start <= text.size(); ++line) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    if (HasMark(text.substr(start, end - start))) {
      if (is_open) {
        open.end = start == 0 ? 0 : start - 1;
        open.lines = line - open.lines;
        blocks.push_back(open);
      } else {
        open = {.start = end + 1, .end = 0, .lines = line};
      }
      is_open = !is_open;
    }
    start = end + 1;
  }
  return blocks;
}

// Two marker lines with nothing between them leave `end` before `start`.
std::string_view TextOf(const Block& block, std::string_view text) {
  if (block.end <= block.start) return {};
  return text.substr(block.start, block.end - block.start);
}

// Of blocks of one length the first.
const Block& LongestOf(const std::vector<Block>& blocks) {
  return *std::max_element(blocks.begin(), blocks.end(),
                           [](const Block& a, const Block& b) { return a.lines < b.lines; });
}

bool IsPythonSpace(char32_t c) {
  return (c >= 0x09 && c <= 0x0D) || (c >= 0x1C && c <= 0x20) || c == 0x85 || c == 0xA0 || c == 0x1680 ||
         (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F ||
         c == 0x3000;
}

bool IsContinuation(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

}  // namespace

GradedBlock BlockOf(const LanguageRow& language, std::string_view text, FencedCode which, std::size_t from) {
  GradedBlock graded;
  const auto add = [&](std::size_t begin, std::size_t end) {
    if (end > from) AddMark({std::max(begin, from) - from, end - from}, graded.parts);
  };
  if (CountMarks(text, 2) < 2) {
    const std::string code = language.bare_code(std::string(text));
    const std::size_t at = text.find(code);
    if (at != std::string_view::npos) add(at, at + code.size());
    return graded;
  }
  graded.rule = which == FencedCode::kOnlyLongest ? BlockRule::kLongestFenced : BlockRule::kAllFenced;
  const std::vector<Block> blocks = FindBlocks(text);
  if (graded.rule == BlockRule::kAllFenced) {
    for (const Block& block : blocks) add(block.start, block.end);
  } else if (!blocks.empty()) {
    const Block& longest = LongestOf(blocks);
    add(longest.start, longest.end);
  }
  return graded;
}

std::string ExtractCode(const LanguageRow& language, std::string text, FencedCode which) {
  if (CountMarks(text, 2) < 2) return language.bare_code(std::move(text));
  const std::vector<Block> blocks = FindBlocks(text);
  if (blocks.empty()) return {};
  if (which == FencedCode::kOnlyLongest) return std::string(TextOf(LongestOf(blocks), text));
  std::string code;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    if (i > 0) code += "\n\n";
    code += TextOf(blocks[i], text);
  }
  return code;
}

std::string CutAtFirst(std::string text, std::span<const std::string_view> stops) {
  for (const std::string_view stop : stops) text.resize(std::min(text.find(stop), text.size()));
  return text;
}

bool CutBehindClosingBrace(std::string& text, int depth) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '{') ++depth;
    if (text[i] == '}') --depth;
    if (depth != 0) continue;
    text.resize(i + 1);
    return true;
  }
  return false;
}

void CutBehindLastBrace(std::string& text) {
  const std::size_t brace = text.rfind('}');
  if (brace != std::string::npos) text.resize(brace + 1);
}

std::string_view StripSpace(std::string_view text) {
  while (!text.empty()) {
    const DecodedCodePoint first = DecodeUtf8(text, 0);
    if (!IsPythonSpace(first.code_point)) break;
    text.remove_prefix(first.size_bytes);
  }
  while (!text.empty()) {
    std::size_t last = text.size() - 1;
    while (last > 0 && IsContinuation(text[last])) --last;
    if (!IsPythonSpace(DecodeUtf8(text, last).code_point)) break;
    text.remove_suffix(text.size() - last);
  }
  return text;
}

}  // namespace assay
