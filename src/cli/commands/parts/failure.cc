// The end of a command that failed.
#include "cli/commands/parts/failure.h"

#include <fmt/core.h>

#include <string_view>

namespace assay {

std::string RemedyOf(const Error& error) {
  const auto says = [&error](std::string_view words) {
    return error.message.find(words) != std::string::npos;
  };
  const bool is_damaged = says("store is damaged") || says("stored suite is damaged");
  if (error.code != ErrorCode::kCorrupt || !is_damaged || says("move it away")) return {};
  return "  put a copy of the store in its place, or name another one with --store, which sends the requests "
         "again\n";
}

ExitCode FailWith(Ui& ui, const Error& error) {
  ui.Problem(fmt::format("error: {}\n{}", error.message, RemedyOf(error)));
  return ExitCodeOf(error.code);
}

ExitCode FailUnfinished(Ui& ui, const Error& error) {
  ui.Problem(FormatError(error, SourceFiles{}) + RemedyOf(error));
  return ExitCode::kUnfinished;
}

}  // namespace assay
