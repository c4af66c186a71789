// Grades `$word_count_between: [min, max]`. Pure; any thread.
//   args    two numbers, 0 <= min <= max (NaN passes, as in weval)
//   answer  a word is a maximal run of code points outside JavaScript's \s
//   score   1 inside the range; words / min below it; max / words above it, 0 if max is 0
//   source  weval 51dc4d3 src/point-functions/word_count_between.ts; known deviations: none
#include "checks/graders.h"
#include "spec/suite/check.h"
#include "spec/suite/suite_rules.h"

namespace assay {
namespace {

struct WordRange {
  double min = 0;
  double max = 0;
  GradingRules rules = {};
};

Score Grade(const GradeInput& input, const WordRange& range, WorkerState&) {
  const auto words = static_cast<double>(input.answer.js_words());
  if (words < range.min) return NumberScore(words / range.min, range.rules);
  if (words > range.max) return NumberScore(range.max / words, range.rules);
  return Score::Of(1);
}

}  // namespace

CheckArgs ParseWordCount(const ParseInput& input, Diagnostics& diagnostics) {
  const Value& args = input.check.args;
  if (args.is_list() && args.AsList().size() == 2 && args.AsList()[0].is_number() &&
      args.AsList()[1].is_number()) {
    const double min = args.AsList()[0].AsNumber();
    const double max = args.AsList()[1].AsNumber();
    if (!(min < 0 || max < 0 || min > max)) return MakeArgs(WordRange{min, max, input.grading});
  }
  return UnusableArgs<WordRange>(
      TellUnexpected(input, "two numbers [min, max] with 0 <= min <= max", diagnostics));
}

Score GradeWordCount(const GradeInput& input, const CheckArgs& args, WorkerState& worker) {
  return GradeWith<WordRange, Grade>(input, args, worker);
}

}  // namespace assay
