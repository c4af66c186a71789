// Tests of numbers in texts: what is one, what is none, and where it stands.
#include "text/numbers/numbers.h"

#include <doctest/doctest.h>

#include <string>

namespace assay {
namespace {

std::vector<double> ValuesIn(std::string_view text, DecimalMark mark = DecimalMark::kPoint) {
  std::vector<double> values;
  for (const FoundNumber& number : FindNumbers(text, mark)) values.push_back(number.value);
  return values;
}
using Values = std::vector<double>;

TEST_CASE("a hyphen is a minus only where no operand stands before it") {
  CHECK(ValuesIn("10-20 days, COVID-19, on 2024-01-15") == Values{10, 20, 19, 2024, 1, 15});
  CHECK(ValuesIn("−7 or -8, (-9), f(4)-5, US$-5, -$6, -$ 7") == Values{-7, -8, -9, 4, 5, -5, -6, -7});
}

TEST_CASE("commas, points, blanks and apostrophes part groups of three, or fractions") {
  CHECK(ValuesIn("1,234,567.5 and 1'234 and 1\u00A0234") == Values{1234567.5, 1234, 1234});
  CHECK(ValuesIn("1 250 000 or 1.250.000 or 1.250.000,5") == Values{1250000, 1250000, 1250000.5});
  CHECK(ValuesIn("1 234 or 1.234") == Values{1, 234, 1.234});
  CHECK(ValuesIn("3,5 and 12,34 and 0,123 but 1,2,3") == Values{3.5, 12.34, 0.123, 1, 2, 3});
  CHECK(ValuesIn("1.234,5 and 3.5", DecimalMark::kComma) == Values{1234.5, 3.5});
}

TEST_CASE("fractions, powers of ten, scale words and percent signs belong to their number") {
  CHECK(ValuesIn("1/2, 3 1/2, 2½, \\frac{-1}{4}, 2\\dfrac12, 1/2/2024, 1/0") ==
        Values{0.5, 3.5, 2.5, -0.25, 2.5, 1, 2, 2024});
  CHECK(ValuesIn("1.2 × 10^3, 3 \\times 10^{-2}, 1e3, 3e5x, 2 million") == Values{1200, 0.03, 1000, 3, 2e6});
  const std::vector<FoundNumber> shares = FindNumbers("50 % or 12 percent or 7");
  REQUIRE(shares.size() == 3);
  CHECK(shares[0].is_percent);
  CHECK(shares[1].is_percent);
  CHECK_FALSE(shares[2].is_percent);
}

TEST_CASE("a part of a number, a version or a name is none") {
  CHECK(ValuesIn("H2O, x2, v1.2.3, _8_, 1.2.3") == Values{1.2});
  CHECK(ValuesIn("答案是72。") == Values{72});
  CHECK(ValuesIn("1e999, none, ٣").empty());
}

TEST_CASE("a number stands from its sign to its percent sign, in bytes of the text") {
  const std::string text = "é −$1{,}234 \\% off";
  const std::vector<FoundNumber> numbers = FindNumbers(text);
  REQUIRE(numbers.size() == 1);
  CHECK(numbers[0].value == -1234);
  CHECK(numbers[0].is_percent);
  CHECK(text.substr(numbers[0].where.from, numbers[0].where.to - numbers[0].where.from) == "−$1{,}234 \\%");
}

}  // namespace
}  // namespace assay
