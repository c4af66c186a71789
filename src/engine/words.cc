// Number, duration and money formats, and the display width of Unicode text.
#include "engine/words.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/text/ascii.h"
#include "base/text/printable.h"
#include "base/text/utf8.h"

namespace assay {

namespace {

struct Range {
  char32_t first, last;
};

// Unicode's East Asian wide characters and the emoji that terminals draw wide, by block.
constexpr Range kWide[] = {{0x1100, 0x115F},   {0x2E80, 0x303E},   {0x3041, 0x33FF},  {0x3400, 0x4DBF},
                           {0x4E00, 0x9FFF},   {0xA000, 0xA4CF},   {0xAC00, 0xD7A3},  {0xF900, 0xFAFF},
                           {0xFE30, 0xFE6F},   {0xFF00, 0xFF60},   {0xFFE0, 0xFFE6},  {0x1F300, 0x1F64F},
                           {0x1F680, 0x1F6FF}, {0x1F900, 0x1F9FF}, {0x20000, 0x3FFFD}};
constexpr Range kNarrowless[] = {{0x0300, 0x036F}, {0x0483, 0x0489}, {0x0591, 0x05BD}, {0x064B, 0x065F},
                                 {0x20D0, 0x20FF}, {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F}, {0xE0100, 0xE01EF}};

template <std::size_t kCount>
bool IsIn(char32_t code_point, const Range (&ranges)[kCount]) {
  for (const Range& range : ranges) {
    if (code_point >= range.first && code_point <= range.last) return true;
  }
  return false;
}

std::size_t WidthOf(char32_t code_point) {
  if (code_point < 0x300) return 1;
  if (IsIn(code_point, kNarrowless)) return 0;
  return IsIn(code_point, kWide) ? 2 : 1;
}

}  // namespace

std::string CountText(std::uint64_t count) {
  std::string text = std::to_string(count);
  for (std::size_t i = text.size(); i > 3; i -= 3) text.insert(i - 3, 1, ',');
  return text;
}

std::string DurationText(std::chrono::milliseconds duration) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(duration).count();
  if (seconds < 3600) return fmt::format("{}:{:02}", seconds / 60, seconds % 60);
  return fmt::format("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
}

std::string Counted(std::uint64_t count, std::string_view noun) {
  constexpr std::string_view kVowels = "aeiou";  // "2 days", but "2 retries"
  const bool in_y =
      noun.size() > 1 && noun.ends_with('y') && kVowels.find(noun[noun.size() - 2]) == std::string_view::npos;
  if (count != 1 && in_y) return fmt::format("{} {}ies", CountText(count), noun.substr(0, noun.size() - 1));
  return fmt::format("{} {}{}", CountText(count), noun, count == 1 ? "" : "s");
}

std::string CountedByClass(std::uint64_t count, std::string_view noun, const CountByError& classes) {
  std::string text;
  for (std::size_t i = 0; i < classes.size(); ++i) {
    if (classes[i] == 0) continue;
    text += fmt::format("{}{} {}", text.empty() ? " (" : ", ", CountText(classes[i]),
                        ErrorCodeName(static_cast<ErrorCode>(i)));
  }
  return fmt::format("{}{}{}", Counted(count, noun), text, text.empty() ? "" : ")");
}

std::string UsdText(double usd) {
  if (usd == 0) return "$0";
  if (usd < 0.0001) return "under $0.0001";
  return usd < 0.01 ? fmt::format("${:.4f}", usd) : fmt::format("${:.2f}", usd);
}

std::string Printable(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const DecodedCodePoint decoded = DecodeUtf8(text, i);
    AppendPrintable(decoded.code_point, out);
    i += decoded.size_bytes;
  }
  return out;
}

std::string PrintableLines(std::string_view text) {
  std::string out;
  while (true) {
    const std::size_t end = text.find('\n');
    out += Printable(text.substr(0, end));
    if (end == std::string_view::npos) return out;
    out += '\n';
    text.remove_prefix(end + 1);
  }
}

std::size_t DisplayWidth(std::string_view text) {
  std::size_t width = 0;
  for (std::size_t i = 0; i < text.size();) {
    const DecodedCodePoint decoded = DecodeUtf8(text, i);
    width += WidthOf(decoded.code_point);
    i += decoded.size_bytes;
  }
  return width;
}

std::string CutToWidth(std::string_view text, std::size_t columns) {
  if (DisplayWidth(text) <= columns) return std::string(text);
  std::size_t width = 1;  // of the ellipsis
  std::size_t i = 0;
  while (i < text.size()) {
    const DecodedCodePoint decoded = DecodeUtf8(text, i);
    width += WidthOf(decoded.code_point);
    if (width > columns) break;
    i += decoded.size_bytes;
  }
  return std::string(text.substr(0, i)) + "…";
}

}  // namespace assay
