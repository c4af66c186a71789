// Number and date texts computed from the exact binary value.
#include "text/javascript/number.h"

#include <charconv>
#include <cmath>
#include <string_view>

#include <fmt/core.h>

#include "base/errors/assert.h"

namespace assay {

namespace {

constexpr double kExponentFormFrom = 1e21;         // larger numbers are written with an exponent
constexpr double kSafeInteger = 9007199254740992;  // 2^53

// Longest: 21 digits before the point, 21 after it, sign and point.
constexpr std::size_t kFixedTextMax = 64;

// The shortest digits that read back, and n so that the number is 0.DIGITS * 10^n.
struct Shortest {
  std::string digits;
  int point = 0;
};

Shortest ShortestDigits(double magnitude) {
  char buffer[kFixedTextMax];
  const auto written =
      std::to_chars(buffer, buffer + sizeof buffer, magnitude, std::chars_format::scientific);
  const std::string_view text(buffer, static_cast<std::size_t>(written.ptr - buffer));
  const std::size_t mark = text.find('e');
  Shortest shortest;
  shortest.digits = text[0];
  if (mark > 2) shortest.digits += text.substr(2, mark - 2);
  std::string_view exponent = text.substr(mark + 1);
  if (exponent.front() == '+') exponent.remove_prefix(1);
  std::from_chars(exponent.data(), exponent.data() + exponent.size(), shortest.point);
  ++shortest.point;
  return shortest;
}

// Number::toString of a finite number above 0, ECMA-262 section 6.1.6.1.20.
std::string PositiveText(double magnitude) {
  const auto [digits, point] = ShortestDigits(magnitude);
  const int count = static_cast<int>(digits.size());
  if (count <= point && point <= 21)
    return digits + std::string(static_cast<std::size_t>(point - count), '0');
  if (0 < point && point <= 21) {
    const auto split = static_cast<std::size_t>(point);
    return fmt::format("{}.{}", digits.substr(0, split), digits.substr(split));
  }
  if (-6 < point && point <= 0) return "0." + std::string(static_cast<std::size_t>(-point), '0') + digits;
  const std::string mantissa =
      count == 1 ? digits : fmt::format("{}.{}", digits.substr(0, 1), digits.substr(1));
  return fmt::format("{}e{}{}", mantissa, point > 0 ? '+' : '-', std::abs(point - 1));
}

std::string FixedText(double number, int digits) {
  char buffer[kFixedTextMax];
  const auto written =
      std::to_chars(buffer, buffer + sizeof buffer, number, std::chars_format::fixed, digits);
  ASSAY_ASSERT(written.ec == std::errc());
  return std::string(buffer, written.ptr);
}

// The next larger text of as many digits after the point.
std::string Incremented(std::string text) {
  for (std::size_t i = text.size(); i-- > 0;) {
    if (text[i] == '.') continue;
    if (text[i] != '9') {
      ++text[i];
      return text;
    }
    text[i] = '0';
  }
  return "1" + text;
}

// A number that lies exactly between two texts of that many digits is a multiple of 2^-(digits+1). Its
// decimal form then ends with the next digit, which is a 5; std::to_chars would take the even neighbour,
// JavaScript takes the larger.
std::string RoundedText(double magnitude, int digits) {
  const double scaled = std::ldexp(magnitude, digits + 1);
  if (scaled == std::floor(scaled)) {
    std::string exact = FixedText(magnitude, digits + 1);
    if (exact.back() == '5') {
      exact.resize(exact.size() - (digits == 0 ? 2 : 1));
      return Incremented(std::move(exact));
    }
  }
  return FixedText(magnitude, digits);
}

struct CivilDate {
  std::int64_t year;
  int month;
  int day;
};

// The proleptic Gregorian date of a day counted from 1970-01-01, over eras of 400 years that start in March.
CivilDate DateOfDay(std::int64_t day) {
  constexpr std::int64_t kDaysOfEra = 146'097;
  const std::int64_t shifted = day + 719'468;  // from 0000-03-01
  const std::int64_t era = (shifted >= 0 ? shifted : shifted - (kDaysOfEra - 1)) / kDaysOfEra;
  const std::int64_t day_of_era = shifted - era * kDaysOfEra;
  const std::int64_t year_of_era =
      (day_of_era - day_of_era / 1460 + day_of_era / 36'524 - day_of_era / 146'096) / 365;
  const std::int64_t day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const std::int64_t march_month = (5 * day_of_year + 2) / 153;
  const auto day_of_month = static_cast<int>(day_of_year - (153 * march_month + 2) / 5 + 1);
  const auto month = static_cast<int>(march_month < 10 ? march_month + 3 : march_month - 9);
  return {year_of_era + era * 400 + (month <= 2 ? 1 : 0), month, day_of_month};
}

}  // namespace

std::string JsNumberText(double number) {
  if (std::isnan(number)) return "NaN";
  if (number == 0) return "0";
  if (std::abs(number) < kSafeInteger && number == std::trunc(number)) {
    return std::to_string(static_cast<std::int64_t>(number));
  }
  const std::string sign = number < 0 ? "-" : "";
  if (std::isinf(number)) return sign + "Infinity";
  return sign + PositiveText(std::abs(number));
}

std::string JsToFixed(double number, int digits) {
  ASSAY_ASSERT(digits >= 0 && digits <= 20);
  const double magnitude = std::abs(number);
  if (!(magnitude < kExponentFormFrom)) return JsNumberText(number);
  return (number < 0 ? "-" : "") + RoundedText(magnitude, digits);
}

double RoundToFixed(double number, int digits) {
  if (!(std::abs(number) < kExponentFormFrom)) return number;
  const std::string text = JsToFixed(number, digits);
  double value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

std::string JsIsoDate(std::int64_t ms) {
  constexpr std::int64_t kMsOfDay = 86'400'000;
  const std::int64_t day = (ms >= 0 ? ms : ms - (kMsOfDay - 1)) / kMsOfDay;
  const std::int64_t ms_of_day = ms - day * kMsOfDay;
  const CivilDate date = DateOfDay(day);
  const bool plain_year = date.year >= 0 && date.year <= 9999;
  const std::string year = plain_year
                               ? fmt::format("{:04}", date.year)
                               : fmt::format("{}{:06}", date.year < 0 ? '-' : '+', std::abs(date.year));
  return fmt::format("{}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", year, date.month, date.day,
                     ms_of_day / 3'600'000, ms_of_day / 60'000 % 60, ms_of_day / 1000 % 60, ms_of_day % 1000);
}

}  // namespace assay
