// Reading assay.toml: a row for each key that has an option, a function for each table that has none.
#include "cli/settings/settings.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "base/limits.h"
#include "cli/settings/asky_config.h"
#include "cli/settings/options.h"
#include "cli/settings/settings_models.h"
#include "cli/terminal/progress.h"
#include "providers/provider.h"
#include "text/toml.h"

namespace assay {

namespace {

// Keys of [limits] and of [run] that are options: the same names, with dashes.
constexpr std::string_view kLimitKeys[] = {
    "max_in_flight", "requests_per_min", "tokens_per_min", "budget_usd", "budget_tokens", "max_errors",
    "timeout",       "idle_timeout",     "max_retries",    "max_time",   "batch_wait"};
constexpr std::string_view kRunKeys[] = {"stream", "batch"};
constexpr std::string_view kReportKeys[] = {"pass_at"};
constexpr std::string_view kResearchKeys[] = {"embedder"};
constexpr std::string_view kProviderLimitKeys[] = {"max_in_flight", "requests_per_min", "tokens_per_min"};
constexpr std::string_view kAllowKeys[] = {"env", "hosts", "paths", "exec"};

std::string OptionName(std::string_view key) {
  std::string name = fmt::format("--{}", key);
  std::replace(name.begin(), name.end(), '_', '-');
  return name;
}

const OptionRow* FindOption(std::string_view name) {
  const auto rows = OptionTable();
  const auto row = std::find_if(rows.begin(), rows.end(), [name](const OptionRow& each) {
    return each.LongName() == name && each.TakenBy("run");
  });
  return row == rows.end() ? nullptr : &*row;
}

std::string TextOf(const Value& value) {
  if (value.is_string()) return value.AsString();
  if (value.is_bool()) return value.AsBool() ? "true" : "false";
  if (value.kind() == ValueKind::kInt) return fmt::format("{}", value.AsInt());
  if (value.is_number()) return fmt::format("{}", value.AsNumber());
  return std::string(KindName(value));
}

bool IsListOfTexts(const Value& value) {
  return value.is_list() && std::all_of(value.AsList().begin(), value.AsList().end(),
                                        [](const Value& item) { return item.is_string(); });
}

class SettingsReader {
 public:
  SettingsReader(const SourceFiles& sources, Diagnostics& diagnostics)
      : sources_(sources), diagnostics_(diagnostics) {}

  Settings Read(const Value& file) {
    for (const Member& member : file.AsMap()) {
      const auto* table = std::find_if(std::begin(kTables), std::end(kTables),
                                       [&](const Table& each) { return each.name == member.key; });
      if (table == std::end(kTables)) {
        Unknown(member, TableNames(), "in assay.toml");
      } else if (!member.value.is_map()) {
        Wrong(member.value, fmt::format("{}: expected a table, found {}", member.key, KindName(member.value)),
              fmt::format("write [{}], then its keys", member.key));
      } else {
        for (const Member& entry : member.value.AsMap()) (this->*table->read)(entry);
      }
    }
    return std::move(settings_);
  }

 private:
  struct Table {
    std::string_view name;
    void (SettingsReader::*read)(const Member& entry);
  };
  static const Table kTables[10];

  static std::vector<std::string_view> TableNames() {
    std::vector<std::string_view> names;
    for (const Table& table : kTables) names.push_back(table.name);
    return names;
  }

  void Wrong(const Value& value, std::string message, std::string hint) {
    diagnostics_.Error("settings.value", std::move(message), value.span, std::move(hint));
  }

  void Unknown(const Member& member, std::span<const std::string_view> known, std::string_view where) {
    const std::string_view near = DidYouMean(member.key, known);
    diagnostics_.Warning("settings.unknown-key", fmt::format("unknown key {} {}", Quoted(member.key), where),
                         member.key_span,
                         near.empty() ? "it has no effect" : fmt::format("did you mean \"{}\"?", near));
  }

  std::string Origin(const Member& member) const {
    return fmt::format("{}:{}", kSettingsPath, sources_.Locate(member.key_span).line);
  }

  void Note(std::string name, std::string value, const Member& member) {
    settings_.written.push_back({std::move(name), std::move(value), Origin(member)});
  }

