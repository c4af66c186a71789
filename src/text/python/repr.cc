// Implements repr(), str(), int() and strip() of Python 3.11.
#include "text/python/repr.h"

#include <fmt/core.h>
#include <unicode/uchar.h>

#include <charconv>
#include <cmath>
#include <cstdlib>

#include "base/text/utf8.h"
#include "text/javascript/number.h"
#include "text/python/text.h"

namespace assay {

namespace {

constexpr std::uint8_t kPythonsUnicode = 14;  // of 3.11; younger characters are unassigned to it

bool IsPrintable(char32_t c) {
  if (c == U' ') return true;
  if (c < 0x7f) return c > U' ';
  const auto code_point = static_cast<UChar32>(c);
  UVersionInfo age{};
  u_charAge(code_point, age);
  if (age[0] > kPythonsUnicode) return false;
  constexpr std::uint32_t kHidden =
      U_GC_CC_MASK | U_GC_CF_MASK | U_GC_CS_MASK | U_GC_CO_MASK | U_GC_CN_MASK | U_GC_Z_MASK;
  return (U_GET_GC_MASK(code_point) & kHidden) == 0;
}

// bidirectional class WS, B or S, or category Zs.
bool IsPythonSpace(char32_t c) {
  if (c == U' ' || (c >= 0x09 && c <= 0x0d) || (c >= 0x1c && c <= 0x1f)) return true;
  if (c < 0x85) return false;
  return c == 0x85 || c == 0xa0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200a) || c == 0x2028 ||
         c == 0x2029 || c == 0x202f || c == 0x205f || c == 0x3000;
}

void AppendHexEscape(char32_t c, std::string& out) {
  const auto number = static_cast<std::uint32_t>(c);
  if (number <= 0xff) {
    out += fmt::format("\\x{:02x}", number);
  } else if (number <= 0xffff) {
    out += fmt::format("\\u{:04x}", number);
  } else {
    out += fmt::format("\\U{:08x}", number);
  }
}

char QuoteFor(std::string_view text) {
  const bool has_single = text.find('\'') != std::string_view::npos;
  return has_single && text.find('"') == std::string_view::npos ? '"' : '\'';
}

// \n, \\ and the quote; false for everything else.
bool AppendShortEscape(char32_t c, char quote, std::string& out) {
  if (c == U'\\' || c == static_cast<unsigned char>(quote)) {
    out += '\\';
    out += static_cast<char>(c);
  } else if (c == U'\n') {
    out += "\\n";
  } else if (c == U'\r') {
    out += "\\r";
  } else if (c == U'\t') {
    out += "\\t";
  } else {
    return false;
  }
  return true;
}

std::string ReprBytes(std::string_view bytes) {
  const char quote = QuoteFor(bytes);
  std::string out = "b";
  out += quote;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (AppendShortEscape(byte, quote, out)) continue;
    if (byte >= 0x20 && byte < 0x7f) {
      out += c;
    } else {
      AppendHexEscape(byte, out);
    }
  }
  out += quote;
  return out;
}

constexpr std::int64_t kDayMs = 86'400'000;

// "2024-01-15" or "2024-01-15 10:20:30".
std::string DateRepr(Date date) {
  const std::string iso = JsIsoDate(date.ms);
  const std::size_t day_size = iso.find('T');
  std::string text = iso.substr(0, day_size);
  if (date.ms % kDayMs != 0) text += ' ' + iso.substr(day_size + 1, std::string_view("10:20:30").size());
  return text;
}

std::string ReprDate(Date date) {
  const std::string iso = JsIsoDate(date.ms);
  const auto part = [&iso](std::size_t from_end, std::size_t size) {
    return std::atoi(iso.substr(iso.size() - from_end, size).c_str());
  };
  const int year = std::atoi(iso.c_str());
  std::string text = fmt::format("{}, {}, {}", year, part(19, 2), part(16, 2));
  if (date.ms % kDayMs == 0) return "datetime.date(" + text + ")";
  text += fmt::format(", {}, {}", part(13, 2), part(10, 2));
  if (const int second = part(7, 2); second != 0) text += fmt::format(", {}", second);
  return "datetime.datetime(" + text + ")";
}

