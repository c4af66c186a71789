// Plans the run as if every power counted, and compares whom the plan asks with what each power allows.
#include "cli/commands/parts/powers_used.h"

#include <algorithm>
#include <set>

#include "base/files/scoped_files.h"
#include "base/text/ascii.h"
#include "base/text/shell_words.h"
#include "cli/files/watched_files.h"
#include "dialects/names.h"
#include "engine/open/ingested.h"
#include "engine/open/loaded.h"
#include "engine/plan/planned.h"
#include "plan/answers/generator.h"
#include "providers/facts/model_facts.h"
#include "providers/provider.h"
#include "spec/suite/suite.h"

namespace assay {

namespace {

bool IsProgram(std::string_view provider) {
  const ProviderRow* row = FindProvider(provider);
  return row != nullptr && row->route == Route::kProgram;
}

bool IsSameCommand(std::string_view a, std::string_view b) {
  const Result<std::vector<std::string>> words = SplitWords(a);
  const Result<std::vector<std::string>> others = SplitWords(b);
  return words && others && *words == *others;
}

// The folder's run, if everything counted.
struct Trial {
  Options options;
  Planned planned;
  std::vector<ModelToAsk> asked;
  std::string texts;               // all that was read of the suite, in small letters
  std::vector<std::string> paths;  // that were asked for

