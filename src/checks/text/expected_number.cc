// The check of `type: numeric` in research datasets: the number in the answer that is nearest to the wanted
// one must lie within a tolerance.
#include <fmt/core.h>

#include <charconv>
#include <cmath>
#include <optional>
#include <vector>

#include "checks/graders.h"
#include "text/javascript/number.h"

namespace assay {

namespace {

struct ExpectedNumber {
  double value = 0;
  double tolerance = 0;
};

bool IsDigitAt(std::string_view text, std::size_t at) {
  return at < text.size() && text[at] >= '0' && text[at] <= '9';
}

bool IsAt(std::string_view text, std::size_t at, std::string_view any_of) {
  return at < text.size() && any_of.find(text[at]) != std::string_view::npos;
}

// The number that begins at `at`, with commas between groups of three digits; `at` moves behind it.
std::optional<double> TakeNumber(std::string_view text, std::size_t& at) {
  std::string digits;
  if (at > 0 && text[at - 1] == '-') digits += '-';
  while (IsDigitAt(text, at)) {
    digits += text[at++];
    const bool is_group = at + 3 < text.size() + 1 && IsAt(text, at, ",") && IsDigitAt(text, at + 1) &&
                          IsDigitAt(text, at + 2) && IsDigitAt(text, at + 3) && !IsDigitAt(text, at + 4);
    if (is_group) ++at;
  }
  if (IsAt(text, at, ".") && IsDigitAt(text, at + 1)) {
    digits += text[at++];
    while (IsDigitAt(text, at)) digits += text[at++];
  }
  const std::size_t sign = IsAt(text, at + 1, "-+") ? 1 : 0;
  if (IsAt(text, at, "eE") && IsDigitAt(text, at + 1 + sign)) {
    digits += 'e';
    if (text[at + 1] == '-') digits += '-';
    at += 1 + sign;
    while (IsDigitAt(text, at)) digits += text[at++];
  }
  double number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return number;
}

struct NumberThere {
  double value = 0;
  TextRange where = {};
};

// The number of the answer that comes nearest; nothing if it names none.
std::optional<NumberThere> NearestNumber(std::string_view answer, double wanted) {
  std::optional<NumberThere> nearest;
  for (std::size_t at = 0; at < answer.size();) {
    if (!IsDigitAt(answer, at)) {
      ++at;
      continue;
    }
    const std::size_t from = at;
    const std::optional<double> number = TakeNumber(answer, at);
    if (number && (!nearest || std::abs(*number - wanted) < std::abs(nearest->value - wanted)))
      nearest = {*number, {from, at}};
  }
  return nearest;
}

}  // namespace

CheckArgs ParseExpectedNumber(const ParseInput& input, Diagnostics& diagnostics) {
  const Value& args = input.check.args;
  const Value* value = args.is_map() ? args.Find("value") : nullptr;
  const Value* tolerance = args.is_map() ? args.Find("tolerance") : nullptr;
  const bool is_fine = value != nullptr && value->is_number() && std::isfinite(value->AsNumber()) &&
                       (tolerance == nullptr || (tolerance->is_number() && tolerance->AsNumber() >= 0));
  if (!is_fine) {
    diagnostics.Error("check.argument", "expected {value, tolerance}, two numbers", args.span);
    return nullptr;
  }
  return std::make_shared<ExpectedNumber>(ExpectedNumber{
      .value = value->AsNumber(), .tolerance = tolerance == nullptr ? 0 : tolerance->AsNumber()});
}

Score GradeExpectedNumber(const GradeInput& input, const CheckArgs& args, WorkerState&) {
  // What decimal fractions lose as doubles decides nothing.
  constexpr double kRounding = 1e-9;
  const ExpectedNumber& expected = *static_cast<const ExpectedNumber*>(args.get());
  const std::optional<NumberThere> nearest = NearestNumber(input.answer.text(), expected.value);
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
