// Encodes byte by byte, decodes triple by triple.
#include "base/text/percent.h"

#include <fmt/core.h>

#include "base/text/ascii.h"

namespace assay {

namespace {

// The byte of the triple that begins at `at`; -1 where none does.
int TripleAt(std::string_view text, std::size_t at) {
  if (text[at] != '%' || at + 2 >= text.size()) return -1;
  const int high = HexDigitValue(text[at + 1]);
  const int low = HexDigitValue(text[at + 2]);
  return high < 0 || low < 0 ? -1 : high * 16 + low;
}

}  // namespace

std::string PercentEncoded(std::string_view text) {
  constexpr std::string_view kPlain = "-_.!~*'()";  // as encodeURIComponent leaves them
  std::string encoded;
  for (const char c : text) {
    if (IsAsciiAlphanumeric(c) || kPlain.find(c) != std::string_view::npos) {
      encoded += c;
    } else {
      encoded += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return encoded;
}

std::string PercentDecoded(std::string_view text) {
  std::string decoded;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const int byte = TripleAt(text, at);
    decoded += byte < 0 ? text[at] : static_cast<char>(byte);
    if (byte >= 0) at += 2;
  }
  return decoded;
}

bool IsPercentEncoded(std::string_view text) {
  for (std::size_t at = text.find('%'); at != std::string_view::npos; at = text.find('%', at + 1)) {
    if (TripleAt(text, at) < 0) return false;
  }
  return true;
}

}  // namespace assay
