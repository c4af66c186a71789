// Tests that the questions of --until are read as they are meant.
#include "spec/run/until.h"

#include <doctest/doctest.h>

namespace assay {
namespace {

TEST_CASE("questions are read") {
  CHECK(ParseStopQuestion("decided")->kind == StopQuestion::Kind::kFirst);
  CHECK(ParseStopQuestion("gate")->kind == StopQuestion::Kind::kGate);
  const Result<StopQuestion> ahead = ParseStopQuestion("openai:gpt-4o>echo:one+3");
  REQUIRE(ahead);
  CHECK(ahead->kind == StopQuestion::Kind::kAhead);
  CHECK(ahead->a == "openai:gpt-4o");
  CHECK(ahead->b == "echo:one+3");
  for (const std::string_view text : {"±5", "+-5"}) {
    const Result<StopQuestion> level = ParseStopQuestion(text);
    REQUIRE(level);
    CHECK(level->kind == StopQuestion::Kind::kLevel);
    CHECK(level->half == 5);
  }
}

TEST_CASE("what is no question is refused") {
  for (const std::string_view text :
       {"", "first", "A>", ">B", ">", "±", "±0", "±51", "+-x", "gates", "all"}) {
    CAPTURE(text);
    CHECK(!ParseStopQuestion(text));
  }
}

TEST_CASE("a share is no number of points") {
  CHECK(*ParsePoints("3", 50) == 3);
  CHECK(*ParsePoints("0.1", 50) == 0.1);
  CHECK(ParsePoints("0.03", 50).error().message == "points: 3, not 0.03");
  CHECK(ParseStopQuestion("±0.05").error().message == "points: 5, not 0.05");
  for (const std::string_view text : {"0", "-1", "51", "three", ""}) CHECK(!ParsePoints(text, 50));
}

TEST_CASE("a margin is the number behind the last plus") {
  CHECK(SplitPoints("B+3").name == "B");
  CHECK(SplitPoints("B+3").points == 3);
  CHECK(SplitPoints("B+tools").name == "B+tools");
  CHECK(SplitPoints("B+tools").points == 0);
  CHECK(SplitPoints("B+tools+2.5").name == "B+tools");
  CHECK(SplitPoints("B+tools+2.5").points == 2.5);
  CHECK(SplitPoints("+3").name == "+3");
}

}  // namespace
}  // namespace assay
