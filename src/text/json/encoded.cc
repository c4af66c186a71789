// Writes and reads the value encoding of golden files: JSON with special forms for values that JSON lacks
// (NaN, dates, undefined).
#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <optional>

#include "text/javascript/number.h"
#include "text/json/write.h"
#include "text/packed/base64.h"

namespace assay {

namespace {

std::optional<std::int64_t> Digits(std::string_view text) {
  const bool all_digits = std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
  std::int64_t number = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number);
  if (!all_digits || parsed.ec != std::errc()) return std::nullopt;
  return number;
}

// Days from 1970-01-01 to the first of March of a year, proleptic Gregorian.
std::int64_t DayOfMarchFirst(std::int64_t year) {
  const std::int64_t era = (year >= 0 ? year : year - 399) / 400;
  const std::int64_t year_of_era = year - era * 400;
  return era * 146'097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 - 719'468;
}

// The milliseconds of a text that JsIsoDate wrote; a field out of its range does not survive the way back.
std::optional<Value> DecodeDate(std::string_view text) {
  const bool signed_year = text.starts_with('+') || text.starts_with('-');
  const std::size_t year_size = signed_year ? 7 : 4;
  const std::string_view rest = text.substr(std::min(year_size, text.size()));
  if (rest.size() != std::string_view("-MM-DDTHH:MM:SS.mmmZ").size()) return std::nullopt;
  const auto year_digits = Digits(text.substr(signed_year ? 1 : 0, signed_year ? 6 : 4));
  std::array<std::int64_t, 6> fields{};
  constexpr std::array<std::pair<std::size_t, std::size_t>, 6> kFields = {
      {{1, 2}, {4, 2}, {7, 2}, {10, 2}, {13, 2}, {16, 3}}};
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const auto number = Digits(rest.substr(kFields[i].first, kFields[i].second));
    if (!number || !year_digits) return std::nullopt;
    fields[i] = *number;
  }
  const auto [month, day, hour, minute, second, ms] = fields;
  const std::int64_t year = text.starts_with('-') ? -*year_digits : *year_digits;
  const std::int64_t march_month = month > 2 ? month - 3 : month + 9;
  const std::int64_t days =
      DayOfMarchFirst(month > 2 ? year : year - 1) + (153 * march_month + 2) / 5 + day - 1;
  const Date date{((days * 24 + hour) * 60 + minute) * 60'000 + second * 1000 + ms};
  if (JsIsoDate(date.ms) != text) return std::nullopt;
  return Value(date);
}

std::optional<Value> DecodeNumber(std::string_view text) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (text == "NaN") return Value(std::numeric_limits<double>::quiet_NaN());
  if (text == "Infinity") return Value(kInfinity);
  if (text == "-Infinity") return Value(-kInfinity);
  if (text == "-0") return Value(-0.0);
  return std::nullopt;
}

std::optional<Value> DecodeInt(std::string_view text) {
  std::int64_t number = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number);
  if (parsed.ec != std::errc() || parsed.ptr != text.data() + text.size()) return std::nullopt;
  return Value(number);
}

std::optional<Value> DecodeSpecial(const Map& map) {
  if (map.size() != 1) return std::nullopt;
  const auto& [key, value, key_span] = *map.begin();
  if (key == "__undefined" && value.is_bool() && value.AsBool()) return Value();
  if (!value.is_string()) return std::nullopt;
  if (key == "__number") return DecodeNumber(value.AsString());
  if (key == "__int") return DecodeInt(value.AsString());
  if (key == "__date") return DecodeDate(value.AsString());
  if (key == "__binary") {
    std::optional<std::string> bytes = DecodeBase64(value.AsString());
    if (bytes) return Value(Binary{std::move(*bytes)});
  }
  return std::nullopt;
}

}  // namespace

std::string WriteEncoded(const Value& value, JsonStyle style) {
  std::string out;
  AppendJsonTree(value, style, JsonForms::kEncoded, out);
  return out;
}

void AppendTyped(const Value& value, std::string& out) {
  AppendJsonTree(value, JsonStyle::kJavaScript, JsonForms::kTyped, out);
}

Value DecodeEncoded(const Value& encoded) {
  if (encoded.is_list()) {
    List list;
    list.reserve(encoded.AsList().size());
    for (const Value& element : encoded.AsList()) list.push_back(DecodeEncoded(element));
    Value value(std::move(list));
    value.span = encoded.span;
    return value;
  }
  if (!encoded.is_map()) return encoded;
  std::optional<Value> special = DecodeSpecial(encoded.AsMap());
  if (!special) {
    Map map;
    for (const Member& member : encoded.AsMap())
      map.Append(member.key, DecodeEncoded(member.value), member.key_span);
    special = Value(std::move(map));
  }
  special->span = encoded.span;
  return std::move(*special);
}

}  // namespace assay
