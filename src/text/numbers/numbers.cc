// Scans code points from left to right and takes the longest form of a number at each place.
#include "text/numbers/numbers.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>

#include "base/text/ascii.h"
#include "base/text/utf8.h"

namespace assay {

namespace {

// A character of the text after tidying, which may be several of the text: "\%".
struct Character {
  char32_t code = 0;
  std::uint32_t from = 0;
  std::uint32_t to = 0;
};

// Letters of scripts that write names together with digits. Chinese, Arabic or Thai put a number right behind
// a word.
bool IsNameLetter(char32_t code) {
  if (code < 0x80) return IsAsciiLetter(code);
  const auto point = static_cast<UChar32>(code);
  return u_isupper(point) != 0 || u_islower(point) != 0 || u_istitle(point) != 0;
}
bool IsSign(char32_t code) { return code == U'+' || code == U'-'; }
bool IsCurrency(char32_t code) {
  return std::u32string_view(U"$€£¥₹").find(code) != std::u32string_view::npos;
}
bool IsClosing(char32_t code) { return code == U')' || code == U']' || code == U'}'; }
// Between groups of three wherever they stand; blanks and points only between two groups and more.
bool PartsGroups(char32_t code) {
  if (code < 0x80) return code == U',' || code == U'\'';
  return std::u32string_view(U",'’\u00A0\u202F\u2009").find(code) != std::u32string_view::npos;
}

constexpr std::pair<char32_t, double> kVulgar[] = {
    {U'½', 1.0 / 2}, {U'⅓', 1.0 / 3}, {U'⅔', 2.0 / 3}, {U'¼', 1.0 / 4}, {U'¾', 3.0 / 4}, {U'⅕', 1.0 / 5},
    {U'⅖', 2.0 / 5}, {U'⅗', 3.0 / 5}, {U'⅘', 4.0 / 5}, {U'⅙', 1.0 / 6}, {U'⅚', 5.0 / 6}, {U'⅐', 1.0 / 7},
    {U'⅛', 1.0 / 8}, {U'⅜', 3.0 / 8}, {U'⅝', 5.0 / 8}, {U'⅞', 7.0 / 8}, {U'⅑', 1.0 / 9}, {U'⅒', 1.0 / 10},
};

constexpr std::pair<std::string_view, int> kScales[] = {
    {"thousand", 3}, {"million", 6}, {"billion", 9}, {"trillion", 12}};

// The letters of ASCII at which a number may begin.
constexpr std::array<bool, 128> kNumberBegins = [] {
  std::array<bool, 128> begins{};
  for (char c = '0'; c <= '9'; ++c) begins[static_cast<std::size_t>(c)] = true;
  begins['.'] = begins['\\'] = true;
  return begins;
}();

constexpr int kExponentMax = 400;     // beyond it a double is 0 or infinite
constexpr std::size_t kFracMax = 40;  // characters of a part of \frac that is a number

std::vector<Character> Tidied(std::string_view text, DecimalMark mark) {
  std::vector<Character> characters(text.size());  // at most one for each byte
  Character* const places = characters.data();
  std::size_t count = 0;
  const auto add = [places, &count](char32_t code, std::size_t from, std::size_t size) {
    places[count++] = {code, static_cast<std::uint32_t>(from), static_cast<std::uint32_t>(from + size)};
  };
  const auto at_or_end = [text](std::size_t at) { return at < text.size() ? text[at] : '\0'; };
  const auto is_digit = [&at_or_end](std::size_t at) { return IsAsciiDigit(at_or_end(at)); };
  for (std::size_t at = 0; at < text.size();) {
    const char first = text[at];
    // Most characters stand for themselves.
    const bool is_plain = (first & 0x80) == 0 && first != '\\' && first != '{';
    if (is_plain && (mark == DecimalMark::kPoint || (first != ',' && first != '.'))) {
      add(static_cast<char32_t>(first), at, 1);
      ++at;
      continue;
    }
    const char next = at_or_end(at + 1);
    const bool is_behind_digit = at > 0 && is_digit(at - 1);
    if (text[at] == '\\' && (next == '%' || next == '$')) {
      add(static_cast<char32_t>(next), at, 2);
    } else if (text[at] == '{' && is_behind_digit && next == ',' && at_or_end(at + 2) == '}' &&
               is_digit(at + 3)) {
      add(U',', at, 3);
    } else if (text[at] == '\\' && is_behind_digit && next == ',' && is_digit(at + 2)) {
      add(U',', at, 2);
    } else {
      const DecodedCodePoint decoded = DecodeUtf8(text, at);
      char32_t code = decoded.code_point == U'−' ? U'-' : decoded.code_point;
      if (mark == DecimalMark::kComma && (code == U',' || code == U'.')) code = code == U',' ? U'.' : U',';
      add(code, at, decoded.size_bytes);
    }
    at = places[count - 1].to;
  }
  characters.resize(count);
  return characters;
}

class NumberScanner {
 public:
  explicit NumberScanner(std::vector<Character> characters) : characters_(std::move(characters)) {}