  void ReadCollection(const Member& member) {
    const bool is_name = !member.key.empty() &&
                         std::none_of(member.key.begin(), member.key.end(),
                                      [](char c) { return (c >= 'a' && c <= 'z') || c == ':' || c == '/'; });
    if (!is_name) {
      diagnostics_.Error("settings.collection",
                         fmt::format("{} cannot name a collection", Quoted(member.key)), member.key_span,
                         "use capitals, digits, - and _: anything else is read as a model");
    }
    if (!IsListOfTexts(member.value)) {
      diagnostics_.Error("settings.collection",
                         fmt::format("collection {}: expected a list of models, found {}", Quoted(member.key),
                                     KindName(member.value)),
                         member.value.span, "write [\"provider:model\", ...]");
      return;
    }
    std::vector<std::string>& models = settings_.collections[member.key];
    for (const Value& model : member.value.AsList()) models.push_back(model.AsString());
    Note("collections." + member.key, Counted(models.size(), "model"), member);
  }

  // A key of [limits], or a table of one provider.
  void ReadLimit(const Member& member) {
    if (member.value.is_map()) {
      ReadProviderLimits(member);
      return;
    }
    ReadOption(member, kLimitKeys, "limits");
  }

  // Who judges, as --judge says it.
  // What the research agent works with.
  void ReadResearch(const Member& member) {
    static constexpr std::string_view kKeys[] = {"search_url", "summarizer", "embedder"};
    if (member.key == kKeys[2]) return ReadOption(member, kResearchKeys, "research");
    std::string* const place = member.key == kKeys[0]   ? &settings_.search_url
                               : member.key == kKeys[1] ? &settings_.summarizer_alias
                                                        : nullptr;
    if (place == nullptr) {
      Unknown(member, kKeys, "in [research]");
      return;
    }
    if (!member.value.is_string() || member.value.AsString().empty()) {
      Wrong(member.value, fmt::format("{}: expected a text, found {}", member.key, KindName(member.value)),
            member.key == kKeys[0] ? "write the address of a SearXNG server: \"https://search.example.org\""
                                   : "write a model or an alias: \"openai:gpt-4o-mini\"");
      return;
    }
    *place = member.value.AsString();
    Note("research." + member.key, *place, member);
  }

  void ReadJudges(const Member& member) {
    static constexpr std::string_view kKeys[] = {"models"};
    if (member.key != kKeys[0]) {
      Unknown(member, kKeys, "in [judges]");
      return;
    }
    if (!IsListOfTexts(member.value) || member.value.AsList().empty()) {
      Wrong(member.value, fmt::format("models: expected a list of models, found {}", KindName(member.value)),
            "write [\"provider:model\", ...]");
      return;
    }
    std::vector<std::string> models;
    for (const Value& model : member.value.AsList()) models.push_back(model.AsString());
    settings_.options.push_back({FindOption("--judge")->LongName(), std::move(models), Origin(member)});
  }

  void ReadRunOption(const Member& member) { ReadOption(member, kRunKeys, "run"); }
  void ReadReportOption(const Member& member) { ReadOption(member, kReportKeys, "report"); }

  // A key of a table whose keys are options.
  void ReadOption(const Member& member, std::span<const std::string_view> keys, std::string_view table) {
    if (std::find(keys.begin(), keys.end(), member.key) == keys.end()) {
      Unknown(member, keys, fmt::format("in [{}]", table));
      return;
    }
    const OptionRow* row = FindOption(OptionName(member.key));
    ASSAY_ASSERT(row != nullptr);
    const std::string text = TextOf(member.value);
    Options ignored;
    if (const Status usable = row->set(text, ignored); !usable) {
      Wrong(member.value, fmt::format("{}: {}", member.key, usable.error().message),
            fmt::format("it is what {} takes", row->LongName()));
      return;
    }
    settings_.options.push_back({row->LongName(), {text}, Origin(member)});
    Note(fmt::format("{}.{}", table, member.key), text, member);
  }

  bool IsProvider(const Member& member, std::span<const std::string_view> others) {
    std::vector<std::string_view> names(others.begin(), others.end());
    for (const ProviderRow& row : ProviderTable()) names.push_back(row.name);
    if (std::find(names.begin(), names.end(), member.key) != names.end()) return true;
    const std::string_view near = DidYouMean(member.key, names);
    diagnostics_.Error(
        "settings.provider", fmt::format("there is no provider {}", Quoted(member.key)), member.key_span,
        near.empty() ? "`assay list providers` names them all" : fmt::format("did you mean \"{}\"?", near));
    return false;
  }

