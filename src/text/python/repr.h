// Formats values as Python's repr(), str() and fixed-decimal format do; int() and strip().
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "text/value.h"

namespace assay {

// repr(str): single quotes unless the text has some and no double ones; \n, \xa0, \u200b, \U0010ffff for what
// Python 3.11 (Unicode 14) does not print. Ill-formed bytes are shown as U+FFFD.
std::string PythonReprText(std::string_view text);
// repr(value). A date without a time of day is a datetime.date; undefined is None.
std::string PythonRepr(const Value& value);
// str(value): a text as it is, the rest as repr() but for dates ("2024-01-02 03:04:05").
std::string PythonStr(const Value& value);
// f"{number:.1f}" and its kin: the exact binary value, ties to even; "nan", "inf".
std::string PythonFixed(double number, int decimals);
// int(value) of a number, a boolean or a text; nothing where Python raises, or beyond 64 bits.
std::optional<std::int64_t> PythonInt(const Value& value);
// str.strip() without arguments: without white space, as Unicode and Python see it, at both ends.
std::string_view PythonTrim(std::string_view text);

}  // namespace assay
