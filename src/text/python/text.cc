// Letter case by ICU; numbers by the shortest text that reads back.
#include "text/python/text.h"

#include <fmt/core.h>
#include <unicode/ucasemap.h>

#include <charconv>
#include <cmath>
#include <limits>
#include <memory>

#include "base/errors/assert.h"
#include "base/text/ascii.h"
#include "base/text/utf8.h"

namespace assay {

namespace {

struct CloseCaseMap {
  void operator()(UCaseMap* map) const { ucasemap_close(map); }
};

bool IsBlank(char c) { return c == ' ' || (c >= '\t' && c <= '\r') || (c >= '\x1c' && c <= '\x1f'); }

std::string_view WithoutBlanks(std::string_view text) {
  while (!text.empty() && IsBlank(text.front())) text.remove_prefix(1);
  while (!text.empty() && IsBlank(text.back())) text.remove_suffix(1);
  return text;
}

bool HasCodePoint(std::string_view set, char32_t wanted) {
  for (std::size_t at = 0; at < set.size();) {
    const DecodedCodePoint decoded = DecodeUtf8(set, at);
    if (decoded.code_point == wanted) return true;
    at += decoded.size_bytes;
  }
  return false;
}

std::size_t StartOfLast(std::string_view text) {
  std::size_t start = text.size() - 1;
  while (start > 0 && text.size() - start < 4 && (static_cast<unsigned char>(text[start]) & 0xc0u) == 0x80u)
    --start;
  return start + DecodeUtf8(text, start).size_bytes == text.size() ? start : text.size() - 1;
}

// The text without underscores; nothing if one of them does not stand between two digits.
std::optional<std::string> WithoutGrouping(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '_') {
      out += text[i];
    } else if (i == 0 || i + 1 == text.size() || !IsAsciiDigit(text[i - 1]) || !IsAsciiDigit(text[i + 1])) {
      return std::nullopt;
    }
  }
  return out;
}

}  // namespace

std::string PythonLower(std::string_view text) {
  if (IsAscii(text)) return AsciiLower(text);
  UErrorCode status = U_ZERO_ERROR;
  const std::unique_ptr<UCaseMap, CloseCaseMap> map(ucasemap_open("", 0, &status));
  ASSAY_ASSERT(U_SUCCESS(status));
  ASSAY_ASSERT(text.size() <= static_cast<std::size_t>(std::numeric_limits<int32_t>::max()) / 3);
  std::string lower(text.size() + text.size() / 8 + 16, '\0');
  const auto convert = [&] {
    status = U_ZERO_ERROR;
    return ucasemap_utf8ToLower(map.get(), lower.data(), static_cast<int32_t>(lower.size()), text.data(),
                                static_cast<int32_t>(text.size()), &status);
  };
  int32_t size = convert();
  if (status == U_BUFFER_OVERFLOW_ERROR) {
    lower.resize(static_cast<std::size_t>(size) + 1);
    size = convert();
  }
  ASSAY_ASSERT(U_SUCCESS(status));
  lower.resize(static_cast<std::size_t>(size));
  return lower;
}

std::string_view PythonStrip(std::string_view text, std::string_view characters) {
  while (!text.empty()) {
    const DecodedCodePoint first = DecodeUtf8(text, 0);
    if (!HasCodePoint(characters, first.code_point)) break;
    text.remove_prefix(first.size_bytes);
  }
  while (!text.empty()) {
    const std::size_t start = StartOfLast(text);
    if (!HasCodePoint(characters, DecodeUtf8(text, start).code_point)) break;
    text.remove_suffix(text.size() - start);
  }
  return text;
}

std::string UniversalNewlines(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\r') {
      out += text[i];
      continue;
    }
    out += '\n';
    if (i + 1 < text.size() && text[i + 1] == '\n') ++i;
  }
  return out;
}

std::string PythonFloatText(double number) {
  if (std::isnan(number)) return "nan";
  std::string text = fmt::format("{}", number);
  const bool is_whole = text.find_first_not_of("-0123456789") == std::string::npos;
  return is_whole ? text + ".0" : text;
}

std::optional<double> ParsePythonFloat(std::string_view text) {
  const std::optional<std::string> plain = WithoutGrouping(WithoutBlanks(text));
  if (!plain) return std::nullopt;
  std::string_view rest = *plain;
  const bool is_negative = rest.starts_with('-');
  if (is_negative || rest.starts_with('+')) rest.remove_prefix(1);
  const std::string lower = AsciiLower(rest);
  double number = 0;
  if (lower == "inf" || lower == "infinity") {
    number = std::numeric_limits<double>::infinity();
  } else if (lower == "nan") {
    number = std::numeric_limits<double>::quiet_NaN();
  } else {
    if (lower.empty() || !(IsAsciiDigit(lower[0]) || lower[0] == '.')) return std::nullopt;
    const auto [end, problem] = std::from_chars(lower.data(), lower.data() + lower.size(), number);
    if (end != lower.data() + lower.size()) return std::nullopt;
    // Out of range: the exponent's sign says whether Python gives 0 or infinity.
    if (problem == std::errc::result_out_of_range) {
      number = lower.find("e-") != std::string::npos ? 0 : std::numeric_limits<double>::infinity();
    } else if (problem != std::errc()) {
      return std::nullopt;
    }
  }
  return is_negative ? -number : number;
}

std::optional<double> PythonFloat(const Value& value) {
  if (value.is_number()) return value.AsNumber();
  if (value.is_bool()) return value.AsBool() ? 1.0 : 0.0;
  if (value.is_string()) return ParsePythonFloat(value.AsString());
  return std::nullopt;
}

bool PythonTruth(const Value& value) {
  switch (value.kind()) {
    case ValueKind::kUndefined:
    case ValueKind::kNull:
      return false;
    case ValueKind::kBool:
      return value.AsBool();
    case ValueKind::kInt:
    case ValueKind::kDouble:
      return value.AsNumber() != 0;
    case ValueKind::kString:
      return !value.AsString().empty();
    case ValueKind::kBinary:
      return !value.AsBinary().bytes.empty();
    case ValueKind::kList:
      return !value.AsList().empty();
    case ValueKind::kMap:
      return !value.AsMap().empty();
    case ValueKind::kDate:
      return true;
  }
  return true;
}

std::optional<List> PythonItems(const Value& value) {
  if (value.is_list()) return value.AsList();
  List items;
  if (value.is_map()) {
    for (const Member& member : value.AsMap()) items.emplace_back(member.key);
  } else if (value.is_string()) {
    const std::string_view text = value.AsString();
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t size = DecodeUtf8(text, at).size_bytes;
      items.emplace_back(text.substr(at, size));
      at += size;
    }
  } else {
    return std::nullopt;
  }
  return items;
}

}  // namespace assay
