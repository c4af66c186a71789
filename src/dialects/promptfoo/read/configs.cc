// Reads config files, and joins them.
#include "dialects/promptfoo/read/configs.h"

#include <fmt/core.h>

#include <utility>

#include "dialects/promptfoo/keys.h"
#include "dialects/promptfoo/read/choose.h"
#include "dialects/promptfoo/read/context.h"
#include "dialects/promptfoo/read/documents.h"
#include "dialects/promptfoo/read/environment_files.h"
#include "dialects/promptfoo/read/paths.h"
#include "dialects/promptfoo/read/prompts.h"
#include "dialects/promptfoo/read/providers.h"
#include "dialects/promptfoo/read/tests.h"
#include "text/javascript/text.h"
#include "text/nunjucks/nunjucks.h"
#include "text/object.h"

namespace assay::promptfoo {

namespace {

// Keys that mean nothing here, and what to do instead.
struct UnsupportedKey {
  std::string_view name;
  std::string_view hint;
};
constexpr UnsupportedKey kUnsupported[] = {
    {"redteam", "assay has no attacks on models"},
    {"tracing", "docs/caching.md says what a run keeps of each request"},
    {"sharing", "assay publishes nothing"},
    {"outputPath", "every run writes promptfoo.json; -o FILE of `assay eval` and --export write others"},
};

class ConfigReader {
 public:
  ConfigReader(const EvalOptions& options, const ReadAccess& access)
      : options_(options),
        context_{options_, access.files, access.sources, access.diagnostics, config_.code} {}

  std::optional<Config> Read(const std::vector<std::string>& paths) {
    const std::size_t errors = context_.diagnostics.ErrorCount();
    const std::vector<std::string> files = FilesNamed(paths);
    config_.folder = files.empty() ? options_.folder : FolderOf(files.front());
    ReadEnvironmentFiles(config_.folder, context_.files, context_.diagnostics, options_);
    Map command_line;
    for (const std::string& path : files) ReadFile(path, command_line);
    ReadOptionsInstead();
    Finish(errors, OptionsWith(options_, command_line, context_.diagnostics));
    if (context_.diagnostics.ErrorCount() > errors) return std::nullopt;
    return std::move(config_);
  }

 private:
  // The configs that the user names, by paths and patterns.
  std::vector<std::string> FilesNamed(const std::vector<std::string>& paths) {
    std::vector<std::string> files;
    for (const std::string& path : paths) {
      std::vector<std::string> found =
          HasGlobMarks(path) ? FilesOf(context_.files, "", path) : std::vector<std::string>{path};
      if (found.empty())
        Complain("promptfoo.file", fmt::format("no file is named {}", Quoted(path)), {},
                 "name a config, promptfooconfig.yaml");
      files.insert(files.end(), found.begin(), found.end());
    }
    return files;
  }

  void Complain(std::string code, std::string message, Span where, std::string hint) {
    context_.Error(std::move(code), std::move(message), where, std::move(hint));
  }

  // The process's variables as templates see them.
  Map ProcessEnvironment() const {
    Map environment;
    if (options_.IsOn("PROMPTFOO_SELF_HOSTED") || options_.IsOn("PROMPTFOO_DISABLE_TEMPLATE_ENV_VARS"))
      return environment;
    for (const auto& [name, value] : options_.environment) environment.Set(name, value);
    return environment;
  }

  // `env` of a config; its values may name variables of the process.
  void AddEnvironment(const Map& document, Map& environment) {
    if (!IsMapping(document, "env")) return;
    Value own(document.MapAt("env"));
    Nunjucks of_process(environment);
    RenderEnvironment(own, of_process, context_.diagnostics);
    for (const Member& member : own.AsMap()) {
      environment.Set(member.key, JsTextOf(member.value));
      config_.environment.Set(member.key, JsTextOf(member.value));
    }
  }

  void ReadFile(const std::string& path, Map& command_line) {
    if (IsJavaScriptPath(path)) {
      Complain("promptfoo.code",
               fmt::format("{}: the config is a program, which is not run here", Quoted(path)), {},
               "write it as YAML: promptfoo's `export` or a short script of Node does it");
      return;
    }
    const std::optional<FileId> file = ReadSource(context_, path, {});
    if (!file) return;
    std::optional<Value> document = ReadDocumentText(context_, path, *file);
    if (!document) return;
    if (document->is_nullish()) document = Value(Map());
    if (!document->is_map())
      return Complain(
          "promptfoo.file",
          fmt::format("expected a mapping of prompts, providers and tests, found {}", KindName(*document)),
          document->span, "write prompts: …, providers: … and tests: …");
    Map environment = ProcessEnvironment();
    AddEnvironment(document->AsMap(), environment);
    Nunjucks templates(std::move(environment));
    RenderEnvironment(*document, templates, context_.diagnostics);
    WarnOfUnknownKeys(document->AsMap(), kConfigPlace, context_.diagnostics);
    TakeDocument(document->AsMap(), FolderOf(path), command_line);
  }

