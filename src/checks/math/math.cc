// Grades `$math`: whether the answer is the wanted piece of mathematics. Pure; any thread.
//   args    a text, a number, or a list of them (one of these)
//   answer  the content of its last \boxed{}, else the whole answer
//   score   1 if both mean the same (checks/math/equal.h), else 0
//   limits  4 KiB, brackets 64 deep, 10,000 parts of an expression; beyond them nothing is equal
//   source  assay's own; known deviations: names are taken as positive, so that the root of x² is x
#include <algorithm>

#include "checks/graders.h"
#include "checks/math/equal.h"
#include "checks/wanted/arguments.h"

namespace assay {
namespace {

struct WantedMath {
  std::vector<std::string> any;
};

Result<WantedMath> ReadWantedMath(const Value& args) {
  WantedMath wanted;
  ASSAY_TRY(wanted.any, WrittenTexts(args));
  return wanted;
}

Score Grade(const GradeInput& input, const WantedMath& wanted, WorkerState&) {
  const bool holds = std::any_of(wanted.any.begin(), wanted.any.end(), [&input](const std::string& text) {
    return SameMathematics(input.answer.text(), text);
  });
  return Score::Of(holds ? 1 : 0);
}

}  // namespace

CheckArgs ParseMath(const ParseInput& input, Diagnostics& diagnostics) {
  return ArgsOf(input, ReadWantedMath(input.check.args), diagnostics);
}

Score GradeMath(const GradeInput& input, const CheckArgs& args, WorkerState& worker) {
  return GradeWith<WantedMath, Grade>(input, args, worker);
}

}  // namespace assay
