// The typing rules of js-yaml 4.1.0's default schema (blueprint format, section 24.1), written from their
// behaviour.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <utility>

#include "base/text/ascii.h"
#include "base/text/utf8.h"
#include "text/javascript/number.h"
#include "text/yaml/schema.h"

namespace assay {

namespace {

bool IsJsNull(std::string_view text) {
  return text == "~" || text == "null" || text == "Null" || text == "NULL";
}

std::optional<bool> JsBool(std::string_view text) {
  if (text == "true" || text == "True" || text == "TRUE") return true;
  if (text == "false" || text == "False" || text == "FALSE") return false;
  return std::nullopt;
}

// Digits of one kind with underscores between them, at least one digit, none at the end.
bool AreDigits(std::string_view text, bool (*is_digit)(char)) {
  if (text.empty() || text.back() == '_') return false;
  return std::all_of(text.begin(), text.end(), [is_digit](char c) { return c == '_' || is_digit(c); });
}

std::optional<double> JsInt(std::string_view text) {
  double sign = 1;
  if (text.starts_with('-') || text.starts_with('+')) {
    sign = text.front() == '-' ? -1 : 1;
    text.remove_prefix(1);
  }
  if (text.size() > 2 && text[0] == '0') {
    const std::string_view digits = text.substr(2);
    const auto number = [&](bool (*is_digit)(char), int base) -> std::optional<double> {
      if (!AreDigits(digits, is_digit)) return std::nullopt;
      return sign * NumberOfDigits(WithoutUnderscores(digits), base);
    };
    if (text[1] == 'b') return number(IsYamlBinary, 2);
    if (text[1] == 'o') return number(IsYamlOctal, 8);
    if (text[1] == 'x') return number(IsYamlHex, 16);
  }
  if (text.starts_with('_') || !AreDigits(text, IsAsciiDigit<char>)) return std::nullopt;
  const double number = NumberOfDecimal(WithoutUnderscores(text));
  return number == 0 ? 0 : sign * number;  // "-0" is a plain zero
}

// The exponent at the end of `text`, which is cut off; false if there is a bad one.
bool CutExponent(std::string_view& text) {
  const std::size_t at = text.find_first_of("eE");
  if (at == std::string_view::npos) return true;
  std::string_view digits = text.substr(at + 1);
  if (digits.starts_with('-') || digits.starts_with('+')) digits.remove_prefix(1);
  text = text.substr(0, at);
  return !digits.empty() && std::all_of(digits.begin(), digits.end(), IsAsciiDigit<char>);
}

bool AreDigitsOrUnderscores(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c == '_' || IsAsciiDigit(c); });
}

std::optional<double> JsFloat(std::string_view text) {
  const std::string_view whole = text;
  if (text == ".nan" || text == ".NaN" || text == ".NAN") return std::numeric_limits<double>::quiet_NaN();
  double sign = 1;
  bool is_signed = false;
  if (text.starts_with('-') || text.starts_with('+')) {
    sign = text.front() == '-' ? -1 : 1;
    is_signed = true;
    text.remove_prefix(1);
  }
  if (text == ".inf" || text == ".Inf" || text == ".INF") return sign * HUGE_VAL;
  std::string_view mantissa = text;
  if (whole.empty() || whole.back() == '_' || !CutExponent(mantissa)) return std::nullopt;
  const std::size_t dot = mantissa.find('.');
  const std::string_view before = mantissa.substr(0, dot);
  const std::string_view after = dot == std::string_view::npos ? "" : mantissa.substr(dot + 1);
  if (!AreDigitsOrUnderscores(before) || !AreDigitsOrUnderscores(after)) return std::nullopt;
  if (before.empty()) {
    // ".5", but neither "-.5" nor "."; "._" alone reads as no number at all.
    if (is_signed || after.empty()) return std::nullopt;
    if (after.find_first_not_of('_') == std::string_view::npos)
      return std::numeric_limits<double>::quiet_NaN();
  } else if (!IsAsciiDigit(before.front())) {
    return std::nullopt;
  }
  return sign * NumberOfDecimal(WithoutUnderscores(text));
}

