// Resolves escapes in passes over the text, until nothing changes.
#include "text/letters/escapes.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "base/text/ascii.h"
#include "base/text/utf8.h"

namespace assay {
namespace {

constexpr unsigned kCodePointMax = 0x10ffff;
constexpr std::size_t kNameMax = 32;  // of an entity
constexpr char kEsc = '\x1b';         // begins an escape of a terminal

// What stands at the start of a text for another character; size_bytes is 0 if nothing does.
struct Escape {
  char32_t stands_for = 0;
  std::size_t size_bytes = 0;
};

Escape NumericEntityAt(std::string_view rest) {
  const bool is_hex = rest.size() > 2 && (rest[2] == 'x' || rest[2] == 'X');
  const std::string_view digits = rest.substr(std::min<std::size_t>(is_hex ? 3 : 2, rest.size()));
  unsigned number = 0;
  const char* end = digits.data() + digits.size();
  const auto [after, error] = std::from_chars(digits.data(), end, number, is_hex ? 16 : 10);
  if (error != std::errc() || after == digits.data() || number > kCodePointMax) return {};
  const bool is_closed = after != end && *after == ';';
  return {number, static_cast<std::size_t>(after - rest.data()) + (is_closed ? 1 : 0)};
}

Escape EntityAt(std::string_view rest) {
  constexpr std::string_view kMayBeOpen[] = {"amp", "lt", "gt", "quot", "nbsp", "shy"};  // "&ltb"
  constexpr std::size_t kNoLettersNameMin = 16;  // "&NegativeThickSpace;"
  if (rest.starts_with("&#")) return NumericEntityAt(rest);
  std::size_t end = 1;
  while (end < rest.size() && end <= kNameMax && IsAsciiAlphanumeric(rest[end])) ++end;
  const std::string_view name = rest.substr(1, end - 1);
  const std::string lower = AsciiLower(name);
  if (end < rest.size() && rest[end] == ';') {
    for (const std::string_view each : {name, std::string_view(lower)})
      if (const char32_t found = EntityCodePoint(each); found != 0) return {found, end + 1};
    if (name.size() >= kNoLettersNameMin) return {' ', end + 1};
  }
  for (const std::string_view each : kMayBeOpen)
    if (lower.starts_with(each)) return {EntityCodePoint(each), 1 + each.size()};
  return {};
}

// An escape that writes a number with so many digits.
struct Notation {
  std::string_view begin;
  std::size_t digits;
  int base = 16;
  std::string_view end = {};
  std::size_t size_bytes() const { return begin.size() + digits + end.size(); }
};
constexpr Notation kNotations[] = {{"\\u", 4},
                                   {"\\x", 2},
                                   {"%", 2},
                                   {"=", 2},
                                   {"\\U", 8},
                                   {"\\u{", 2, 16, "}"},
                                   {"\\u{", 4, 16, "}"},
                                   {"\\u{", 5, 16, "}"},
                                   {"\\x{", 2, 16, "}"},
                                   {"\\x{", 4, 16, "}"},
                                   {"\\", 3, 8},
                                   {"\\", 2},
                                   {"U+", 4},
                                   {"%u", 4}};

std::optional<unsigned> NumberAt(std::string_view rest, const Notation& is) {
  if (rest.size() < is.size_bytes() || !rest.starts_with(is.begin)) return std::nullopt;
  const std::string_view digits = rest.substr(is.begin.size(), is.digits);
  if (!rest.substr(is.begin.size() + is.digits).starts_with(is.end)) return std::nullopt;
  unsigned number = 0;
  const char* end = digits.data() + digits.size();
  const auto [after, error] = std::from_chars(digits.data(), end, number, is.base);
  if (error != std::errc() || after != end || number > kCodePointMax) return std::nullopt;
  return number;
}

// A character of which each byte is written alone: "%E2%80%8B".
Escape BytesAt(std::string_view rest, const Notation& is) {
  constexpr std::size_t kBytesMax = 4;
  std::string bytes;
  for (std::string_view next = rest; bytes.size() < kBytesMax; next.remove_prefix(is.size_bytes())) {
    const auto number = NumberAt(next, is);
    if (!number || *number > 0xff) break;
    bytes += static_cast<char>(*number);
  }
  const DecodedCodePoint read = DecodeUtf8(bytes, 0);
  if (read.size_bytes < 2) return {};
  return {read.code_point, read.size_bytes * is.size_bytes()};
}

Escape EscapeAt(std::string_view rest) {
  constexpr std::string_view kEscInOne = "\u009b";  // the same as ESC and "["
  if (rest.starts_with(kEscInOne)) return {kEsc, kEscInOne.size()};
  if (rest[0] == '&') return EntityAt(rest);
  if (std::string_view("\\%=U").find(rest[0]) == std::string_view::npos) return {};
  for (const Notation& each : kNotations) {
    const auto number = NumberAt(rest, each);
    const bool is_css =
        each.begin == "\\" && each.base == 16;  // "\43"; in "\0a", the letter may be another's
    if (!number || (is_css && *number < ' ')) continue;
    if (each.digits >= 4 || *number < 0x80) return {*number, each.size_bytes()};
    if (const Escape bytes = BytesAt(rest, each); bytes.size_bytes > 0) return bytes;
    if (each.begin.starts_with("\\x")) return {*number, each.size_bytes()};
  }
  if (rest.starts_with("\\n") || rest.starts_with("\\r")) return {'\n', 2};
  return {};
}

// Of controls, those remain that part lines or begin an escape of a terminal.
char32_t WithForm(char32_t each) {
  const bool is_control = each < ' ' || each == 0x7f;
  return is_control && each != '\n' && each != '\r' && each != kEsc ? U' ' : each;
}

std::string OncePlainer(std::string_view text) {
  std::string read;
  for (std::size_t at = 0; at < text.size();) {
    const Escape escape = EscapeAt(text.substr(at));
    if (escape.size_bytes == 0) {
      read += text[at++];
      continue;
    }
    AppendUtf8(WithForm(escape.stands_for), read);
    at += escape.size_bytes;
  }
  return read;
}

// How many letters or digits behind the first byte may belong to an escape that it begins.
std::size_t LettersOfEscape(std::string_view rest) {
  constexpr std::size_t kOfEntity = 2;  // "&filig;"
  const auto run = [rest](auto is_one) {
    std::size_t end = 1;
    while (end < rest.size() && is_one(rest[end])) ++end;
    return end - 1;
  };
  const auto letters_at_most = [run](std::size_t most) {
    return std::min(run([](char c) { return IsAsciiAlphanumeric(c); }), most);
  };
  switch (rest[0]) {
    case '&': {
      const std::size_t letters = letters_at_most(kNameMax);
      return rest.substr(1 + letters).starts_with(';') ? std::min(letters, kOfEntity) : 0;
    }
    case '\\':
    case '^':
      return letters_at_most(1);
    case '%':
    case '=': {
      const bool is_byte = run([](char c) { return HexDigitValue(c) >= 0; }) >= 2;
      return is_byte ? 2 : letters_at_most(rest[0] == '%' ? 1 : 0);
    }
    case '[': {  // of a terminal: "\e[0m"
      const std::size_t digits = run([](char c) { return IsAsciiDigit(c) || c == ';' || c == '?'; });
      return digits > 0 && 1 + digits < rest.size() && IsAsciiLetter(rest[1 + digits]) ? digits + 1 : 0;
    }
    case kEsc: {
      const std::size_t marks = run([](char c) { return !IsAsciiLetter(c) && c != kEsc; });
      return marks <= 2 && 1 + marks < rest.size() ? marks + 1 : 0;
    }
    default:
      return 0;
  }
}

std::string WithLooseLetters(std::string_view text) {
  std::string loose;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t letters = LettersOfEscape(text.substr(at));
    loose += text[at++];
    for (std::size_t i = 0; i < letters; ++i) {
      loose += text[at++];
      loose += ' ';
    }
  }
  return loose;
}

}  // namespace

