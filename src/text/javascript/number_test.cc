// Tests of numbers and dates as JavaScript writes them; the expected texts were made by Node.
#include "text/javascript/number.h"

#include <doctest/doctest.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <limits>
#include <random>

namespace assay {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

TEST_CASE("number to text") {
  struct Row {
    double number;
    std::string_view want;
  };
  const Row rows[] = {
      {0, "0"},
      {-0.0, "0"},
      {1, "1"},
      {-1, "-1"},
      {1.5, "1.5"},
      {-1.5, "-1.5"},
      {0.1, "0.1"},
      {0.30000000000000004, "0.30000000000000004"},
      {123456789012, "123456789012"},
      {9007199254740991.0, "9007199254740991"},
      {9007199254740992.0, "9007199254740992"},
      {9007199254740994.0, "9007199254740994"},
      {123456789012345680000.0, "123456789012345680000"},
      {999999999999999900000.0, "999999999999999900000"},
      {1e21, "1e+21"},
      {1.5e21, "1.5e+21"},
      {-1e21, "-1e+21"},
      {1e100, "1e+100"},
      {0.000001, "0.000001"},
      {0.00000123, "0.00000123"},
      {1e-7, "1e-7"},
      {1.23e-7, "1.23e-7"},
      {5e-324, "5e-324"},
      {2.2250738585072014e-308, "2.2250738585072014e-308"},
      {1.7976931348623157e308, "1.7976931348623157e+308"},
      {kInfinity, "Infinity"},
      {-kInfinity, "-Infinity"},
      {kNan, "NaN"},
  };
  for (const Row& row : rows) CHECK(JsNumberText(row.number) == row.want);
}

TEST_CASE("toFixed takes the exact binary value, and ties go away from zero") {
  struct Row {
    double number;
    int digits;
    std::string_view want;
  };
  const Row rows[] = {
      {0.125, 2, "0.13"},
      {0.375, 2, "0.38"},
      {0.625, 2, "0.63"},
      {0.875, 2, "0.88"},
      {-0.125, 2, "-0.13"},
      {1.005, 2, "1.00"},  // lies below 1.005
      {1.255, 2, "1.25"},
      {1.345, 2, "1.34"},
      {8.345, 2, "8.35"},
      {0.5, 0, "1"},
      {1.5, 0, "2"},
      {2.5, 0, "3"},
      {-2.5, 0, "-3"},
      {0, 2, "0.00"},
      {-0.0, 2, "0.00"},
      {-0.001, 2, "-0.00"},
      {1, 0, "1"},
      {99.995, 2, "100.00"},
      {1e-7, 2, "0.00"},
      {1e-7, 10, "0.0000001000"},
      {0.1, 20, "0.10000000000000000555"},
      {123456789.987654321, 4, "123456789.9877"},
      {999999999999999868928.0, 2, "999999999999999868928.00"},
      {1e21, 2, "1e+21"},
      {-1e21, 2, "-1e+21"},
      {kInfinity, 2, "Infinity"},
      {kNan, 2, "NaN"},
      {5e-324, 20, "0.00000000000000000000"},
      {9007199254740993.0, 1, "9007199254740992.0"},
      {877965196688112.75, 1, "877965196688112.8"},  // the next double would be nearer to .9
      {9.5, 0, "10"},
      {99.96875, 4, "99.9688"},
      {4503599627370495.5, 0, "4503599627370496"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.number);
    CHECK(JsToFixed(row.number, row.digits) == row.want);
  }
}

TEST_CASE("rounding by toFixed and back") {
  CHECK(RoundToFixed(0.125, 2) == 0.13);
  CHECK(RoundToFixed(1.005, 2) == 1);
  CHECK(RoundToFixed(-2.5, 0) == -3);
  CHECK(RoundToFixed(1.5e300, 2) == 1.5e300);
  CHECK(std::isnan(RoundToFixed(kNan, 2)));
  CHECK(RoundToFixed(-kInfinity, 2) == -kInfinity);
  CHECK(std::signbit(RoundToFixed(-0.001, 2)));
  CHECK_FALSE(std::signbit(RoundToFixed(-0.0, 2)));
}

TEST_CASE("every number's text reads back as that number") {
  constexpr std::uint64_t kSeed = 20261121;
  CAPTURE(kSeed);
  std::mt19937_64 generator(kSeed);
  for (int i = 0; i < 20'000; ++i) {
    const auto number = std::bit_cast<double>(generator());
    if (!std::isfinite(number)) continue;
    const std::string text = JsNumberText(number);
    double back = 0;
    const auto parsed =
        std::from_chars(text.data() + (text[0] == '+' ? 1 : 0), text.data() + text.size(), back);
    REQUIRE(parsed.ptr == text.data() + text.size());
    REQUIRE(back == number);
  }
}

TEST_CASE("dates") {
  struct Row {
    std::int64_t ms;
    std::string_view want;
  };
  const Row rows[] = {
      {0, "1970-01-01T00:00:00.000Z"},
      {-1, "1969-12-31T23:59:59.999Z"},
      {1705314030123, "2024-01-15T10:20:30.123Z"},
      {951782400000, "2000-02-29T00:00:00.000Z"},
      {4107542400000, "2100-03-01T00:00:00.000Z"},
      {-62167219200000, "0000-01-01T00:00:00.000Z"},
      {-62167219200001, "-000001-12-31T23:59:59.999Z"},
      {253402300800000, "+010000-01-01T00:00:00.000Z"},
      {8640000000000000, "+275760-09-13T00:00:00.000Z"},
      {-8640000000000000, "-271821-04-20T00:00:00.000Z"},
  };
  for (const Row& row : rows) CHECK(JsIsoDate(row.ms) == row.want);
}

}  // namespace
}  // namespace assay
