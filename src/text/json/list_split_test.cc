// Tests of splitting JSON texts at a list, and of texts that try to hide one.
#include "text/json/list_split.h"

#include <doctest/doctest.h>

namespace assay {
namespace {

TEST_CASE("a list is taken apart, and the rest stays") {
  const std::string text = R"( {"a": ["]", {"results": [9]}], "results": {"x": "\"[", )"
                           R"("results": [ {"b": "],["} ,[1,2], 3 ,"c" ], "y": 1}, "z": {}} )";
  const Result<SplitJson> split = SplitJsonList(text, {"results", "results"}, 4);
  REQUIRE(split.has_value());
  CHECK(split->elements == std::vector<std::string_view>{R"({"b": "],["})", "[1,2]", "3 ", R"("c")"});
  CHECK(split->rest ==
        R"( {"a": ["]", {"results": [9]}], "results": {"x": "\"[", "results": [], "y": 1}, "z": {}} )");
}

TEST_CASE("a text without the list is left as it is") {
  for (const std::string text :
       {"", "[]", "{", R"({"results": [1]})", R"({"results": {"results": 1}})", R"({"a" 1})"}) {
    CAPTURE(text);
    const Result<SplitJson> split = SplitJsonList(text, {"results", "results"}, 4);
    REQUIRE(split.has_value());
    CHECK(split->elements.empty());
    CHECK(split->rest == text);
  }
  for (const std::string text : {R"({"results": {"results": [1)", R"({"a": "x)", R"({"a": [[1])",
                                 R"({"results": {}, "results": {}})"}) {
    CAPTURE(text);
    CHECK_FALSE(SplitJsonList(text, {"results", "results"}, 4).has_value());
  }
}

TEST_CASE("a list that is too long is not taken apart") {
  CHECK(SplitJsonList(R"({"l": [1, 2]})", {"l"}, 2).has_value());
  const Result<SplitJson> split = SplitJsonList(R"({"l": [1, 2, 3]})", {"l"}, 2);
  REQUIRE_FALSE(split.has_value());
  CHECK(split.error().code == ErrorCode::kLimit);
  CHECK(split.error().message == R"(expected at most 2 elements of "l"; export it in parts)");
}

TEST_CASE("no text has more values than are counted") {
  CHECK(JsonValuesMost("[]") == 2);
  CHECK(JsonValuesMost(R"({"a": [1, 2], "b,[": "\",,,"})") == 5);
}

}  // namespace
}  // namespace assay
