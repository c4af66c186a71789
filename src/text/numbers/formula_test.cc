// Tests of formulas.
#include "text/numbers/formula.h"

#include <doctest/doctest.h>

namespace assay {
namespace {

double ValueOf(std::string_view text) {
  const std::string names[] = {"a", "b", "__count"};
  const double values[] = {3, 4, 2};
  const Result<Formula> formula = Formula::Read(text, names);
  REQUIRE(formula.has_value());
  return formula->Of(values);
}

TEST_CASE("operators bind as in mathematics") {
  CHECK(ValueOf("a + b * 2") == 11);
  CHECK(ValueOf("(a + b) / __count") == 3.5);
  CHECK(ValueOf("-2^2") == -4);
  CHECK(ValueOf("2^3^2") == 512);
  CHECK(ValueOf("2^-1") == 0.5);
}

TEST_CASE("functions take one number or two") {
  CHECK(ValueOf("sqrt(a^2 + b^2)") == 5);
  CHECK(ValueOf("min(a, max(b, 1))") == 3);
  CHECK(ValueOf("round(a / __count)") == 2);
  const std::string names[] = {"a"};
  CHECK(Formula::Read("min(a)", names).error().message == "expected a comma, found \")\"");
  CHECK(Formula::Read("cosh(a)", names).error().message == "expected a number or a name, found \"cosh(a)\"");
}

}  // namespace
}  // namespace assay
