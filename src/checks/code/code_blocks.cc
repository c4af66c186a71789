// Finds fenced blocks and joins them; the rules that cut code out of answers without fences.
#include "checks/code/code_blocks.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <vector>

#include "base/text/ascii.h"
#include "base/text/utf8.h"

namespace assay {
namespace {

constexpr std::size_t kTagBytesMax = 30;  // of a block's language, in words
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

bool IsBlankAt(std::string_view text, std::size_t at) {
  return at < text.size() && (text[at] == ' ' || text[at] == '\t');
}

// What stands behind the mark that opens a block: "python"; "" if nothing does.
std::string_view TagOf(const Block& block, std::string_view text) {
  std::string_view line = text.substr(0, block.start - 1);
  line.remove_prefix(line.rfind('\n') + 1);  // npos + 1 is 0
  const std::size_t mark = line.rfind("```");
  if (mark == std::string_view::npos) return {};
  const std::string_view tag = StripSpace(line.substr(mark + 3));
  return tag.substr(0, tag.find_first_of(" \t{:,"));
}

// Other names that fences give to languages.
struct TagAlias {
  std::string_view tag;
  std::string_view language;
};
constexpr TagAlias kTagAliases[] = {
    {"py", "python"},     {"python3", "python"}, {"js", "javascript"},  {"node", "javascript"},
    {"ts", "typescript"}, {"c++", "cpp"},        {"cc", "cpp"},         {"sh", "bash"},
    {"shell", "bash"},    {"rb", "ruby"},        {"rs", "rust"},        {"golang", "go"},
    {"cs", "csharp"},     {"c#", "csharp"},      {"jsx", "javascript"}, {"tsx", "typescript"},
    {"sqlite", "sql"},    {"rscript", "r"},
};

bool IsTagOf(const LanguageRow& language, std::string_view tag) {
  const auto is_tag = [tag](std::string_view name) { return AsciiLower(name) == tag; };
  if (std::any_of(language.accepted.begin(), language.accepted.end(), is_tag)) return true;
  return std::any_of(std::begin(kTagAliases), std::end(kTagAliases), [&](const TagAlias& alias) {
    return alias.tag == tag && alias.language == language.name;
  });
}

// ", one of them javascript": of the blocks that say that they are of another language.
std::string OtherTags(const LanguageRow& language, const std::vector<Block>& blocks, std::string_view text) {
  std::size_t count = 0;
  std::string other;
  for (const Block& block : blocks) {
    const std::string_view tag = TagOf(block, text);
    if (tag.empty() || IsTagOf(language, AsciiLower(tag))) continue;
    ++count;
    other = CutToBytes(tag, kTagBytesMax);
  }
  if (count == 0) return {};
  if (count > 1) return fmt::format(", {} of them in other languages", count);
  return fmt::format(", one of them {}", other);
}

bool IsOfLanguage(FencedCode which) {
  return which == FencedCode::kOfLanguage || which == FencedCode::kLongestOfLanguage;
}

bool IsLongest(FencedCode which) {
  return which == FencedCode::kOnlyLongest || which == FencedCode::kLongestOfLanguage;
}

// The blocks that code is taken from.
std::vector<Block> TakenBlocks(const LanguageRow& language, std::string_view text, FencedCode which) {
  std::vector<Block> blocks = FindBlocks(text);
  if (IsOfLanguage(which)) {
    const auto is_other = [&](const Block& block) {
      return !IsTagOf(language, AsciiLower(TagOf(block, text)));
    };
    const auto is_named = [&](const Block& block) { return !TagOf(block, text).empty(); };
    if (std::all_of(blocks.begin(), blocks.end(), is_other)) {
      std::erase_if(blocks, is_named);
    } else {
      std::erase_if(blocks, is_other);
    }
  }
  if (IsLongest(which) && !blocks.empty()) blocks = {LongestOf(blocks)};
  return blocks;
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
  graded.rule = IsLongest(which) ? BlockRule::kLongestFenced : BlockRule::kAllFenced;
  for (const Block& block : TakenBlocks(language, text, which)) add(block.start, block.end);
  return graded;
}

std::string ExtractCode(const LanguageRow& language, std::string text, FencedCode which) {
  if (CountMarks(text, 2) < 2) return language.bare_code(std::move(text));
  const std::vector<Block> blocks = TakenBlocks(language, text, which);
  std::string code;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    if (i > 0) code += "\n\n";
    code += TextOf(blocks[i], text);
  }
  return code;
}

std::string TakenWords(const LanguageRow& language, std::string_view text, FencedCode which) {
  const std::size_t marks = CountMarks(text, 2);
  if (marks < 2) {
    const std::string_view why = marks == 1                                   ? "its fence is never closed"
                                 : text.find("~~~") != std::string_view::npos ? "only fences of ``` count"
                                                                              : "the answer has no fence";
    return fmt::format("{} ({}), so the whole answer was run", kNoCodeFound, why);
  }
  const std::size_t all = FindBlocks(text).size();
  const std::vector<Block> blocks = TakenBlocks(language, text, which);
  if (blocks.empty()) return fmt::format("{} (no block is in {})", kNoCodeFound, language.name);
  if (IsLongest(which) && all > 1) {
    return fmt::format("the longest of {} blocks{} was run", all,
                       IsOfLanguage(which) ? fmt::format(", of those in {},", language.name) : "");
  }
  if (blocks.size() > 1)
    return fmt::format("{} {}{}", blocks.size(), kBlocksJoined, OtherTags(language, blocks, text));
  if (all > 1) return fmt::format("of {} blocks the one in {} was run", all, language.name);
  const bool is_indented = !blocks.empty() && IsBlankAt(text, blocks.front().start);
  return is_indented ? "the block was run unchanged, with its indentation" : "";
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

std::string CutToBraces(std::string text) {
  if (!CutBehindClosingBrace(text, 1)) CutBehindLastBrace(text);
  return text;
}

std::string StrippedWithHeader(std::string_view header, std::string body) {
  return std::string(StripSpace(std::string(header) + body));
}

}  // namespace assay
