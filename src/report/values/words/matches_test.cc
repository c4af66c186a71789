// Which parts of an answer are marked for which checks.
#include "report/values/words/matches.h"

#include <doctest/doctest.h>

#include "text/json/json.h"

namespace assay {

TEST_CASE("texts that checks look for are found in the answer, patterns are not marked") {
  struct Row {
    const char* kind;
    const char* args;
    const char* want;
  };
  const Row rows[] = {
      {"contains", R"("Rain")", "[0,4)"},
      {"contains", R"("rain")", ""},
      {"icontains", R"("RAIN")", "[0,4)"},
      {"contains_any", R"(["snow", "June", "in"])", "[8,12)[2,4)"},
      {"contains_at_least_n_of", R"([2, ["June"]])", "[8,12)"},
      {"expected_contains", R"("June")", "[8,12)"},
      {"keywords", R"(["June", {"content": "RAIN", "to_lower": true}, {"content": "J.*", "regex": true}])",
       "[8,12)[0,4)"},
      {"keywords", R"([{"content": {"or": ["fog", "in"]}}])", "[2,4)"},
      {"matches", R"("June")", ""},
      {"judge", "null", ""},
      {"contains", R"("")", ""},
  };
  for (const Row& row : rows) {
    CAPTURE(row.args);
    Check check;
    check.kind = row.kind;
    check.args = ParseJson(row.args).value();
    std::string found;
    for (const MatchedPart& part : MatchesOf(check, "Rain in June"))
      found += "[" + std::to_string(part.from) + "," + std::to_string(part.to) + ")";
    CHECK(found == row.want);
  }
  Check check;
  check.kind = "icontains";
  check.args = Value("REGEN");
  CHECK(MatchesOf(check, "Regen im Jänner").empty());
}

}  // namespace assay
