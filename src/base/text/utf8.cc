// Decodes and checks UTF-8 and WTF-8, and converts to UTF-16 and back.
#include "base/text/utf8.h"

#include <algorithm>
#include <cstring>

namespace assay {

namespace {

constexpr char32_t kReplacement = 0xfffd;

std::uint8_t ByteAt(std::string_view text, std::size_t offset) {
  return static_cast<std::uint8_t>(text[offset]);
}

bool IsContinuation(std::string_view text, std::size_t offset) {
  return offset < text.size() && (ByteAt(text, offset) & 0xc0u) == 0x80u;
}

bool IsSurrogate(char32_t code_point) { return code_point >= 0xd800 && code_point <= 0xdfff; }

// What a lead byte promises: the sequence's length, its payload bits and the least code point that needs the
// length.
struct Lead {
  std::uint32_t size_bytes;
  std::uint8_t payload_mask;
  char32_t least;
};

Lead LeadOf(std::uint8_t byte) {
  if (byte >= 0xc2 && byte <= 0xdf) return {2, 0x1f, 0x80};
  if (byte >= 0xe0 && byte <= 0xef) return {3, 0x0f, 0x800};
  if (byte >= 0xf0 && byte <= 0xf4) return {4, 0x07, 0x10000};
  return {0, 0, 0};
}

DecodedCodePoint DecodeMultiByte(std::string_view text, std::size_t offset) {
  const Lead lead = LeadOf(ByteAt(text, offset));
  if (lead.size_bytes == 0) return {kReplacement, 1};
  char32_t code_point = ByteAt(text, offset) & lead.payload_mask;
  for (std::size_t i = 1; i < lead.size_bytes; ++i) {
    if (!IsContinuation(text, offset + i)) return {kReplacement, 1};
    code_point = (code_point << 6) | (ByteAt(text, offset + i) & 0x3fu);
  }
  if (code_point < lead.least || code_point > 0x10ffff) return {kReplacement, 1};
  return {code_point, lead.size_bytes};
}

// Index of the first byte at or after `offset` that is not ASCII, eight at a time.
std::size_t SkipAscii(std::string_view text, std::size_t offset) {
  constexpr std::uint64_t kHighBits = 0x8080808080808080u;
  while (offset + 8 <= text.size()) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data() + offset, 8);
    if ((word & kHighBits) != 0) break;
    offset += 8;
  }
  while (offset < text.size() && ByteAt(text, offset) < 0x80) ++offset;
  return offset;
}

// Walks a text by UTF-16 code units.
class Utf16Cursor {
 public:
  Utf16Cursor(std::string_view text, std::size_t offset) : text_(text), offset_(offset) {}

  // The next code unit, or -1 at the end.
  int Next() {
    if (low_ != 0) {
      const int unit = low_;
      low_ = 0;
      return unit;
    }
    const DecodedCodePoint decoded = DecodeUtf8(text_, offset_);
    if (decoded.size_bytes == 0) return -1;
    offset_ += decoded.size_bytes;
    if (decoded.code_point < 0x10000) return static_cast<int>(decoded.code_point);
    const char32_t above = decoded.code_point - 0x10000;
    low_ = static_cast<int>(0xdc00 + (above & 0x3ff));
    return static_cast<int>(0xd800 + (above >> 10));
  }

 private:
  std::string_view text_;
  std::size_t offset_;
  int low_ = 0;
};

}  // namespace

DecodedCodePoint DecodeUtf8(std::string_view text, std::size_t offset) {
  if (offset >= text.size()) return {0, 0};
  const std::uint8_t first = ByteAt(text, offset);
  if (first < 0x80) return {first, 1};
  return DecodeMultiByte(text, offset);
}

