// Resolves escapes in passes over the text, until nothing changes.
#include "text/letters/escapes.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <span>
#include <vector>

#include "base/text/ascii.h"
#include "base/text/utf8.h"

namespace assay {
namespace {

constexpr unsigned kCodePointMax = 0x10ffff;
constexpr std::size_t kNameMax = 32;                // of an entity
constexpr std::string_view kParting = " \t\r\n,.";  // numbers of one escape
constexpr char kEsc = '\x1b';                       // begins an escape of a terminal

// What stands at the start of a text for another character; size_bytes is 0 if nothing does.
struct Escape {
  char32_t stands_for = 0;
  std::size_t size_bytes = 0;
};

// A number behind its `begin`, with all of its digits.
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

// The letters and digits behind the first byte, at most so many.
std::string_view NameAt(std::string_view rest) {
  std::size_t end = 1;
  while (end < rest.size() && end <= kNameMax && IsAsciiAlphanumeric(rest[end])) ++end;
  return rest.substr(1, end - 1);
}

// The longest known name that other letters follow without a semicolon: "&zwnjassification".
Escape OpenEntityAt(std::string_view rest, std::size_t shortest) {
  const std::string_view name = NameAt(rest);
  const std::string lower = AsciiLower(name);
  for (std::size_t size = name.size(); size >= shortest; --size) {
    for (const std::string_view each : {name.substr(0, size), std::string_view(lower).substr(0, size)})
      if (const char32_t found = EntityCodePoint(each); found != 0) return {found, 1 + size};
  }
  return {};
}

Escape EntityAt(std::string_view rest) {
  constexpr std::string_view kMayBeOpen[] = {"amp", "lt",  "gt",   "quot", "nbsp", "shy",
                                             "lrm", "rlm", "zwnj", "zwj",  "emsp", "ensp"};  // "&ltb"
  constexpr std::size_t kNoLettersNameMin = 16;  // "&NegativeThickSpace;"
  constexpr std::size_t kOpenMin = 5;            // no word of a verdict begins with so long a name
  if (rest.starts_with("&#")) return NumericEntityAt(rest);
  const std::string_view name = NameAt(rest);
  const std::string lower = AsciiLower(name);
  const std::size_t end = 1 + name.size();
  if (end < rest.size() && rest[end] == ';') {
    for (const std::string_view each : {name, std::string_view(lower)})
      if (const char32_t found = EntityCodePoint(each); found != 0) return {found, end + 1};
    if (name.size() >= kNoLettersNameMin) return {' ', end + 1};
  }
  if (const Escape open = OpenEntityAt(rest, kOpenMin); open.size_bytes > 0) return open;
  for (const std::string_view each : kMayBeOpen)
    if (lower.starts_with(each)) return {EntityCodePoint(each), 1 + each.size()};
  return {};
}

// An escape that writes a number with so many digits.
struct Notation {
  std::string_view begin;
  std::size_t digits_min;
  std::size_t digits_max;
  int base = 16;
  std::string_view end = {};
};
constexpr Notation kNotations[] = {{"\\u", 4, 4},
                                   {"\\x", 2, 2},
                                   {"%", 2, 2},
                                   {"=", 2, 2},
                                   {"\\U", 8, 8},
                                   {"\\u{", 1, 6, 16, "}"},
                                   {"\\x{", 1, 6, 16, "}"},
                                   {"\\o{", 1, 7, 8, "}"},
                                   {"\\N{U+", 2, 6, 16, "}"},
                                   {"\\[u", 4, 6, 16, "]"},
                                   {"\\symbol{", 2, 7, 10, "}"},
                                   {"\\char\"", 2, 6},
                                   {"\\char'", 2, 7, 8},
                                   {"\\char", 2, 7, 10},
                                   {"\\u", 2, 5, 10, "?"},
                                   {"\\'", 2, 2},
                                   {"^^^^", 4, 4},
                                   {"^^", 2, 2},
                                   {"_x", 4, 4, 16, "_"},
                                   {"\\0000", 2, 2},
                                   {"\\0", 3, 3, 8},
                                   {"\\", 3, 3, 8},
                                   {"\\", 2, 2},
                                   {"U+", 4, 4},
                                   {"%u", 4, 4}};
// With digits that may as well be letters of a word: "\63lass", "&#x200Bassi".
constexpr Notation kOpenNotations[] = {{"\\", 2, 6},  {"U+", 4, 6},    {"&#x", 1, 8},        {"&#X", 1, 8},
                                       {"\\x", 2, 6}, {"\\", 2, 3, 8}, {"&x", 2, 6, 16, ";"}};

struct WrittenNumber {
  unsigned number = 0;
  std::size_t size_bytes = 0;
};
// With `digits` digits.
std::optional<WrittenNumber> NumberAt(std::string_view rest, const Notation& is, std::size_t digits) {
  if (!rest.starts_with(is.begin)) return std::nullopt;
  const std::string_view written = rest.substr(is.begin.size(), digits);
  if (written.size() < digits || !rest.substr(is.begin.size() + digits).starts_with(is.end))
    return std::nullopt;
  unsigned number = 0;
  const char* end = written.data() + written.size();
  const auto [after, error] = std::from_chars(written.data(), end, number, is.base);
  if (error != std::errc() || after != end || number > kCodePointMax) return std::nullopt;
  return WrittenNumber{number, is.begin.size() + digits + is.end.size()};
}

// A character of which each byte is written alone: "%E2%80%8B".
Escape BytesAt(std::string_view rest, const Notation& is, std::size_t digits) {
  constexpr std::size_t kBytesMax = 4;
  std::string bytes;
  std::size_t size_bytes = 0;  // of one
  for (std::string_view next = rest; bytes.size() < kBytesMax; next.remove_prefix(size_bytes)) {
    const auto byte = NumberAt(next, is, digits);
    if (!byte || byte->number > 0xff) break;
    bytes += static_cast<char>(byte->number);
    size_bytes = byte->size_bytes;
  }
  const DecodedCodePoint read = DecodeUtf8(bytes, 0);
  if (read.size_bytes < 2) return {};
  return {read.code_point, read.size_bytes * size_bytes};
}

Escape NotationAt(std::string_view rest, const Notation& is, std::size_t digits) {
  const auto written = NumberAt(rest, is, digits);
  const bool is_css = is.begin == "\\" && is.base == 16;  // "\43"; in "\0a", the letter may be another's
  if (!written || (is_css && written->number < ' ')) return {};
  const bool is_byte = digits == 2 && is.end.empty();
  if (!is_byte || written->number < 0x80) return {written->number, written->size_bytes};
  if (const Escape bytes = BytesAt(rest, is, digits); bytes.size_bytes > 0) return bytes;
  const bool is_latin = is.begin.starts_with("\\x") || is.begin == "\\'" || is.begin == "^^";
  return is_latin ? Escape{written->number, written->size_bytes} : Escape{};
}

constexpr std::string_view kBeginnings = "\\%=U^_&";
bool MayBeginEscape(char c) { return kBeginnings.find(c) != std::string_view::npos; }

// Appends what stands before the next byte that may begin an escape, "\xc2" of U+009B among them; the place
// of that byte. Most answers hold few of them.
std::size_t CopyPlain(std::string_view text, std::size_t at, std::string& read) {
  constexpr auto kMayBegin = [] {
    std::array<bool, 256> may{};
    for (const char c : kBeginnings) may[static_cast<unsigned char>(c)] = true;
    may[0xc2] = true;
    return may;
  }();
  std::size_t end = at;
  while (end < text.size() && !kMayBegin[static_cast<unsigned char>(text[end])]) ++end;
  read.append(text, at, end - at);
  return end;
}

Escape EscapeAt(std::string_view rest) {
  constexpr std::string_view kEscInOne = "\u009b";  // the same as ESC and "["
  if (rest.starts_with(kEscInOne)) return {kEsc, kEscInOne.size()};
  if (rest[0] == '&') return EntityAt(rest);
  if (!MayBeginEscape(rest[0])) return {};
  for (const Notation& each : kNotations) {
    for (std::size_t digits = each.digits_max; digits >= each.digits_min; --digits)
      if (const Escape found = NotationAt(rest, each, digits); found.size_bytes > 0) return found;
  }
  if (rest.starts_with("\\n") || rest.starts_with("\\r")) return {'\n', 2};
  return {};
}

// All that may stand at the start of a text for a character, the shortest first, each of another length.
std::vector<Escape> EscapesAt(std::string_view rest) {
  std::vector<Escape> found;
  const auto add = [&found](const Escape& each) {
    const auto same = [&each](const Escape& other) { return other.size_bytes == each.size_bytes; };
    if (each.size_bytes > 0 && std::none_of(found.begin(), found.end(), same)) found.push_back(each);
  };
  add(EscapeAt(rest));
  const bool is_closed = rest[0] == '&' && !found.empty() && rest[found.front().size_bytes - 1] == ';';
  if (is_closed) return found;
  if (rest[0] == '&' && !rest.starts_with("&#")) add(OpenEntityAt(rest, 2));
  if (!MayBeginEscape(rest[0])) return found;
  for (const Notation& each : kOpenNotations) {
    for (std::size_t digits = each.digits_min; digits <= each.digits_max; ++digits)
      add(NotationAt(rest, each, digits));
  }
  std::sort(found.begin(), found.end(),
            [](const Escape& a, const Escape& b) { return a.size_bytes < b.size_bytes; });
  return found;
}

// Of controls, those remain that part lines or begin an escape of a terminal.
char32_t WithForm(char32_t each) {
  const bool is_control = each < ' ' || each == 0x7f;
  return is_control && each != '\n' && each != '\r' && each != kEsc ? U' ' : each;
}

// A character that begins another escape is taken with what follows it: "%25252543" is resolved at once.
std::string OncePlainer(std::string text) {
  std::string read;
  for (std::size_t at = CopyPlain(text, 0, read); at < text.size(); at = CopyPlain(text, at, read)) {
    const Escape escape = EscapeAt(std::string_view(text).substr(at));
    if (escape.size_bytes == 0) {
      read += text[at++];
      continue;
    }
    at += escape.size_bytes;
    if (escape.stands_for < 0x80 && MayBeginEscape(static_cast<char>(escape.stands_for))) {
      text[--at] = static_cast<char>(escape.stands_for);
    } else {
      AppendUtf8(WithForm(escape.stands_for), read);
    }
  }
  return read;
}

// "&part" without a semicolon, whose letters may be those of a word: "&partial".
bool IsOpenName(std::string_view rest, const Escape& escape) {
  return rest[0] == '&' && !rest.starts_with("&#") && rest[escape.size_bytes - 1] != ';';
}

// Each character that may be meant, and each letter that may be one of the text, between blanks.
void AppendAll(std::span<const Escape> escapes, std::string_view rest, std::string& read) {
  std::size_t end = IsOpenName(rest, escapes.front()) ? 1 : escapes.front().size_bytes;
  for (const Escape& each : escapes) {
    for (; end < each.size_bytes; ++end) {
      read += ' ';
      read += rest[end];
    }
    read += ' ';
    AppendUtf8(WithForm(each.stands_for), read);
  }
  read += ' ';
}

// Up to `size_max` bytes; beyond, an escape has the meaning that it has for most readers.
std::string OncePlainerInEveryWay(std::string_view text, std::size_t size_max) {
  std::string read;
  for (std::size_t at = CopyPlain(text, 0, read); at < text.size(); at = CopyPlain(text, at, read)) {
    const std::string_view rest = text.substr(at);
    std::vector<Escape> escapes = EscapesAt(rest);
    if (escapes.empty()) {
      read += text[at++];
      continue;
    }
    if (read.size() + rest.size() > size_max) escapes = {EscapeAt(rest)};
    if (escapes.front().size_bytes == 0) {
      read += text[at++];
    } else if (escapes.size() == 1 && !IsOpenName(rest, escapes.front())) {
      AppendUtf8(WithForm(escapes.front().stands_for), read);
      at += escapes.front().size_bytes;
    } else {
      AppendAll(escapes, rest, read);
      at += escapes.back().size_bytes;
    }
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
    case '&': {  // without a semicolon, the letters of a word may follow those of a name
      const std::size_t letters = letters_at_most(kNameMax);
      return rest.substr(1 + letters).starts_with(';') ? std::min(letters, kOfEntity) : letters;
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

struct Comment {
  std::string_view open;
  std::string_view close;
};
// How many bytes write several numbers in one escape, "\u{63 6c}"; 0: none.
std::size_t SizeOfNumbers(std::string_view rest) {
  constexpr std::string_view kBegins[] = {"\\u{", "\\U{", "\\x{"};
  constexpr std::size_t kLongest = 4'096;
  const bool begins = std::any_of(std::begin(kBegins), std::end(kBegins),
                                  [rest](std::string_view each) { return rest.starts_with(each); });
  if (!begins) return 0;
  const std::string_view inside = rest.substr(3, kLongest);
  const std::size_t end =
      std::min(inside.find_first_not_of("0123456789abcdefABCDEF \t\r\n,."), inside.size());
  const std::string_view numbers = inside.substr(0, end);
  const bool is_closed = end < inside.size() && inside[end] == '}';
  const bool has_several = numbers.find_first_of(kParting) != std::string_view::npos &&
                           numbers.find_first_not_of(kParting) != std::string_view::npos;
  return is_closed && has_several ? 3 + end + 1 : 0;
}

// With one "u" in place of several ("\uu0063"), and with an escape for each of several numbers.
std::string WithUsualForms(std::string_view text) {
  std::string usual;
  for (std::size_t at = CopyPlain(text, 0, usual); at < text.size(); at = CopyPlain(text, at, usual)) {
    const std::string_view rest = text.substr(at);
    const std::size_t digits = rest.starts_with("\\uu") ? rest.find_first_not_of('u', 1) : 0;
    const std::size_t numbers = SizeOfNumbers(rest);
    if (digits != 0 && digits < rest.size() && HexDigitValue(rest[digits]) >= 0) {
      usual += "\\u";
      at += digits;
    } else if (numbers == 0) {
      usual += text[at++];
    } else {
      std::string number;
      for (const char c : rest.substr(3, numbers - 3)) {
        if (HexDigitValue(c) >= 0) {
          number += c;
        } else if (!number.empty()) {
          usual += "\\u{" + number + "}";
          number.clear();
        }
      }
      at += numbers;
    }
  }
  return usual;
}

// Behind the comment that begins at `at`; `known` is what the last call found. npos: nothing closes it.
std::size_t EndOf(std::string_view text, std::size_t at, const Comment& comment, std::size_t& known) {
  const std::size_t inside = at + comment.open.size();
  if (known != std::string_view::npos && known < inside + comment.close.size()) {
    const std::size_t found = text.find(comment.close, inside);
    known = found == std::string_view::npos ? found : found + comment.close.size();
  }
  return known;
}

// Behind the tag that begins at `at`, whose attributes may hold ">" in quotation marks; npos if none does.
// What follows a name at once is no part of a tag: "</refl/* no */ection>".
std::size_t TagEnd(std::string_view text, std::size_t at) {
  constexpr std::size_t kTagMax = 512;
  if (text[at] != '<' || at + 1 == text.size() || !(IsAsciiLetter(text[at + 1]) || text[at + 1] == '/'))
    return std::string_view::npos;
  std::size_t name_end = at + 1;
  while (name_end < text.size() && (IsAsciiAlphanumeric(text[name_end]) || name_end == at + 1)) ++name_end;
  if (name_end == text.size() || std::string_view(" \t\r\n>").find(text[name_end]) == std::string_view::npos)
    return text.substr(name_end).starts_with("/>") ? name_end + 2 : std::string_view::npos;
  const std::size_t most = std::min(text.size(), at + kTagMax);
  char quote = '\0';
  for (std::size_t i = at + 1; i < most; ++i) {
    const char c = text[i];
    if (quote != '\0') {
      if (c == quote) quote = '\0';
    } else if (c == '>') {
      return i + 1;
    } else if (c == '<') {
      return std::string_view::npos;
    } else if ((c == '"' || c == '\'') && text[i - 1] == '=') {
      quote = c;
    }
  }
  return std::string_view::npos;
}

}  // namespace

std::string WithoutEscapes(std::string_view text, EscapeReading reading) {
  constexpr int kDepth = 8;
  constexpr std::size_t kDeeperBytes = 1 << 21;  // of all further passes: a short text is resolved to its end
  constexpr std::size_t kSizeFactor = 4;
  const bool is_usual = reading == EscapeReading::kUsual;
  std::string read(text);
  std::size_t bytes = 0;
  for (int i = 0; i < kDepth || (is_usual && bytes < kDeeperBytes); ++i) {
    std::string usual = WithUsualForms(read);
    std::string next =
        is_usual ? OncePlainer(std::move(usual)) : OncePlainerInEveryWay(usual, text.size() * kSizeFactor);
    if (next == read) break;
    read = std::move(next);
    if (i + 1 >= kDepth) bytes += read.size();
  }
  return WithLooseLetters(read);
}

std::string WithShortMarkup(std::string_view text) {
  constexpr std::string_view kOpen = "<([{";
  constexpr std::string_view kClose = ">)]}";
  constexpr Comment kComments[] = {{"<!--", "-->"}, {"/*", "*/"}};
  std::size_t ends[std::size(kComments)] = {};
  std::string read;
  std::size_t opened = std::string::npos;  // the innermost bracket in `read`
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view rest = text.substr(at);
    std::size_t end = std::string_view::npos;
    for (std::size_t i = 0; i < std::size(kComments); ++i)
      if (rest.starts_with(kComments[i].open)) end = EndOf(text, at, kComments[i], ends[i]);
    if (end == std::string_view::npos) end = TagEnd(text, at);
    if (end != std::string_view::npos) {
      read += "<>";
      opened = std::string::npos;
      at = end;
      continue;
    }
    const char c = text[at++];
    const std::size_t closes = kClose.find(c);
    const bool is_less = c == '<' && at < text.size() && text[at] == ' ';  // "1 < 2"
    if (kOpen.find(c) != std::string_view::npos && !is_less) opened = read.size();
    if (closes != std::string_view::npos && opened != std::string::npos && read[opened] == kOpen[closes])
      read.resize(opened + 1);
    if (closes != std::string_view::npos) opened = std::string::npos;
    read += c;
  }
  return read;
}

}  // namespace assay
