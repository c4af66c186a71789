// Tests of the differences between two JSON values.
#include "cli/terminal/json_difference.h"

#include <doctest/doctest.h>

#include "text/json/json.h"

namespace assay {

TEST_CASE("what differs is named by its path, with both values") {
  const auto text_of = [](std::string_view before, std::string_view after) {
    std::string text;
    for (const JsonDifference& difference : DifferencesOf(*ParseJson(before), *ParseJson(after)))
      text += difference.path + ": " + difference.before + " to " + difference.after + "; ";
    return text;
  };
  CHECK(text_of(R"({"a":1,"b":[1,2]})", R"({"a":1,"b":[1,2]})") == "");
  CHECK(text_of(R"({"a":1})", R"({"a":2,"c":null})") == "a: 1 to 2; c: nothing to null; ");
  CHECK(text_of(R"({"m":[{"t":"x"},{"t":"y"}]})", R"({"m":[{"t":"x"}]})") ==
        "m[1]: {\"t\":\"y\"} to nothing; ");
  CHECK(text_of(R"({"t":"a long text that ends so"})", R"({"t":"a long text that ends thus"})") ==
        "t: …\"that ends so\" to …\"that ends thus\"; ");
}

}  // namespace assay
