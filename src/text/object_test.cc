// Objects and lists that are built in one expression.
#include "text/object.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "text/json/json.h"

namespace assay {

namespace {

std::string JsonOf(const Value& value) { return WriteJson(value, JsonStyle::kJavaScript); }

TEST_CASE("an object keeps the order of its members") {
  CHECK(JsonOf(Object{{"b", 1}, {"a", "x"}, {"c", Object{{"d", true}}}}) ==
        R"({"b":1,"a":"x","c":{"d":true}})");
  CHECK(JsonOf(Object{}) == "{}");
  CHECK(JsonOf(Object{{"a", "b"}}) == R"({"a":"b"})");
  CHECK(JsonOf(Object{{"a", List{}}, {"b", Map{}}, {"c", Null{}}}) == R"({"a":[],"b":{},"c":null})");
}

TEST_CASE("a member without a value is left out") {
  const std::optional<double> none;
  const std::optional<double> half = 0.5;
  const std::string empty;
  const Map map = Object{{"a", none},
                         {"b", half},
                         {"c", Value()},
                         {"d", When(false, 1)},
                         {"e", When(true, 2)},
                         {"f", UnlessEmpty(empty)},
                         {"g", UnlessEmpty(List{Value(3)})},
                         {"h", empty}};
  CHECK(JsonOf(map) == R"({"b":0.5,"e":2,"g":[3],"h":""})");
  CHECK(map.size() == 4);
  CHECK(JsonOf(Object{{"a", OrNull(none)}, {"b", OrNull(half)}}) == R"({"a":null,"b":0.5})");
}

TEST_CASE("of two members with one key the second is the value") {
  CHECK(JsonOf(Object{{"a", 1}, {"b", 2}, {"a", 3}}) == R"({"a":3,"b":2})");
  Map map = Object{{"a", 1}};
  Extend(map, {{"b", 2}, {"a", 3}, {"c", Value()}});
  CHECK(JsonOf(map) == R"({"a":3,"b":2})");
}

TEST_CASE("an unsigned number becomes a JavaScript number and an int64 stays whole") {
  CHECK(Array(std::size_t{7}).front().kind() == ValueKind::kDouble);
  CHECK(Array(std::uint8_t{7}).front().kind() == ValueKind::kDouble);
  CHECK(Array(std::optional(std::uint64_t{7})).front().kind() == ValueKind::kDouble);
  CHECK(Array(7).front().kind() == ValueKind::kDouble);
  CHECK(Array(true).front().kind() == ValueKind::kBool);
  CHECK(Array(std::int64_t{7}).front().kind() == ValueKind::kInt);
  CHECK(Array(Number(std::int64_t{7})).front().kind() == ValueKind::kDouble);
  CHECK(Array(Number(std::optional(std::int64_t{7})), Number(std::optional<std::int64_t>())).size() == 2);
}

TEST_CASE("what is moved into an object is not copied") {
  std::string text(100, 'a');
  const char* const bytes = text.data();
  const Map map = Object{{"a", std::move(text)}};
  CHECK(map.TextAt("a").data() == bytes);
}

TEST_CASE("a range becomes a list") {
  const std::vector<std::string> names{"a", "b"};
  CHECK(JsonOf(ArrayOf(names)) == R"(["a","b"])");
  CHECK(JsonOf(ArrayOf(names, [](const std::string& name) {
          return Object{{"name", name}};
        })) == R"([{"name":"a"},{"name":"b"}])");
  CHECK(JsonOf(ArrayOf(names, [](const std::string& name) { return When(name == "b", name); })) ==
        R"([null,"b"])");
  CHECK(JsonOf(Array(List{Value(1)}, Value(), "x")) == R"([[1],null,"x"])");
}

}  // namespace

}  // namespace assay
