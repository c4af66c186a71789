// Builds one JSON object for each diagnostic, with its place and remedy.
#include "cli/terminal/diagnostics_json.h"

#include <fmt/core.h>

#include "cli/terminal/json_values.h"
#include "report/values/json.h"

namespace assay {

namespace {

// Counted from 1; 0 where there is no place.
Value PlaceNumber(std::uint32_t number) { return number == 0 ? Value(Null{}) : CountValue(number); }

Value ProblemValue(const Problems& problems, const SourceFiles& sources, const Diagnostic& problem) {
  const LineColumn place = sources.Locate(problem.where);
  const std::string_view path = sources.Path(problem.where.file);
  Map map;
  map.Append("file", path.empty() ? std::string_view(problems.path) : path);
  map.Append("line", PlaceNumber(place.line));
  map.Append("column", PlaceNumber(place.column));
  map.Append("severity", SeverityName(problem.severity));
  map.Append("code", problem.code);
  map.Append("message", problem.message);
  map.Append("remedy", TextOrNull(problem.hint));
  return map;
}

}  // namespace

Value DiagnosticsValue(const Problems& problems, const SourceFiles& sources) {
  List list;
  if (problems.unreadable) {
    list.push_back(ProblemValue(problems, sources,
                                {.severity = Severity::kError,
                                 .code = "suite.unreadable",
                                 .message = problems.unreadable->message,
                                 .hint = {},
                                 .where = problems.unreadable->where.value_or(Span{})}));
  }
  for (const Diagnostic& problem : problems.found.All())
    list.push_back(ProblemValue(problems, sources, problem));
  if (problems.found.Dropped() > 0) {
    list.push_back(
        ProblemValue(problems, sources,
                     {.severity = Severity::kNote,
                      .code = "diagnostics.more",
                      .message = fmt::format("{} more problems are not listed", problems.found.Dropped()),
                      .hint = "correct these first",
                      .where = {}}));
  }
  return list;
}

}  // namespace assay
