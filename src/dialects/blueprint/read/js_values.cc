// Implements JavaScript's truthiness, spread and String(x) on value trees.
#include "dialects/blueprint/read/js_values.h"

#include <charconv>

#include <fmt/core.h>

#include "base/text/utf8.h"
#include "dialects/keys/key.h"
#include "text/javascript/number.h"
#include "text/javascript/text.h"
#include "text/yaml/slips/marks.h"

namespace assay::blueprint {

namespace {

bool IsPresent(const Value* value) { return value != nullptr && !value->is_nullish(); }

// The value of the first name that `is_it`, else of the last one named.
const Value* FirstThat(const Map& map, std::span<const std::string_view> keys,
                       bool (*is_it)(const Value* value)) {
  const Value* last = nullptr;
  for (const std::string_view key : keys) {
    last = map.Find(key);
    if (is_it(last)) return last;
  }
  return last;
}

const Value* FirstThat(const Map& map, const KeyRow& key, bool (*is_it)(const Value* value)) {
  const Value* first = map.Find(key.name);
  return is_it(first) || key.aliases.empty() ? first : FirstThat(map, key.aliases, is_it);
}

// `found` points into `map`, which the caller owns and may change.
Value TakeFound(Map& map, const Value* found) {
  for (Member& member : map) {
    if (&member.value == found) return std::move(member.value);
  }
  return Value();
}

}  // namespace

const Value* FirstTruthy(const Map& map, std::initializer_list<std::string_view> keys) {
  return FirstThat(map, keys, IsTruthy);
}

const Value* FirstPresent(const Map& map, std::initializer_list<std::string_view> keys) {
  return FirstThat(map, keys, IsPresent);
}

const Value* FirstTruthy(const Map& map, const KeyRow& key) { return FirstThat(map, key, IsTruthy); }

Value TakeFirstTruthy(Map& map, const KeyRow& key) { return TakeFound(map, FirstThat(map, key, IsTruthy)); }

Value TakeFirstPresent(Map& map, const KeyRow& key) { return TakeFound(map, FirstThat(map, key, IsPresent)); }

Value Take(Map& map, std::string_view key) {
  Value* found = map.Find(key);
  return found == nullptr ? Value() : std::move(*found);
}

bool IsTruthy(const Value* value) { return value != nullptr && value->Truthy(); }

bool IsJsObject(const Value& value) {
  return value.is_map() || value.is_list() || value.is_date() || value.kind() == ValueKind::kBinary;
}

bool IsBlank(std::string_view text) { return JsTrim(text).empty(); }

Map SpreadToMap(Value value) {
  if (value.is_map()) return std::move(value.AsMap());
  Map map;
  std::size_t index = 0;
  if (value.is_list()) {
    for (Value& item : value.AsList()) map.Append(std::to_string(index++), std::move(item));
  } else if (value.is_string()) {
    const std::u16string units = ToUtf16(value.AsString());
    for (const char16_t unit : units) {
      map.Append(std::to_string(index++), ToUtf8(std::u16string_view(&unit, 1)));
    }
  } else if (value.kind() == ValueKind::kBinary) {
    for (const char byte : value.AsBinary().bytes) {
      map.Append(std::to_string(index++), Value(static_cast<double>(static_cast<unsigned char>(byte))));
    }
  }
  return map;
}

namespace {

// Array.prototype.join()
template <class Items, class TextOf>
std::string Joined(const Items& items, const TextOf& text_of) {
  std::string text;
  bool is_first = true;
  for (const auto& item : items) {
    if (!is_first) text += ',';
    is_first = false;
    text += text_of(item);
  }
  return text;
}

}  // namespace

std::string NumberInQuotesHint(const Value& value) {
  if (!value.is_string()) return {};
  const std::string& text = value.AsString();
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_number = !text.empty() && error == std::errc() && end == text.data() + text.size();
  return is_number ? fmt::format("take off the quotes: {}", text) : std::string();
}

std::string JsText(const Value& value) {
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
    case ValueKind::kDate:
      return JsIsoDate(value.AsDate().ms);
    case ValueKind::kMap:
      return "[object Object]";
    case ValueKind::kBinary:
      return Joined(value.AsBinary().bytes,
                    [](char byte) { return std::to_string(static_cast<unsigned char>(byte)); });
    case ValueKind::kList:
      return Joined(value.AsList(),
                    [](const Value& item) { return item.is_nullish() ? std::string() : JsText(item); });
  }
  return {};
}

std::string DashHint(std::string_view text, std::string_view otherwise) {
  const std::string_view dash = ForeignDashAt(text);
  return dash.empty() ? std::string(otherwise)
                      : fmt::format("{} begins no item: write a minus sign and a space, \"- \"", dash);
}

}  // namespace assay::blueprint
