// Prints values as String() and JSON.stringify do, and reads numbers as Number() does.
#include "text/javascript/values.h"

#include <fmt/core.h>

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "text/javascript/number.h"
#include "text/javascript/text.h"
#include "text/json/json.h"
#include "text/object.h"

namespace assay {
namespace {

constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

// Digits behind 0x, 0o or 0b.
double RadixNumber(std::string_view digits, int base) {
  if (digits.empty()) return kNoNumber;
  double number = 0;
  for (const char c : digits) {
    int digit = 0;
    const auto [end, error] = std::from_chars(&c, &c + 1, digit, base);
    if (error != std::errc() || end != &c + 1) return kNoNumber;
    number = number * base + digit;
  }
  return number;
}

double TextNumber(std::string_view given) {
  std::string_view text = JsTrim(given);
  if (text.empty()) return 0;
  if (text.size() > 2 && text[0] == '0') {
    const char mark = static_cast<char>(text[1] | 0x20);
    if (mark == 'x') return RadixNumber(text.substr(2), 16);
    if (mark == 'o') return RadixNumber(text.substr(2), 8);
    if (mark == 'b') return RadixNumber(text.substr(2), 2);
  }
  const bool is_negative = text.front() == '-';
  if (text.front() == '+' || is_negative) text.remove_prefix(1);
  if (text == "Infinity")
    return is_negative ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity();
  // Only digits, a point and an exponent: "inf" and "nan" are no numbers here.
  if (text.empty() || text.find_first_not_of("0123456789.eE+-") != std::string_view::npos) return kNoNumber;
  if (text.front() == '-' || text.front() == '+') return kNoNumber;
  const std::string copy(text);
  char* end = nullptr;
  const double number = std::strtod(copy.c_str(), &end);
  if (end != copy.c_str() + copy.size()) return kNoNumber;
  return is_negative ? -number : number;
}

}  // namespace

std::string JsString(const Value& value) {
  switch (value.kind()) {
    case ValueKind::kUndefined:
      return "undefined";
    case ValueKind::kNull:
      return "null";
    case ValueKind::kBool:
      return value.AsBool() ? "true" : "false";
    case ValueKind::kInt:
    case ValueKind::kDouble:
      return JsNumberText(value.AsNumber());
    case ValueKind::kString:
      return value.AsString();
    case ValueKind::kList: {
      std::string text;
      for (const Value& item : value.AsList()) {
        if (&item != &value.AsList().front()) text += ',';
        if (!item.is_nullish()) text += JsString(item);
      }
      return text;
    }
    case ValueKind::kDate:
      return JsIsoDate(value.AsDate().ms);
    case ValueKind::kBinary:
      return value.AsBinary().bytes;
    case ValueKind::kMap:
      return "[object Object]";
  }
  return {};
}

std::string JsJson(const Value& value) {
  return value.is_undefined() ? "undefined" : WriteJson(value, JsonStyle::kJavaScript);
}

double JsNumber(const Value& value) {
  if (value.is_number()) return value.AsNumber();
  if (value.is_bool()) return value.AsBool() ? 1 : 0;
  if (value.is_null()) return 0;
  if (value.is_string()) return TextNumber(value.AsString());
  if (value.is_list()) return TextNumber(JsString(value));
  return kNoNumber;
}

std::string JsToPrecision(double number, int digits) {
  if (!std::isfinite(number)) return JsNumberText(number);
  const std::string scientific = fmt::format("{:.{}e}", number, digits - 1);
  const std::size_t mark = scientific.find('e');
  const int exponent = std::atoi(scientific.c_str() + mark + 1);
  constexpr int kLeast = -6;
  // Halves go away from zero, which JsToFixed does.
  if (exponent >= kLeast && exponent < digits) return JsToFixed(number, digits - 1 - exponent);
  const std::string first =
      exponent < 0 ? scientific.substr(0, mark) : JsToFixed(number / std::pow(10, exponent), digits - 1);
  return fmt::format("{}e{}{}", first, exponent < 0 ? '-' : '+', std::abs(exponent));
}

Value WithWholeNumbers(const Value& value) {
  constexpr double kSafeInteger = 9007199254740992;  // 2^53
  if (value.is_list()) return ArrayOf(value.AsList(), WithWholeNumbers);
  if (value.is_map()) {
    Map map;
    for (const Member& member : value.AsMap()) map.Append(member.key, WithWholeNumbers(member.value));
    return Value(std::move(map));
  }
  if (value.kind() != ValueKind::kDouble) return value;
  const double number = value.AsNumber();
  const bool is_whole = number == std::trunc(number) && std::abs(number) < kSafeInteger;
  return is_whole ? Value(static_cast<std::int64_t>(number)) : value;
}

}  // namespace assay
