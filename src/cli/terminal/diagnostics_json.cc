// Diagnostics as values.
#include "cli/terminal/diagnostics_json.h"

#include <fmt/core.h>

namespace assay {

namespace {

std::string_view SeverityName(Severity severity) {
  switch (severity) {
    case Severity::kError:
      return "error";
    case Severity::kWarning:
      return "warning";
    case Severity::kNote:
      return "note";
  }
  return "";
}

Value MemberNumberOrNull(std::uint32_t number) {
  return number == 0 ? Value(Null{}) : Value(static_cast<double>(number));
}
Value MemberTextOrNull(std::string_view text) { return text.empty() ? Value(Null{}) : Value(text); }

Value ProblemValue(const Problems& problems, const SourceFiles& sources, const Diagnostic& problem) {
  const LineColumn place = sources.Locate(problem.where);
  const std::string_view path = sources.Path(problem.where.file);
  Map map;
  map.Append("file", path.empty() ? std::string_view(problems.path) : path);
  map.Append("line", MemberNumberOrNull(place.line));
  map.Append("column", MemberNumberOrNull(place.column));
  map.Append("severity", SeverityName(problem.severity));
  map.Append("code", problem.code);
  map.Append("message", problem.message);
  map.Append("remedy", MemberTextOrNull(problem.hint));
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
                      .hint = "mend these first",
                      .where = {}}));
  }
  return list;
}

}  // namespace assay