  bool Asks(auto fits) const { return std::any_of(asked.begin(), asked.end(), fits); }
  bool AsksProvider(std::string_view name) const {
    return Asks([name](const ModelToAsk& model) { return model.provider == name; });
  }
};

Trial TryAll(const Options& run) {
  Trial trial{.options = run, .planned = {}, .asked = {}, .texts = {}, .paths = {}};
  CountPowers(nullptr, trial.options);
  WatchedFiles files;
  SourceFiles sources;
  trial.planned = MakePlan(Load(trial.options.spec, trial.options.granted, files, sources),
                           trial.options.spec, trial.options.granted, Purpose::kPrice);
  for (const auto& [path, state] : files.StatesNow()) trial.paths.push_back(path);
  if (trial.planned.plan == nullptr) return trial;
  const Suite& suite = trial.planned.plan->suite();
  for (const SourceFile& file : suite.files) trial.texts += AsciiLower(sources.Text(file.file));
  if (trial.planned.dialect->documents != nullptr) {
    for (const CaseDocument& document : trial.planned.dialect->documents(suite))
      trial.paths.push_back(document.path);
  }
  if (run.granted.calls.offline) return trial;
  trial.asked = ModelsOfRun(trial.planned, run.spec);
  return trial;
}

bool UsesOption(const Power&, const Options&, const Trial&) { return true; }

bool UsesAddress(const Power& power, const Options&, const Trial& trial) {
  const auto& settings = trial.options.granted.settings.base_urls;
  const auto said = settings.find(power.subject);
  const Endpoint* endpoint = trial.planned.endpoints.Find(power.subject);
  const bool is_in_force =
      said != settings.end() && endpoint != nullptr && endpoint->base_url == said->second;
  return is_in_force && trial.AsksProvider(power.subject);
}

bool UsesKeyFile(const Power& power, const Options&, const Trial& trial) {
  return trial.AsksProvider(power.subject);
}

bool UsesAlias(const Power& power, const Options&, const Trial& trial) {
  const auto alias = trial.options.granted.settings.aliases.find(power.subject);
  if (alias == trial.options.granted.settings.aliases.end()) return false;
  const ModelAddress address = ModelAddressOf(alias->second.model);
  return trial.Asks([&](const ModelToAsk& model) {
    return model.provider == address.provider && model.model == address.model &&
           model.base_url == alias->second.base_url;
  });
}

bool UsesProgram(const Power& power, const Options&, const Trial& trial) {
  const ModelAddress address = ModelAddressOf(power.subject);
  const std::string_view command = IsProgram(address.provider) ? address.model : power.subject;
  return trial.Asks([&](const ModelToAsk& model) {
    return IsProgram(model.provider) && IsSameCommand(model.model, command);
  });
}

// Programs are given what they may have of the environment, suites what they name.
bool UsesVariable(const Power& power, const Options&, const Trial& trial) {
  return trial.Asks([](const ModelToAsk& model) { return IsProgram(model.provider); }) ||
         trial.texts.find(AsciiLower(power.subject)) != std::string::npos;
}

bool UsesHost(const Power& power, const Options&, const Trial& trial) {
  return trial.texts.find(AsciiLower(power.subject)) != std::string::npos;
}

bool UsesPath(const Power& power, const Options& run, const Trial& trial) {
  DiskFileReader disk;
  ScopedFileReader now = FilesOf(run.spec, run.granted, trial.planned.dialect, disk);
  ScopedFileReader with(disk, {power.subject});
  return std::any_of(trial.paths.begin(), trial.paths.end(),
                     [&](const std::string& path) { return with.Exists(path) && !now.Exists(path); });
}

bool UsesAgentSetting(const Power&, const Options&, const Trial& trial) {
  return !trial.asked.empty() && trial.planned.plan->HasAnswerer(&GeneratorRow::has_agent_settings);
}

bool UsesFacts(const Power& power, const Options&, const Trial& trial) {
  return trial.Asks(
      [&](const ModelToAsk& model) { return FitsName(power.subject, model.provider + ":" + model.model); });
}

bool UsesPace(const Power& power, const Options&, const Trial& trial) {
  return FindProvider(power.subject) == nullptr || trial.AsksProvider(power.subject);
}

// Any name of it that is asked, or what the agent is given of it.
bool UsesAsky(const Power& power, const Options& run, const Trial& trial) {
  for (const auto& [name, alias] : trial.options.granted.settings.aliases) {
    if (alias.origin.starts_with(power.subject) && UsesAlias({.subject = name}, run, trial)) return true;
  }
  return UsesAgentSetting(power, run, trial);
}

struct EffectRow {
  PowerEffect effect;
  bool (*is_used)(const Power& power, const Options& run, const Trial& trial);
};
constexpr EffectRow kEffects[] = {
    {PowerEffect::kOption, UsesOption},
    {PowerEffect::kAddress, UsesAddress},
    {PowerEffect::kAlias, UsesAlias},
    {PowerEffect::kProgram, UsesProgram},
    {PowerEffect::kEnvironment, UsesVariable},
    {PowerEffect::kHost, UsesHost},
    {PowerEffect::kPath, UsesPath},
    {PowerEffect::kAgent, UsesAgentSetting},
    {PowerEffect::kModelFacts, UsesFacts},
    {PowerEffect::kPace, UsesPace},
    {PowerEffect::kAsky, UsesAsky},
    {PowerEffect::kKeyFile, UsesKeyFile},
};

bool IsUsed(const Power& power, const Options& run, const Trial& trial) {
  const auto* row = std::find_if(std::begin(kEffects), std::end(kEffects),
                                 [&](const EffectRow& each) { return each.effect == power.effect; });
  ASSAY_ASSERT(row != std::end(kEffects));
  // Without a plan nothing is asked; what is set already, and what was read, is there all the same.
  const bool needs_plan = power.effect != PowerEffect::kOption && power.effect != PowerEffect::kPath;
  if (needs_plan && trial.planned.plan == nullptr) return false;
  return row->is_used(power, run, trial);
}

// Another command may take the option under another name.
bool PrepareTakes(std::string_view option) {
  const auto rows = OptionTable();
  const auto set_of = [&](std::string_view command) {
    return std::find_if(rows.begin(), rows.end(), [&](const OptionRow& row) {
      return row.LongName() == option && row.TakenBy(command);
    });
  };
  return set_of("prepare") != rows.end();
}

}  // namespace

std::vector<Power> PowersUsed(const Options& run) {
  std::vector<Power> used;
  if (run.granted.settings.withheld.empty()) return used;
  const Trial trial = TryAll(run);
  for (const Power& power : run.granted.settings.withheld) {
    if (IsUsed(power, run, trial)) used.push_back(power);
  }
  return used;
}

std::vector<Power> TrustedPowersUsed(const Options& run) {
  std::vector<Power> used;
  const Settings& settings = run.granted.settings;
  if (settings.trusted.empty()) return used;
  // What a path of the folder opens is seen only from where none of them counts.
  Options without = run;
  std::erase_if(without.granted.settings.allowed_paths, [&](const std::string& path) {
    return std::any_of(settings.powers.begin(), settings.powers.end(), [&path](const Power& power) {
      return power.effect == PowerEffect::kPath && power.subject == path;
    });
  });
  const Trial trial = TryAll(run);
  for (const Power& power : settings.powers) {
    const GivenOption* given = power.effect == PowerEffect::kOption ? run.Given(power.subject) : nullptr;
    const bool is_overruled =
        power.effect == PowerEffect::kOption && (given == nullptr || !given->is_setting);
    if (!power.is_idle && !is_overruled && settings.trusted.contains(DigestOf(power)) &&
        IsUsed(power, without, trial))
      used.push_back(power);
  }
  return used;
}

std::vector<Power> PowersUsed(const Options& options, const research::Dataset& dataset) {
  std::vector<Power> used;
  for (const Power& power : options.granted.settings.withheld) {
    const bool is_named =
        std::any_of(dataset.docs.begin(), dataset.docs.end(), [&](const research::Document& document) {
          if (power.effect == PowerEffect::kPath) return document.url.starts_with("file:");
          return power.effect == PowerEffect::kHost &&
                 AsciiLower(document.url).find(AsciiLower(power.subject)) != std::string::npos;
        });
    if (is_named || (power.effect == PowerEffect::kOption && PrepareTakes(power.subject)))
      used.push_back(power);
  }
  return used;
}

void CountPowers(const std::vector<Power>* also, Options& options) {
  TrustGiven given = TrustOf(options.granted);
  given.everything = given.everything || also == nullptr;
  if (also != nullptr) {
    for (const Power& power : *also) given.remembered.insert(DigestOf(power));
  }
  DiskFileReader files;
  SourceFiles sources;
  Diagnostics told_already;
  ApplySettings(ReadSettings(std::move(given), files, sources, told_already), options, Withheld::kApplied);
}

}  // namespace assay
