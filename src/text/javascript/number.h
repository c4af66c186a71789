// Formats numbers and dates as JavaScript does.
#pragma once

#include <cstdint>
#include <string>

namespace assay {

// Number.prototype.toString(): shortest text that reads back, "1e+21", "NaN", "-Infinity"; -0 is "0".
std::string JsNumberText(double number);
// Number.prototype.toFixed(digits), 0..20 digits: the exact binary value, ties away from zero (0.125 ->
// "0.13").
std::string JsToFixed(double number, int digits);
// parseFloat(number.toFixed(digits)); NaN stays NaN.
double RoundToFixed(double number, int digits);
// Date.prototype.toISOString(): "2026-11-21T08:00:00.000Z", years beyond 0..9999 with sign and six digits.
std::string JsIsoDate(std::int64_t ms);

}  // namespace assay
