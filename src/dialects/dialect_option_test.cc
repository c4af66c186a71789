// Tests of storing the values of a dialect's own options.
#include "dialects/dialect_option.h"

#include <doctest/doctest.h>

#include "dialects/dialect.h"
#include "dialects/research/lower/options.h"

namespace assay {
namespace {

const DialectOption& OptionOf(std::string_view dialect, std::string_view name) {
  for (const DialectOption& option : FindDialect(dialect)->options) {
    if (option.name == name && option.shapes_run) return option;
  }
  FAIL("there is no such option");
  return FindDialect(dialect)->options.front();
}

TEST_CASE("switches are kept where they are on, texts as they are, and the last one alone") {
  OwnOptions own;
  CHECK(SetOwn(OptionOf("infibench", "weighted"), "no", own));
  CHECK_FALSE(own.Has("weighted"));
  CHECK(SetOwn(OptionOf("infibench", "weighted"), "true", own));
  CHECK(own.Text("weighted") == "true");
  CHECK_FALSE(SetOwn(OptionOf("infibench", "no-weights"), "perhaps", own));
  CHECK_FALSE(own.Has("no-weights"));
  CHECK(SetOwn(OptionOf("research", "mock-web"), "a.yaml", own));
  CHECK(SetOwn(OptionOf("research", "mock-web"), "b.yaml", own));
  CHECK(own.Texts("mock-web") == std::vector<std::string>{"b.yaml"});
  CHECK(SetOwn(OptionOf("research", "mock-web"), "", own));
  CHECK_FALSE(own.Has("mock-web"));
  CHECK(SetOwn(OptionOf("research", "run"), "a,b", own));
  CHECK(SetOwn(OptionOf("research", "run"), "c", own));
  CHECK(own.Texts("run") == std::vector<std::string>{"a,b", "c"});
}

TEST_CASE("a dialect checks its numbers, and equal ones are equal texts") {
  OwnOptions own;
  CHECK(SetOwn(OptionOf("research", "turn-time"), "60.0", own));
  CHECK(SetOwn(OptionOf("research", "turn-usd"), "0.50", own));
  CHECK(own.Text("turn-time") == "60");
  CHECK(own.Text("turn-usd") == "0.5");
  const Status status = SetOwn(OptionOf("research", "turn-tokens"), "many", own);
  REQUIRE_FALSE(status);
  CHECK(status.error().message == "expected a number from 1 to 1000000000000, found \"many\"");
  const TurnLimits limits = research::TurnLimitsOf(own);
  CHECK(limits.seconds == 60);
  CHECK(limits.usd == 0.5);
  CHECK_FALSE(limits.tokens);
}

}  // namespace
}  // namespace assay
