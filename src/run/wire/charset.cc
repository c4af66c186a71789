// Removes byte order marks and converts Windows-1252. Source: WHATWG Encoding, "windows-1252".
#include "run/wire/charset.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "base/text/ascii.h"
#include "base/text/byte_order_mark.h"
#include "base/text/utf8.h"

namespace assay {

namespace {

// What 0x80 to 0x9F stand for; every other byte stands for the code point of its number.
constexpr unsigned char kFirstOther = 0x80;
constexpr std::array<char16_t, 32> kOthers = {0x20AC, 0x0081, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021,
                                              0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x008D, 0x017D, 0x008F,
                                              0x0090, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
                                              0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x009D, 0x017E, 0x0178};

// "iso-8859-1" of "application/json; charset=ISO-8859-1"; "" if there is none.
std::string CharsetOf(std::string_view type) {
  std::string small = AsciiLower(type);
  const std::size_t at = small.find("charset=");
  if (at == std::string::npos) return {};
  std::string name = small.substr(at + std::string_view("charset=").size());
  std::erase_if(name, [](char c) { return c == '"' || c == '\'' || c == ' '; });
  return name.substr(0, name.find(';'));
}

bool IsLatin1(std::string_view charset) {
  constexpr std::string_view kNames[] = {"iso-8859-1", "iso8859-1", "iso_8859-1", "latin1",
                                         "latin-1",    "l1",        "cp1252",     "windows-1252"};
  return std::find(std::begin(kNames), std::end(kNames), charset) != std::end(kNames);
}

std::string FromLatin1(std::string_view bytes) {
  std::string text;
  text.reserve(bytes.size());
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    const bool is_other = byte >= kFirstOther && byte < kFirstOther + kOthers.size();
    AppendUtf8(is_other ? char32_t{kOthers[byte - kFirstOther]} : char32_t{byte}, text);
  }
  return text;
}

}  // namespace

void ReadAsUtf8(HttpReply& reply) {
  if (reply.body.starts_with(kByteOrderMark)) {
    reply.body.erase(0, kByteOrderMark.size());
    return;
  }
  for (const HttpHeader& header : reply.headers) {
    if (header.name == "content-type" && IsLatin1(CharsetOf(header.value)))
      reply.body = FromLatin1(reply.body);
  }
}

}  // namespace assay
