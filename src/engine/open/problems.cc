// Prints the problems of a file, each at most once over all files.
#include "engine/open/problems.h"

#include <fmt/core.h>

#include "engine/words.h"

namespace assay {

namespace {

// A reader that loses its way says nothing of what comes behind.
std::string UnreadText(const Diagnostics& found, const SourceFiles& sources) {
  std::string text;
  std::set<FileId> files;
  for (const Diagnostic& diagnostic : found.All()) {
    const bool breaks_off = diagnostic.severity == Severity::kError && diagnostic.code.ends_with(".syntax");
    if (!breaks_off || !files.insert(diagnostic.where.file).second) continue;
    text += fmt::format(
        "note: the rest of {} is checked when this error is repaired\n",
        diagnostic.where.file == FileId::kNone ? "the file" : Printable(sources.Path(diagnostic.where.file)));
  }
  return text;
}

}  // namespace

std::string ProblemsText(const Problems& problems, const SourceFiles& sources, std::set<std::string>* told) {
  std::string text;
  if (problems.unreadable) text += FormatError(*problems.unreadable, sources);
  if (told == nullptr)
    return text + FormatDiagnostics(problems.found, sources) + UnreadText(problems.found, sources);
  Diagnostics fresh;
  for (const Diagnostic& diagnostic : problems.found.All()) {
    if (told->insert(FormatDiagnostic(diagnostic, sources)).second) fresh.Add(diagnostic);
  }
  return text + FormatDiagnostics(fresh, sources) + UnreadText(fresh, sources);
}

}  // namespace assay
