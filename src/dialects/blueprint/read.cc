// The reading functions of the blueprint row in dialects/table.cc: recognises a blueprint, and reads it
// through all stages into a Suite.
#include <fmt/core.h>

#include <algorithm>

#include "base/hash.h"
#include "base/text/byte_order_mark.h"
#include "dialects/blueprint/blueprint.h"
#include "dialects/blueprint/foreign.h"
#include "dialects/blueprint/lower/lint.h"
#include "dialects/blueprint/lower/load.h"
#include "dialects/blueprint/lower/lower.h"
#include "dialects/blueprint/read/parse.h"
#include "dialects/blueprint/rows/datasets.h"
#include "dialects/blueprint/rows/wanted_rows.h"
#include "dialects/names.h"
#include "dialects/rows_from/selection.h"
#include "dialects/rows_from/table_summary.h"
#include "spec/suite/suite.h"
#include "text/object.h"

namespace assay::blueprint {

namespace {

constexpr std::size_t kSniffedBytesMax = 64u << 10;
constexpr int kSureByKeys = 90;
constexpr int kLikelyByName = 50;
constexpr int kPossible = 5;

// Whether a line of YAML (after blanks and a list's dash) or a member of JSON starts with the key.
bool HasKey(std::string_view text, std::string_view key, bool only_top_level) {
  for (std::size_t at = text.find(key); at != std::string_view::npos; at = text.find(key, at + 1)) {
    std::size_t after = at + key.size();
    if (after < text.size() && (text[after] == '"' || text[after] == '\'')) ++after;
    if (after >= text.size() || text[after] != ':') continue;
    std::size_t before = at;
    while (before > 0 && (text[before - 1] == '"' || text[before - 1] == '\'')) --before;
    if (!only_top_level) {
      while (before > 0 && std::string_view(" -{,\t").find(text[before - 1]) != std::string_view::npos)
        --before;
    }
    if (before == 0 || text[before - 1] == '\n' || text[before - 1] == '\r') return true;
  }
  return false;
}

bool HasAnyKey(std::string_view text, std::initializer_list<std::string_view> keys, bool only_top_level) {
  return std::any_of(keys.begin(), keys.end(),
                     [&](std::string_view key) { return HasKey(text, key, only_top_level); });
}

// Whatever has no name of its own is read as JSON, as weval does.
bool MayBeBlueprint(const ReadInput& input, std::string_view text) {
  if (input.options.compat == Compat::kWeval || input.path.ends_with(".json")) return true;
  if (BlueprintFormatOf(input.path) == BlueprintFormat::kYaml) return true;
  const std::size_t first = text.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  return first != std::string_view::npos && (text[first] == '{' || text[first] == '[');
}

// The digest of each file of a dataset belongs to the suite, as its own does.
void KeepFiles(const DatasetReading& reading, Suite& suite) {
  for (const ReadDataset& read : reading.read) {
    for (const dataset::TableFile& file : read.table.files)
      suite.files.push_back({.path = file.path, .file = file.file, .sha256 = file.sha256});
  }
}

// What exports show of each row, and how many rows became cases: the tables may be gone by then.
void KeepRows(DatasetReading& reading, Suite& suite) {
  if (reading.read.empty()) return;
  if (!suite.details.is_map()) suite.details = Map();
  List told;
  for (const ReadDataset& read : reading.read) told.push_back(TableSummary(read.table, read.cases));
  suite.details.AsMap().Set("datasets", std::move(told));
  std::size_t alike = 0;
  for (const ReadDataset& read : reading.read) alike += read.table.alike;
  const bool are_cases = reading.counting != nullptr && !WantedRows::Selects(reading.counting->options);
  if (alike > 0 && are_cases)
    suite.details.AsMap().Set("alike", Object{{"cases", alike}, {"checks", reading.alike_checks}});
  for (Case& the_case : suite.cases) {
    const auto found = reading.kept.find(the_case.id);
    if (found == reading.kept.end()) continue;
    if (!the_case.details.is_map()) the_case.details = Map();
    the_case.details.AsMap().Set("row", std::move(found->second));
  }
}

// What follows the normal form, whatever file it is of.
std::optional<Suite> SuiteOf(Value normal_form, DatasetReading& datasets, const ReadInput& input, FileId file,
                             std::string_view text) {
  const std::string_view assumed_models = AssumedModels(normal_form.AsMap());
  Value kept;
  if (input.options.keeps_normal_form) kept = normal_form;
  std::optional<Value> config = LoadBlueprint(std::move(normal_form), input);
  if (!config) return std::nullopt;
  std::optional<Suite> suite = LowerBlueprint(std::move(*config), input);
  if (!suite) return std::nullopt;
  if (input.options.models.empty()) suite->assumed_models = assumed_models;
  suite->normal_form = std::move(kept);
  suite->files.push_back({input.path, file, Hex(Sha256Of(text))});
  KeepFiles(datasets, *suite);
  KeepRows(datasets, *suite);
  return suite;
}

// Checks of the dialect's own are told under the names that its file gives them.
void NameChecks(std::span<const std::string_view> own, Suite& suite) {
  for (Case& the_case : suite.cases) {
    for (Check& check : the_case.checks) {
      if (std::find(own.begin(), own.end(), check.kind) == own.end()) continue;
      const std::string& name = check.args.TextAt("name");
      if (name.empty()) continue;
      check.metric = Rare<std::string>(name);
      check.text = name;
    }
  }
}

}  // namespace

DatasetReading DatasetsOf(const ReadInput& input) {
  const std::string_view path = input.path;
  DatasetReading reading{.folder = path.substr(0, path.rfind('/') + 1),  // npos + 1 is the start
                         .files = input.files,
                         .sources = input.sources,
                         .overrides = RowOverridesOf(input.options.own)};
  const ReadOptions& options = input.options;
  if (!options.reads_all_rows && options.filter.empty() && options.selected.empty())
    reading.rows_max = options.limit;
  return reading;
}

std::optional<Suite> ReadForeign(ForeignSuite foreign, DatasetReading& reading, const ReadInput& input,
                                 FileId file, std::string_view text) {
  if (input.options.compat != Compat::kNone) {
    input.diagnostics.Error("dataset.compat",
                            fmt::format("{} does not read such a file", CompatName(input.options.compat)),
                            {file, 0, 0}, "run it without --compat");
    return std::nullopt;
  }
  if (foreign.entries.empty()) {
    input.diagnostics.Error("dataset.empty", "expected questions, found none", {file, 0, 0},
                            "docs/formats-of-others.md says what assay reads of such a file");
    return std::nullopt;
  }
  std::vector<std::string_view> names = input.options.check_names;
  if (!names.empty()) names.insert(names.end(), foreign.checks.begin(), foreign.checks.end());
  ParseContext context{.compat = Compat::kNone,
                       .diagnostics = input.diagnostics,
                       .check_names = names,
                       .reads_on = input.options.reads_on};
  std::optional<Value> normal_form = NormaliseParts(std::move(foreign.header), std::move(foreign.entries),
                                                    foreign.whole, input.diagnostics.ErrorCount(), context);
  if (!normal_form) return std::nullopt;
  std::optional<Suite> suite = SuiteOf(*std::move(normal_form), reading, input, file, text);
  if (!suite) return std::nullopt;
  suite->dialect = foreign.dialect;
  suite->offered_checks.assign(foreign.checks.begin(), foreign.checks.end());
  NameChecks(foreign.checks, *suite);
  return suite;
}

}  // namespace assay::blueprint

