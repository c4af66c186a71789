// What a research dataset expects of an answer: a text that stands in it, or a pattern that it matches.
//   source  asky-cli 14f1a9e, evals/research_pipeline/{assertions,evaluator}.py (spec: research, 3 and 6)
#include "checks/graders.h"
#include "checks/text/assertion.h"
#include "spec/suite/check.h"
#include "spec/turn/turn_details.h"

#include <fmt/core.h>

namespace assay {

namespace {

struct Expected {
  std::string text;  // or pattern
  bool is_pattern = false;
};

CheckArgs Parse(const ParseInput& input, bool is_pattern, Diagnostics& diagnostics) {
  if (!input.check.args.is_string()) {
    diagnostics.Error("check.argument", "expected a text", input.check.args.span);
    return nullptr;
  }
  return std::make_shared<Expected>(Expected{.text = input.check.args.AsString(), .is_pattern = is_pattern});
}

}  // namespace

CheckArgs ParseExpectedText(const ParseInput& input, Diagnostics& diagnostics) {
  return Parse(input, false, diagnostics);
}

CheckArgs ParseExpectedPattern(const ParseInput& input, Diagnostics& diagnostics) {
  return Parse(input, true, diagnostics);
}

// A turn that stopped before it answered is a failure, whatever an empty text matches.
Score GradeExpected(const GradeInput& input, const CheckArgs& args, WorkerState&) {
  const Expected& expected = *static_cast<const Expected*>(args.get());
  const std::string_view answer = input.answer.text();
  Score score = Score::Of(0);
  if (const auto halt = HaltOf(input.transcript.told); halt && answer.empty()) {
    score.explanation = fmt::format("run halted before answer: {}", *halt);
    return score;
  }
  Result<Assertion> said = Assertion();
  if (expected.is_pattern) {
    said = AssertRegex(expected.text, answer);
  } else {
    said = AssertContains(expected.text, answer);
  }
  if (!said) return Score::Failure(said.error().message);
  score.value = said->passed ? 1 : 0;
  AddMark(said->where, score.marks);
  score.explanation = std::move(said->detail);
  return score;
}

}  // namespace assay
