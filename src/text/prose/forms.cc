// Reads each form from left to right, without a step back.
#include "text/prose/forms.h"

#include <algorithm>
#include <iterator>

#include "base/text/ascii.h"
#include "text/javascript/text.h"
#include "text/json/json.h"

namespace assay {

namespace {

// A text that is read from its start; each function takes what it names, if it stands there.
class FormCursor {
 public:
  explicit FormCursor(std::string_view text) : rest_(text) {}
  bool is_done() const { return rest_.empty(); }
  char next() const { return rest_.empty() ? '\0' : rest_.front(); }

  bool Take(char c) { return TakeOneOf(std::string_view(&c, 1)); }
  bool TakeOneOf(std::string_view set) {
    if (rest_.empty() || set.find(rest_.front()) == std::string_view::npos) return false;
    rest_.remove_prefix(1);
    return true;
  }
  template <class Fits>
  std::string_view TakeWhile(const Fits& fits) {
    const auto end = std::find_if_not(rest_.begin(), rest_.end(), fits);
    const std::string_view taken = rest_.substr(0, static_cast<std::size_t>(end - rest_.begin()));
    rest_.remove_prefix(taken.size());
    return taken;
  }
  std::string_view TakeDigits() { return TakeWhile(IsAsciiDigit<char>); }
  // Exactly so many digits, as a number; -1 if there are not.
  int TakeNumber(std::size_t digits) {
    if (rest_.size() < digits) return -1;
    int number = 0;
    for (std::size_t i = 0; i < digits; ++i) {
      if (!IsAsciiDigit(rest_[i])) return -1;
      number = number * 10 + (rest_[i] - '0');
    }
    rest_.remove_prefix(digits);
    return number;
  }