  std::vector<FoundNumber> All() {
    std::vector<FoundNumber> found;
    const Character* const places = characters_.data();
    const std::size_t count = characters_.size();
    std::size_t at = 0;
    while (at < count) {
      const char32_t code = places[at].code;
      if ((code < 0x80 && !kNumberBegins[code]) || !MayBegin(at)) {
        ++at;
        continue;
      }
      at = IsPartOfName(at) ? EndOfRun(at) : Take(at, found);
    }
    return found;
  }

 private:
  // What a form of a number came to: a decimal text that stays exact with a power of ten, or else a value.
  struct Form {
    std::size_t end = 0;
    std::string decimal = {};
    std::optional<double> value = {};
    bool is_broken = false;  // a fraction with 0 below it: no number, nor are its parts
  };

  char32_t At(std::size_t at) const { return at < characters_.size() ? characters_[at].code : U'\0'; }
  char32_t Before(std::size_t at) const { return at > 0 ? characters_[at - 1].code : U'\0'; }
  bool IsDigitAt(std::size_t at) const { return IsAsciiDigit(At(at)); }

  bool Stands(std::size_t at, std::string_view word) const {
    for (std::size_t i = 0; i < word.size(); ++i) {
      const char32_t code = At(at + i);
      if (code >= 0x80 || AsciiLower(static_cast<char>(code)) != word[i]) return false;
    }
    return true;
  }
  bool StandsAsWord(std::size_t at, std::string_view word) const {
    return Stands(at, word) && !IsNameLetter(At(at + word.size())) && !IsDigitAt(at + word.size());
  }
  std::size_t BehindDigits(std::size_t at) const {
    while (IsDigitAt(at)) ++at;
    return at;
  }
  std::size_t BehindBlank(std::size_t at) const { return At(at) == U' ' ? at + 1 : at; }

  static std::optional<double> VulgarOf(char32_t code) {
    if (code < 0x80) return std::nullopt;
    for (const auto& [sign, value] : kVulgar) {
      if (sign == code) return value;
    }
    return std::nullopt;
  }
  // Behind "\frac", "\dfrac" or "\tfrac"; `at` where none stands.
  std::size_t BehindFrac(std::size_t at) const {
    if (At(at) != U'\\') return at;
    constexpr std::string_view kFracs[] = {"\\frac", "\\dfrac", "\\tfrac"};
    for (const std::string_view word : kFracs) {
      if (Stands(at, word)) return at + word.size();
    }
    return at;
  }

  bool MayBegin(std::size_t at) const {
    const char32_t code = At(at);
    if (IsAsciiDigit(code) || (code >= 0x80 && VulgarOf(code))) return true;
    if (code == U'\\') return BehindFrac(at) > at;
    const char32_t before = Before(at);
    return code == U'.' && IsDigitAt(at + 1) && !IsAsciiDigit(before) && before != U'.';
  }

  bool IsPartOfName(std::size_t at) const {
    const char32_t before = Before(at);
    if (At(at) == U'\\') return false;
    return IsNameLetter(before) || before == U'_' || (before == U'.' && at > 1 && IsDigitAt(at - 2));
  }
  // Behind all that could be read as one number.
  std::size_t EndOfRun(std::size_t at) const {
    ++at;
    while (IsDigitAt(at) || ((At(at) == U'.' || PartsGroups(At(at))) && IsDigitAt(at + 1))) ++at;
    return at;
  }

  // Puts the number that begins here into the list; returns where the rest goes on.
  std::size_t Take(std::size_t at, std::vector<FoundNumber>& found) const {
    Form form = LongestForm(at);
    if (form.end == at) return at + 1;
    if (form.is_broken) return form.end;
    int exponent = 0;
    std::size_t end = TakeExponent(form.end, exponent);
    end = TakeScale(end, exponent);
    FoundNumber number{.value = ValueOf(form, exponent)};
    end = TakePercent(end, number.is_percent);
    std::size_t from = at;
    if (IsNegative(at, from)) number.value = -number.value;
    number.where = {characters_[from].from, characters_[end - 1].to};
    if (std::isfinite(number.value)) found.push_back(number);
    return end;
  }

  static double ValueOf(const Form& form, int exponent) {
    if (form.value) return exponent == 0 ? *form.value : *form.value * std::pow(10.0, exponent);
    const std::string text = exponent == 0 ? form.decimal : form.decimal + "e" + std::to_string(exponent);
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() ? value : exponent < 0 ? 0 : HUGE_VAL;
  }

