// Grades which tools an answer called: `$tool_called: name`, `$tool_call_count_between: [min, max, name?]`,
// `$tool_call_order: [name, ...]`. Pure; any thread. Calls come from the answer's text (trace.h).
//   score   1 or 0: some call has the name; the number of calls (with the name) lies in the range, both ends
//   included;
//           the names are called in this order, others in between allowed
//   args    of the count: what is no number is 0 or no upper bound, an empty name is none; of the order: what
//   is
//           no text is left out
//   source  weval 51dc4d3 src/point-functions/tool_*.ts; known deviations: none
#include <algorithm>
#include <limits>
#include <optional>

#include "checks/graders.h"
#include "checks/tools/trace.h"
#include "spec/suite/check.h"

namespace assay {
namespace {

struct CallRange {
  double min = 0;
  double max = std::numeric_limits<double>::infinity();
  std::optional<std::string> name;
};

using Names = std::vector<std::string>;

Score YesNo(bool yes) { return Score::Of(yes ? 1 : 0); }

Score Called(const GradeInput& input, const std::string& name, WorkerState&) {
  const std::vector<TracedCall> calls = ParseToolTrace(input.answer.text());
  return YesNo(
      std::any_of(calls.begin(), calls.end(), [&name](const TracedCall& call) { return call.name == name; }));
}

Score Counted(const GradeInput& input, const CallRange& range, WorkerState&) {
  const std::vector<TracedCall> calls = ParseToolTrace(input.answer.text());
  const auto count =
      static_cast<double>(std::count_if(calls.begin(), calls.end(), [&range](const TracedCall& call) {
        return !range.name || call.name == *range.name;
      }));
  return YesNo(count >= range.min && count <= range.max);
}

Score Ordered(const GradeInput& input, const Names& names, WorkerState&) {
  auto next = names.begin();
  for (const TracedCall& call : ParseToolTrace(input.answer.text())) {
    if (next != names.end() && call.name == *next) ++next;
  }
  return YesNo(next == names.end());
}

}  // namespace

CheckArgs ParseToolCalled(const ParseInput& input, Diagnostics& diagnostics) {
  const Value& args = input.check.args;
  if (args.is_string() && !args.AsString().empty()) return MakeArgs(args.AsString());
  return UnusableArgs<std::string>(TellUnexpected(input, "the name of a tool", diagnostics));
}

Score GradeToolCalled(const GradeInput& input, const CheckArgs& args, WorkerState& worker) {
  return GradeWith<std::string, Called>(input, args, worker);
}

CheckArgs ParseToolCallCount(const ParseInput& input, Diagnostics& diagnostics) {
  const Value& args = input.check.args;
  CallRange range;
  if (!args.is_list()) {
    diagnostics.Warning("check.ignored-argument",
                        std::string("$tool_call_count_between: expected [min, max, name?], found ") +
                            std::string(KindName(args)) + "; any number of calls passes",
                        ArgsSpan(input.check));
    return MakeArgs(range);
  }
  const List& list = args.AsList();
  if (!list.empty() && list[0].is_number()) range.min = list[0].AsNumber();
  if (list.size() > 1 && list[1].is_number()) range.max = list[1].AsNumber();
  if (list.size() > 2 && list[2].is_string() && !list[2].AsString().empty()) range.name = list[2].AsString();
  return MakeArgs(std::move(range));
}

Score GradeToolCallCount(const GradeInput& input, const CheckArgs& args, WorkerState& worker) {
  return GradeWith<CallRange, Counted>(input, args, worker);
}

CheckArgs ParseToolCallOrder(const ParseInput& input, Diagnostics& diagnostics) {
  Names names;
  if (input.check.args.is_list()) {
    for (const Value& name : input.check.args.AsList()) {
      if (name.is_string()) names.push_back(name.AsString());
    }
  }
  if (names.empty())
    return UnusableArgs<Names>(TellUnexpected(input, "a list of names of tools", diagnostics));
  return MakeArgs(std::move(names));
}

Score GradeToolCallOrder(const GradeInput& input, const CheckArgs& args, WorkerState& worker) {
  return GradeWith<Names, Ordered>(input, args, worker);
}

}  // namespace assay
