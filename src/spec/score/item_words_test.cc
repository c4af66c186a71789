// Tests of the words for points.
#include "spec/score/item_words.h"

#include <doctest/doctest.h>

#include "spec/suite/check.h"

namespace assay {

namespace {

Check CheckOf(std::string kind, std::string text) {
  Check check;
  check.kind = std::move(kind);
  check.text = std::move(text);
  return check;
}

}  // namespace

TEST_CASE("a function without arguments is shown by its name") {
  CHECK(PointText(CheckOf("is_json", "Function: is_json(undefined)")) == "is_json");
  CHECK(PointText(CheckOf("contains", "Function: contains(\"undefined\")")) ==
        "Function: contains(\"undefined\")");
  CHECK(PointText(CheckOf("judge", "Says (undefined)")) == "Says (undefined)");
}

TEST_CASE("what a missed point says uses that name, too") {
  Check check = CheckOf("is_json", "Function: is_json(undefined)");
  check.invert = true;
  CHECK(MissedPoint(check, Score::Of(0)) == "0 of 100: not: is_json");
}

TEST_CASE("a check's own verdict says whether there is a reason to tell") {
  Score score = Score::Of(0.8);
  score.explanation = "near";
  CHECK(MissesPoints(score));
  CHECK(ReasonOf(score) == "near");
  score.verdict = true;
  CHECK_FALSE(MissesPoints(score));
  CHECK(ReasonOf(score).empty());
  score.value = 1;
  score.verdict = false;
  CHECK(ReasonOf(score) == "near");
  CHECK(MissesPoints(Score::Failure("broken")));
  CHECK_FALSE(MissesPoints(Score()));
}

}  // namespace assay
