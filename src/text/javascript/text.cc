// White space and letter case by the tables of QuickJS-ng's libunicode.
#include "text/javascript/text.h"

#include <libunicode.h>

#include <array>

#include "base/text/utf8.h"

namespace assay {

namespace {

enum class Case { kUpper = 0, kLower = 1 };  // the engine's own numbers

constexpr char32_t kCapitalSigma = 0x3a3;
constexpr char32_t kFinalSigma = 0x3c2;

// The code point that ends at `end`; `end` > 0.
DecodedCodePoint DecodeBefore(std::string_view text, std::size_t end) {
  std::size_t start = end - 1;
  while (start > 0 && end - start < 4 && (static_cast<unsigned char>(text[start]) & 0xc0) == 0x80) --start;
  const DecodedCodePoint decoded = DecodeUtf8(text, start);
  if (start + decoded.size_bytes == end) return decoded;
  return {0xfffd, 1};
}

// Unicode's Final_Sigma: a cased letter before, none after, case-ignorable code points between skipped.
bool IsFinalSigma(std::string_view text, std::size_t start, std::size_t end) {
  bool cased_before = false;
  while (start > 0) {
    const DecodedCodePoint before = DecodeBefore(text, start);
    start -= before.size_bytes;
    if (lre_is_case_ignorable(before.code_point)) continue;
    cased_before = lre_is_cased(before.code_point);
    break;
  }
  if (!cased_before) return false;
  while (end < text.size()) {
    const DecodedCodePoint after = DecodeUtf8(text, end);
    end += after.size_bytes;
    if (!lre_is_case_ignorable(after.code_point)) return !lre_is_cased(after.code_point);
  }
  return true;
}

char ConvertAscii(char c, Case to) {
  if (to == Case::kLower) return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
  return c >= 'a' && c <= 'z' ? static_cast<char>(c - ('a' - 'A')) : c;
}

std::string Convert(std::string_view text, Case to) {
  std::string out;
  if (IsAscii(text)) {
    out.assign(text);
    for (char& c : out) c = ConvertAscii(c, to);
    return out;
  }
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    if (static_cast<unsigned char>(text[at]) < 0x80) {
      out.push_back(ConvertAscii(text[at++], to));
      continue;
    }
    const DecodedCodePoint decoded = DecodeUtf8(text, at);
    const std::size_t next = at + decoded.size_bytes;
    if (decoded.code_point == kCapitalSigma && to == Case::kLower && IsFinalSigma(text, at, next)) {
      AppendUtf8(kFinalSigma, out);
    } else {
      std::array<std::uint32_t, LRE_CC_RES_LEN_MAX> converted{};
      const int count = lre_case_conv(converted.data(), decoded.code_point, static_cast<int>(to));
      for (int i = 0; i < count; ++i) AppendUtf8(converted[static_cast<std::size_t>(i)], out);
    }
    at = next;
  }
  return out;
}

}  // namespace

bool IsJsSpace(char32_t code_point) { return lre_is_space(code_point) != 0; }

std::string_view JsTrim(std::string_view text) {
  const auto is_plain = [](char c) { return c > ' ' && c < 0x7f; };
  while (!text.empty() && !is_plain(text.front())) {
    const DecodedCodePoint first = DecodeUtf8(text, 0);
    if (!IsJsSpace(first.code_point)) break;
    text.remove_prefix(first.size_bytes);
  }
  while (!text.empty() && !is_plain(text.back())) {
    const DecodedCodePoint last = DecodeBefore(text, text.size());
    if (!IsJsSpace(last.code_point)) break;
    text.remove_suffix(last.size_bytes);
  }
  return text;
}

std::string JsToLower(std::string_view text) { return Convert(text, Case::kLower); }
std::string JsToUpper(std::string_view text) { return Convert(text, Case::kUpper); }

std::size_t CountJsWords(std::string_view text) {
  std::size_t words = 0;
  bool in_word = false;
  for (std::size_t at = 0; at < text.size();) {
    const auto byte = static_cast<unsigned char>(text[at]);
    DecodedCodePoint decoded{byte, 1};
    if (byte >= 0x80) decoded = DecodeUtf8(text, at);
    const bool space =
        byte < 0x80 ? byte == ' ' || (byte >= '\t' && byte <= '\r') : IsJsSpace(decoded.code_point);
    if (!space && !in_word) ++words;
    in_word = !space;
    at += decoded.size_bytes;
  }
  return words;
}

}  // namespace assay
