// Values as JavaScript prints and reads them.
#pragma once

#include <string>
#include <string_view>

#include "text/value.h"

namespace assay {

std::string JsString(const Value& value);  // String(value)
std::string JsJson(const Value& value);    // JSON.stringify(value)
double JsNumber(const Value& value);       // Number(value): NaN for what is none
// The value with its whole numbers as whole ones: JSON of another writer would have 8.0 for a double.
Value WithWholeNumbers(const Value& value);
// number.toPrecision(digits), 1 to 21 digits.
std::string JsToPrecision(double number, int digits);

}  // namespace assay
