// The typing rules of PyYAML's SafeLoader (YAML 1.1), written from their behaviour.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <utility>

#include "base/text/ascii.h"
#include "text/python/repr.h"
#include "text/yaml/schema.h"

namespace assay {

namespace {

template <class Predicate>
bool AllOrUnderscore(std::string_view text, Predicate is_digit) {
  return std::all_of(text.begin(), text.end(), [is_digit](char c) { return c == '_' || is_digit(c); });
}

bool TakeSign(std::string_view& text) {
  const bool is_negative = text.starts_with('-');
  if (is_negative || text.starts_with('+')) text.remove_prefix(1);
  return is_negative;
}

std::optional<bool> PyBool(std::string_view text) {
  constexpr std::string_view kTrue[] = {"yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"};
  constexpr std::string_view kFalse[] = {"no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"};
  if (std::find(std::begin(kTrue), std::end(kTrue), text) != std::end(kTrue)) return true;
  if (std::find(std::begin(kFalse), std::end(kFalse), text) != std::end(kFalse)) return false;
  return std::nullopt;
}

// Parts behind ":" in base 60: each one or two digits below 60, at least one part.
bool AreSexagesimalParts(std::string_view text) {
  while (text.starts_with(':')) {
    const std::size_t end = std::min(text.find(':', 1), text.size());
    const std::string_view part = text.substr(1, end - 1);
    const bool is_short = part.size() == 1 && IsAsciiDigit(part[0]);
    if (!is_short && !(part.size() == 2 && part[0] >= '0' && part[0] <= '5' && IsAsciiDigit(part[1])))
      return false;
    text.remove_prefix(end);
    if (text.empty()) return true;
  }
  return false;
}

// A whole number: an int where 64 bits hold it, else the nearest double.
Value WholeNumber(std::string_view digits, int base, bool is_negative) {
  const std::string text = (is_negative ? "-" : "") + std::string(digits);
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  if (error == std::errc()) return Value(number);
  const double magnitude = base == 10 ? NumberOfDecimal(digits) : NumberOfDigits(digits, base);
  return Value(is_negative ? -magnitude : magnitude);
}

double Sexagesimal(std::string_view text) {
  double number = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(':'), text.size());
    number = number * 60 + NumberOfDecimal(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return number;
}

std::optional<Value> PyInt(std::string_view text) {
  const bool is_negative = TakeSign(text);
  if (text.empty() || !IsAsciiDigit(text[0])) return std::nullopt;
  const std::string digits = WithoutUnderscores(text);
  if (text == "0") return Value(std::int64_t{0});
  if (text[0] == '0') {
    const std::string_view rest = text.substr(1);
    const bool has_digits = digits.size() > 2;
    if (rest[0] == 'b') {
      if (!AllOrUnderscore(rest.substr(1), IsYamlBinary) || !has_digits) return std::nullopt;
      return WholeNumber(digits.substr(2), 2, is_negative);
    }
    if (rest[0] == 'x') {
      if (!AllOrUnderscore(rest.substr(1), IsYamlHex) || !has_digits) return std::nullopt;
      return WholeNumber(digits.substr(2), 16, is_negative);
    }
    if (!AllOrUnderscore(rest, IsYamlOctal)) return std::nullopt;
    return WholeNumber(digits, 8, is_negative);
  }
  const std::size_t colon = std::min(text.find(':'), text.size());
  if (!AllOrUnderscore(text.substr(0, colon), IsAsciiDigit<char>)) return std::nullopt;
  if (colon == text.size()) return WholeNumber(digits, 10, is_negative);
  if (!AreSexagesimalParts(text.substr(colon))) return std::nullopt;
  const double number = Sexagesimal(digits);
  constexpr double kExactMax = 9'007'199'254'740'992.0;  // 2^53
  if (number > kExactMax) return Value(is_negative ? -number : number);
  return Value(static_cast<std::int64_t>(is_negative ? -number : number));
}

// An exponent with its sign, which YAML 1.1 requires; cut off from `text`.
bool CutSignedExponent(std::string_view& text) {
  const std::size_t at = text.find_first_of("eE");
  if (at == std::string_view::npos) return true;
  const std::string_view digits = text.substr(at + 1);
  text = text.substr(0, at);
  return digits.size() > 1 && (digits[0] == '-' || digits[0] == '+') &&
         std::all_of(digits.begin() + 1, digits.end(), IsAsciiDigit<char>);
}

std::optional<double> PyFloat(std::string_view text) {
  if (text == ".nan" || text == ".NaN" || text == ".NAN") return std::numeric_limits<double>::quiet_NaN();
  const bool is_signed = text.starts_with('-') || text.starts_with('+');
  const double sign = TakeSign(text) ? -1 : 1;
  if (text == ".inf" || text == ".Inf" || text == ".INF") return sign * HUGE_VAL;
  const std::size_t dot = text.find('.');
  if (dot == std::string_view::npos) return std::nullopt;
  const std::string_view before = text.substr(0, dot);
  std::string_view after = text.substr(dot + 1);
  const std::string digits = WithoutUnderscores(text);
  const std::size_t colon = before.find(':');
  if (colon != std::string_view::npos) {
    if (!IsAsciiDigit(before[0]) || !AllOrUnderscore(before.substr(0, colon), IsAsciiDigit<char>))
      return std::nullopt;
    if (!AreSexagesimalParts(before.substr(colon)) || !AllOrUnderscore(after, IsAsciiDigit<char>))
      return std::nullopt;
    return sign * Sexagesimal(digits);
  }
  if (!CutSignedExponent(after) || !AllOrUnderscore(after, IsAsciiDigit<char>)) return std::nullopt;
  if (before.empty()) {
    if (is_signed || after.empty() || !IsAsciiDigit(after[0])) return std::nullopt;
  } else if (!IsAsciiDigit(before[0]) || !AllOrUnderscore(before, IsAsciiDigit<char>)) {
    return std::nullopt;
  }
  return sign * NumberOfDecimal(digits);
}

bool IsCalendarTime(const YamlTimestamp& time) {
  constexpr int kDays[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  if (time.year < 1 || time.month < 1 || time.month > 12 || time.day < 1) return false;
  const bool is_leap = (time.year % 4 == 0 && time.year % 100 != 0) || time.year % 400 == 0;
  const int days = kDays[time.month - 1] + (time.month == 2 && is_leap ? 1 : 0);
  constexpr int kDayMinutes = 24 * 60;
  return time.day <= days && time.hour < 24 && time.minute < 60 && time.second < 60 &&
         std::abs(time.offset_minutes) < kDayMinutes;
}

bool IsPyNull(std::string_view text) {
  return text.empty() || text == "~" || text == "null" || text == "Null" || text == "NULL";
}

std::optional<Value> PyPlain(std::string text) {
  if (IsPyNull(text)) return Value(Null{});
  const char first = text.front();
  if (IsAsciiDigit(first) || first == '-' || first == '+' || first == '.') {
    if (const auto number = PyFloat(text)) return Value(*number);
    if (auto number = PyInt(text)) return number;
    if (const auto time = ParseYamlTimestamp(text)) {
      if (!IsCalendarTime(*time)) return std::nullopt;
      return Value(Date{EpochMs(*time)});
    }
  } else if (const auto truth = PyBool(text)) {
    return Value(*truth);
  }
  if (text == "=" || text == "<<") return std::nullopt;
  return Value(std::move(text));
}

// Python's lenient base64: everything else is skipped, complete groups and right padding are required.
std::optional<std::string> DecodeBase64(std::string_view text) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  std::uint32_t bits = 0;
  std::size_t digit_count = 0;
  std::size_t pad_count = 0;
  for (const char c : text) {
    if (static_cast<unsigned char>(c) > 0x7F) return std::nullopt;
    const std::size_t digit = kDigits.find(c);
    if (c == '=') {
      ++pad_count;
      if (digit_count % 4 >= 2 && digit_count % 4 + pad_count >= 4) return bytes;
    }
    if (digit == std::string_view::npos) continue;
    pad_count = 0;
    bits = bits << 6 | static_cast<std::uint32_t>(digit);
    const std::size_t place = digit_count++ % 4;
    if (place == 0) continue;
    bytes += static_cast<char>(bits >> (6 - 2 * place) & 0xFF);
  }
  if (digit_count % 4 != 0) return std::nullopt;
  return bytes;
}

// float(text): a decimal number with or without dot and exponent.
std::optional<double> PythonFloat(std::string_view text) {
  const double sign = TakeSign(text) ? -1 : 1;
  const std::string digits = WithoutUnderscores(text);
  double ignored = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), ignored);
  if (digits.empty() || error == std::errc::invalid_argument || end != digits.data() + digits.size()) {
    return std::nullopt;
  }
  return sign * NumberOfDecimal(digits);
}