  void TakeDocument(const Map& document, const std::string& folder, Map& command_line) {
    const std::string& description = document.TextAt("description");
    if (!description.empty()) config_.description += (config_.description.empty() ? "" : ", ") + description;
    const auto value_of = [&](std::string_view key) { return document.Find(key); };
    if (const Value* prompts = value_of("prompts"); prompts != nullptr && !prompts->is_null()) {
      has_prompts_ = true;
      if (options_.prompts.empty()) ReadPrompts(context_, *prompts, folder, seen_prompts_, config_.prompts);
    }
    const Value* providers = value_of("targets");
    if (providers == nullptr || providers->is_null()) providers = value_of("providers");
    if (providers != nullptr && !providers->is_null() && options_.providers.empty())
      ReadProviders(context_, *providers, folder, seen_providers_, config_.providers);
    if (const Value* tests = value_of("tests"); tests != nullptr && options_.tests.empty())
      ReadTests(context_, *tests, folder, config_.tests);
    if (const Value* scenarios = value_of("scenarios"); scenarios != nullptr && !scenarios->is_null()) {
      has_scenarios_ = true;
      ReadScenarios(context_, *scenarios, folder, scenario_count_, config_.scenario_tests);
    }
    if (const Value* given = value_of("defaultTest"); given != nullptr && !given->is_null()) {
      has_default_test_ = true;
      if (const std::optional<Test> test = ReadPartOfTest(context_, *given, folder))
        config_.default_test = Joined(config_.default_test, *test);
    }
    ReadRest(document, command_line);
  }

  void ReadRest(const Map& document, Map& command_line) {
    AddMap(document, "evaluateOptions", kEvaluateOptionsPlace, config_.evaluate_options);
    AddMap(document, "commandLineOptions", kCommandLinePlace, command_line);
    for (const Member& member : document.MapAt("metadata")) config_.metadata.Set(member.key, member.value);
    for (const Value& metric : document.ListAt("derivedMetrics")) config_.derived_metrics.push_back(metric);
    for (const Member& filter : document.MapAt("nunjucksFilters"))
      config_.code.push_back(
          {.use = CodeUse::kFilter, .named = JsTextOf(filter.value), .where = filter.value.span});
    for (const Value& hook : document.ListAt("extensions"))
      config_.code.push_back({.use = CodeUse::kHook, .named = JsTextOf(hook), .where = hook.span});
    for (const UnsupportedKey& key : kUnsupported) {
      const Member* member = document.FindMember(key.name);
      const bool is_off = member == nullptr || !member->value.Truthy();
      if (!is_off)
        context_.diagnostics.Warning("promptfoo.unsupported", fmt::format("{} has no effect here", key.name),
                                     member->key_span, std::string(key.hint));
    }
  }

  // Whether the member is a mapping, or is not there; else it is a problem.
  bool IsMapping(const Map& document, std::string_view key) {
    const Value* given = document.Find(key);
    if (given == nullptr || given->is_null() || given->is_map()) return true;
    Complain("promptfoo.file", fmt::format("{}: expected a mapping, found {}", key, KindName(*given)),
             given->span, fmt::format("write {}: {{NAME: VALUE}}", key));
    return false;
  }

  void AddMap(const Map& document, std::string_view key, const KeyPlace& place, Map& into) {
    if (!IsMapping(document, key)) return;
    WarnOfUnknownKeys(document.MapAt(key), place, context_.diagnostics);
    for (const Member& member : document.MapAt(key)) into.Set(member.key, member.value, member.key_span);
  }

  // What the command line names in place of the configs' own.
  void ReadOptionsInstead() {
    const std::string& folder = options_.folder;
    if (!options_.prompts.empty()) {
      has_prompts_ = true;
      ReadPrompts(context_, ArrayOf(options_.prompts), folder, seen_prompts_, config_.prompts);
    }
    if (!options_.providers.empty())
      ReadProviders(context_, ArrayOf(options_.providers), folder, seen_providers_, config_.providers);
    if (!options_.tests.empty()) ReadTests(context_, Value(options_.tests), folder, config_.tests);
  }

  void Finish(std::size_t errors, const EvalOptions& options) {
    if (context_.diagnostics.ErrorCount() > errors) return;
    if (!has_prompts_) config_.prompts.push_back({.label = "{{prompt}}", .raw = "{{prompt}}"});
    const bool has_tests = !config_.tests.empty() || !config_.scenario_tests.empty();
    const bool is_bare = config_.tests.empty() && !has_scenarios_ && !MayMakeTests();
    ApplyOptions(options, has_default_test_, config_, context_.diagnostics);
    // Where nobody wrote a test, there is one without anything; where none is left, there is none.
    if (is_bare) config_.tests.emplace_back();
    const bool lost_all = has_tests && config_.tests.empty() && config_.scenario_tests.empty();
    if (lost_all && options_.is_compatible)
      context_.diagnostics.Warning("promptfoo.tests", "the options leave no test", {}, "nothing is asked");
    if (lost_all && !options_.is_compatible)
      Complain("promptfoo.tests", "the options leave no test", {}, "choose with other filters");
    if (config_.prompts.empty())
      Complain("promptfoo.prompt", "expected at least one prompt, found none", {},
               "write prompts: [TEXT], or a --filter-prompts that leaves one");
    if (config_.providers.empty())
      Complain("promptfoo.provider", "expected at least one provider, found none", {},
               "write providers: [openai:gpt-6-luna], or a --filter-providers that leaves one");
  }

  bool MayMakeTests() const {
    for (const Code& code : config_.code) {
      if (code.use == CodeUse::kTests) return true;
    }
    return false;
  }

  EvalOptions options_;
  Config config_;
  ReadContext context_;
  SeenEntries seen_prompts_;
  SeenEntries seen_providers_;
  std::size_t scenario_count_ = 0;
  bool has_prompts_ = false;
  bool has_scenarios_ = false;
  bool has_default_test_ = false;
};

}  // namespace

std::optional<Config> ReadConfigs(const std::vector<std::string>& paths, const EvalOptions& options,
                                  const ReadAccess& access) {
  return ConfigReader(options, access).Read(paths);
}

}  // namespace assay::promptfoo
