// Grades by a Python function of the suite: `customized: {module, func, real_metric_type?}`, with the
// module's text as `source`.
//   func    takes the answer and returns (score, total, detail)
//   remark  the detail
//   source  InfiBench's evaluator (spec infibench 8); known deviations: the function runs in a sandbox, with
//           10 s, and sees no other file of the suite; an answer that makes it fail has no point (but with
//           --compat). real_metric_type only renames a row of the tables
#include "checks/graders.h"
#include "checks/program/python_row.h"
#include "spec/suite/check.h"

namespace assay {

struct Customized {
  PythonHandler handler;
  PythonHost python;
  bool fails_like_original = false;
  std::uint32_t calls_max = 2;  // the second one where the first fails

  Score Grade(const GradeInput& input, PythonCalls& calls) const;
};

Score Customized::Grade(const GradeInput& input, PythonCalls& calls) const {
  const std::optional<List> of_nothing = fails_like_original ? std::nullopt : std::optional(List{Value("")});
  return HandledScore(handler, {input.answer.text()}, calls, {}, of_nothing);
}

CheckArgs ParseCustomized(const ParseInput& input, Diagnostics& diagnostics) {
  Result<PythonHandler> handler = ReadHandler(input.check.args);
  if (!handler) return UnusableArgs<Customized>(TellBroken(input, handler.error(), diagnostics));
  const bool like_original = input.grading.python_words;
  return MakeArgs(Customized{.handler = std::move(handler).value(),
                             .python = FindPython(input),
                             .fails_like_original = like_original,
                             .calls_max = like_original ? 1U : 2U});
}

template struct PythonRow<Customized>;

}  // namespace assay
