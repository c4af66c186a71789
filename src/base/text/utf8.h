// UTF-8 as bytes in std::string. Text that came from JavaScript-like sources may hold lone surrogates, kept
// as their three-byte form (WTF-8): DecodeUtf8 returns them as code points U+D800..DFFF. Ill-formed bytes
// decode to U+FFFD, one byte consumed.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace assay {

struct DecodedCodePoint {
  char32_t code_point = 0;
  std::uint32_t size_bytes = 0;  // 0 only at the end of the text
};

DecodedCodePoint DecodeUtf8(std::string_view text, std::size_t offset);
void AppendUtf8(char32_t code_point, std::string& out);  // surrogates are written in three bytes

// Offset of the first byte that is not well-formed UTF-8 (surrogates count as ill-formed), or npos.
std::size_t FindInvalidUtf8(std::string_view text);
bool IsAscii(std::string_view text);
std::size_t CountCodePoints(std::string_view text);
std::u32string ToUtf32(std::string_view text);
// The first `bytes` bytes, or less where that would cut a character.
std::string_view CutToBytes(std::string_view text, std::size_t bytes);

// UTF-16 code units, as JavaScript sees a string; a pair of three-byte surrogates joins into one code point
// on the way back, so ToUtf8(ToUtf16(x)) == x for every WTF-8 text.
std::u16string ToUtf16(std::string_view text);
std::string ToUtf8(std::u16string_view text);
std::size_t CountUtf16(std::string_view text);
// The order of JavaScript's default sort: by UTF-16 code units. Negative, zero or positive.
int CompareUtf16(std::string_view a, std::string_view b);

}  // namespace assay