std::string WithoutEscapes(std::string_view text) {
  constexpr int kDepth = 8;
  std::string read(text);
  for (int i = 0; i < kDepth; ++i) {
    std::string next = OncePlainer(read);
    if (next == read) break;
    read = std::move(next);
  }
  return WithLooseLetters(read);
}

std::string WithShortTags(std::string_view text) {
  constexpr std::string_view kComment = "<!--";
  constexpr std::size_t kLong = 64;
  std::string read;
  std::size_t tag_end = 0;      // behind the next ">"
  std::size_t comment_end = 0;  // behind the next "-->"
  const auto next_end = [text](std::size_t& end, std::size_t at, std::string_view mark) {
    if (end <= at) {
      const std::size_t found = text.find(mark, at);
      end = found == std::string_view::npos ? std::string_view::npos : found + mark.size();
    }
    return end;
  };
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t open = std::min(text.find('<', at), text.size());
    read += text.substr(at, open - at);
    at = open;
    if (at == text.size()) break;
    const bool is_comment = text.substr(at).starts_with(kComment);
    const std::size_t end = is_comment ? next_end(comment_end, at, "-->") : next_end(tag_end, at, ">");
    if (end == std::string_view::npos || end - at < kLong) {
      read += text[at++];
      continue;
    }
    const std::string_view tag = text.substr(at, kLong);
    const std::string_view name = is_comment ? "<!" : tag.substr(0, tag.find_first_of(" \t\n"));
    read += name;
    read += '>';
    at = end;
  }
  return read;
}

}  // namespace assay