  // Whether a minus stands before; `from` moves to the sign, or to the currency sign that stands between.
  bool IsNegative(std::size_t at, std::size_t& from) const {
    std::size_t sign = at;
    if (at > 0 && IsSign(characters_[at - 1].code)) {
      sign = at - 1;
      const bool is_money = sign > 0 && IsCurrency(characters_[sign - 1].code);
      if (!is_money && !IsFree(sign)) return false;
    } else {
      std::size_t money = at > 0 && characters_[at - 1].code == U' ' ? at - 1 : at;
      if (money == 0 || !IsCurrency(characters_[money - 1].code)) return false;
      --money;
      from = money;
      if (money == 0 || !IsSign(characters_[money - 1].code) || !IsFree(money - 1)) return false;
      sign = money - 1;
    }
    from = sign;
    return characters_[sign].code == U'-';
  }
  // Not an operator or a hyphen: what stands before is no operand.
  bool IsFree(std::size_t sign) const {
    const char32_t before = Before(sign);
    return !IsNameLetter(before) && !IsAsciiDigit(before) && !IsClosing(before);
  }

  Form LongestForm(std::size_t at) const {
    if (At(at) == U'\\') return Frac(at, 0);
    if (const std::optional<double> vulgar = VulgarOf(At(at))) return {.end = at + 1, .value = *vulgar};
    if (At(at) == U'.') return {.end = BehindDigits(at + 1), .decimal = "0" + Text(at, BehindDigits(at + 1))};
    const std::size_t whole_end = BehindDigits(at);
    const double whole = WholeOf(at, whole_end);
    if (const std::optional<double> vulgar = VulgarOf(At(whole_end)))
      return {.end = whole_end + 1, .value = whole + *vulgar};
    if (BehindFrac(whole_end) > whole_end) {
      const Form mixed = Frac(whole_end, whole);
      if (mixed.end > whole_end) return mixed;
    }
    if (At(whole_end) == U' ' && IsDigitAt(whole_end + 1)) {
      const Form part = Quotient(whole_end + 1);
      if (part.value) return {.end = part.end, .value = whole + *part.value};
    }
    const Form quotient = Quotient(at);
    return quotient.end > at ? quotient : Decimal(at);
  }

  double WholeOf(std::size_t from, std::size_t to) const {
    constexpr std::size_t kExactDigits = 15;
    double whole = 0;
    if (to - from <= kExactDigits) {
      for (; from < to; ++from) whole = whole * 10 + static_cast<double>(At(from) - U'0');
      return whole;
    }
    const std::string text = Text(from, to);
    std::from_chars(text.data(), text.data() + text.size(), whole);
    return whole;
  }
  // The ASCII characters of a stretch.
  std::string Text(std::size_t from, std::size_t to) const {
    std::string text;
    for (; from < to; ++from) text += static_cast<char>(characters_[from].code);
    return text;
  }

  // a/b of whole numbers, no part of a chain a/b/c.
  Form Quotient(std::size_t at) const {
    const Form none{.end = at};
    if (Before(at) == U'/' && at > 1 && IsDigitAt(at - 2)) return none;
    const std::size_t above_end = BehindDigits(at);
    const std::size_t slash = BehindBlank(above_end);
    if (At(slash) != U'/') return none;
    const std::size_t below = BehindBlank(slash + 1);
    const std::size_t end = BehindDigits(below);
    const char32_t next = At(end);
    const bool goes_on = (next == U'/' || next == U'.' || next == U',') && IsDigitAt(end + 1);
    if (end == below || goes_on) return none;
    const double divisor = WholeOf(below, end);
    if (divisor == 0) return {.end = end, .is_broken = true};
    return {.end = end, .value = WholeOf(at, above_end) / divisor};
  }

  // \frac{a}{b} or \frac12, with the whole number before it.
  Form Frac(std::size_t at, double whole) const {
    std::size_t next = BehindFrac(at);
    const std::optional<double> above = FracPart(next);
    const std::optional<double> below = above ? FracPart(next) : std::nullopt;
    if (!below) return {.end = at};
    if (*below == 0) return {.end = next, .is_broken = true};
    return {.end = next, .value = whole + *above / *below};
  }
  std::optional<double> FracPart(std::size_t& at) const {
    if (IsDigitAt(at)) {
      ++at;
      return WholeOf(at - 1, at);
    }
    if (At(at) != U'{') return std::nullopt;
    std::size_t next = BehindBlank(at + 1);
    const bool is_negative = At(next) == U'-';
    if (IsSign(At(next))) ++next;
    if (!IsDigitAt(next)) return std::nullopt;
    const Form number = Decimal(next);
    next = BehindBlank(number.end);
    if (At(next) != U'}' || next - at > kFracMax) return std::nullopt;
    at = next + 1;
    const double value = ValueOf(number, 0);
    return is_negative ? -value : value;
  }

