// The check of `type: numeric` in research datasets: the number in the answer that is nearest to the wanted
// one must lie within a tolerance.
#include <fmt/core.h>

#include <cmath>
#include <optional>

#include "checks/graders.h"
#include "spec/suite/check.h"
#include "text/javascript/number.h"
#include "text/numbers/numbers.h"

namespace assay {

namespace {

struct ExpectedNumber {
  double value = 0;
  double tolerance = 0;
};

// The number of the answer that comes nearest; nothing if it names none.
std::optional<FoundNumber> NearestNumber(std::string_view answer, double wanted) {
  std::optional<FoundNumber> nearest;
  for (const FoundNumber& number : FindNumbers(answer)) {
    if (!nearest || std::abs(number.value - wanted) < std::abs(nearest->value - wanted)) nearest = number;
  }
  return nearest;
}

}  // namespace

CheckArgs ParseExpectedNumber(const ParseInput& input, Diagnostics& diagnostics) {
  const Value& args = input.check.args;
  const std::optional<double> value = args.NumberAt("value");
  const std::optional<double> tolerance =
      args.Find("tolerance") == nullptr ? std::optional(0.0) : args.NumberAt("tolerance");
  if (!value || !std::isfinite(*value) || !tolerance || !(*tolerance >= 0)) {
    diagnostics.Error("check.argument", "expected {value, tolerance}, two numbers", args.span);
    return nullptr;
  }
  return std::make_shared<ExpectedNumber>(ExpectedNumber{.value = *value, .tolerance = *tolerance});
}

Score GradeExpectedNumber(const GradeInput& input, const CheckArgs& args, WorkerState&) {
  // What decimal fractions lose as doubles decides nothing.
  constexpr double kRounding = 1e-9;
  const ExpectedNumber& expected = *static_cast<const ExpectedNumber*>(args.get());
  const std::optional<FoundNumber> nearest = NearestNumber(input.answer.text(), expected.value);
  const double room = expected.tolerance + kRounding * std::max(1.0, std::abs(expected.value));
  const bool holds = nearest && std::abs(nearest->value - expected.value) <= room;
  Score score = Score::Of(holds ? 1 : 0);
  if (holds) AddMark(nearest->where, score.marks);
  const std::string wanted = expected.tolerance == 0 ? JsNumberText(expected.value)
                                                     : fmt::format("{} ± {}", JsNumberText(expected.value),
                                                                   JsNumberText(expected.tolerance));
  score.explanation =
      !nearest ? fmt::format("numeric assertion failed: expected {}, the answer has no number", wanted)
      : holds  ? fmt::format("numeric assertion passed: {} is {}", JsNumberText(nearest->value), wanted)
               : fmt::format("numeric assertion failed: expected {}, the nearest number is {}", wanted,
                             JsNumberText(nearest->value));
  return score;
}

}  // namespace assay
