// The plain parts of JSON strings: bytes that stand there as they are, found eight at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace assay {

inline constexpr std::uint64_t kEachByte = 0x0101010101010101u;
inline constexpr std::uint64_t kHighBits = 0x8080808080808080u;

// The high bit of each byte that is a quote, a backslash or a control character; perhaps of bytes behind one.
inline std::uint64_t EndsOfPlain(std::uint64_t word) {
  const std::uint64_t quote = word ^ (kEachByte * '"');
  const std::uint64_t backslash = word ^ (kEachByte * '\\');
  return (((quote - kEachByte) & ~quote) | ((backslash - kEachByte) & ~backslash) |
          ((word - kEachByte * 0x20) & ~word)) &
         kHighBits;
}

// Offset of the first byte from `offset` on that ends the plain part of a string: a quote, a backslash or a
// control character, and with `kAsciiOnly` what is no ASCII.
enum class PlainBytes { kAny, kAsciiOnly };
template <PlainBytes kBytes = PlainBytes::kAny>
std::size_t SkipPlain(std::string_view text, std::size_t offset) {
  constexpr bool kStopsAtHigh = kBytes == PlainBytes::kAsciiOnly;
  while (offset + 8 <= text.size()) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data() + offset, 8);
    if ((EndsOfPlain(word) | (kStopsAtHigh ? word & kHighBits : 0)) != 0) break;
    offset += 8;
  }
  for (; offset < text.size(); ++offset) {
    const auto byte = static_cast<std::uint8_t>(text[offset]);
    if (byte == '"' || byte == '\\' || byte < 0x20 || (kStopsAtHigh && byte >= 0x80)) break;
  }
  return offset;
}

}  // namespace assay
