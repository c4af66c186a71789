// Tests of `filtered_match`: filters of lm-eval's tasks and exact matches.
#include <doctest/doctest.h>

#include "checks/graders.h"
#include "spec/suite/case.h"
#include "spec/suite/check.h"
#include "text/json/json.h"

namespace assay {
namespace {

Score GradeFilteredAnswer(std::string_view json, std::string_view answer) {
  Check check;
  check.kind = "filtered_match";
  check.args = *ParseJson(json);
  Diagnostics diagnostics;
  const CheckArgs args = ParseFilteredMatch({.check = check, .refuses_broken = true}, diagnostics);
  if (diagnostics.HasErrors()) return Score::Failure(diagnostics.All().front().message);
  AnswerView view(answer);
  const Case the_case;
  const Transcript transcript;
  WorkerState worker;
  return GradeFilteredMatch({view, transcript, "v", the_case}, args, worker);
}

}  // namespace

TEST_CASE("filtered_match: patterns, their groups and what they do not find") {
  const std::string_view strict = R"x({"target": "7", "filters": [{"function": "regex",
      "regex_pattern": "#### (-?[0-9]+)"}]
})x";
  CHECK(GradeFilteredAnswer(strict, "3 and 4. #### 7 #### 8").value == 1);
  CHECK(GradeFilteredAnswer(strict, "7").explanation == "no answer found");
  const std::string_view last = R"x({"target": "8", "filters": [{"function": "regex", "group_select": -1,
      "regex_pattern": "(-?[$0-9.,]{2,})|(-?[0-9]+)"
}]
})x";
  CHECK(GradeFilteredAnswer(last, "3 and 4 are 8").value == 1);
  CHECK(GradeFilteredAnswer(last, "none").value == 0);
  CHECK(GradeFilteredAnswer(R"x({"target": "none", "filters": [{"function": "regex", "regex_pattern": "x",
      "fallback": "none"}]})x",
                            "y")
            .value == 1);
  CHECK(GradeFilteredAnswer(R"x({"target": "a", "filters": [{"function": "regex", "regex_pattern": "("}]})x",
                            "")
            .state == ScoreState::kError);
}

TEST_CASE("filtered_match: steps follow each other") {
  CHECK(GradeFilteredAnswer(R"x({"target": "yes", "until": ["\n"], "filters": [{"function": "lowercase"},
      {"function": "remove_whitespace"}, {"function": "map", "mapping_dict": {"y": "yes"}}]})x",
                            " Y\nand so on")
            .value == 1);
  CHECK(GradeFilteredAnswer(R"x({"target": "B", "ignore_case": true, "ignore_punctuation": true})x", "b.")
            .value == 1);
  CHECK(GradeFilteredAnswer(R"x({"target": "1000", "regexes_to_ignore": [","]})x", "1,000").value == 1);
  CHECK(
      GradeFilteredAnswer(R"x({"target": "w\n#### 7", "regexes_to_ignore": ["(?s).*#### ", "\\.$"]})x", "7.")
          .value == 1);
  CHECK(GradeFilteredAnswer(R"x({"target": "a"})x", "a ").value == 0);
  CHECK(GradeFilteredAnswer(R"x({"target": ["a", "b"]})x", "b").value == 1);
}

TEST_CASE("filtered_match: choices") {
  CHECK(GradeFilteredAnswer(R"x({"target": "1", "choices": ["x", "y"]})x", "y").value == 1);
  CHECK(GradeFilteredAnswer(R"x({"target": "2", "choices": ["x", "y"]})x", "y").state == ScoreState::kError);
  const std::string_view letters = R"x({"target": "(B)", "listed" : [ "The Rhine", "The Danube" ],
                         "filters" : [ {
                           "function" : "multi_choice_regex",
                           "regex_pattern" : "(\\([A-Z]\\))",
                           "ignore_case" : true,
                           "group_select" : -1
                         } ]
})x";
  CHECK(GradeFilteredAnswer(letters, "(A)? No, (B)").value == 1);
  CHECK(GradeFilteredAnswer(letters, "It is the danube").value == 1);
  CHECK(GradeFilteredAnswer(letters, "Answer: B").value == 1);
  CHECK(GradeFilteredAnswer(letters, "neither").value == 0);
}

}  // namespace assay
