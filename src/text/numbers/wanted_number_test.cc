// Tests of wanted numbers: how they are written, and which number of an answer counts.
#include "text/numbers/wanted_number.h"

#include <doctest/doctest.h>

namespace assay {
namespace {

Value ArgumentOf(std::initializer_list<std::pair<std::string, Value>> members) {
  Map map;
  for (const auto& [key, value] : members) map.Append(key, value);
  return Value(std::move(map));
}

bool Passes(const Value& argument, std::string_view answer) {
  const Result<WantedNumber> wanted = ReadWantedNumber(argument);
  REQUIRE(wanted);
  const std::optional<FoundNumber> found = PickNumber(answer, *wanted);
  return found && wanted->Matches(found->value);
}

TEST_CASE("the last number counts, or the one that the suite picks") {
  CHECK(Passes(Value(72), "48 + 24 = 72"));
  CHECK_FALSE(Passes(Value(72), "It is 72, not 48"));
  CHECK(Passes(ArgumentOf({{"value", 72}, {"pick", "first"}}), "It is 72, not 48"));
  CHECK(Passes(ArgumentOf({{"value", 72}, {"pick", "any"}}), "48 or 72 or 9"));
  CHECK_FALSE(Passes(ArgumentOf({{"value", 72}, {"pick", "only"}}), "72 or 73"));
}

TEST_CASE("room is the larger of a difference and a share; percents may be fractions") {
  CHECK(Passes(ArgumentOf({{"value", 100}, {"tolerance", 1}, {"relative", 0.02}}), "102"));
  CHECK_FALSE(Passes(ArgumentOf({{"value", 100}, {"relative", 0.02}}), "103"));
  CHECK(Passes(Value(0.3), "0.30000000000000004"));
  CHECK(Passes(ArgumentOf({{"value", "12 %"}, {"percent", "fraction"}}), "0.12"));
  CHECK_FALSE(Passes(Value("12 %"), "0.12"));
}

TEST_CASE("what is no wanted number is refused") {
  for (const Value& argument :
       {Value("5 or 6"), Value("none"), Value(true), ArgumentOf({}),
        ArgumentOf({{"value", 5}, {"tolerance", -1}}), ArgumentOf({{"value", 5}, {"pick", "best"}}),
        ArgumentOf({{"value", 5}, {"tolerence", 1}})}) {
    const Result<WantedNumber> wanted = ReadWantedNumber(argument);
    REQUIRE_FALSE(wanted);
    CHECK(wanted.error().message.starts_with("expected "));
  }
}

}  // namespace
}  // namespace assay
