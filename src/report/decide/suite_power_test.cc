// Tests of power: the example of the specification, and a suite of one case.
#include "report/decide/suite_power.h"

#include <doctest/doctest.h>

namespace assay {
namespace {

TEST_CASE("40 cases see 16 points; 5 points need 387") {
  Suite suite;
  for (int i = 0; i < 40; ++i) {
    Case& the_case = suite.cases.emplace_back();
    the_case.id = std::to_string(i);
    the_case.turns = {{.role = Role::kUser, .kind = TurnKind::kText, .text = the_case.id, .span = {}}};
  }
  const SuitePower power = PowerOf(suite, kSpreadAssumed);
  CHECK(power.cases == 40);
  CHECK(*power.smallest == doctest::Approx(0.159).epsilon(0.01));
  CHECK(power.sentence ==
        "With 40 cases this suite sees differences from 16 points up. 5 points need 387 cases.");
  suite.cases.resize(1);
  CHECK(PowerOf(suite, kSpreadAssumed).sentence.starts_with("1 case shows no difference;"));
}

}  // namespace
}  // namespace assay
