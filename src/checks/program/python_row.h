// PythonRow: makes the functions of a row whose grader may call Python in the middle of its work, from the
// row's arguments: a struct with `python` (PythonHost), `calls_max` (how often one answer calls it at most)
// and `Score Grade(const GradeInput&, PythonCalls&) const`.
//
// Its file ends with `template struct PythonRow<Args>`; graders.h declares that.
#pragma once

#include <optional>
#include <utility>

#include "checks/args.h"
#include "checks/graders.h"
#include "checks/program/python_call.h"

namespace assay {

template <class Args>
std::uint32_t PythonRow<Args>::MostRequests(const CheckArgs& args) {
  const auto& parsed = *static_cast<const ParsedArgs<Args>*>(args.get());
  return parsed.problem.empty() && parsed.value.python.missing.empty() ? parsed.value.calls_max : 0;
}

template <class Args>
Score PythonRow<Args>::Grade(const GradeInput& input, const CheckArgs& args, WorkerState&) {
  const auto& parsed = *static_cast<const ParsedArgs<Args>*>(args.get());
  if (!parsed.problem.empty()) return Score::Failure(parsed.problem);
  PythonCalls calls(parsed.value.python, nullptr);
  return parsed.value.Grade(input, calls);
}

template <class Args>
Action PythonRow<Args>::Next(const AskInput& input, const CheckArgs& args) {
  const Args& value = static_cast<const ParsedArgs<Args>*>(args.get())->value;
  PythonCalls calls(value.python, &input);
  Score score = value.Grade(input.grade, calls);
  if (std::optional<Need> need = calls.TakeNeed()) return std::move(*need);
  return Done{std::move(score)};
}

}  // namespace assay
