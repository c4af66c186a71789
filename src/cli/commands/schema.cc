// The command `assay schema`: prints the JSON Schema of a format, for editors (docs/editors.md).
#include <fmt/core.h>
#include <fmt/ranges.h>

#include "base/errors/diagnostics.h"
#include "checks/check.h"
#include "cli/commands/command.h"
#include "cli/commands/parts/check_help.h"
#include "dialects/keys/schema.h"
#include "spec/suite/check.h"
#include "text/json/json.h"

namespace assay {

namespace {

std::string TextOf(const FormatSchema& format) {
  std::vector<std::string> helps;
  for (const CheckRow& row : CheckTable()) helps.push_back(HelpOf(row));
  std::vector<CheckHelp> checks;
  for (std::size_t at = 0; at < helps.size(); ++at) {
    const CheckRow& row = CheckTable()[at];
    // A criterion in words has no name.
    if (row.name != kJudgeKind) checks.push_back({row.name, helps[at], row.is_offered});
  }
  return WriteJson(SchemaOf(format, checks), JsonStyle::kJavaScript2) + "\n";
}

}  // namespace

ExitCode SchemaCommand(const Options& options, Ui& ui) {
  const std::string& wanted = options.arguments.front();
  std::vector<std::string_view> names;
  for (const FormatSchema& format : FormatSchemas()) {
    names.push_back(format.name);
    if (format.name != wanted) continue;
    ui.Out(TextOf(format));
    return ExitCode::kDone;
  }
  const std::string_view near = DidYouMean(wanted, names);
  ui.Problem(fmt::format("error: there is no schema of {}; {}", Quoted(wanted),
                         near.empty() ? fmt::format("there are {}", fmt::join(names, ", "))
                                      : fmt::format("did you mean {}?", near)));
  return ExitCode::kUsage;
}

}  // namespace assay