TagFit PyTaggedScalar(std::string_view tag, Value& content) {
  if (!content.is_null() && !content.is_string()) return TagFit::kMisfit;
  const std::string text = content.is_null() ? "" : content.AsString();
  std::optional<Value> value;
  if (tag == "str") {
    value = Value(text);
  } else if (tag == "null") {
    value = Value(Null{});
  } else if (tag == "bool") {
    if (const auto truth = PyBool(text)) value = Value(*truth);
  } else if (tag == "int") {
    value = PyInt(text);
  } else if (tag == "float") {
    if (const auto number = PyFloat(text)) {
      value = Value(*number);
    } else if (const auto decimal = PythonFloat(text)) {
      value = Value(*decimal);
    }
  } else if (tag == "timestamp") {
    const auto time = ParseYamlTimestamp(text);
    if (time && IsCalendarTime(*time)) value = Value(Date{EpochMs(*time)});
  } else if (tag == "binary") {
    if (auto bytes = DecodeBase64(text)) value = Value(Binary{std::move(*bytes)});
  }
  if (!value) return TagFit::kMisfit;
  content = std::move(*value);
  return TagFit::kFits;
}

// Both ordered maps and pairs become a list of two-element lists.
TagFit TaggedPairs(Value& content) {
  if (!content.is_list()) return TagFit::kMisfit;
  for (Value& pair : content.AsList()) {
    if (!pair.is_map() || pair.AsMap().size() != 1) return TagFit::kMisfit;
    Member member = std::move(*pair.AsMap().begin());
    List both;
    both.emplace_back(std::move(member.key)).span = member.key_span;
    both.push_back(std::move(member.value));
    const Span span = pair.span;
    pair = Value(std::move(both));
    pair.span = span;
  }
  return TagFit::kFits;
}

