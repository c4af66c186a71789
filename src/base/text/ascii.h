// Tests and conversions of ASCII letters and digits, independent of the locale, for bytes and code points;
// what lies outside ASCII is neither.
#pragma once

#include <string>
#include <string_view>

namespace assay {

template <class Character>
constexpr bool IsAsciiDigit(Character c) {
  return c >= '0' && c <= '9';
}

template <class Character>
constexpr bool IsAsciiLetter(Character c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

template <class Character>
constexpr bool IsAsciiAlphanumeric(Character c) {
  return IsAsciiLetter(c) || IsAsciiDigit(c);
}

// 0 to 15; -1 for what is no hexadecimal digit.
constexpr int HexDigitValue(char c) {
  if (IsAsciiDigit(c)) return c - '0';
  const char lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

constexpr char AsciiLower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

inline std::string AsciiLower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = AsciiLower(c);
  return lower;
}

}  // namespace assay
