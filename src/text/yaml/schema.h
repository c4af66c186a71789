// YamlSchema: the typing rules that the composer asks for, one set for js-yaml (js.cc) and one for PyYAML
// (py.cc).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "text/value.h"

namespace assay {

enum class TagFit { kFits, kUnknown, kMisfit };

struct YamlSchema {
  // The value of a plain scalar without a tag. Nothing: it has the form of a type but no value (30 February).
  std::optional<Value> (*plain)(std::string text);
  // Applies an explicit standard tag ("int" of !!int) to what was read: a text, a list, a map, or null for an
  // empty node. Unless it fits, `content` is unspecified.
  TagFit (*tagged)(std::string_view tag, Value& content);
  // The text of a key. Nothing: such a value cannot be a key.
  std::optional<std::string> (*key_text)(const Value& key);
  bool is_duplicate_error;     // else the last one wins, with a warning
  bool are_merged_keys_first;  // members of `<<` come before the mapping's own keys, else where `<<` stands
  bool are_anchors_unique;     // a name may be set once in a document
  bool is_bang_implicit;       // a scalar with the tag "!" is typed like a plain one, else it is a text
  bool is_script_key_order;    // JavaScript's own-key order
};

const YamlSchema& JsYamlSchema();
const YamlSchema& PyYamlSchema();

// A moment as YAML 1.1 writes it, parts not checked against the calendar.
struct YamlTimestamp {
  int year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0;
  int microsecond = 0;     // further digits are cut
  int offset_minutes = 0;  // east of UTC
};
// YYYY-MM-DD, or YYYY-M-D with a time; nothing if the text has neither form.
std::optional<YamlTimestamp> ParseYamlTimestamp(std::string_view text);
// Milliseconds since 1970 in the proleptic Gregorian calendar; parts out of range roll over.
std::int64_t EpochMs(const YamlTimestamp& time);
// Digits of base 2, 8 and 16.
bool IsYamlBinary(char c);
bool IsYamlOctal(char c);
bool IsYamlHex(char c);
// The digits of a number that may have underscores between them.
std::string WithoutUnderscores(std::string_view text);
// The number of these digits (0-9, a-f, A-F) in base 2, 8 or 16, rounded once.
double NumberOfDigits(std::string_view digits, int base);
// The number of a decimal text with optional fraction and exponent, no sign; too large is infinity.
double NumberOfDecimal(std::string_view text);

}  // namespace assay
