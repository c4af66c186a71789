// Grades by a Python function of the suite: `customized: {module, func, real_metric_type?}`, with the
// module's text as `source`.
//   func    takes the answer and returns (score, total, detail)
//   remark  the detail
//   source  InfiBench's evaluator (spec infibench 8); known deviations: the function runs in a sandbox, with
//           10 s, and sees no other file of the suite. real_metric_type only renames a row of the tables
#include "checks/graders.h"
#include "checks/program/python_row.h"
#include "spec/suite/suite.h"

namespace assay {

struct Customized {
  PythonHandler handler;
  PythonHost python;
  std::uint32_t calls_max = 1;

  Score Grade(const GradeInput& input, PythonCalls& calls) const;
};

Score Customized::Grade(const GradeInput& input, PythonCalls& calls) const {
  return HandledScore(handler, {input.answer.text()}, calls);
}

CheckArgs ParseCustomized(const ParseInput& input, Diagnostics& diagnostics) {
  Result<PythonHandler> handler = ReadHandler(input.check.args);
  if (!handler) return UnusableArgs<Customized>(TellBroken(input, handler.error(), diagnostics));
  return MakeArgs(Customized{.handler = std::move(handler).value(), .python = FindPython(input)});
}

template struct PythonRow<Customized>;

}  // namespace assay
