// The command `assay schema`: prints the JSON Schema of a format, for editors (docs/editors.md).
#include <fmt/core.h>

#include "base/errors/diagnostics.h"
#include "cli/commands/command.h"
#include "cli/embedded.h"

namespace assay {

namespace {

struct SchemaRow {
  std::string_view name;
  const std::string_view* text = nullptr;
};
constexpr SchemaRow kSchemas[] = {
    {"blueprint", &kBlueprintSchema},
    {"infibench", &kSuiteSchema},
    {"research", &kDatasetSchema},
};

}  // namespace

ExitCode SchemaCommand(const Options& options, Ui& ui) {
  std::vector<std::string_view> names;
  for (const SchemaRow& row : kSchemas) {
    names.push_back(row.name);
    if (row.name != options.arguments.front()) continue;
    ui.Out(*row.text);
    return ExitCode::kDone;
  }
  const std::string_view near = DidYouMean(options.arguments.front(), names);
  ui.Problem(fmt::format(
      "error: there is no schema of {}; {}", Quoted(options.arguments.front()),
      near.empty() ? "there are blueprint, infibench and research" : fmt::format("did you mean {}?", near)));
  return ExitCode::kUsage;
}

}  // namespace assay
