// Diagnostics: all problems of one input at once, each with its place, printed as
//   suite.yml:41:7: error: unknown key "shoud" [blueprint.unknown-key]
//      41 |   shoud:
//         |   ^~~~~ did you mean "should"?
// One checkpoint (`HasErrors`) stops the program after reading, never in between.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors/error.h"
#include "base/errors/span.h"

namespace assay {

enum class Severity { kError, kWarning, kNote };
std::string_view SeverityName(Severity severity);  // "error", "warning", "note"

struct Diagnostic {
  Severity severity = Severity::kError;
  std::string code;     // stable, "blueprint.unknown-key"
  std::string message;  // one line
  std::string hint;     // what to do; may be empty
  Span where;
};

class Diagnostics {
 public:
  void Add(Diagnostic diagnostic);
  void Error(std::string code, std::string message, Span where, std::string hint = {});
  void Warning(std::string code, std::string message, Span where, std::string hint = {});
  void Note(std::string code, std::string message, Span where, std::string hint = {});

  bool HasErrors() const { return error_count_ > 0; }
  std::size_t ErrorCount() const { return error_count_; }      // counts those beyond the cap too
  std::size_t WarningCount() const { return warning_count_; }  // counts those beyond the cap too
  // In order of discovery, at most limits::kDiagnosticsMax; errors are kept in preference to warnings and
  // notes.
  std::span<const Diagnostic> All() const { return all_; }
  std::size_t Dropped() const { return dropped_; }

 private:
  std::vector<Diagnostic> all_;
  std::size_t error_count_ = 0;
  std::size_t warning_count_ = 0;
  std::size_t dropped_ = 0;
};

// The printed form, each problem ending in a newline; control characters of the source are shown escaped.
std::string FormatDiagnostic(const Diagnostic& diagnostic, const SourceFiles& files);
std::string FormatDiagnostics(const Diagnostics& diagnostics, const SourceFiles& files);
std::string FormatError(const Error& error, const SourceFiles& files);

// The candidate nearest to `word` by edit distance, or "" if none is near enough to suggest.
std::string_view DidYouMean(std::string_view word, std::span<const std::string_view> candidates);

// Foreign text for a message: at most limits::kQuotedTextMax code points, control characters escaped, in
// quotes.
std::string Quoted(std::string_view text);

}  // namespace assay