  void ReadProviderLimits(const Member& provider) {
    static constexpr std::string_view kOthers[] = {"service", "program"};
    if (!IsProvider(provider, kOthers)) return;
    ProviderLimits& limits = settings_.limits[provider.key];
    for (const Member& member : provider.value.AsMap()) {
      const double number = member.value.is_number() ? member.value.AsNumber() : 0;
      const bool is_known = std::find(std::begin(kProviderLimitKeys), std::end(kProviderLimitKeys),
                                      member.key) != std::end(kProviderLimitKeys);
      if (!is_known) {
        Unknown(member, kProviderLimitKeys, fmt::format("in [limits.{}]", provider.key));
      } else if (!(number >= 1)) {
        Wrong(member.value,
              fmt::format("{}: expected a number from 1, found {}", member.key, Quoted(TextOf(member.value))),
              "write a number");
      } else {
        if (member.key == "max_in_flight")
          limits.max_in_flight =
              static_cast<std::size_t>(std::min(number, static_cast<double>(limits::kMaxInFlightMax)));
        if (member.key == "requests_per_min") limits.requests_per_min = number;
        if (member.key == "tokens_per_min") limits.tokens_per_min = number;
        Note(fmt::format("limits.{}.{}", provider.key, member.key), TextOf(member.value), member);
      }
    }
  }

  void ReadBaseUrl(const Member& member) {
    if (!IsProvider(member, {})) return;
    const std::string url = TextOf(member.value);
    if (!url.starts_with("http://") && !url.starts_with("https://")) {
      Wrong(member.value, fmt::format("{}: expected a URL, found {}", member.key, Quoted(url)),
            "write \"https://...\"");
      return;
    }
    settings_.base_urls[member.key] = url;
    Note("base_urls." + member.key, url, member);
  }

  void ReadPrice(const Member& member) {
    std::string said;
    std::optional<OwnFacts> own = ReadOwnPrice(member, diagnostics_, said);
    if (!own) return;
    Note("prices." + member.key, said, member);
    settings_.models.push_back(*std::move(own));
  }

  // [models.NAME] with a `model` gives that model a name.
  void ReadAlias(const Member& member) {
    static constexpr std::string_view kKeys[] = {"model",          "base_url",  "key_env",  "parameters",
                                                 "context_tokens", "max_turns", "shortlist"};
    constexpr double kContextTokensMax = 1e9;
    constexpr double kAgentTurnsMax = 200;
    const auto is_count = [](const Member& part, std::string_view key, double most) {
      if (part.key != key || !part.value.is_number()) return false;
      const double count = part.value.AsNumber();
      return count >= 1 && count <= most && std::trunc(count) == count;
    };
    ModelAlias alias{.model = {}, .origin = Origin(member)};
    std::string key_variable;
    for (const Member& part : member.value.AsMap()) {
      if (part.key == "parameters" && part.value.is_map()) {
        alias.parameters = part.value.AsMap();
      } else if (part.key == "model" && part.value.is_string()) {
        alias.model = part.value.AsString();
      } else if (part.key == "base_url" && part.value.is_string()) {
        alias.base_url = part.value.AsString();
      } else if (part.key == "key_env" && part.value.is_string()) {
        key_variable = part.value.AsString();
      } else if (is_count(part, "context_tokens", kContextTokensMax)) {
        alias.agent.context_tokens = static_cast<std::int64_t>(part.value.AsNumber());
      } else if (is_count(part, "max_turns", kAgentTurnsMax)) {
        alias.agent.max_turns = static_cast<std::uint32_t>(part.value.AsNumber());
      } else if (part.key == "shortlist" && part.value.is_bool()) {
        alias.agent.shortlist = part.value.AsBool();
      } else if (std::find(std::begin(kKeys), std::end(kKeys), part.key) == std::end(kKeys)) {
        Unknown(part, kKeys, fmt::format("in [models.{}]", member.key));
      } else {
        Wrong(
            part.value,
            fmt::format("models.{}.{}: expected another kind of value, found {}", member.key, part.key,
                        KindName(part.value)),
            "model, base_url and key_env are texts, parameters is a table, context_tokens and max_turns are "
            "whole numbers from 1, shortlist is true or false");
      }
    }
    if (!key_variable.empty() && alias.base_url.empty())
      Wrong(member.value, fmt::format("models.{}: key_env without a base_url", member.key),
            "write where the key belongs to: base_url = \"https://...\"");
    if (!alias.base_url.empty()) {
      settings_.endpoints.push_back({.provider = alias.model.substr(0, alias.model.find(':')),
                                     .base_url = alias.base_url,
                                     .key_variable = std::move(key_variable)});
    }
    Note("models." + member.key, alias.model, member);
    settings_.aliases.insert_or_assign(member.key, std::move(alias));
  }

