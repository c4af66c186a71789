// Parses timestamps and numbers for both sets of typing rules.
#include "text/yaml/schema.h"

#include <charconv>
#include <cmath>
#include <cstddef>

#include "base/text/ascii.h"

namespace assay {

namespace {

// Reads a text from left to right; every step says whether it matched.
class Cursor {
 public:
  explicit Cursor(std::string_view text) : rest_(text) {}

  bool AtEnd() const { return rest_.empty(); }
  char Peek() const { return rest_.empty() ? '\0' : rest_.front(); }
  bool Take(char c) {
    if (Peek() != c || rest_.empty()) return false;
    rest_.remove_prefix(1);
    return true;
  }
  std::size_t TakeBlanks() {
    const std::size_t blanks = rest_.find_first_not_of(" \t");
    const std::size_t count = blanks == std::string_view::npos ? rest_.size() : blanks;
    rest_.remove_prefix(count);
    return count;
  }
  // Between `least` and `most` digits, as many as there are.
  bool TakeNumber(std::size_t least, std::size_t most, int& number) {
    std::size_t count = 0;
    number = 0;
    while (count < most && count < rest_.size() && IsAsciiDigit(rest_[count]))
      number = number * 10 + (rest_[count++] - '0');
    rest_.remove_prefix(count);
    return count >= least;
  }
  std::string_view TakeDigits() {
    std::size_t count = 0;
    while (count < rest_.size() && IsAsciiDigit(rest_[count])) ++count;
    const std::string_view digits = rest_.substr(0, count);
    rest_.remove_prefix(count);
    return digits;
  }

 private:
  std::string_view rest_;
};

bool TakeZone(Cursor& cursor, YamlTimestamp& time) {
  if (cursor.Take('Z')) return true;
  const int sign = cursor.Peek() == '-' ? -1 : 1;
  if (!cursor.Take('-') && !cursor.Take('+')) return false;
  int hours = 0;
  int minutes = 0;
  if (!cursor.TakeNumber(1, 2, hours)) return false;
  if (cursor.Take(':') && !cursor.TakeNumber(2, 2, minutes)) return false;
  time.offset_minutes = sign * (hours * 60 + minutes);
  return true;
}

bool TakeTime(Cursor& cursor, YamlTimestamp& time) {
  if (!cursor.Take('T') && !cursor.Take('t') && cursor.TakeBlanks() == 0) return false;
  if (!cursor.TakeNumber(1, 2, time.hour) || !cursor.Take(':') || !cursor.TakeNumber(2, 2, time.minute) ||
      !cursor.Take(':') || !cursor.TakeNumber(2, 2, time.second)) {
    return false;
  }
  if (cursor.Take('.')) {
    std::string fraction(cursor.TakeDigits().substr(0, 6));
    fraction.resize(6, '0');
    std::from_chars(fraction.data(), fraction.data() + fraction.size(), time.microsecond);
  }
  if (cursor.AtEnd()) return true;
  cursor.TakeBlanks();
  return TakeZone(cursor, time) && cursor.AtEnd();
}

// Days from 1970-01-01 of a day of the proleptic Gregorian calendar; `month` 1 to 12, any day.
std::int64_t DaysFromCivil(std::int64_t year, int month, std::int64_t day) {
  // Years begin in March here, so that leap days come last.
  year -= month <= 2 ? 1 : 0;
  const std::int64_t era = (year >= 0 ? year : year - 399) / 400;
  const std::int64_t year_of_era = year - era * 400;
  const std::int64_t day_of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  const std::int64_t day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
  return era * 146'097 + day_of_era - 719'468;
}

}  // namespace

std::optional<YamlTimestamp> ParseYamlTimestamp(std::string_view text) {
  Cursor cursor(text);
  YamlTimestamp time;
  if (!cursor.TakeNumber(4, 4, time.year) || !cursor.Take('-')) return std::nullopt;
  if (!cursor.TakeNumber(1, 2, time.month) || !cursor.Take('-')) return std::nullopt;
  if (!cursor.TakeNumber(1, 2, time.day)) return std::nullopt;
  if (cursor.AtEnd()) {
    // A date alone needs both digits of its parts.
    return text.size() == std::string_view("2024-01-31").size() ? std::optional(time) : std::nullopt;
  }
  return TakeTime(cursor, time) ? std::optional(time) : std::nullopt;
}

std::int64_t EpochMs(const YamlTimestamp& time) {
  const int months = time.month - 1;
  const int year_shift = (months >= 0 ? months : months - 11) / 12;
  const std::int64_t days = DaysFromCivil(time.year + year_shift, months - year_shift * 12 + 1, time.day);
  const std::int64_t minutes = (days * 24 + time.hour) * 60 + time.minute - time.offset_minutes;
  return (minutes * 60 + time.second) * 1000 + time.microsecond / 1000;
}

bool IsYamlBinary(char c) { return c == '0' || c == '1'; }
bool IsYamlOctal(char c) { return c >= '0' && c <= '7'; }
bool IsYamlHex(char c) { return HexDigitValue(c) >= 0; }

std::string WithoutUnderscores(std::string_view text) {
  std::string plain(text);
  std::erase(plain, '_');
  return plain;
}

double NumberOfDigits(std::string_view digits, int base) {
  // All bases are powers of two, so the digits are bits; hexadecimal text is what from_chars rounds
  // correctly.
  std::string bits;
  const int bits_per_digit = base == 16 ? 4 : base == 8 ? 3 : 1;
  for (const char digit : digits) {
    const int number = IsAsciiDigit(digit) ? digit - '0' : (digit | 0x20) - 'a' + 10;
    for (int bit = bits_per_digit - 1; bit >= 0; --bit) bits += (number >> bit & 1) != 0 ? '1' : '0';
  }
  bits.insert(0, (4 - bits.size() % 4) % 4, '0');
  std::string hex;
  for (std::size_t i = 0; i < bits.size(); i += 4) {
    int number = 0;
    for (std::size_t bit = i; bit < i + 4; ++bit) number = number * 2 + (bits[bit] - '0');
    hex += "0123456789abcdef"[number];
  }
  double value = 0;
  const auto [end, error] =
      std::from_chars(hex.data(), hex.data() + hex.size(), value, std::chars_format::hex);
  return error == std::errc::result_out_of_range ? HUGE_VAL : value;
}

double NumberOfDecimal(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc::result_out_of_range) return value;
  // Out of range is too large or too small: a negative exponent decides, or else leading zeros behind the
  // dot.
  const std::size_t exponent = text.find_first_of("eE");
  if (exponent != std::string_view::npos) return text.substr(exponent + 1).starts_with('-') ? 0.0 : HUGE_VAL;
  return text.find_first_not_of("0.") < text.find('.') ? HUGE_VAL : 0.0;
}

}  // namespace assay
