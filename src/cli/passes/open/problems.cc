// Prints the problems of a file, each at most once over all files.
#include "cli/passes/open/problems.h"

namespace assay {

std::string ProblemsText(const Problems& problems, const SourceFiles& sources, std::set<std::string>* told) {
  std::string text;
  if (problems.unreadable) text += FormatError(*problems.unreadable, sources);
  if (told == nullptr) return text + FormatDiagnostics(problems.found, sources);
  Diagnostics fresh;
  for (const Diagnostic& diagnostic : problems.found.All()) {
    if (told->insert(FormatDiagnostic(diagnostic, sources)).second) fresh.Add(diagnostic);
  }
  return text + FormatDiagnostics(fresh, sources);
}

}  // namespace assay
