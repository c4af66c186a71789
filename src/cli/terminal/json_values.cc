// Escapes control, invisible and reordering characters of a JSON text.
#include "cli/terminal/json_values.h"

#include "base/text/printable.h"
#include "base/text/utf8.h"
#include "text/json/json.h"

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
    AppendJsonEscape(decoded.code_point, shown);
  }
  return shown;
}

}  // namespace assay