TagFit PyTagged(std::string_view tag, Value& content) {
  if (tag == "seq") return content.is_list() ? TagFit::kFits : TagFit::kMisfit;
  if (tag == "map") return content.is_map() ? TagFit::kFits : TagFit::kMisfit;
  if (tag == "omap" || tag == "pairs") return TaggedPairs(content);
  if (tag == "set") {
    if (!content.is_map()) return TagFit::kMisfit;
    for (Member& member : content.AsMap()) {
      const Span span = member.value.span;
      member.value = Null{};
      member.value.span = span;
    }
    return TagFit::kFits;
  }
  for (const std::string_view known : {"str", "null", "bool", "int", "float", "timestamp", "binary"}) {
    if (tag == known) return PyTaggedScalar(tag, content);
  }
  return TagFit::kUnknown;
}

// str(key) of the Python value.
std::optional<std::string> PyKeyText(const Value& key) {
  if (key.is_list() || key.is_map()) return std::nullopt;
  if (key.kind() == ValueKind::kBinary) return key.AsBinary().bytes;
  return PythonStr(key);
}

}  // namespace

const YamlSchema& PyYamlSchema() {
  static constexpr YamlSchema kSchema = {.plain = PyPlain,
                                         .tagged = PyTagged,
                                         .key_text = PyKeyText,
                                         .is_duplicate_error = false,
                                         .are_merged_keys_first = true,
                                         .are_anchors_unique = true,
                                         .is_bang_implicit = true,
                                         .is_script_key_order = false};
  return kSchema;
}

}  // namespace assay
