// Escapes control, invisible and reordering characters of a JSON text.
#include "cli/terminal/json_values.h"

#include <fmt/core.h>

#include "base/text/printable.h"
#include "base/text/utf8.h"

namespace assay {

std::string ShownJson(std::string_view json) {
  std::string shown;
  for (std::size_t at = 0; at < json.size();) {
    const DecodedCodePoint decoded = DecodeUtf8(json, at);
    const std::string_view written = json.substr(at, decoded.size_bytes);
    at += decoded.size_bytes;
    std::string printable;
    if (decoded.code_point >= 0x7f) AppendPrintable(decoded.code_point, printable);
    if (decoded.code_point < 0x7f || printable == written || !printable.starts_with('\\')) {
      shown += written;
      continue;
    }
    constexpr char32_t kFirstOfPairs = 0x10000;
    if (decoded.code_point < kFirstOfPairs) {
      shown += fmt::format("\\u{:04x}", static_cast<std::uint32_t>(decoded.code_point));
    } else {
      const std::uint32_t rest = static_cast<std::uint32_t>(decoded.code_point - kFirstOfPairs);
      shown += fmt::format("\\u{:04x}\\u{:04x}", 0xd800 + (rest >> 10), 0xdc00 + (rest & 0x3ff));
    }
  }
  return shown;
}

}  // namespace assay
