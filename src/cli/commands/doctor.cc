// The command `assay doctor`: what a run would find on this machine. A section is a row of kSections; keys
// are named, never shown.
#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iterator>

#include "base/clock.h"
#include "base/files/scoped_files.h"
#include "base/text/shell_words.h"
#include "cli/commands/asked/doctor_programs.h"
#include "cli/commands/asked/last_days.h"
#include "cli/commands/command.h"
#include "cli/commands/parts/failure.h"
#include "cli/embedded.h"
#include "cli/line/command_line.h"
#include "cli/settings/file/settings.h"
#include "cli/terminal/json_values.h"
#include "cli/terminal/progress.h"
#include "cli/terminal/text_table.h"
#include "engine/network/provider_keys.h"
#include "engine/open/loaded.h"
#include "engine/plan/planned.h"
#include "engine/state/known_stores.h"
#include "engine/words.h"
#include "providers/provider.h"
#include "spec/exchange/keyed_headers.h"
#include "spec/suite/suite.h"
#include "store/location.h"
#include "store/store.h"
#include "text/json/json.h"
#include "text/object.h"

namespace assay {

namespace {

struct Finding {
  std::string what;
  std::string says;
};

struct Section {
  std::string_view name;
  std::vector<Finding> (*look)(const Options& options);
};

std::vector<Finding> LookAtProgram(const Options&) { return {{"version", ASSAY_VERSION}}; }

// The keys that are set; with --all or --json, providers without one too.
std::vector<Finding> LookAtKeys(const Options& options) {
  std::vector<Finding> findings;
  for (const ProviderRow& row : ProviderTable()) {
    if (row.key.need == KeyRule::Need::kNone) continue;
    const std::string set = SetKeyOf(row);
    if (set.empty() && !options.command.all && !options.shown.json) continue;
    const bool is_needed = row.key.need == KeyRule::Need::kRequired;
    findings.push_back(
        {std::string(row.name),
         set.empty() ? fmt::format("no key{} ({})", is_needed ? "" : ", none needed", row.key.variables)
                     : fmt::format("{} is set", set)});
  }
  if (findings.empty())
    findings.push_back({"none", "no key is set; --all lists the variable of each provider"});
  return findings;
}

std::string BytesText(std::uintmax_t bytes) {
  constexpr double kUnit = 1024;
  const auto count = static_cast<double>(bytes);
  if (count < kUnit) return fmt::format("{} bytes", bytes);
  if (count < kUnit * kUnit) return fmt::format("{:.1f} KiB", count / kUnit);
  if (count < kUnit * kUnit * kUnit) return fmt::format("{:.1f} MiB", count / kUnit / kUnit);
  return fmt::format("{:.1f} GiB", count / kUnit / kUnit / kUnit);
}

std::vector<Finding> LookAtStore(const Options& options) {
  const bool is_server = IsServer(options.granted.store);
  std::vector<Finding> findings{
      {is_server ? "server" : "file", Printable(ShownLocation(options.granted.store))}};
  if (!is_server) {
    std::error_code missing;
    const std::uintmax_t bytes = std::filesystem::file_size(options.granted.store, missing);
    if (missing) {
      findings.push_back({"size", "there is none yet; `assay run` makes one"});
      return findings;
    }
    findings.push_back({"size", BytesText(bytes)});
  }
  const Result<std::unique_ptr<Store>> store = OpenForReading({.path = options.granted.store});
  const Result<std::vector<RunRecord>> runs =
      store ? (*store)->Runs() : Result<std::vector<RunRecord>>(store.error());
  findings.push_back({"runs", runs ? CountText(runs->size()) : Printable(runs.error().message)});
  return findings;
}

std::vector<Finding> LookAtForeignPrograms(const Options& options) {
  std::vector<Finding> findings;
  for (ProgramFinding& finding : LookAtPrograms(options))
    findings.push_back({Printable(finding.what), Printable(finding.says)});
  return findings;
}

std::vector<Finding> LookAtLastDays(const Options& options) {
  std::vector<Finding> findings;
  for (const ModelEnd& end : LastDaysOf(options))
    findings.push_back({Printable(end.model), Printable(end.says)});
  if (findings.empty()) {
    findings.push_back({"last days", fmt::format("no model of {} ends within 60 days, as far as is known",
                                                 options.arguments.empty() ? "assay.toml" : "these suites")});
  }
  return findings;
}

constexpr Section kSections[] = {
    {"keys", LookAtKeys},       {"store", LookAtStore},   {"programs", LookAtForeignPrograms},
    {"models", LookAtLastDays}, {"assay", LookAtProgram},
};

struct SettingLine {
  std::string name;
  std::string value;
  std::string origin;
};

// The default that an option's help names at its end, "(600)".
std::string DefaultOf(const OptionRow& row) {
  const std::size_t open = row.help.rfind('(');
  if (open == std::string_view::npos || !row.help.ends_with(')')) return "–";
  return std::string(row.help.substr(open + 1, row.help.size() - open - 2));
}

// What suites say of a setting that the user has left to them. kInvalidInput if one cannot be read.
Result<std::vector<SettingLine>> SettingsOfSuites(const Options& options) {
  std::vector<SettingLine> lines;
  DiskFileReader files;
  SourceFiles sources;
  for (const std::string& path : options.arguments) {
    const Loaded loaded = Load(options.SpecOf(path), options.granted, files, sources);
    if (loaded.problems.HasErrors())
      return Error{ErrorCode::kInvalidInput,
                   fmt::format("{} cannot be read; `assay check` says why", Quoted(path))};
    if (loaded.suite && loaded.suite->concurrency)
      lines.push_back({"max-in-flight", std::to_string(*loaded.suite->concurrency), path});
  }
  return lines;
}

// What `assay run` would go by: its options, what the suites say in their place, then what assay.toml says
// beyond them, then addresses of providers that the environment names.
Result<std::vector<SettingLine>> SettingsOfRun(const Options& asked) {
  ASSAY_TRY(Options options, ParseWords(*FindCommand("run"), {"FILE"}, Environment::kRead));
  DiskFileReader files;
  SourceFiles sources;
  Diagnostics told_already;
  ApplySettings(ReadSettings(TrustOf(asked.granted), files, sources, told_already), options);
  ASSAY_TRY(const std::vector<SettingLine> of_suites, SettingsOfSuites(asked));
  std::vector<SettingLine> lines;
  for (const OptionRow& row : OptionTable()) {
    if (!row.TakenBy("run")) continue;
    const std::string name(row.LongName().substr(2));
    const GivenOption* given = options.Given(row.LongName());
    const std::size_t before = lines.size();
    if (given == nullptr) {
      std::copy_if(of_suites.begin(), of_suites.end(), std::back_inserter(lines),
                   [&name](const SettingLine& line) { return line.name == name; });
      if (lines.size() > before) continue;
      lines.push_back({name, row.value.empty() ? "false" : DefaultOf(row), "default"});
      continue;
    }
    std::string value;
    for (const std::string& each : given->values)
      value += (value.empty() ? "" : ", ") + WithoutCredentials(each);
    lines.push_back({name, std::move(value), given->origin});
  }
  for (const WrittenSetting& written : asked.granted.settings.written) {
    const std::size_t dot = written.name.find('.');
    const bool is_option = (written.name.starts_with("limits.") || written.name.starts_with("run.")) &&
                           written.name.find('.', dot + 1) == std::string::npos;
    if (is_option && written.counts) continue;
    lines.push_back({written.name, WithoutCredentials(written.value),
                     fmt::format("{}{}", written.origin, written.counts ? "" : ", not trusted")});
  }
  for (const ProviderRow& row : ProviderTable()) {
    if (row.base_url_variable.empty()) continue;
    const std::string name(row.base_url_variable);
    const char* url = std::getenv(name.c_str());
    if (url != nullptr && *url != '\0')
      lines.push_back({fmt::format("base_urls.{}", row.name), WithoutCredentials(url), name});
  }
  return lines;
}

ExitCode PrintSettings(const Options& options, Ui& ui) {
  const Result<std::vector<SettingLine>> lines = SettingsOfRun(options);
  if (!lines) return FailWith(ui, lines.error());
  TextTable table({{"setting"}, {"value"}, {"from"}});
  List list;
  for (const SettingLine& line : *lines) {
    table.Add({Printable(line.name), Printable(line.value), Printable(line.origin)});
    list.push_back(Object{{"setting", line.name}, {"value", line.value}, {"from", line.origin}});
  }
  ui.Out(options.shown.json ? ShownJson(WriteJson(Value(std::move(list)), JsonStyle::kJavaScript2)) + "\n"
                            : table.Text(options.shown.screen));
  return ExitCode::kDone;
}

// A suite in the current folder: the first by name that is told from its text.
std::string SuiteHere() {
  constexpr std::size_t kLookedAtMax = 200;
  std::vector<std::string> names;
  std::error_code problem;
  for (const auto& entry : std::filesystem::directory_iterator(".", problem)) {
    const std::string name = entry.path().filename().string();
    const std::string ending = entry.path().extension().string();
    const bool is_action = name == "action.yml" || name == "action.yaml";  // of GitHub
    if (!is_action && (ending == ".yml" || ending == ".yaml" || name == "matrix.toml")) names.push_back(name);
    if (names.size() >= kLookedAtMax) break;
  }
  std::sort(names.begin(), names.end());
  DiskFileReader disk;
  ScopedFileReader files(disk, {"."});  // no link leads elsewhere
  for (const std::string& name : names) {
    const Result<std::string> text = files.Read(name);
    if (text && SniffDialect(name, *text) != nullptr) return name;
  }
  return {};
}

// Errors of a run that `check` does not report as such: the command line and the environment decide them.
constexpr std::string_view kNotOfCheck[] = {"run.no-key", "suite.no-model", "run.program", "research.judge",
                                            "research.snapshot"};

// What stands between a suite and its run: the first problem and what to do about it; "" if nothing does.
std::string ObstacleOf(const Options& options, const std::string& path) {
  DiskFileReader files;
  SourceFiles sources;
  const RunSpec spec = options.SpecOf(path);
  const Planned planned =
      MakePlan(Load(spec, options.granted, files, sources), spec, options.granted, Purpose::kRun);
  if (!planned.problems.HasErrors()) return {};
  for (const Diagnostic& problem : planned.problems.found.All()) {
    if (problem.severity != Severity::kError) continue;
    if (std::find(std::begin(kNotOfCheck), std::end(kNotOfCheck), problem.code) != std::end(kNotOfCheck))
      return fmt::format("{}: {}", problem.message, problem.hint);
  }
  return fmt::format("assay check {}: it has problems", QuoteWord(Printable(path)));
}

// The one thing to do next, on this machine and in this folder.
std::string NextStep(const Options& options) {
  if (!options.arguments.empty()) {
    for (const std::string& path : options.arguments) {
      if (std::string obstacle = ObstacleOf(options, path); !obstacle.empty()) return obstacle;
    }
    return fmt::format("assay run {}", QuoteWord(Printable(options.arguments.front())));
  }
  const bool has_store = MayBeThere(options.granted.store);
  if (const std::string suite = SuiteHere(); !suite.empty()) {
    return has_store ? fmt::format("assay run {}: sends only what changed", QuoteWord(Printable(suite)))
                     : fmt::format("assay doctor {}: what this suite needs", QuoteWord(Printable(suite)));
  }
  if (const std::string model = ModelOfSetKeys(); !model.empty())
    return fmt::format("assay init: a suite for {}", model);
  if (has_store) return "assay view: the runs of this folder";
  if (std::error_code unseen;
      std::filesystem::exists(std::filesystem::path(kDemoFolder) / Granted().store, unseen))
    return fmt::format("assay view {}: the runs of the example; assay init: one of your own", kDemoFolder);
  return "assay demo: an example whose answers are recorded; it needs no key";
}

}  // namespace

ExitCode DoctorCommand(const Options& options, Ui& ui) {
  if (options.shown.settings) return PrintSettings(options, ui);
  Map report;
  std::string text;
  for (const Section& section : kSections) {
    Map map;
    TextTable table({{std::string(section.name)}, {""}});
    for (Finding& finding : section.look(options)) {
      table.Add({finding.what, finding.says});
      map.Append(std::move(finding.what), std::move(finding.says));
    }
    text += (text.empty() ? "" : "\n") + table.Text(options.shown.screen);
    report.Append(std::string(section.name), std::move(map));
  }
  const std::string next = NextStep(options);
  text = fmt::format("next: {}\n\n{}", Printable(next), text);
  report.Append("next", next);
  ui.Out(options.shown.json ? ShownJson(WriteJson(Value(std::move(report)), JsonStyle::kJavaScript2)) + "\n"
                            : text);
  return ExitCode::kDone;
}

}  // namespace assay
