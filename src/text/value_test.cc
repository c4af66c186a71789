// Tests of Value: members by kind.
#include "text/value.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

namespace assay {

namespace {

Value Sample() {
  Map map;
  map.Append("text", "words");
  map.Append("number", 2.5);
  map.Append("whole", 3.0);
  map.Append("int", std::int64_t{1} << 62);
  map.Append("huge", 1e19);
  map.Append("least", -9223372036854775808.0);
  map.Append("truth", true);
  map.Append("list", List{Value(1)});
  map.Append("null", Null{});
  Map inner;
  inner.Append("text", "deeper");
  map.Append("map", std::move(inner));
  return Value(std::move(map));
}

}  // namespace

TEST_CASE("members are read by their kind, and one of another kind is absent") {
  const Value value = Sample();
  CHECK(value.TextAt("text") == "words");
  CHECK(value.TextAt("number").empty());
  CHECK(value.TextAt("missing").empty());
  CHECK(value.TextAt("text", "other") == "words");
  CHECK(value.TextAt("number", "other") == "other");
  CHECK(value.NumberAt("number") == 2.5);
  CHECK(value.NumberAt("int") == std::ldexp(1.0, 62));
  CHECK_FALSE(value.NumberAt("text"));
  CHECK_FALSE(value.NumberAt("truth"));
  CHECK(value.BoolAt("truth") == true);
  CHECK_FALSE(value.BoolAt("number"));
  CHECK(value.ListAt("list").size() == 1);
  CHECK(value.ListAt("map").empty());
  CHECK(value.MapAt("map").TextAt("text") == "deeper");
  CHECK(value.MapAt("null").empty());
}

TEST_CASE("a whole number is one that 64 bits hold, of either kind") {
  const Value value = Sample();
  CHECK(value.IntAt("whole") == 3);
  CHECK(value.IntAt("int") == std::int64_t{1} << 62);
  CHECK(value.IntAt("least") == std::numeric_limits<std::int64_t>::min());
  CHECK_FALSE(value.IntAt("number"));
  CHECK_FALSE(value.IntAt("huge"));
  CHECK_FALSE(value.IntAt("text"));
}

TEST_CASE("what is no map has no members") {
  for (const Value& value : {Value(), Value("text"), Value(List{Sample()}), Value(2.5)}) {
    CHECK(value.TextAt("text").empty());
    CHECK_FALSE(value.NumberAt("number"));
    CHECK_FALSE(value.IntAt("whole"));
    CHECK_FALSE(value.BoolAt("truth"));
    CHECK(value.ListAt("list").empty());
    CHECK(value.MapAt("map").empty());
  }
}

}  // namespace assay