 private:
  std::string_view rest_;
};

// "1234" or "1,234"; false for groups that are none.
bool TakeWhole(FormCursor& cursor, bool& has_digits) {
  constexpr std::size_t kGroup = 3;
  const std::size_t first = cursor.TakeDigits().size();
  has_digits = first > 0;
  if (cursor.next() != ',') return true;
  if (first == 0 || first > kGroup) return false;
  while (cursor.Take(',')) {
    if (cursor.TakeDigits().size() != kGroup) return false;
  }
  return true;
}

bool IsInteger(std::string_view text) {
  FormCursor cursor(text);
  cursor.TakeOneOf("+-");
  bool has_digits = false;
  return TakeWhole(cursor, has_digits) && has_digits && cursor.is_done();
}

bool IsNumber(std::string_view text) {
  FormCursor cursor(text);
  cursor.TakeOneOf("+-");
  bool has_digits = false;
  if (!TakeWhole(cursor, has_digits)) return false;
  if (cursor.Take('.')) {
    if (cursor.TakeDigits().empty()) return false;
    has_digits = true;
  }
  if (!has_digits) return false;
  if (cursor.TakeOneOf("eE")) {
    cursor.TakeOneOf("+-");
    if (cursor.TakeDigits().empty()) return false;
  }
  return cursor.is_done();
}

bool TakeDate(FormCursor& cursor) {
  constexpr int kDays[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  const int year = cursor.TakeNumber(4);
  if (year < 1 || !cursor.Take('-')) return false;
  const int month = cursor.TakeNumber(2);
  if (month < 1 || month > 12 || !cursor.Take('-')) return false;
  const int day = cursor.TakeNumber(2);
  const bool is_leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
  return day >= 1 && day <= kDays[month - 1] + (month == 2 && is_leap ? 1 : 0);
}

bool TakeHourAndMinute(FormCursor& cursor) {
  const int hour = cursor.TakeNumber(2);
  if (hour < 0 || hour > 23 || !cursor.Take(':')) return false;
  const int minute = cursor.TakeNumber(2);
  return minute >= 0 && minute <= 59;
}

bool TakeClock(FormCursor& cursor) {
  if (!TakeHourAndMinute(cursor)) return false;
  if (!cursor.Take(':')) return true;
  const int second = cursor.TakeNumber(2);
  if (second < 0 || second > 59) return false;
  return !cursor.Take('.') || !cursor.TakeDigits().empty();
}

bool IsDate(std::string_view text) {
  FormCursor cursor(text);
  return TakeDate(cursor) && cursor.is_done();
}

bool IsTime(std::string_view text) {
  FormCursor cursor(text);
  return TakeClock(cursor) && cursor.is_done();
}

bool IsDateTime(std::string_view text) {
  FormCursor cursor(text);
  if (!TakeDate(cursor) || !cursor.TakeOneOf("T ") || !TakeClock(cursor)) return false;
  if (cursor.Take('Z') || cursor.is_done()) return cursor.is_done();
  return cursor.TakeOneOf("+-") && TakeHourAndMinute(cursor) && cursor.is_done();
}

bool IsHostLetter(char c) { return IsAsciiAlphanumeric(c) || c == '-'; }

// Labels parted by points; how many, and the last one. False where one is none.
bool TakeHost(FormCursor& cursor, int& labels, std::string_view& last) {
  do {
    last = cursor.TakeWhile(IsHostLetter);
    if (last.empty() || last.front() == '-' || last.back() == '-') return false;
    ++labels;
  } while (cursor.Take('.'));
  return true;
}

bool IsUrl(std::string_view text) {
  constexpr std::size_t kPortDigits = 5;
  const std::string_view scheme = text.substr(0, text.find(':'));
  const std::string lower = AsciiLower(scheme.substr(0, 6));
  if ((lower != "http" && lower != "https") || !text.substr(scheme.size()).starts_with("://")) return false;
  FormCursor cursor(text.substr(scheme.size() + 3));
  int labels = 0;
  std::string_view last;
  if (!TakeHost(cursor, labels, last)) return false;
  if (cursor.Take(':')) {
    const std::size_t digits = cursor.TakeDigits().size();
    if (digits == 0 || digits > kPortDigits) return false;
  }
  if (cursor.is_done()) return true;
  if (!cursor.TakeOneOf("/?#")) return false;
  cursor.TakeWhile([](char c) {
    return static_cast<unsigned char>(c) > ' ' && c != 0x7f &&
           std::string_view("<>\"{}|\\^`").find(c) == std::string_view::npos;
  });
  return cursor.is_done();
}

bool IsEmail(std::string_view text) {
  constexpr std::string_view kMarks = "!#$%&'*+-/=?^_`{|}~.";
  FormCursor cursor(text);
  const std::string_view local = cursor.TakeWhile(
      [&](char c) { return IsAsciiAlphanumeric(c) || kMarks.find(c) != std::string_view::npos; });
  if (local.empty() || local.front() == '.' || local.back() == '.') return false;
  if (local.find("..") != std::string_view::npos || !cursor.Take('@')) return false;
  int labels = 0;
  std::string_view last;
  if (!TakeHost(cursor, labels, last) || !cursor.is_done() || labels < 2) return false;
  return last.size() >= 2 && std::all_of(last.begin(), last.end(), IsAsciiLetter<char>);
}

bool IsUuid(std::string_view text) {
  constexpr std::size_t kSize = 36;
  if (text.size() != kSize) return false;
  for (std::size_t i = 0; i < kSize; ++i) {
    const bool is_dash = i == 8 || i == 13 || i == 18 || i == 23;
    if (is_dash ? text[i] != '-' : HexDigitValue(text[i]) < 0) return false;
  }
  return true;
}

bool IsJsonText(std::string_view text) { return ParseJson(text).has_value(); }

constexpr bool (*kReaders[])(std::string_view) = {IsNumber, IsInteger, IsDate, IsTime,    IsDateTime,
                                                  IsUrl,    IsEmail,   IsUuid, IsJsonText};
static_assert(std::size(kReaders) == std::size(kTextForms));

}  // namespace

bool HasForm(std::string_view text, std::string_view form) {
  const auto* found = std::find(std::begin(kTextForms), std::end(kTextForms), form);
  return found != std::end(kTextForms) && kReaders[found - std::begin(kTextForms)](JsTrim(text));
}

}  // namespace assay