void AppendUtf8(char32_t code_point, std::string& out) {
  const auto put = [&out](char32_t byte) {
    out.push_back(static_cast<char>(static_cast<std::uint8_t>(byte)));
  };
  if (code_point < 0x80) {
    put(code_point);
  } else if (code_point < 0x800) {
    put(0xc0 | (code_point >> 6));
    put(0x80 | (code_point & 0x3f));
  } else if (code_point < 0x10000) {
    put(0xe0 | (code_point >> 12));
    put(0x80 | ((code_point >> 6) & 0x3f));
    put(0x80 | (code_point & 0x3f));
  } else if (code_point <= 0x10ffff) {
    put(0xf0 | (code_point >> 18));
    put(0x80 | ((code_point >> 12) & 0x3f));
    put(0x80 | ((code_point >> 6) & 0x3f));
    put(0x80 | (code_point & 0x3f));
  } else {
    AppendUtf8(kReplacement, out);
  }
}

std::size_t FindInvalidUtf8(std::string_view text) {
  std::size_t offset = SkipAscii(text, 0);
  while (offset < text.size()) {
    const DecodedCodePoint decoded = DecodeMultiByte(text, offset);
    if (decoded.size_bytes == 1 || IsSurrogate(decoded.code_point)) return offset;
    offset = SkipAscii(text, offset + decoded.size_bytes);
  }
  return std::string_view::npos;
}

bool IsAscii(std::string_view text) { return SkipAscii(text, 0) == text.size(); }

std::size_t CountCodePoints(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t offset = 0; offset < text.size(); ++count)
    offset += static_cast<unsigned char>(text[offset]) < 0x80 ? 1 : DecodeUtf8(text, offset).size_bytes;
  return count;
}

std::u32string ToUtf32(std::string_view text) {
  std::u32string code_points;
  code_points.reserve(text.size());
  for (std::size_t offset = 0; offset < text.size();) {
    const DecodedCodePoint decoded = DecodeUtf8(text, offset);
    code_points.push_back(decoded.code_point);
    offset += decoded.size_bytes;
  }
  return code_points;
}

std::string_view CutToBytes(std::string_view text, std::size_t bytes) {
  if (text.size() <= bytes) return text;
  while (bytes > 0 && (static_cast<unsigned char>(text[bytes]) & 0xc0) == 0x80) --bytes;
  return text.substr(0, bytes);
}

std::u16string ToUtf16(std::string_view text) {
  std::u16string units;
  units.reserve(text.size());
  Utf16Cursor cursor(text, 0);
  for (int unit = cursor.Next(); unit >= 0; unit = cursor.Next())
    units.push_back(static_cast<char16_t>(unit));
  return units;
}

std::string ToUtf8(std::u16string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    char32_t code_point = text[i];
    const bool is_high = code_point >= 0xd800 && code_point <= 0xdbff;
    if (is_high && i + 1 < text.size() && text[i + 1] >= 0xdc00 && text[i + 1] <= 0xdfff) {
      code_point = 0x10000 + ((code_point - 0xd800) << 10) + (static_cast<char32_t>(text[i + 1]) - 0xdc00);
      ++i;
    }
    AppendUtf8(code_point, out);
  }
  return out;
}

std::size_t CountUtf16(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t offset = 0; offset < text.size();) {
    const DecodedCodePoint decoded = DecodeUtf8(text, offset);
    offset += decoded.size_bytes;
    count += decoded.code_point >= 0x10000 ? 2 : 1;
  }
  return count;
}

int CompareUtf16(std::string_view a, std::string_view b) {
  const std::size_t shorter = std::min(a.size(), b.size());
  auto same = static_cast<std::size_t>(
      std::mismatch(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(shorter), b.begin()).first -
      a.begin());
  // Equal bytes are equal code units, but the first difference may lie inside a character: go back to its
  // start.
  for (int back = 0; back < 3 && same > 0 && (IsContinuation(a, same) || IsContinuation(b, same)); ++back)
    --same;
  Utf16Cursor left(a, same);
  Utf16Cursor right(b, same);
  while (true) {
    const int unit_a = left.Next();
    const int unit_b = right.Next();
    if (unit_a != unit_b) return unit_a < unit_b ? -1 : 1;
    if (unit_a < 0) return 0;
  }
}

}  // namespace assay
