// The word splitters: tables for ASCII, Unicode properties for the rest.
#include "corpus/index/words.h"

#include <array>

#include "base/text/ascii.h"
#include "base/text/utf8.h"
#include "text/letters/letters.h"

namespace assay {

namespace {

enum CharClass : std::uint8_t { kOther = 0, kBlank = 1, kWordChar = 2, kUnderscore = 3, kHigh = 4 };

constexpr std::array<std::uint8_t, 256> MakeClasses() {
  std::array<std::uint8_t, 256> classes{};
  for (unsigned c = 0; c < 256; ++c) {
    const bool is_letter = IsAsciiAlphanumeric(c);
    const bool is_blank = c == ' ' || (c >= 9 && c <= 13) || (c >= 0x1c && c <= 0x1f);
    classes[c] = is_letter  ? kWordChar
                 : is_blank ? kBlank
                 : c == '_' ? kUnderscore
                 : c >= 128 ? kHigh
                            : kOther;
  }
  return classes;
}
constexpr std::array<std::uint8_t, 256> kClasses = MakeClasses();

std::uint8_t ClassOf(char c) { return kClasses[static_cast<unsigned char>(c)]; }
bool IsPlain(char c) { return ClassOf(c) == kWordChar || ClassOf(c) == kUnderscore; }

// The letter that Python's lower() makes of it, if that is ASCII; 0: none.
char PlainLowerOf(char32_t code_point) {
  if (code_point == 0x130) return 'i';
  return code_point == 0x212a ? 'k' : '\0';
}

}  // namespace

bool IsBlankCodePoint(char32_t c) {
  if (c < 128) return ClassOf(static_cast<char>(c)) == kBlank;
  return c == 0x85 || c == 0xa0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200a) || c == 0x2028 ||
         c == 0x2029 || c == 0x202f || c == 0x205f || c == 0x3000;
}

std::size_t BlankSizeAt(std::string_view text, std::size_t at) {
  if (at >= text.size()) return 0;
  const std::uint8_t kind = ClassOf(text[at]);
  if (kind == kBlank) return 1;
  if (kind != kHigh) return 0;
  const DecodedCodePoint decoded = DecodeUtf8(text, at);
  return IsBlankCodePoint(decoded.code_point) ? decoded.size_bytes : 0;
}

TokenSpan NextToken(std::string_view text, std::size_t from) {
  while (true) {
    const std::size_t blank = BlankSizeAt(text, from);
    if (blank == 0) break;
    from += blank;
  }
  if (from >= text.size()) return {text.size(), text.size()};
  if (!IsPlain(text[from])) return {from, from + DecodeUtf8(text, from).size_bytes};
  std::size_t end = from + 1;
  while (end < text.size() && IsPlain(text[end])) ++end;
  return {from, end};
}

std::string_view PlainWords::Next() {
  word_.clear();
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (IsPlain(c)) {
      word_ += AsciiLower(c);
      ++at_;
      continue;
    }
    std::size_t size = 1;
    char letter = '\0';
    char32_t code_point = 0;
    if (ClassOf(c) == kHigh) {
      const DecodedCodePoint decoded = DecodeUtf8(text_, at_);
      code_point = decoded.code_point;
      size = decoded.size_bytes;
      letter = PlainLowerOf(code_point);
    }
    at_ += size;
    if (letter != '\0') word_ += letter;
    // U+0130 leaves a combining dot behind its i, which ends the word.
    if (!word_.empty() && (letter == '\0' || code_point == 0x130)) return word_;
  }
  return word_;
}

std::string_view IndexWords::Next() {
  word_.clear();
  while (at_ < text_.size()) {
    const char c = text_[at_];
    const std::uint8_t kind = ClassOf(c);
    if (kind == kWordChar) {
      word_ += AsciiLower(c);
      ++at_;
      continue;
    }
    if (kind != kHigh) {
      ++at_;
      if (!word_.empty()) return word_;
      continue;
    }
    const DecodedCodePoint decoded = DecodeUtf8(text_, at_);
    at_ += decoded.size_bytes;
    const SearchLetter letter = SearchLetterOf(decoded.code_point);
    if (letter.part == WordPart::kLetter) {
      AppendUtf8(letter.folded, word_);
    } else if (letter.part == WordPart::kNone && !word_.empty()) {
      return word_;
    }
  }
  return word_;
}

std::string CollapseBlanks(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  bool is_blank_due = false;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t blank = BlankSizeAt(text, at);
    if (blank > 0) {
      is_blank_due = !out.empty();
      at += blank;
      continue;
    }
    if (is_blank_due) out += ' ';
    is_blank_due = false;
    out += text[at++];
    while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xc0u) == 0x80u) out += text[at++];
  }
  return out;
}

std::string_view TrimBlanks(std::string_view text) {
  while (true) {
    const std::size_t blank = BlankSizeAt(text, 0);
    if (blank == 0) break;
    text.remove_prefix(blank);
  }
  while (!text.empty()) {
    std::size_t start = text.size() - 1;
    while (start > 0 && text.size() - start < 4 && (static_cast<unsigned char>(text[start]) & 0xc0u) == 0x80u)
      --start;
    const std::size_t blank = BlankSizeAt(text, start);
    if (blank == 0 || start + blank != text.size()) break;
    text.remove_suffix(blank);
  }
  return text;
}

std::string_view FirstCodePoints(std::string_view text, std::size_t count) {
  std::size_t at = 0;
  for (; count > 0 && at < text.size(); --count) at += DecodeUtf8(text, at).size_bytes;
  return text.substr(0, at);
}

}  // namespace assay
