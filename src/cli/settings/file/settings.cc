// Merges the folder's assay.toml with the user's own, and removes those powers of the folder that the user
// has not trusted.
#include "cli/settings/file/settings.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "base/hash.h"
#include "base/text/shell_words.h"
#include "cli/settings/file/asky_config.h"
#include "cli/settings/file/settings_reader.h"
#include "cli/settings/options.h"
#include "cli/settings/trusted_folders.h"
#include "dialects/names.h"
#include "engine/network/key_file.h"
#include "text/json/json.h"
#include "text/toml.h"

namespace assay {

namespace {

using Digests = std::set<std::string, std::less<>>;

// What a file says; nothing if it is not there. `trusted`: null for the user's own.
Settings ReadFile(const std::string& path, const Digests* trusted, const Settings& own, FileReader& files,
                  SourceFiles& sources, Diagnostics& diagnostics) {
  if (!files.Exists(path)) return {};
  const Result<std::string> text = files.Read(path);
  if (!text) {
    diagnostics.Error("settings.unreadable", text.error().message, {});
    return {};
  }
  const FileId file = sources.Add(path, *text);
  const Value value = ReadToml(file, *text, diagnostics);
  return value.is_map() ? SettingsReader(sources, diagnostics, trusted, own).Read(value) : Settings();
}

bool IsSameFile(const std::string& a, const std::string& b) {
  std::error_code ignored;
  return std::filesystem::equivalent(a, b, ignored);
}

template <class List>
void Append(List& to, List& from) {
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

// Paths of the user's own file count from there, as those of a folder's count from the folder.
void PlacePaths(const std::string& own_path, Settings& own) {
  const std::filesystem::path folder = std::filesystem::path(own_path).parent_path();
  for (std::string& path : own.allowed_paths) path = (folder / path).lexically_normal().string();
  for (auto& [provider, path] : own.key_files) path = PlacedPath(folder.string(), path);
  for (NamedEndpoint& endpoint : own.endpoints) {
    if (!endpoint.key_file.empty()) endpoint.key_file = PlacedPath(folder.string(), endpoint.key_file);
  }
}

// What the folder says comes first.
void PutBelow(Settings own, Settings& folder) {
  Append(folder.options, own.options);
  folder.collections.merge(own.collections);
  for (const auto& [provider, limits] : own.limits) {
    ProviderLimits& of_folder = folder.limits[provider];
    if (!of_folder.max_in_flight) of_folder.max_in_flight = limits.max_in_flight;
    if (!of_folder.requests_per_min) of_folder.requests_per_min = limits.requests_per_min;
    if (!of_folder.tokens_per_min) of_folder.tokens_per_min = limits.tokens_per_min;
  }
  folder.base_urls.merge(own.base_urls);
  for (auto& [provider, path] : folder.key_files) path = PlacedPath("", path);
  for (NamedEndpoint& endpoint : folder.endpoints) {
    if (!endpoint.key_file.empty()) endpoint.key_file = PlacedPath("", endpoint.key_file);
  }
  folder.key_files.merge(own.key_files);
  Append(own.models, folder.models);  // the last word counts
  folder.models = std::move(own.models);
  folder.aliases.merge(own.aliases);
  Append(folder.endpoints, own.endpoints);
  if (folder.search_url.empty()) folder.search_url = std::move(own.search_url);
  if (folder.summarizer_alias.empty()) folder.summarizer_alias = std::move(own.summarizer_alias);
  Append(folder.allowed_environment, own.allowed_environment);
  Append(folder.allowed_hosts, own.allowed_hosts);
  Append(folder.allowed_paths, own.allowed_paths);
  Append(folder.allowed_programs, own.allowed_programs);
  Append(folder.programs, own.programs);
  Append(folder.written, own.written);
}

// Whether an asky configuration lies in this folder, and not merely in a home that does.
bool IsOfFolder(const std::string& asky, const std::string& folder) {
  const char* named = std::getenv("ASKY_HOME");
  if (named == nullptr || *named == '\0') return false;
  std::error_code problem;
  const std::string inner = std::filesystem::weakly_canonical(asky, problem).string() + "/";
  const std::string outer = std::filesystem::weakly_canonical(folder, problem).string() + "/";
  return inner.starts_with(outer);
}

// An asky configuration in the folder is one power: whatever its files say.
std::optional<Power> PowerOfAsky(const std::string& asky, const std::string& folder, FileReader& files) {
  if (asky.empty() || !IsOfFolder(asky, folder)) return std::nullopt;
  Map digests;
  for (const std::string_view name : {"models.toml", "api.toml", "general.toml"}) {
    const std::string path = fmt::format("{}/{}", asky, name);
    const Result<std::string> text = files.Exists(path) ? files.Read(path) : Result<std::string>("");
    if (text && !text->empty()) digests.Append(std::string(name), Hex(Sha256Of(*text)));
  }
  if (digests.empty()) return std::nullopt;
  return Power{.effect = PowerEffect::kAsky,
               .setting = "asky",
               .value = WriteJson(Value(std::move(digests)), JsonStyle::kCanonical),
               .says = fmt::format("takes models, addresses and keys of the asky configuration in {}", asky),
               .subject = asky,
               .origin = asky};
}

// Of an asky configuration that nobody has trusted the names are known, and lead nowhere.
void AddAsky(const std::string& asky, bool counts, FileReader& files, Settings& settings) {
  if (counts) return AddAskyModels(asky, files, settings);
  Settings with = settings;
  AddAskyModels(asky, files, with);
  settings.aliases_problem = with.aliases_problem;
  for (auto& [name, alias] : with.aliases) {
    if (settings.aliases.contains(name)) continue;
    alias.untrusted = true;
    alias.agent = {.shortlist = alias.agent.shortlist};
    settings.written.push_back({"models." + name, alias.model, alias.origin, false});
    settings.aliases.emplace(name, alias);
  }
}

std::string SettingsIn(const std::string& folder) {
  return folder == "." ? std::string(kSettingsPath) : fmt::format("{}/{}", folder, kSettingsPath);
}

// The powers of a folder, and nothing else of it.
std::vector<Power> FindPowers(const std::string& folder, const Settings& own, FileReader& files,
                              SourceFiles& sources, Diagnostics& diagnostics) {
  const Digests nothing;
  std::vector<Power> powers;
  if (!IsSameFile(SettingsIn(folder), OwnSettingsPath()))
    powers = ReadFile(SettingsIn(folder), &nothing, own, files, sources, diagnostics).powers;
  std::optional<Power> asky = PowerOfAsky(AskyFolder(), folder, files);
  if (asky) powers.push_back(*std::move(asky));
  return powers;
}

Settings ReadOwn(FileReader& files, SourceFiles& sources, Diagnostics& diagnostics) {
  const std::string path = OwnSettingsPath();
  if (path.empty()) return {};
  Settings own = ReadFile(path, nullptr, {}, files, sources, diagnostics);
  PlacePaths(path, own);
  return own;
}

}  // namespace

std::string OwnSettingsPath() {
  const char* config = std::getenv("XDG_CONFIG_HOME");
  if (config != nullptr && *config == '/') return fmt::format("{}/assay/{}", config, kSettingsPath);
  const char* home = std::getenv("HOME");
  return home != nullptr && *home == '/' ? fmt::format("{}/.config/assay/{}", home, kSettingsPath)
                                         : std::string();
}

std::vector<Power> PowersIn(const std::string& folder, FileReader& files, SourceFiles& sources,
                            Diagnostics& diagnostics) {
  Diagnostics of_own;  // they are told where it counts
  const Settings own = ReadOwn(files, sources, of_own);
  return FindPowers(folder, own, files, sources, diagnostics);
}

Settings ReadSettings(TrustGiven given, FileReader& files, SourceFiles& sources, Diagnostics& diagnostics) {
  static const std::string kHere = ".";
  Settings own = ReadOwn(files, sources, diagnostics);
  Diagnostics told_below;
  std::vector<Power> powers = FindPowers(kHere, own, files, sources, told_below);
  if (!powers.empty()) given.remembered.merge(RememberedPowers(kHere));
  Digests trusted = TrustedOf(powers, given);
  Settings settings;
  if (!IsSameFile(kSettingsPath, OwnSettingsPath()))
    settings = ReadFile(kSettingsPath, &trusted, own, files, sources, diagnostics);
  PutBelow(std::move(own), settings);
  bool asky_counts = true;
  if (!powers.empty() && powers.back().effect == PowerEffect::kAsky) {
    asky_counts = trusted.contains(DigestOf(powers.back()));
    if (!asky_counts) settings.withheld.push_back(powers.back());
  }
  settings.powers = std::move(powers);
  settings.trusted = std::move(trusted);
  AddAsky(AskyFolder(), asky_counts, files, settings);
  return settings;
}

namespace {

// Programs of the folder that the user names himself need no other trust.
void ReleasePrograms(const Options& options, Settings& settings) {
  std::vector<std::vector<std::string>> named;
  const std::vector<std::string>* const lists[] = {&options.granted.programs, &options.spec.models,
                                                   &options.spec.judges, &settings.allowed_programs,
                                                   &settings.programs};
  for (const auto* texts : lists) {
    for (const std::string& text : *texts) {
      const ModelAddress address = ModelAddressOf(text);
      const bool is_program = NamesProgram(address.provider);
      Result<std::vector<std::string>> words = SplitWords(is_program ? address.model : text);
      if (words && !words->empty()) named.push_back(*std::move(words));
    }
  }
  const auto is_named = [&named](const std::string& program) {
    const Result<std::vector<std::string>> words = SplitWords(program);
    return words && std::find(named.begin(), named.end(), *words) != named.end();
  };
  std::erase_if(settings.withheld, [&](const Power& power) {
    if (power.effect == PowerEffect::kProgram) return is_named(power.subject);
    const auto alias =
        power.effect == PowerEffect::kAlias ? settings.aliases.find(power.subject) : settings.aliases.end();
    if (alias == settings.aliases.end()) return false;
    const ModelAddress address = ModelAddressOf(alias->second.model);
    if (!NamesProgram(address.provider) || !is_named(address.model)) return false;
    alias->second.untrusted = false;
    return true;
  });
}

}  // namespace

void ApplySettings(Settings settings, Options& options, Withheld withheld) {
  ReleasePrograms(options, settings);
  for (OptionSetting& setting : settings.options) {
    if (!setting.counts && withheld == Withheld::kLeftOut) continue;
    const OptionRow* row = FindRunOption(setting.option);
    // The same member may be set under another name (--gen-retries).
    const bool is_set = std::any_of(OptionTable().begin(), OptionTable().end(), [&](const OptionRow& each) {
      return each.SetsSameAs(*row) && options.Given(each.LongName()) != nullptr;
    });
    if (is_set) {
      const GivenOption* given = options.Given(setting.option);
      if (given != nullptr && given->is_setting) continue;
      std::erase_if(settings.withheld, [&](const Power& power) {
        return power.effect == PowerEffect::kOption && power.subject == setting.option;
      });
      continue;
    }
    for (const std::string& value : setting.values) {
      const Status set = row->Set(value, options);
      ASSAY_ASSERT(set.has_value());  // the reader tried it
    }
    if (setting.option == "--pass-at") options.spec.pass_at_is_setting = true;
    options.given.push_back({setting.option, std::move(setting.values), std::move(setting.origin), true});
  }
  settings.options.clear();
  // Who says how many on the command line means it for every provider.
  const auto comes_first = [&](std::string_view option) {
    const GivenOption* given = options.Given(option);
    return given != nullptr && !given->is_setting;
  };
  for (auto& [provider, limits] : settings.limits) {
    if (comes_first("--max-in-flight")) limits.max_in_flight.reset();
    if (comes_first("--requests-per-min")) limits.requests_per_min.reset();
    if (comes_first("--tokens-per-min")) limits.tokens_per_min.reset();
  }
  options.granted.settings = std::move(settings);
}

}  // namespace assay
