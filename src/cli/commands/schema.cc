// The command `assay schema`: prints the JSON Schema of a format, for editors (docs/editors.md).
#include <fmt/core.h>

#include "base/errors/assert.h"
#include "base/errors/diagnostics.h"
#include "checks/check.h"
#include "cli/commands/command.h"
#include "cli/commands/parts/check_help.h"
#include "cli/embedded.h"
#include "spec/suite/check.h"
#include "text/json/json.h"
#include "text/object.h"

namespace assay {

namespace {

// A member that our own schema has.
Value& Inside(Value& of, std::string_view key) {
  Value* found = of.is_map() ? of.AsMap().Find(key) : nullptr;
  ASSAY_ASSERT(found != nullptr);
  return *found;
}

// The schema of blueprints, with a key for each check that every format may name: "$contains".
std::string BlueprintSchema() {
  constexpr std::size_t kKeyedForm = 2;  // of a point: {$contains: …}
  Value schema = *ParseJson(kBlueprintSchema);
  Value& forms = Inside(Inside(Inside(schema, "$defs"), "point"), "anyOf");
  Map& keys = Inside(forms.AsList()[kKeyedForm], "properties").AsMap();
  for (const CheckRow& row : CheckTable()) {
    if (row.is_offered || row.name == kJudgeKind) continue;
    keys.Append(fmt::format("${}", row.name), Object{{"description", HelpOf(row)}});
  }
  return WriteJson(schema, JsonStyle::kJavaScript2) + "\n";
}

struct SchemaRow {
  std::string_view name;
  std::string (*text)();
};
constexpr SchemaRow kSchemas[] = {
    {"blueprint", BlueprintSchema},
    {"infibench", [] { return std::string(kSuiteSchema); }},
    {"research", [] { return std::string(kDatasetSchema); }},
};

}  // namespace

ExitCode SchemaCommand(const Options& options, Ui& ui) {
  std::vector<std::string_view> names;
  for (const SchemaRow& row : kSchemas) {
    names.push_back(row.name);
    if (row.name != options.arguments.front()) continue;
    ui.Out(row.text());
    return ExitCode::kDone;
  }
  const std::string_view near = DidYouMean(options.arguments.front(), names);
  ui.Problem(fmt::format(
      "error: there is no schema of {}; {}", Quoted(options.arguments.front()),
      near.empty() ? "there are blueprint, infibench and research" : fmt::format("did you mean {}?", near)));
  return ExitCode::kUsage;
}

}  // namespace assay
