// Reads one escape, a function for each mark with which escapes begin.
#include "run/wire/spelling.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "base/text/printable.h"
#include "base/text/utf8.h"

namespace assay {

namespace {

struct Ignorables {
  char32_t first;
  char32_t last;
};

constexpr std::array kIgnorable = {
    Ignorables{0xad, 0xad},       Ignorables{0x34f, 0x34f},    Ignorables{0x61c, 0x61c},
    Ignorables{0x115f, 0x1160},   Ignorables{0x17b4, 0x17b5},  Ignorables{0x180b, 0x180f},
    Ignorables{0x200b, 0x200f},   Ignorables{0x202a, 0x202e},  Ignorables{0x2060, 0x206f},
    Ignorables{0x3164, 0x3164},   Ignorables{0xfe00, 0xfe0f},  Ignorables{0xfeff, 0xfeff},
    Ignorables{0xffa0, 0xffa0},   Ignorables{0xfff0, 0xfff8},  Ignorables{0x1bca0, 0x1bca3},
    Ignorables{0x1d173, 0x1d17a}, Ignorables{0xe0000, 0xe0fff}};

// Unicode's property Default_Ignorable_Code_Point (version 16). They stand between letters unseen. Some of
// them are no trouble where they are seen to work: a variation selector makes a heart red.
bool IsDefaultIgnorable(char32_t code_point) {
  return std::any_of(kIgnorable.begin(), kIgnorable.end(), [code_point](const Ignorables& range) {
    return code_point >= range.first && code_point <= range.last;
  });
}

constexpr char32_t kLastCodePoint = 0x10ffff;

// What an escape says; of 0 bytes: it is none.
struct Escape {
  char32_t character = 0;
  std::size_t size_bytes = 0;
  bool is_byte = false;
};

Escape Digits(std::string_view text, std::size_t at, std::size_t least, std::size_t most, int base) {
  const std::string_view digits = text.substr(std::min(at, text.size()), most);
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number, base);
  const auto size = static_cast<std::size_t>(end - digits.data());
  if (error != std::errc() || size < least) return {};
  return {.character = number, .size_bytes = at + size, .is_byte = most == 2};
}

char32_t LineEndOr(char letter) {
  if (letter == 'n') return '\n';
  if (letter == 'r') return '\r';
  return letter == 't' ? '\t' : static_cast<unsigned char>(letter);
}

// "\u0073", "\x73", "\/"; behind several backslashes, where a text was quoted twice.
Escape Backslashed(std::string_view text) {
  const std::size_t at = text.find_first_not_of('\\');
  if (at == std::string_view::npos) return {.character = '\\', .size_bytes = text.size()};
  const char kind = text[at];
  if (kind == 'u' && at + 1 < text.size() && text[at + 1] == '{') {
    Escape braced = Digits(text, at + 2, 1, 6, 16);
    if (braced.size_bytes > 0 && text.substr(braced.size_bytes).starts_with('}')) {
      ++braced.size_bytes;
      return braced;
    }
  }
  const Escape read = kind == 'u'   ? Digits(text, at + 1, 4, 4, 16)
                      : kind == 'U' ? Digits(text, at + 1, 8, 8, 16)
                      : kind == 'x' ? Digits(text, at + 1, 2, 2, 16)
                                    : Escape();
  if (read.size_bytes > 0) return read;
  // The first byte of a longer character stays where it is.
  if (static_cast<unsigned char>(kind) >= 0x80) return {.character = '\\', .size_bytes = at};
  return {.character = LineEndOr(kind), .size_bytes = at + 1};
}

// "%73", and "%2573" where an address was escaped twice.
Escape Percented(std::string_view text) {
  std::size_t at = 1;
  while (text.substr(at).starts_with("25")) at += 2;
  const Escape read = Digits(text, at, 2, 2, 16);
  return read.size_bytes > 0 || at == 1 ? read : Escape{.character = '%', .size_bytes = at};
}

// "&#115;", "&#x73;", "&sol;"; "&amp;#115;" where it was escaped twice.
Escape Entity(std::string_view text) {
  struct Named {
    std::string_view name;
    char character;
  };
  constexpr Named kNames[] = {{"lowbar;", '_'}, {"sol;", '/'},    {"hyphen;", '-'}, {"dash;", '-'},
                              {"period;", '.'}, {"plus;", '+'},   {"equals;", '='}, {"colon;", ':'},
                              {"comma;", ','},  {"commat;", '@'}, {"quot;", '"'},   {"apos;", '\''},
                              {"lt;", '<'},     {"gt;", '>'},     {"excl;", '!'},   {"num;", '#'}};
  std::size_t at = 1;
  while (text.substr(at).starts_with("amp;")) at += 4;
  const std::string_view rest = text.substr(at);
  const Escape ampersand = {.character = '&', .size_bytes = at > 1 ? at : 0};
  if (rest.starts_with('#')) {
    const bool is_hex = rest.size() > 1 && (rest[1] == 'x' || rest[1] == 'X');
    Escape read = Digits(text, at + (is_hex ? 2 : 1), 1, 8, is_hex ? 16 : 10);
    if (read.size_bytes == 0) return ampersand;
    if (text.substr(read.size_bytes).starts_with(';')) ++read.size_bytes;
    return read;
  }
  for (const Named& each : kNames) {
    if (rest.starts_with(each.name))
      return {.character = static_cast<unsigned char>(each.character), .size_bytes = at + each.name.size()};
  }
  return ampersand;
}

Escape EscapeAt(std::string_view text, Escapes escapes) {
  switch (text.front()) {
    case '\\':
      return Backslashed(text);
    case '%':
      return Percented(text);
    case '&':
      return Entity(text);
    case '=':
      return escapes == Escapes::kAll ? Digits(text, 1, 2, 2, 16) : Escape();
    default:
      return {};
  }
}

// Bytes of "=" before the end of a line; 0: it is something else.
std::size_t SoftBreakBytes(std::string_view text) {
  if (text.starts_with("=\n")) return 2;
  return text.starts_with("=\r\n") ? 3 : 0;
}

bool IsUnseen(char32_t c) {
  if (c < 0x80) return (c < 0x20 && c != '\t' && c != '\n' && c != '\r') || c == 0x7f;
  return IsInvisible(c) || IsDefaultIgnorable(c);
}

Spelled CodePoint(char32_t character, std::size_t size_bytes) {
  const char32_t known = character <= kLastCodePoint ? character : U'\ufffd';
  return {.kind = IsUnseen(known) ? Spelled::Kind::kNothing : Spelled::Kind::kCodePoint,
          .character = known,
          .size_bytes = size_bytes};
}

}  // namespace

Spelled SpelledAt(std::string_view text, std::size_t at, Escapes escapes) {
  const auto byte = static_cast<unsigned char>(text[at]);
  const Spelled plain = {.kind = Spelled::Kind::kByte, .character = byte, .size_bytes = 1};
  if (escapes == Escapes::kNone) return plain;
  if (byte >= 0x80) {
    const DecodedCodePoint read = DecodeUtf8(text, at);
    return read.size_bytes > 1 ? CodePoint(read.code_point, read.size_bytes) : plain;
  }
  if (byte < 0x20 || byte == 0x7f) return CodePoint(byte, 1);
  const std::string_view rest = text.substr(at);
  if (const std::size_t skipped = SoftBreakBytes(rest))
    return {.kind = Spelled::Kind::kNothing, .character = 0, .size_bytes = skipped};
  const Escape escape = EscapeAt(rest, escapes);
  if (escape.size_bytes == 0) return plain;
  if (escape.is_byte && escape.character >= 0x80)
    return {.kind = Spelled::Kind::kByte, .character = escape.character, .size_bytes = escape.size_bytes};
  return CodePoint(escape.character, escape.size_bytes);
}

}  // namespace assay
