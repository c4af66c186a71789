// Python's functions on texts and plain values: lower(), strip(), float(), bool(), universal newlines. A text
// is a sequence of code points.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "text/value.h"

namespace assay {

// str.lower(): full default mapping of Unicode, final sigma, locale-independent. Ill-formed bytes become
// U+FFFD.
std::string PythonLower(std::string_view text);
// str.strip(characters): without the code points of `characters` at both ends.
std::string_view PythonStrip(std::string_view text, std::string_view characters);
// What reading in text mode makes of line ends: \r\n and lone \r become \n.
std::string UniversalNewlines(std::string_view text);
// repr(float), which is str(float): "0.1", "1e-05", "1e+16", "135.0", "nan", "-inf".
std::string PythonFloatText(double number);
// float(text): surrounding blanks, signs, exponents, "inf", "nan" and single underscores between digits;
// nothing where Python raises.
std::optional<double> ParsePythonFloat(std::string_view text);
// float(value) of a number, a boolean or a text; nothing where Python raises.
std::optional<double> PythonFloat(const Value& value);
// bool(value): null, false, 0 and everything empty are false; NaN is true.
bool PythonTruth(const Value& value);
// What iterating over the value gives: the items of a list, the keys of a map, the code points of a text;
// nothing where Python raises.
std::optional<List> PythonItems(const Value& value);

}  // namespace assay
