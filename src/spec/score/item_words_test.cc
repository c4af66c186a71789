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

}  // namespace assay