namespace assay {

int SniffBlueprint(std::string_view path, std::string_view text) {
  if (path.ends_with(".toml")) return 0;
  text = WithoutByteOrderMark(text.substr(0, blueprint::kSniffedBytesMax));
  const bool is_yaml = blueprint::BlueprintFormatOf(path) == blueprint::BlueprintFormat::kYaml;
  if (!is_yaml && !path.ends_with(".json")) return blueprint::kPossible;
  if (ListsCases(text)) return 0;
  // Fixtures of a blueprint: replies, nothing to ask.
  if (blueprint::HasKey(text, "responses", is_yaml)) return 0;
  const bool has_keys =
      blueprint::HasAnyKey(text, {"prompt", "prompts", "promptText", "messages", "should"}, false);
  return has_keys ? blueprint::kSureByKeys : blueprint::kLikelyByName;
}

std::optional<Suite> ReadBlueprint(const ReadInput& input, FileId file, std::string_view text) {
  if (!blueprint::MayBeBlueprint(input, text)) {
    input.diagnostics.Error("suite.unknown-format",
                            "expected a blueprint in a file that ends in .yml, .yaml or .json, found a text",
                            {.file = file, .offset = 0, .length = 0},
                            "rename the file if it is one; `assay list dialects` names the formats");
    return std::nullopt;
  }
  blueprint::DatasetReading datasets = blueprint::DatasetsOf(input);
  // Whoever runs the file wants a case of each row that nothing leaves out.
  const bool are_counted = input.options.reads_all_rows || blueprint::WantedRows::Selects(input.options);
  if (input.options.binds_quietly && input.options.compat == Compat::kNone && are_counted)
    datasets.counting = &input;
  blueprint::ParseContext context{.compat = input.options.compat,
                                  .diagnostics = input.diagnostics,
                                  .check_names = input.options.check_names,
                                  .checks_elsewhere = input.options.checks_elsewhere,
                                  .reads_on = input.options.reads_on,
                                  .datasets = &datasets};
  std::optional<Value> normal_form =
      blueprint::ParseBlueprint(file, text, blueprint::BlueprintFormatOf(input.path), context);
  if (!normal_form) return std::nullopt;
  const bool has_rows = !datasets.read.empty() || datasets.problems.HasErrors();
  if (!has_rows && RefuseLostSelection(input.options.own, file, input.diagnostics)) return std::nullopt;
  if (normal_form->Find("prompts")->AsList().empty() && !context.LikeWeval() && !context.prompts_are_told) {
    input.diagnostics.Error("blueprint.no-prompts", "expected prompts after the header, found none",
                            normal_form->span, "write at least one: a line \"---\", then \"- prompt: ...\"");
    if (!input.options.reads_on) return std::nullopt;
  }
  blueprint::LintNormalForm(normal_form->AsMap(), context);
  return blueprint::SuiteOf(*std::move(normal_form), datasets, input, file, text);
}

}  // namespace assay