  // Digits with groups of three and a decimal mark.
  Form Decimal(std::size_t at) const {
    Form form{.end = BehindDigits(at)};
    form.decimal = Text(at, form.end);
    const char32_t mark = At(form.end);
    std::size_t groups = 0;
    const bool may_group = form.end - at <= 3 && At(at) != U'0';
    if (may_group) groups = CountGroups(form.end, mark);
    const bool are_groups = PartsGroups(mark) ? groups > 0 : groups > 1;
    if (are_groups) {
      for (std::size_t i = 0; i < groups; ++i)
        form.decimal += Text(form.end + 4 * i + 1, form.end + 4 * i + 4);
      form.end += 4 * groups;
    }
    const bool has_point = At(form.end) == U'.' && IsDigitAt(form.end + 1) && !(are_groups && mark == U'.');
    if (has_point || IsDecimalComma(at, form.end, are_groups && mark == U',')) {
      const std::size_t end = BehindDigits(form.end + 1);
      form.decimal += "." + Text(form.end + 1, end);
      form.end = end;
    }
    return form;
  }

  // How many groups of exactly three digits follow, each behind this mark.
  std::size_t CountGroups(std::size_t at, char32_t mark) const {
    if (!PartsGroups(mark) && mark != U' ' && mark != U'.') return 0;
    std::size_t groups = 0;
    while (At(at) == mark && BehindDigits(at + 1) == at + 4) {
      ++groups;
      at += 4;
    }
    return groups;
  }

  // A comma that can part nothing: not three digits behind it, not one of several.
  bool IsDecimalComma(std::size_t from, std::size_t at, bool has_commas) const {
    if (has_commas || At(at) != U',' || !IsDigitAt(at + 1)) return false;
    const std::size_t end = BehindDigits(at + 1);
    const bool is_chain =
        (At(end) == U',' && IsDigitAt(end + 1)) || (Before(from) == U',' && from > 1 && IsDigitAt(from - 2));
    const bool is_below_one = at == from + 1 && At(from) == U'0';
    return !is_chain && (end - at - 1 != 3 || is_below_one);
  }

  // e±n, or × 10^n.
  std::size_t TakeExponent(std::size_t at, int& exponent) const {
    if (At(at) == U'e' || At(at) == U'E') {
      std::size_t next = at + 1;
      const std::optional<int> power = TakePower(next);
      if (!power || IsNameLetter(At(next))) return at;
      exponent += *power;
      return next;
    }
    std::size_t next = BehindBlank(at);
    const std::size_t times = next;
    constexpr std::string_view kTimes[] = {"\\times", "\\cdot", "x", "*"};
    for (const std::string_view word : kTimes) {
      if (next == times && Stands(next, word)) next += word.size();
    }
    if (next == times && At(next) == U'×') ++next;
    if (next == times) return at;
    next = BehindBlank(next);
    if (!Stands(next, "10^")) return at;
    next += 3;
    const bool has_brace = At(next) == U'{';
    if (has_brace) ++next;
    const std::optional<int> power = TakePower(next);
    if (!power || (has_brace && At(next) != U'}')) return at;
    exponent += *power;
    return has_brace ? next + 1 : next;
  }
  std::optional<int> TakePower(std::size_t& at) const {
    const bool is_negative = At(at) == U'-';
    if (IsSign(At(at))) ++at;
    if (!IsDigitAt(at)) return std::nullopt;
    int power = 0;
    for (; IsDigitAt(at); ++at) power = std::min(kExponentMax, power * 10 + static_cast<int>(At(at) - U'0'));
    return is_negative ? -power : power;
  }

  std::size_t TakeScale(std::size_t at, int& exponent) const {
    const std::size_t next = BehindBlank(at);
    for (const auto& [word, power] : kScales) {
      if (!StandsAsWord(next, word)) continue;
      exponent += power;
      return next + word.size();
    }
    return at;
  }

  std::size_t TakePercent(std::size_t at, bool& is_percent) const {
    const std::size_t next = BehindBlank(at);
    constexpr std::string_view kWord = "percent";
    const std::size_t end = At(next) == U'%'            ? next + 1
                            : StandsAsWord(next, kWord) ? next + kWord.size()
                                                        : at;
    is_percent = end > at;
    return end;
  }

  std::vector<Character> characters_;
};

}  // namespace

std::vector<FoundNumber> FindNumbers(std::string_view text, DecimalMark mark) {
  return NumberScanner(Tidied(text, mark)).All();
}

}  // namespace assay
