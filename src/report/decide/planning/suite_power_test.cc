// Tests of power: the example of the specification, and a suite of one case.
#include "report/decide/planning/suite_power.h"

#include <doctest/doctest.h>

#include "spec/suite/suite.h"

namespace assay {
namespace {

Suite Matrix(std::size_t cases, std::size_t variants, std::size_t models) {
  Suite suite;
  for (std::size_t i = 0; i < cases; ++i) {
    Case& the_case = suite.cases.emplace_back();
    the_case.id = std::to_string(i);
    the_case.turns = {{.role = Role::kUser, .kind = TurnKind::kText, .text = the_case.id, .span = {}}};
  }
  for (std::size_t v = 0; v < variants; ++v) {
    Variant& variant = suite.variants.emplace_back();
    variant.id = "v" + std::to_string(v);
    variant.model_id = "m" + std::to_string(v % models);
  }
  return suite;
}

TEST_CASE("40 cases see 16 points; 5 points need 387") {
  Suite suite = Matrix(40, 2, 2);
  const SuitePower power = PowerOf(suite, kSpreadAssumed);
  CHECK(power.reach.clusters == 40);
  CHECK(*power.reach.between_two == doctest::Approx(0.159).epsilon(0.01));
  CHECK(power.sentence ==
        "With 40 cases this suite sees differences from 16 points up. 5 points need 387 cases.");
  suite.cases.resize(1);
  CHECK(PowerOf(suite, kSpreadAssumed).sentence.starts_with("1 case shows no difference;"));
}

TEST_CASE("a design that cannot decide says so, of variants and of their models") {
  CHECK(PowerOf(Matrix(8, 16, 4), kSpreadAssumed).sentence ==
        "With 8 cases this suite sees differences from 40 points up between two variants; 8 cannot rank 16, "
        "10 could. 10 cases are needed to rank 16 variants, 7 to rank their 4 models. 5 points need 387 "
        "cases.");
  CHECK(TooFewCasesText(Matrix(9, 16, 16)) == "9 cases cannot rank 16 variants; 10 could");
  CHECK(TooFewCasesText(Matrix(5, 2, 2)) == "5 cases cannot show which of 2 variants is better; 6 could");
  CHECK_FALSE(TooFewCasesText(Matrix(6, 2, 2)));
  CHECK_FALSE(TooFewCasesText(Matrix(10, 16, 16)));
  CHECK_FALSE(TooFewCasesText(Matrix(1, 1, 1)));
}

}  // namespace
}  // namespace assay
