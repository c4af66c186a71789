// Grades `$numeric`: whether the number that the answer names is the wanted one. Pure; any thread.
//   args    a number, a text with exactly one, a list of them (one of these), or {value, tolerance, relative,
//           pick, percent, decimal} (text/numbers/wanted_number.h)
//   answer  its last number counts, or the one that `pick` says
//   score   1 or 0; 0 where the answer names no number
//   source  assay's own; known deviations: none
#include <fmt/core.h>

#include "checks/graders.h"
#include "checks/wanted/arguments.h"
#include "text/javascript/number.h"
#include "text/numbers/wanted_number.h"

namespace assay {
namespace {

struct WantedNumbers {
  std::vector<WantedNumber> any;
};

Result<WantedNumbers> ReadWantedNumbers(const Value& args) {
  WantedNumbers wanted;
  const List one{args};
  if (args.is_list() && args.AsList().empty()) return BadArgument("a number", args);
  for (const Value& each : args.is_list() ? args.AsList() : one) {
    Result<WantedNumber> number = ReadWantedNumber(each);
    if (!number) {
      Error error = number.error();
      error.where = each.span;
      return error;
    }
    wanted.any.push_back(*number);
  }
  return wanted;
}

Score Grade(const GradeInput& input, const WantedNumbers& wanted, WorkerState&) {
  Score score = Score::Of(0);
  std::optional<FoundNumber> last;
  for (const WantedNumber& number : wanted.any) {
    const std::optional<FoundNumber> found = PickNumber(input.answer.text(), number);
    last = found;
    if (!found || !number.Matches(found->value)) continue;
    score.value = 1;
    break;
  }
  score.explanation = last ? fmt::format("the number {}", JsNumberText(last->value)) : "no number found";
  if (last) AddMark(last->where, score.marks);
  return score;
}

}  // namespace

CheckArgs ParseNumeric(const ParseInput& input, Diagnostics& diagnostics) {
  return ArgsOf(input, ReadWantedNumbers(input.check.args), diagnostics);
}

Score GradeNumeric(const GradeInput& input, const CheckArgs& args, WorkerState& worker) {
  return GradeWith<WantedNumbers, Grade>(input, args, worker);
}

}  // namespace assay
