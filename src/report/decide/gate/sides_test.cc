// Tests of what two sides of a comparison differ in.
#include "report/decide/gate/sides.h"

#include <doctest/doctest.h>

#include "spec/suite/suite.h"

namespace assay {
namespace {

Variant VariantNamed(std::string model_id, std::string provider, std::string model) {
  Variant variant;
  variant.model_id = std::move(model_id);
  variant.provider = std::move(provider);
  variant.model = std::move(model);
  return variant;
}

Suite JudgedBy(std::initializer_list<std::string> labels) {
  Suite suite;
  suite.cases.emplace_back().checks.emplace_back().kind = kJudgeKind;
  for (const std::string& label : labels) suite.judges.emplace_back().label = label;
  return suite;
}

TEST_CASE("models differ by what is asked, not by what it is called; what is not known is no difference") {
  const Variant old = VariantNamed("fast", "openai", "gpt-4o");
  CHECK_FALSE(OtherModels(old, VariantNamed("openai:gpt-4o", "openai", "gpt-4o")));
  const auto names = OtherModels(VariantNamed("fast", "openai", "gpt-5"), old);
  REQUIRE(names);
  CHECK(SidesText(names, {}) ==
        "Answered by different models: openai:gpt-5 here, openai:gpt-4o in the base.");
  CHECK(OtherModels(VariantNamed("a", "", ""), VariantNamed("b", "", "")));
  CHECK_FALSE(OtherModels(VariantNamed("", "", ""), VariantNamed("b", "", "")));
}

TEST_CASE("judges differ by their names, in any order, where both sides are judged") {
  CHECK_FALSE(OtherJudges(JudgedBy({"a", "b"}), JudgedBy({"b", "a"})));
  const auto names = OtherJudges(JudgedBy({"a", "b"}), JudgedBy({"b"}));
  REQUIRE(names);
  CHECK(SidesText({}, names) == "Graded by different judges: a, b here, b in the base.");
  CHECK_FALSE(OtherJudges(JudgedBy({"a"}), JudgedBy({})));
  Suite unjudged = JudgedBy({"c"});
  unjudged.cases[0].checks[0].kind = "contains";
  CHECK_FALSE(OtherJudges(unjudged, JudgedBy({"a"})));
}

}  // namespace
}  // namespace assay
