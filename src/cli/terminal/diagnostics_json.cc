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

Value ProblemValue(const LoadedSuite& loaded, const SourceFiles& sources, const Diagnostic& problem) {
  const LineColumn place = sources.Locate(problem.where);
  const std::string_view path = sources.Path(problem.where.file);
  Map map;
  map.Append("file", path.empty() ? std::string_view(loaded.path) : path);
  map.Append("line", MemberNumberOrNull(place.line));
  map.Append("column", MemberNumberOrNull(place.column));
  map.Append("severity", SeverityName(problem.severity));
  map.Append("code", problem.code);
  map.Append("message", problem.message);
  map.Append("remedy", MemberTextOrNull(problem.hint));
  return map;
}

}  // namespace

Value DiagnosticsValue(const LoadedSuite& loaded, const SourceFiles& sources) {
  List list;
  if (loaded.unreadable) {
    list.push_back(ProblemValue(loaded, sources,
                                {.severity = Severity::kError,
                                 .code = "suite.unreadable",
                                 .message = loaded.unreadable->message,
                                 .hint = {},
                                 .where = loaded.unreadable->where.value_or(Span{})}));
  }
  for (const Diagnostic& problem : loaded.diagnostics.All())
    list.push_back(ProblemValue(loaded, sources, problem));
  if (loaded.diagnostics.Dropped() > 0) {
    list.push_back(
        ProblemValue(loaded, sources,
                     {.severity = Severity::kNote,
                      .code = "diagnostics.more",
                      .message = fmt::format("{} more problems are not listed", loaded.diagnostics.Dropped()),
                      .hint = "mend these first",
                      .where = {}}));
  }
  return list;
}

}  // namespace assay