std::optional<Value> Timestamp(std::string_view text) {
  std::optional<YamlTimestamp> time = ParseYamlTimestamp(text);
  if (!time) return std::nullopt;
  if (time->year < 100) time->year += 1900;  // as Date.UTC reads two-digit years
  return Value(Date{EpochMs(*time)});
}

std::optional<Value> JsPlain(std::string text) {
  if (text.empty()) return Value(Null{});
  const char first = text.front();
  if (IsAsciiDigit(first) || first == '-' || first == '+' || first == '.') {
    if (const auto number = JsInt(text)) return Value(*number);
    if (const auto number = JsFloat(text)) return Value(*number);
    if (IsAsciiDigit(first)) {
      if (auto date = Timestamp(text)) return date;
    }
  } else if (text.size() <= std::string_view("false").size()) {
    if (IsJsNull(text)) return Value(Null{});
    if (const auto truth = JsBool(text)) return Value(*truth);
  }
  return Value(std::move(text));
}

// js-yaml's own decoder: line breaks skipped, padding ignored wherever it stands, whole groups of bits
// required.
std::optional<Value> Binary64(std::string_view text) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::size_t symbol_count = 0;
  std::string bytes;
  std::uint32_t bits = 0;
  int bit_count = 0;
  for (const char c : text) {
    if (c == '\n' || c == '\r') continue;
    ++symbol_count;
    if (c == '=') continue;
    const std::size_t digit = kDigits.find(c);
    if (digit == std::string_view::npos) return std::nullopt;
    bits = bits << 6 | static_cast<std::uint32_t>(digit);
    bit_count += 6;
    if (bit_count < 8) continue;
    bit_count -= 8;
    bytes += static_cast<char>(bits >> bit_count & 0xFF);
  }
  if (symbol_count % 4 != 0) return std::nullopt;
  return Value(Binary{std::move(bytes)});
}

// A list of mappings with one member each.
bool IsPairList(const List& list) {
  return std::all_of(list.begin(), list.end(),
                     [](const Value& pair) { return pair.is_map() && pair.AsMap().size() == 1; });
}

bool HasUniqueKeys(const List& pairs) {
  std::vector<std::string_view> keys;
  for (const Value& pair : pairs) keys.push_back(pair.AsMap().begin()->key);
  std::sort(keys.begin(), keys.end());
  return std::adjacent_find(keys.begin(), keys.end()) == keys.end();
}

TagFit JsTaggedScalar(std::string_view tag, Value& content) {
  const bool is_empty = content.is_null();
  if (!is_empty && !content.is_string()) return TagFit::kUnknown;
  const std::string text = is_empty ? "" : content.AsString();
  if (tag == "str") {
    content = Value(text);
    return TagFit::kFits;
  }
  if (tag == "null") {
    if (!is_empty && !IsJsNull(text)) return TagFit::kMisfit;
    content = Value(Null{});
    return TagFit::kFits;
  }
  std::optional<Value> value;
  if (is_empty) return TagFit::kMisfit;
  if (tag == "bool") {
    if (const auto truth = JsBool(text)) value = Value(*truth);
  } else if (tag == "int") {
    if (const auto number = JsInt(text)) value = Value(*number);
  } else if (tag == "float") {
    if (const auto number = JsFloat(text)) value = Value(*number);
  } else if (tag == "timestamp") {
    value = Timestamp(text);
  } else if (tag == "binary") {
    value = Binary64(text);
  } else if (tag == "merge" && text == "<<") {
    value = Value(text);
  }
  if (!value) return TagFit::kMisfit;
  content = std::move(*value);
  return TagFit::kFits;
}