  void ReadModel(const Member& member) {
    if (member.value.is_map() && member.value.Find("model") != nullptr) return ReadAlias(member);
    std::string said;
    std::optional<OwnFacts> own = ReadOwnFacts(member, diagnostics_, said);
    if (!own) return;
    Note("models." + member.key, said, member);
    settings_.models.push_back(*std::move(own));
  }

  void ReadGrant(const Member& member) {
    std::vector<std::string>* grants = nullptr;
    if (member.key == "env") grants = &settings_.allowed_environment;
    if (member.key == "hosts") grants = &settings_.allowed_hosts;
    if (member.key == "paths") grants = &settings_.allowed_paths;
    if (member.key == "exec") grants = &settings_.allowed_programs;
    if (grants == nullptr) {
      Unknown(member, kAllowKeys, "in [allow]");
      return;
    }
    if (!IsListOfTexts(member.value)) {
      Wrong(member.value,
            fmt::format("{}: expected a list of texts, found {}", member.key, KindName(member.value)),
            "write [\"...\"]");
      return;
    }
    std::string all;
    for (const Value& item : member.value.AsList()) {
      grants->push_back(item.AsString());
      all += (all.empty() ? "" : ", ") + item.AsString();
    }
    Note("allow." + member.key, all, member);
  }

  const SourceFiles& sources_;
  Diagnostics& diagnostics_;
  Settings settings_;
};

const SettingsReader::Table SettingsReader::kTables[10] = {
    {"collections", &SettingsReader::ReadCollection}, {"limits", &SettingsReader::ReadLimit},
    {"run", &SettingsReader::ReadRunOption},          {"report", &SettingsReader::ReadReportOption},
    {"prices", &SettingsReader::ReadPrice},           {"models", &SettingsReader::ReadModel},
    {"base_urls", &SettingsReader::ReadBaseUrl},      {"allow", &SettingsReader::ReadGrant},
    {"judges", &SettingsReader::ReadJudges},          {"research", &SettingsReader::ReadResearch},
};

}  // namespace

Settings ReadSettings(FileReader& files, SourceFiles& sources, Diagnostics& diagnostics) {
  Settings settings;
  if (files.Exists(kSettingsPath)) {
    const Result<std::string> text = files.Read(kSettingsPath);
    if (!text) {
      diagnostics.Error("settings.unreadable", text.error().message, {});
      return {};
    }
    const FileId file = sources.Add(kSettingsPath, *text);
    const Value value = ReadToml(file, *text, diagnostics);
    if (value.is_map()) settings = SettingsReader(sources, diagnostics).Read(value);
  }
  AddAskyModels(AskyFolder(), files, settings);
  return settings;
}

void ApplySettings(Settings settings, Options& options) {
  for (OptionSetting& setting : settings.options) {
    const OptionRow* row = FindOption(setting.option);
    // The same member may be set under another name (--gen-retries).
    const bool is_set = std::any_of(OptionTable().begin(), OptionTable().end(), [&](const OptionRow& each) {
      return each.set == row->set && options.Given(each.LongName()) != nullptr;
    });
    if (is_set) continue;
    for (const std::string& value : setting.values) {
      const Status set = row->set(value, options);
      ASSAY_ASSERT(set.has_value());  // the reader tried it
    }
    options.given.push_back({setting.option, std::move(setting.values), std::move(setting.origin)});
  }
  settings.options.clear();
  // Who says how many on the command line means it for every provider.
  const auto comes_first = [&](std::string_view option) {
    const GivenOption* given = options.Given(option);
    return given != nullptr && !given->origin.starts_with(kSettingsPath);
  };
  for (auto& [provider, limits] : settings.limits) {
    if (comes_first("--max-in-flight")) limits.max_in_flight.reset();
    if (comes_first("--requests-per-min")) limits.requests_per_min.reset();
    if (comes_first("--tokens-per-min")) limits.tokens_per_min.reset();
  }
  options.settings = std::move(settings);
}

}  // namespace assay
