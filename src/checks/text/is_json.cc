// Grades `$is_json`: 1 if JSON.parse of the whole answer gives an object or an array, else 0. Pure; any
// thread.
//   args    ignored
//   answer  JSON's own white space may surround it; code fences, a byte order mark or NBSP may not
//   source  weval 51dc4d3 src/point-functions/is_json.ts
//   known deviations: nesting beyond limits::kJsonDepthMax is a 0 that says so: no answer can choose an error
#include "checks/args.h"
#include "checks/graders.h"
#include "text/json/json.h"

namespace assay {

CheckArgs ParseIsJson(const ParseInput& input, Diagnostics&) {
  return std::make_shared<const bool>(IsTurnedAround(input.check));
}

Score GradeIsJson(const GradeInput& input, const CheckArgs& args, WorkerState&) {
  const Result<Value> parsed = ParseJson(input.answer.text());
  if (parsed.has_value()) return Score::Of(parsed->is_list() || parsed->is_map() ? 1 : 0);
  if (parsed.error().code != ErrorCode::kLimit) return Score::Of(0);
  return LostScore("no credit: " + parsed.error().message, *static_cast<const bool*>(args.get()));
}

}  // namespace assay
