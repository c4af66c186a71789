// Compares the line where reading broke, and those before it, with known slips.
#include "text/yaml/slips/slip.h"

#include <fmt/core.h>

#include <algorithm>
#include <vector>

#include "text/yaml/slips/marks.h"

namespace assay {
namespace {

constexpr std::size_t kLinesLookedAt = 4;  // with text, the broken one among them

// Keys of the formats that people write.
constexpr std::string_view kKeys[] = {
    "prompt",  "prompts", "should",   "should_not", "ideal",    "messages", "user",        "assistant",
    "system",  "title",   "models",   "weight",     "points",   "tags",     "description", "id",
    "text",    "arg",     "cases",    "path",       "grading",  "keywords", "content",     "tests",
    "lang",    "type",    "docs",     "query",      "expected", "doc_id",   "doc_ids",     "url",
    "pattern", "author",  "citation", "template",   "targets",  "metric",   "references"};

struct Line {
  std::size_t offset = 0;
  std::string_view text;  // without its end

  std::size_t Indent() const { return std::min(text.find_first_not_of(' '), text.size()); }
  std::string_view Content() const { return text.substr(Indent()); }
};

// The line that holds `offset` and those before it, the nearest first; lines without text are left out.
std::vector<Line> LinesBefore(std::string_view text, std::size_t offset) {
  std::vector<Line> lines;
  std::size_t end = std::min(text.find('\n', std::min(offset, text.size())), text.size());
  while (lines.size() < kLinesLookedAt) {
    const std::size_t start = end == 0 ? 0 : text.rfind('\n', end - 1) + 1;  // npos + 1 is the start
    std::string_view line = text.substr(start, end - start);
    while (line.ends_with('\r') || line.ends_with(' ')) line.remove_suffix(1);
    if (line.find_first_not_of(' ') != std::string_view::npos) lines.push_back({start, line});
    if (start == 0) break;
    end = start - 1;
  }
  return lines;
}

// The word before the first colon; "" if something else stands there.
std::string_view KeyOf(std::string_view content) {
  const std::size_t colon = content.find(':');
  return colon == std::string_view::npos ? std::string_view() : content.substr(0, colon);
}

std::string_view BehindDash(std::string_view content) {
  return content.starts_with("- ")
             ? content.substr(std::min(content.find_first_not_of(' ', 1), content.size()))
             : content;
}

std::optional<YamlSlip> MissingBlank(const Line& line) {
  const std::string_view content = BehindDash(line.Content());
  const std::string_view key = KeyOf(content);
  if (std::find(std::begin(kKeys), std::end(kKeys), key) == std::end(kKeys)) return std::nullopt;
  if (content.size() <= key.size() + 1 || content[key.size() + 1] == ' ' || content[key.size() + 1] == '/')
    return std::nullopt;
  return YamlSlip{.message = fmt::format("a space is missing after \"{}:\"", key),
                  .hint = fmt::format("write \"{}: …\", with a space", key),
                  .offset = static_cast<std::size_t>(content.data() - line.text.data()) + line.offset,
                  .length = key.size() + 1};
}

std::optional<YamlSlip> WrongSeparator(const Line& line) {
  const bool are_dashes = line.text.find_first_not_of('-') == std::string_view::npos;
  const std::string_view mark = ForeignDashAt(line.text);
  const bool are_marks =
      !mark.empty() && line.text.size() % mark.size() == 0 && line.text.size() <= 3 * mark.size();
  if (!(are_dashes && line.text.size() > 1 && line.text.size() != 3) && !are_marks) return std::nullopt;
  return YamlSlip{.message = fmt::format("this line separates nothing: {}", line.text),
                  .hint = "write three dashes between the header and the prompts: ---",
                  .offset = line.offset,
                  .length = line.text.size()};
}

std::optional<YamlSlip> ForeignDash(const Line& line) {
  const std::string_view content = line.Content();
  const std::string_view mark = ForeignDashAt(content);
  if (mark.empty() || content.size() <= mark.size() || content[mark.size()] != ' ') return std::nullopt;
  return YamlSlip{.message = fmt::format("{} begins no item of a list", mark),
                  .hint = "begin each item with a minus sign and a space: \"- \"",
                  .offset = line.offset + line.Indent(),
                  .length = mark.size()};
}

YamlSlip QuoteSlip(const Line& line, std::size_t open, std::size_t close) {
  const std::size_t end = std::max(line.text.rfind('"'), close);
  std::string_view inside = line.text.substr(open + 1, end - open - 1);
  // Behind the braces of a template, the next text may begin.
  if (const std::size_t braces = inside.find("}}\""); braces != std::string_view::npos)
    inside = inside.substr(0, braces + 2);
  const bool fits_single =
      inside.find('\'') == std::string_view::npos && inside.find('\\') == std::string_view::npos;
  return {.message = "this double quote ends the text, which has more words behind it",
          .hint = fits_single ? fmt::format("put the whole text in single quotes: '{}'", inside)
                              : "write \\\" for each double quote inside the text",
          .offset = line.offset + close,
          .length = 1};
}

// Where the quote at `open` closes; npos: not on this line.
std::size_t ClosingQuote(std::string_view text, std::size_t open) {
  for (std::size_t i = open + 1; i < text.size(); ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (text[i] == '"') {
      return i;
    }
  }
  return std::string_view::npos;
}

// A text in double quotes with more of them inside: the second one ends it.
std::optional<YamlSlip> QuoteInQuotes(const Line& line) {
  bool may_begin = true;  // a value
  for (std::size_t i = line.Indent(); i < line.text.size(); ++i) {
    const char c = line.text[i];
    if (c == '"' && may_begin) {
      const std::size_t close = ClosingQuote(line.text, i);
      if (close == std::string_view::npos) return std::nullopt;
      const std::size_t next = line.text.find_first_not_of(' ', close + 1);
      if (next != std::string_view::npos &&
          std::string_view(",]}:#").find(line.text[next]) == std::string_view::npos)
        return QuoteSlip(line, i, close);
      i = close;
    }
    may_begin = c == '[' || c == '{' || c == ',' || c == ':' || c == '-' || (may_begin && c == ' ');
  }
  return std::nullopt;
}

// A key at the dash of the item before it, or left of the item's keys.
std::optional<YamlSlip> OutsideItem(const std::vector<Line>& lines) {
  const Line& broken = lines.front();
  const std::string_view key = KeyOf(broken.Content());
  if (std::find(std::begin(kKeys), std::end(kKeys), key) == std::end(kKeys)) return std::nullopt;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const std::string_view content = lines[i].Content();
    if (!content.starts_with("- ") || KeyOf(BehindDash(content)).empty()) continue;
    const std::size_t keys_at = lines[i].Indent() + content.size() - BehindDash(content).size();
    if (broken.Indent() < lines[i].Indent() || broken.Indent() >= keys_at) return std::nullopt;
    return YamlSlip{
        .message = fmt::format("\"{}\" does not belong to the item above: it is not indented as its "
                               "other keys are",
                               key),
        .hint = fmt::format("indent it, and what is below it: {} spaces before \"{}:\"", keys_at, key),
        .offset = broken.offset + broken.Indent(),
        .length = key.size()};
  }
  return std::nullopt;
}

}  // namespace

std::optional<YamlSlip> FindYamlSlip(std::string_view text, std::size_t offset) {
  const std::vector<Line> lines = LinesBefore(text, offset);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (auto slip = ForeignDash(lines[i])) return slip;
    if (i > 1) continue;
    if (auto slip = WrongSeparator(lines[i])) return slip;
    if (auto slip = MissingBlank(lines[i])) return slip;
    if (auto slip = QuoteInQuotes(lines[i])) return slip;
  }
  return lines.empty() ? std::nullopt : OutsideItem(lines);
}

}  // namespace assay
