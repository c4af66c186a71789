// The plain parts of JSON strings: bytes that stand there as they are, found sixteen or eight at a time.
#pragma once

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace assay {

static_assert(std::endian::native == std::endian::little);  // the first byte of a word is its lowest

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
#ifdef __SSE2__
  for (; offset + 16 <= text.size(); offset += 16) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text.data() + offset));
    const __m128i controls = _mm_cmpeq_epi8(_mm_min_epu8(bytes, _mm_set1_epi8(0x1f)), bytes);
    const __m128i marks = _mm_or_si128(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('"')),
                                       _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\')));
    const __m128i ends = _mm_or_si128(controls, marks);
    const __m128i all = kStopsAtHigh ? _mm_or_si128(ends, bytes) : ends;
    const auto found = static_cast<unsigned>(_mm_movemask_epi8(all));
    if (found != 0) return offset + static_cast<std::size_t>(std::countr_zero(found));
  }
#endif
  for (; offset + 8 <= text.size(); offset += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data() + offset, 8);
    const std::uint64_t found = EndsOfPlain(word) | (kStopsAtHigh ? word & kHighBits : 0);
    if (found != 0) return offset + static_cast<std::size_t>(std::countr_zero(found)) / 8;
  }
  for (; offset < text.size(); ++offset) {
    const auto byte = static_cast<std::uint8_t>(text[offset]);
    if (byte == '"' || byte == '\\' || byte < 0x20 || (kStopsAtHigh && byte >= 0x80)) break;
  }
  return offset;
}

}  // namespace assay