std::string ReprList(const List& list) {
  std::string out = "[";
  for (const Value& item : list) out += (out.size() > 1 ? ", " : "") + PythonRepr(item);
  return out + "]";
}

std::string ReprMap(const Map& map) {
  std::string out = "{";
  for (const Member& member : map)
    out += (out.size() > 1 ? ", " : "") + PythonReprText(member.key) + ": " + PythonRepr(member.value);
  return out + "}";
}

std::optional<std::int64_t> IntOfText(std::string_view text) {
  text = PythonTrim(text);
  const bool is_negative = text.starts_with('-');
  if (is_negative || text.starts_with('+')) text.remove_prefix(1);
  std::string digits(is_negative ? "-" : "");
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_joint = text[i] == '_' && i > 0 && text[i - 1] != '_' && i + 1 < text.size();
    if (is_joint) continue;
    if (text[i] < '0' || text[i] > '9') return std::nullopt;
    digits += text[i];
  }
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return number;
}

}  // namespace

std::string PythonReprText(std::string_view text) {
  const char quote = QuoteFor(text);
  std::string out(1, quote);
  for (std::size_t at = 0; at < text.size();) {
    const DecodedCodePoint decoded = DecodeUtf8(text, at);
    at += decoded.size_bytes;
    if (AppendShortEscape(decoded.code_point, quote, out)) continue;
    if (IsPrintable(decoded.code_point)) {
      AppendUtf8(decoded.code_point, out);
    } else {
      AppendHexEscape(decoded.code_point, out);
    }
  }
  out += quote;
  return out;
}

std::string PythonRepr(const Value& value) {
  switch (value.kind()) {
    case ValueKind::kUndefined:
    case ValueKind::kNull:
      return "None";
    case ValueKind::kBool:
      return value.AsBool() ? "True" : "False";
    case ValueKind::kInt:
      return std::to_string(value.AsInt());
    case ValueKind::kDouble:
      return PythonFloatText(value.AsNumber());
    case ValueKind::kString:
      return PythonReprText(value.AsString());
    case ValueKind::kDate:
      return ReprDate(value.AsDate());
    case ValueKind::kBinary:
      return ReprBytes(value.AsBinary().bytes);
    case ValueKind::kList:
      return ReprList(value.AsList());
    case ValueKind::kMap:
      return ReprMap(value.AsMap());
  }
  return "None";
}

std::string PythonStr(const Value& value) {
  if (value.is_string()) return value.AsString();
  if (value.is_date()) return DateRepr(value.AsDate());
  return PythonRepr(value);
}

std::string PythonFixed(double number, int decimals) {
  if (std::isnan(number)) return "nan";
  return fmt::format("{:.{}f}", number, decimals);
}

std::optional<std::int64_t> PythonInt(const Value& value) {
  constexpr double kBeyond = 9223372036854775808.0;  // 2^63
  if (value.is_bool()) return value.AsBool() ? 1 : 0;
  if (value.kind() == ValueKind::kInt) return value.AsInt();
  if (value.is_string()) return IntOfText(value.AsString());
  if (value.kind() != ValueKind::kDouble || !(std::abs(value.AsNumber()) < kBeyond)) return std::nullopt;
  return static_cast<std::int64_t>(value.AsNumber());
}

std::string_view PythonTrim(std::string_view text) {
  while (!text.empty()) {
    const DecodedCodePoint first = DecodeUtf8(text, 0);
    if (!IsPythonSpace(first.code_point)) break;
    text.remove_prefix(first.size_bytes);
  }
  while (!text.empty()) {
    std::size_t start = text.size() - 1;
    while (start > 0 && text.size() - start < 4 && (static_cast<unsigned char>(text[start]) & 0xc0u) == 0x80u)
      --start;
    const DecodedCodePoint last = DecodeUtf8(text, start);
    if (start + last.size_bytes != text.size() || !IsPythonSpace(last.code_point)) break;
    text.remove_suffix(text.size() - start);
  }
  return text;
}

}  // namespace assay
