// Unit tests of unvoted.h: which question of a judge follows another one.
#include "engine/write/unvoted.h"

#include <doctest/doctest.h>
#include <fmt/core.h>

#include "text/json/json.h"

namespace assay {
namespace {

Value Question(std::string_view messages, std::string_view rest = "") {
  return *ParseJson(fmt::format(R"({{"model_call":"p","model":"m","messages":{}{}}})", messages, rest));
}

TEST_CASE("a question follows another one of the same judge and vote") {
  const Value first = Question(R"([{"system":"s"},{"user":"judge"}])", R"(,"max_tokens":100)");
  struct Row {
    std::string_view what;
    Value later;
    bool follows;
  };
  const Row rows[] = {
      {"itself", first, false},
      {"more room", Question(R"([{"system":"s"},{"user":"judge"}])", R"(,"max_tokens":400)"), true},
      {"less room", Question(R"([{"system":"s"},{"user":"judge"}])", R"(,"max_tokens":50)"), false},
      {"a repair",
       Question(R"([{"system":"s"},{"user":"judge"},{"assistant":"x"},{"user":"again"}])",
                R"(,"max_tokens":100)"),
       true},
      {"a repair without words",
       Question(R"([{"system":"s"},{"user":"judge\n\nagain"}])", R"(,"max_tokens":100)"), true},
      {"another criterion", Question(R"([{"system":"s"},{"user":"other"}])", R"(,"max_tokens":100)"), false},
      {"another vote",
       Question(R"([{"system":"s"},{"user":"judge"},{"assistant":"x"},{"user":"again"}])",
                R"(,"max_tokens":100,"vote":1)"),
       false},
      {"another system prompt",
       Question(R"([{"system":"t"},{"user":"judge again"}])", R"(,"max_tokens":100)"), false},
      {"no request", Value("text"), false},
  };
  for (const Row& row : rows) {
    CAPTURE(row.what);
    CHECK(FollowsQuestion(row.later, first) == row.follows);
  }
  CHECK_FALSE(FollowsQuestion(first, Question("[]")));
}

}  // namespace
}  // namespace assay