TagFit TaggedList(std::string_view tag, Value& content) {
  if (content.is_null()) content = Value(List{});
  if (!content.is_list()) return TagFit::kMisfit;
  if (tag == "seq") return TagFit::kFits;
  List& list = content.AsList();
  if (!IsPairList(list)) return TagFit::kMisfit;
  if (tag == "omap") return HasUniqueKeys(list) ? TagFit::kFits : TagFit::kMisfit;
  for (Value& pair : list) {
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

TagFit TaggedMap(std::string_view tag, Value& content) {
  if (content.is_null()) content = Value(Map{});
  if (!content.is_map()) return TagFit::kMisfit;
  const Map& map = content.AsMap();
  if (tag == "map") return TagFit::kFits;
  const bool is_set =
      std::all_of(map.begin(), map.end(), [](const Member& member) { return member.value.is_null(); });
  return is_set ? TagFit::kFits : TagFit::kMisfit;
}

TagFit JsTagged(std::string_view tag, Value& content) {
  if (tag == "seq" || tag == "omap" || tag == "pairs") return TaggedList(tag, content);
  if (tag == "map" || tag == "set") return TaggedMap(tag, content);
  for (const std::string_view known :
       {"str", "null", "bool", "int", "float", "timestamp", "binary", "merge"}) {
    if (tag == known)
      return content.is_list() || content.is_map() ? TagFit::kMisfit : JsTaggedScalar(tag, content);
  }
  return TagFit::kUnknown;
}

// String(date) in UTC: "Mon Jan 15 2024 10:20:30 GMT+0000 (Coordinated Universal Time)".
std::string DateKeyText(Date date) {
  constexpr std::int64_t kDayMs = 86'400'000;
  constexpr std::string_view kDays[] = {"Thu", "Fri", "Sat", "Sun",
                                        "Mon", "Tue", "Wed"};  // 1970-01-01 was a Thursday
  constexpr std::string_view kMonths[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                          "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  const std::string iso = JsIsoDate(date.ms);  // "2024-01-15T10:20:30.000Z"
  const std::size_t month_at = iso.find('-', 1) + 1;
  const int month = (iso[month_at] - '0') * 10 + (iso[month_at + 1] - '0');
  const std::int64_t day = (date.ms >= 0 ? date.ms : date.ms - kDayMs + 1) / kDayMs;
  std::string text(kDays[static_cast<std::size_t>((day % 7 + 7) % 7)]);
  text += ' ';
  text += kMonths[month - 1];
  text += ' ' + iso.substr(month_at + 3, 2) + ' ' + iso.substr(0, month_at - 1) + ' ' +
          iso.substr(month_at + 6, 8);
  return text + " GMT+0000 (Coordinated Universal Time)";
}

std::string BytesKeyText(const std::string& bytes) {
  std::string text;
  for (const char byte : bytes) {
    if (!text.empty()) text += ',';
    text += std::to_string(static_cast<unsigned char>(byte));
  }
  return text;
}

std::optional<std::string> JsKeyText(const Value& key) {
  switch (key.kind()) {
    case ValueKind::kUndefined:
      return "undefined";
    case ValueKind::kNull:
      return "null";
    case ValueKind::kBool:
      return key.AsBool() ? "true" : "false";
    case ValueKind::kInt:
    case ValueKind::kDouble:
      return JsNumberText(key.AsNumber());
    case ValueKind::kString:
      return key.AsString();
    case ValueKind::kDate:
      return DateKeyText(key.AsDate());
    case ValueKind::kBinary:
      return BytesKeyText(key.AsBinary().bytes);
    case ValueKind::kMap:
      return "[object Object]";
    case ValueKind::kList:
      break;
  }
  std::string joined;
  for (const Value& element : key.AsList()) {
    if (element.is_list()) return std::nullopt;
    if (&element != &key.AsList().front()) joined += ',';
    if (!element.is_nullish()) joined += *JsKeyText(element);
  }
  return joined;
}

}  // namespace

const YamlSchema& JsYamlSchema() {
  static constexpr YamlSchema kSchema = {.plain = JsPlain,
                                         .tagged = JsTagged,
                                         .key_text = JsKeyText,
                                         .is_duplicate_error = true,
                                         .are_merged_keys_first = false,
                                         .are_anchors_unique = false,
                                         .is_bang_implicit = false,
                                         .is_script_key_order = true};
  return kSchema;
}

}  // namespace assay
