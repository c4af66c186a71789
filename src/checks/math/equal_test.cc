// Tests of mathematics beyond the golden rows: what is equal, what is not, and the bounds of the work.
#include "checks/math/equal.h"

#include <doctest/doctest.h>

#include <string>

#include "checks/math/expression.h"

namespace assay {
namespace {

std::string ManyParts(std::string_view part, std::size_t times) {
  std::string text;
  for (std::size_t i = 0; i < times; ++i) text += part;
  return text;
}

TEST_CASE("the same mathematics in other words") {
  CHECK(SameMathematics("$x = \\dfrac{3}{4}$", "0.75"));
  CHECK(SameMathematics("So we get \\boxed{\\{1, 2\\}}.", "\\{2,1\\}"));
  CHECK(SameMathematics("2 \\pm \\sqrt{3}", "2-\\sqrt3, 2+\\sqrt3"));
  CHECK(SameMathematics("\\binom{5}{2}", "10"));
  CHECK(SameMathematics("5 > x", "x < 5"));
  CHECK(SameMathematics("\\ln(e^2)", "2"));
  CHECK(SameMathematics("\\sqrt[3]{-8}", "-2"));
  CHECK(SameMathematics("90^\\circ", "90"));
}

TEST_CASE("other mathematics") {
  CHECK_FALSE(SameMathematics("[1,2)", "[1,2]"));
  CHECK_FALSE(SameMathematics("x^2", "x^3"));
  CHECK_FALSE(SameMathematics("1/0", "2/0"));
  CHECK_FALSE(SameMathematics("\\begin{pmatrix}1&2\\end{pmatrix}", "\\begin{pmatrix}1\\\\2\\end{pmatrix}"));
  CHECK_FALSE(SameMathematics("", "1"));
  CHECK_FALSE(SameMathematics("\\frac{1}{", "1"));
}

TEST_CASE("the work is bounded") {
  CHECK_FALSE(MathExpression::Read(ManyParts("(", 100) + "x" + ManyParts(")", 100)).has_value());
  CHECK_FALSE(MathExpression::Read(ManyParts("2^", 1'000) + "2").has_value());
  CHECK_FALSE(MathExpression::Read(ManyParts("1+", 3'000) + "1").has_value());
  CHECK_FALSE(SameMathematics(ManyParts("1,", 2'000), ManyParts("2,", 2'000)));
  CHECK_FALSE(SameMathematics(ManyParts("\\boxed{", 100'000), "1"));
  CHECK(MathExpression::Read(ManyParts("(", 40) + "x" + ManyParts(")", 40)).has_value());
}

}  // namespace
}  // namespace assay
