// Escapes single characters; the table of invisible and reordering characters.
#include "base/text/printable.h"

#include <algorithm>
#include <array>

#include <fmt/core.h>

#include "base/text/utf8.h"

namespace assay {

namespace {

struct Range {
  char32_t first;
  char32_t last;
};

// Beyond the C0 and C1 controls: soft hyphen, zero-width and direction marks, line and paragraph separators,
// surrogates, byte order mark, interlinear marks, tags.
constexpr std::array kInvisible = {Range{0xad, 0xad},     Range{0x61c, 0x61c},   Range{0x200b, 0x200f},
                                   Range{0x2028, 0x202e}, Range{0x2060, 0x206f}, Range{0xd800, 0xdfff},
                                   Range{0xfeff, 0xfeff}, Range{0xfff9, 0xfffb}, Range{0xe0000, 0xe007f}};

}  // namespace

bool IsInvisible(char32_t code_point) {
  return std::any_of(kInvisible.begin(), kInvisible.end(), [code_point](const Range& range) {
    return code_point >= range.first && code_point <= range.last;
  });
}

bool IsJoiner(char32_t code_point) {
  constexpr char32_t kNonJoiner = 0x200c;
  constexpr char32_t kJoiner = 0x200d;
  return code_point == kNonJoiner || code_point == kJoiner;
}

void AppendPrintable(char32_t code_point, std::string& out) {
  const bool is_plain = code_point >= 0x20 && code_point < 0x7f;
  if (is_plain) {
    out += static_cast<char>(code_point);
  } else if (code_point == U'\n') {
    out += "\\n";
  } else if (code_point == U'\t') {
    out += "\\t";
  } else if (code_point == U'\r') {
    out += "\\r";
  } else if (code_point < 0xa0) {
    out += fmt::format("\\x{:02x}", static_cast<std::uint32_t>(code_point));
  } else if (IsInvisible(code_point)) {
    out += fmt::format("\\u{:04x}", static_cast<std::uint32_t>(code_point));
  } else {
    AppendUtf8(code_point, out);
  }
}

}  // namespace assay
