// Decodes one character of a text that may be written with escapes (JSON, URL, HTML, mail), for the search
// for keys.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace assay {

enum class Escapes : std::uint8_t {
  kNone,
  kAllButMail,  // of JSON, JavaScript, URLs and HTML; "=" begins what a text assigns
  kAll,         // "=73" too
};

// What stands at a place of a text.
struct Spelled {
  enum class Kind : std::uint8_t { kByte, kCodePoint, kNothing };  // kNothing: what no reader sees
  Kind kind = Kind::kByte;
  char32_t character = 0;
  std::size_t size_bytes = 1;  // how many bytes it takes there
};

inline constexpr auto kIsItself = [] {
  std::array<bool, 256> table{};
  for (const char each : {'\t', '\n', '\r'}) table[static_cast<unsigned char>(each)] = true;
  for (std::size_t i = ' '; i < 0x7f; ++i) table[i] = true;
  for (const char mark : {'\\', '%', '&', '='}) table[static_cast<unsigned char>(mark)] = false;
  return table;
}();

// Whether a byte is itself for every `Escapes`, whatever stands around it; others may be too.
constexpr bool IsItself(char c) { return kIsItself[static_cast<unsigned char>(c)]; }

// `at` < text.size(). An escape that was escaped again, however often, is one character; it is read once, so
// that reading a text from place to place looks at each byte only a few times. Controls other than line ends
// and tabs, invisible characters and the soft line breaks of mail are nothing, but for kNone.
Spelled SpelledAt(std::string_view text, std::size_t at, Escapes escapes);

}  // namespace assay
