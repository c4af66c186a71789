// Tests of parsing switches and numbers of command-line options.
#include "base/text/option_text.h"

#include <doctest/doctest.h>

#include <cstdint>

namespace assay {
namespace {

TEST_CASE("a switch is on or off, and nothing else") {
  for (const std::string_view on : {"true", "1", "on", "yes"}) CHECK(ParseSwitch(on).value());
  for (const std::string_view off : {"false", "0", "off", "no"}) CHECK_FALSE(ParseSwitch(off).value());
  for (const std::string_view neither : {"", "TRUE", "2", "on "})
    CHECK_FALSE(ParseSwitch(neither).has_value());
}

TEST_CASE("a number is whole text, and between its bounds") {
  CHECK(ParseNumber<std::int64_t>("25", 1, 25).value() == 25);
  CHECK(ParseNumber<double>("0.5", 0, 1).value() == 0.5);
  for (const std::string_view text : {"", "0", "26", "1x", " 1", "1.5"}) {
    const Result<std::int64_t> number = ParseNumber<std::int64_t>(text, 1, 25);
    REQUIRE_FALSE(number.has_value());
    CHECK(number.error().message.starts_with("expected a number from 1 to 25, found"));
  }
  CHECK_FALSE(ParseNumber<double>("nan", 0, 1).has_value());
}

}  // namespace
}  // namespace assay
