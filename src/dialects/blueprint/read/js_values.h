// JavaScript's operations on values that the format's alias rules need: `a || b`, `a ?? b`, object spread,
// String(x).
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include "text/value.h"

namespace assay {
struct KeyRow;
}  // namespace assay

namespace assay::blueprint {

// a || b || c over members: the first truthy one, else the last one named. Null stands for an absent member.
const Value* FirstTruthy(const Map& map, std::initializer_list<std::string_view> keys);
// a ?? b ?? c: the first that is neither absent nor null, else the last one named.
const Value* FirstPresent(const Map& map, std::initializer_list<std::string_view> keys);
// The same of a key with all its names.
const Value* FirstTruthy(const Map& map, const KeyRow& key);
// The same values, taken out of the map; undefined if absent.
Value Take(Map& map, std::string_view key);
Value TakeFirstTruthy(Map& map, const KeyRow& key);
Value TakeFirstPresent(Map& map, const KeyRow& key);

bool IsTruthy(const Value* value);    // absent is false
bool IsJsObject(const Value& value);  // typeof x === "object" and not null: maps, lists, dates, binary
bool IsBlank(std::string_view text);  // x.trim() === ""

// {...x}: maps as they are; lists, texts (by UTF-16 unit) and binary data by index; anything else is empty.
Map SpreadToMap(Value value);
// For an error of a number: what to do if it only stands in quotes; else "".
std::string NumberInQuotesHint(const Value& value);
// String(x); dates as ISO text.
std::string JsText(const Value& value);

// What to do about a text where a list is expected: `otherwise`, unless the text begins with a
// dash that is none.
std::string DashHint(std::string_view text, std::string_view otherwise);

}  // namespace assay::blueprint
