// Reads assay.toml: the table of its keys, each with the kind of setting it is and the function that reads
// it.
#include "cli/settings/file/settings_reader.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "base/limits.h"
#include "base/text/ascii.h"
#include "base/text/option_text.h"
#include "base/wire/url.h"
#include "cli/settings/file/settings_models.h"
#include "cli/settings/options.h"
#include "dialects/names.h"
#include "engine/words.h"
#include "providers/provider.h"
#include "spec/exchange/keyed_headers.h"
#include "store/location.h"
#include "text/json/json.h"

namespace assay {

namespace {

constexpr std::string_view kAnyName = "*";
constexpr double kContextTokensMax = 1e9;
constexpr double kAgentTurnsMax = 200;
constexpr double kTurnsUsual = 20;
constexpr double kContextTokensUsual = 32'000;
constexpr std::string_view kNoVectors = "none";
constexpr std::string_view kOwnVectors = "hash";
constexpr std::string_view kStoreKey = "store";

std::string OptionName(std::string_view key) {
  std::string name = fmt::format("--{}", key);
  std::replace(name.begin(), name.end(), '_', '-');
  return name;
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

std::string JsonOf(const Value& value) { return WriteEncoded(value, JsonStyle::kJavaScript); }

// The command line, if the model is a program; else "".
std::string ProgramOf(std::string_view model) {
  const ModelAddress address = ModelAddressOf(model);
  const ProviderRow* provider = FindProvider(address.provider);
  return provider != nullptr && provider->route == Route::kProgram ? address.model : std::string();
}

std::string ProgramsOf(const std::vector<std::string>& models) {
  std::string all;
  for (const std::string& model : models) {
    if (const std::string program = ProgramOf(model); !program.empty())
      all += fmt::format("{}{}", all.empty() ? "" : ", ", program);
  }
  return all;
}

// "10" and "10%" as a number and what it is of.
struct Height {
  double number = 0;
  bool is_percent = false;
};
Height HeightOf(std::string_view text) {
  Height height{.number = SettingsReader::kUnbounded, .is_percent = text.ends_with('%')};
  if (height.is_percent) text.remove_suffix(1);
  static_cast<void>(std::from_chars(text.data(), text.data() + text.size(), height.number));
  return height;
}

bool IsCount(const Value& value, double most) {
  if (!value.is_number()) return false;
  const double count = value.AsNumber();
  return count >= 1 && count <= most && std::trunc(count) == count;
}

}  // namespace

std::span<const SettingsReader::Row> SettingsReader::Rows() {
  using R = SettingsReader;
  using enum SettingKind;
  static constexpr Row kRows[] = {
      {"collections", "*", kModels, &R::ReadCollection},
      {"limits", "max_in_flight", kLimit, &R::ReadOption, 10},
      {"limits", "requests_per_min", kLimit, &R::ReadOption},
      {"limits", "tokens_per_min", kLimit, &R::ReadOption},
      {"limits", "budget_usd", kLimit, &R::ReadOption},
      {"limits", "budget_tokens", kLimit, &R::ReadOption},
      {"limits", "max_errors", kLimit, &R::ReadOption, 0},
      {"limits", "timeout", kLimit, &R::ReadOption, 600},
      {"limits", "idle_timeout", kLimit, &R::ReadOption, 120},
      {"limits", "max_retries", kLimit, &R::ReadOption, 5},
      {"limits", "patience", kLimit, &R::ReadOption, 600},
      {"limits", "max_time", kLimit, &R::ReadOption},
      {"limits", "batch_wait", kLimit, &R::ReadOption, 86'400},
      {"limits", "*", kTable, &R::ReadProviderLimits},
      {"limits.*", "max_in_flight", kLimit, &R::ReadProviderLimit, 10},
      {"limits.*", "requests_per_min", kLimit, &R::ReadProviderLimit},
      {"limits.*", "tokens_per_min", kLimit, &R::ReadProviderLimit},
      {"run", "stream", kHarmless, &R::ReadOption},
      {"run", "batch", kHarmless, &R::ReadOption},
      {"run", "store", kPower, &R::ReadOption},
      {"report", "pass_at", kHarmless, &R::ReadOption},
      {"report", "pass_attempts", kHarmless, &R::ReadOption},
      {"prices", "*", kPower, &R::ReadPrice},
      {"models", "*", kTable, &R::ReadModel},
      {"models.*", "model", kModels, &R::ReadAliasPart},
      {"models.*", "base_url", kPower, &R::ReadAliasPart},
      {"models.*", "key_env", kPower, &R::ReadAliasPart},
      {"models.*", "key_file", kPower, &R::ReadAliasPart},
      {"models.*", "parameters", kHarmless, &R::ReadAliasPart},
      {"models.*", "context_tokens", kLimit, &R::ReadAliasPart, kContextTokensUsual},
      {"models.*", "max_turns", kLimit, &R::ReadAliasPart, kTurnsUsual},
      {"models.*", "shortlist", kHarmless, &R::ReadAliasPart},
      {"base_urls", "*", kPower, &R::ReadBaseUrl},
      {"providers", "*", kTable, &R::ReadProvider},
      {"providers.*", "key_file", kPower, &R::ReadKeyFileOf},
      {"allow", "env", kPower, &R::ReadGrant},
      {"allow", "hosts", kPower, &R::ReadGrant},
      {"allow", "paths", kPower, &R::ReadGrant},
      {"allow", "exec", kPower, &R::ReadGrant},
      {"judges", "models", kModels, &R::ReadJudges},
      {"research", "search_url", kPower, &R::ReadAgentText},
      {"research", "summarizer", kPower, &R::ReadAgentText},
      {"research", "embedder", kPower, &R::ReadOption},
  };
  return kRows;
}

const OptionRow* FindRunOption(std::string_view name) {
  const auto rows = OptionTable();
  const auto row = std::find_if(rows.begin(), rows.end(), [name](const OptionRow& each) {
    return each.LongName() == name && each.TakenBy("run");
  });
  return row == rows.end() ? nullptr : &*row;
}

Settings SettingsReader::Read(const Value& file) {
  for (const Member& member : file.AsMap()) {
    std::vector<std::string_view> tables;
    for (const Row& row : Rows()) {
      const bool is_new = tables.empty() || tables.back() != row.table;
      if (is_new && row.table.find('.') == std::string_view::npos) tables.push_back(row.table);
    }
    if (std::find(tables.begin(), tables.end(), member.key) == tables.end()) {
      const std::string_view near = DidYouMean(member.key, tables);
      diagnostics_.Warning("settings.unknown-key",
                           fmt::format("unknown key {} in assay.toml", Quoted(member.key)), member.key_span,
                           near.empty() ? "it has no effect" : fmt::format("did you mean \"{}\"?", near));
    } else if (!member.value.is_map()) {
      Wrong(member.value, fmt::format("{}: expected a table, found {}", member.key, KindName(member.value)),
            fmt::format("write [{}], then its keys", member.key));
    } else {
      for (const Member& entry : member.value.AsMap()) ReadTable(member.key, entry);
    }
  }
  return std::move(settings_);
}

void SettingsReader::ReadTable(std::string_view table, const Member& member) {
  const Row* row = FindRow(table, member.key);
  if (row == nullptr) return Unknown(member, table);
  (this->*row->read)(*row, member);
}

// A key of its own comes before the user's names; where both may stand, names have tables.
const SettingsReader::Row* SettingsReader::FindRow(std::string_view table, std::string_view key) const {
  const Row* any = nullptr;
  for (const Row& row : Rows()) {
    if (row.table != table) continue;
    if (row.key == key) return &row;
    if (row.key == kAnyName) any = &row;
  }
  return any;
}

void SettingsReader::Wrong(const Value& value, std::string message, std::string hint) {
  // Beside a place stands its line: not where that may hold a password.
  const std::string text = value.is_string() ? AsciiLower(value.AsString()) : std::string();
  const bool is_secret = text.find('@') != std::string::npos || text.find("password") != std::string::npos;
  diagnostics_.Error("settings.value", is_secret ? "assay.toml: " + message : std::move(message),
                     is_secret ? Span() : value.span, std::move(hint));
}

void SettingsReader::Unknown(const Member& member, std::string_view table) {
  std::vector<std::string_view> known;
  for (const Row& row : Rows()) {
    if (row.table == table && row.key != kAnyName) known.push_back(row.key);
  }
  const std::string_view near = DidYouMean(member.key, known);
  std::string name(table);
  if (name.ends_with(".*")) name.replace(name.size() - 1, 1, begun_.name);
  diagnostics_.Warning("settings.unknown-key",
                       fmt::format("unknown key {} in [{}]", Quoted(member.key), name), member.key_span,
                       near.empty() ? "it has no effect" : fmt::format("did you mean \"{}\"?", near));
}

std::string SettingsReader::Origin(const Member& member) const {
  return fmt::format("{}:{}", sources_.Path(member.key_span.file), sources_.Locate(member.key_span).line);
}

void SettingsReader::Note(std::string name, std::string value, const Member& member, bool counts) {
  settings_.written.push_back({std::move(name), std::move(value), Origin(member), counts});
}

bool SettingsReader::Admit(Power power, const Member& member) {
  if (trusted_ == nullptr) return true;
  power.origin = Origin(member);
  power.where = member.key_span;
  const bool counts = power.is_idle || trusted_->contains(DigestOf(power));
  if (!counts) settings_.withheld.push_back(power);
  settings_.powers.push_back(std::move(power));
  return counts;
}

void SettingsReader::ReadCollection(const Row& row, const Member& member) {
  const bool is_name = !member.key.empty() && std::none_of(member.key.begin(), member.key.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || c == ':' || c == '/';
  });
  if (!is_name) {
    diagnostics_.Error("settings.collection", fmt::format("{} cannot name a collection", Quoted(member.key)),
                       member.key_span, "use capitals, digits, - and _: anything else is read as a model");
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
  bool counts = true;
  // Whoever is named is known; programs among them are started only with trust.
  for (const std::string& model : models) {
    const std::string program = ProgramOf(model);
    if (program.empty()) continue;
    const bool is_trusted = Admit({.effect = PowerEffect::kProgram,
                                   .setting = fmt::format("{}.{}", row.table, member.key),
                                   .value = JsonOf(Value(model)),
                                   .says = fmt::format("starts the program {}", program),
                                   .subject = program},
                                  member);
    if (is_trusted) settings_.programs.push_back(program);
    counts = counts && is_trusted;
  }
  Note("collections." + member.key, Counted(models.size(), "model"), member, counts);
}

// What the research agent works with.
void SettingsReader::ReadAgentText(const Row& row, const Member& member) {
  const bool is_url = row.key == "search_url";
  if (!member.value.is_string() || member.value.AsString().empty()) {
    Wrong(member.value, fmt::format("{}: expected a text, found {}", member.key, KindName(member.value)),
          is_url ? "write the address of a SearXNG server: \"https://search.example.org\""
                 : "write a model or an alias: \"openai:gpt-6-luna\"");
    return;
  }
  const std::string& text = member.value.AsString();
  const bool counts = Admit({.effect = PowerEffect::kAgent,
                             .setting = "research." + member.key,
                             .value = JsonOf(member.value),
                             .says = is_url ? fmt::format("searches the web at {}", WithoutCredentials(text))
                                            : fmt::format("has {} sum up pages", text),
                             .subject = text},
                            member);
  if (counts) (is_url ? settings_.search_url : settings_.summarizer_alias) = text;
  Note("research." + member.key, text, member, counts);
}

// Who judges, as --judge says it.
void SettingsReader::ReadJudges(const Row&, const Member& member) {
  if (!IsListOfTexts(member.value) || member.value.AsList().empty()) {
    Wrong(member.value, fmt::format("models: expected a list of models, found {}", KindName(member.value)),
          "write [\"provider:model\", ...]");
    return;
  }
  std::vector<std::string> models;
  for (const Value& model : member.value.AsList()) models.push_back(model.AsString());
  const std::string programs = ProgramsOf(models);
  const bool counts = programs.empty() || Admit({.effect = PowerEffect::kOption,
                                                 .setting = "judges.models",
                                                 .value = JsonOf(member.value),
                                                 .says = fmt::format("starts as a judge {}", programs),
                                                 .subject = "--judge"},
                                                member);
  settings_.options.push_back(
      {FindRunOption("--judge")->LongName(), std::move(models), Origin(member), counts});
}

// What the user's own file says of all providers.
std::optional<double> SettingsReader::OwnHeight(std::string_view option) const {
  const auto own = std::find_if(own_.options.begin(), own_.options.end(),
                                [&](const OptionSetting& each) { return each.option == option; });
  if (own == own_.options.end()) return std::nullopt;
  return HeightOf(own->values.front()).number;
}

bool SettingsReader::Raises(const Row& row, const OptionSetting& setting) const {
  const Height asked = HeightOf(setting.values.front());
  const auto own = std::find_if(own_.options.begin(), own_.options.end(),
                                [&](const OptionSetting& each) { return each.option == setting.option; });
  if (own == own_.options.end()) return asked.number > row.usual;
  const Height known = HeightOf(own->values.front());
  return asked.is_percent != known.is_percent || asked.number > known.number;
}

// A key of a table whose keys are options.
void SettingsReader::ReadOption(const Row& row, const Member& member) {
  const OptionRow* option = FindRunOption(OptionName(member.key));
  ASSAY_ASSERT(option != nullptr);
  std::string text = TextOf(member.value);
  // Limits are compared as numbers.
  if (option->value == "SECONDS") text = PlainSeconds(text);
  const bool is_store = row.key == kStoreKey;
  const std::string shown = is_store ? ShownLocation(text) : text;
  Options ignored;
  if (const Status usable = option->Set(text, ignored); !usable) {
    Wrong(member.value, fmt::format("{}: {}", member.key, usable.error().message),
          fmt::format("it is what {} takes", option->LongName()));
    return;
  }
  OptionSetting setting{option->LongName(), {text}, Origin(member)};
  const std::string name = fmt::format("{}.{}", row.table, member.key);
  Power power{.effect = PowerEffect::kOption,
              .setting = name,
              .value = JsonOf(member.value),
              .says = {},
              .subject = std::string(option->LongName())};
  if (row.kind == SettingKind::kLimit) {
    power.is_idle = !Raises(row, setting);
    power.says = fmt::format("raises {} to {}", member.key, text);
    setting.counts = Admit(std::move(power), member);
  } else if (is_store) {
    power.says = fmt::format("keeps runs and their answers at {}", shown);
    setting.counts = Admit(std::move(power), member);
  } else if (row.kind == SettingKind::kPower && text != kNoVectors && text != kOwnVectors) {
    power.says = fmt::format("has {} make vectors of documents", text);
    setting.counts = Admit(std::move(power), member);
  }
  Note(name, shown, member, setting.counts);
  settings_.written.back().shapes_run = !is_store;
  settings_.options.push_back(std::move(setting));
}

bool SettingsReader::IsProvider(const Member& member, std::span<const std::string_view> others) {
  std::vector<std::string_view> names(others.begin(), others.end());
  for (const ProviderRow& row : ProviderTable()) names.push_back(row.name);
  if (std::find(names.begin(), names.end(), member.key) != names.end()) return true;
  const std::string_view near = DidYouMean(member.key, names);
  diagnostics_.Error(
      "settings.provider", fmt::format("there is no provider {}", Quoted(member.key)), member.key_span,
      near.empty() ? "`assay list providers` names them all" : fmt::format("did you mean \"{}\"?", near));
  return false;
}

void SettingsReader::ReadProviderLimits(const Row& row, const Member& member) {
  static constexpr std::string_view kOthers[] = {"service", "program"};
  if (!member.value.is_map()) return Unknown(member, row.table);
  if (!IsProvider(member, kOthers)) return;
  begun_ = {.name = member.key};
  for (const Member& limit : member.value.AsMap()) ReadTable("limits.*", limit);
  settings_.limits[member.key] = begun_.limits;
}

void SettingsReader::ReadProviderLimit(const Row& row, const Member& member) {
  static constexpr std::optional<double> ProviderLimits::*kRates[] = {&ProviderLimits::requests_per_min,
                                                                      &ProviderLimits::tokens_per_min};
  const double number = member.value.is_number() ? member.value.AsNumber() : 0;
  if (!(number >= 1)) {
    Wrong(member.value,
          fmt::format("{}: expected a number from 1, found {}", member.key, Quoted(TextOf(member.value))),
          "write a number");
    return;
  }
  const bool is_width = member.key == "max_in_flight";
  const auto rate = kRates[member.key == "tokens_per_min" ? 1 : 0];
  const auto own = own_.limits.find(begun_.name);
  std::optional<double> known;
  if (own != own_.limits.end())
    known = is_width ? std::optional<double>(own->second.max_in_flight) : own->second.*rate;
  if (!known) known = OwnHeight(FindRunOption(OptionName(member.key))->LongName());
  const std::string name = fmt::format("limits.{}.{}", begun_.name, member.key);
  const bool counts =
      Admit({.effect = PowerEffect::kPace,
             .setting = name,
             .value = JsonOf(member.value),
             .says = fmt::format("raises {} of {} to {}", member.key, begun_.name, TextOf(member.value)),
             .subject = begun_.name,
             .is_idle = number <= known.value_or(row.usual)},
            member);
  Note(name, TextOf(member.value), member, counts);
  if (!counts) return;
  if (is_width) {
    begun_.limits.max_in_flight =
        static_cast<std::size_t>(std::min(number, static_cast<double>(limits::kMaxInFlightMax)));
  } else {
    begun_.limits.*rate = number;
  }
}

void SettingsReader::ReadProvider(const Row& row, const Member& member) {
  if (!member.value.is_map()) return Unknown(member, row.table);
  if (!IsProvider(member, {})) return;
  begun_ = {.name = member.key};
  for (const Member& part : member.value.AsMap()) ReadTable("providers.*", part);
}

void SettingsReader::ReadKeyFileOf(const Row&, const Member& member) {
  if (!member.value.is_string() || member.value.AsString().empty()) {
    Wrong(member.value, fmt::format("key_file: expected a path, found {}", KindName(member.value)),
          "write the path of a file that holds the key and that only you can read");
    return;
  }
  const std::string& path = member.value.AsString();
  const std::string name = fmt::format("providers.{}.key_file", begun_.name);
  const bool counts = Admit({.effect = PowerEffect::kKeyFile,
                             .setting = name,
                             .value = JsonOf(member.value),
                             .says = fmt::format("sends what {} holds to {} as its key", path, begun_.name),
                             .subject = begun_.name},
                            member);
  if (counts) settings_.key_files[begun_.name] = path;
  Note(name, path, member, counts);
  settings_.written.back().shapes_run = false;
}

void SettingsReader::ReadBaseUrl(const Row&, const Member& member) {
  if (!IsProvider(member, {})) return;
  const std::string url = TextOf(member.value);
  if (!IsServiceUrl(url)) {
    Wrong(member.value, fmt::format("{}: expected a URL, found {}", member.key, ShownUrl(url)),
          "write \"https://...\"");
    return;
  }
  const bool counts = Admit({.effect = PowerEffect::kAddress,
                             .setting = "base_urls." + member.key,
                             .value = JsonOf(member.value),
                             .says = fmt::format("asks {} at {}, with your key of {}", member.key,
                                                 WithoutCredentials(url), member.key),
                             .subject = member.key},
                            member);
  if (counts) settings_.base_urls[member.key] = url;
  Note("base_urls." + member.key, url, member, counts);
}

void SettingsReader::ReadPrice(const Row&, const Member& member) {
  std::string said;
  std::optional<OwnFacts> own = ReadOwnPrice(member, diagnostics_, said);
  if (!own) return;
  const bool counts = Admit({.effect = PowerEffect::kModelFacts,
                             .setting = "prices." + member.key,
                             .value = JsonOf(member.value),
                             .says = fmt::format("gives {} the price of {}", member.key, said),
                             .subject = member.key},
                            member);
  Note("prices." + member.key, said, member, counts);
  if (counts) settings_.models.push_back(*std::move(own));
}

// [models.NAME] with a `model` gives that model a name.
void SettingsReader::ReadModel(const Row&, const Member& member) {
  if (member.value.is_map() && member.value.Find("model") != nullptr) return ReadAlias(member);
  ReadFacts(member);
}

void SettingsReader::ReadFacts(const Member& member) {
  std::string said;
  std::optional<OwnFacts> own = ReadOwnFacts(member, diagnostics_, said);
  if (!own) return;
  const bool counts = Admit({.effect = PowerEffect::kModelFacts,
                             .setting = "models." + member.key,
                             .value = JsonOf(member.value),
                             .says = fmt::format("says what {} can do: {}", member.key, said),
                             .subject = member.key},
                            member);
  Note("models." + member.key, said, member, counts);
  if (counts) settings_.models.push_back(*std::move(own));
}

// Everything of an alias that needs trust is one power: a key goes with the address that it is meant for.
void SettingsReader::ReadAlias(const Member& member) {
  begun_ = {.name = member.key, .alias = {.model = {}, .origin = Origin(member)}};
  for (const Member& part : member.value.AsMap()) ReadTable("models.*", part);
  ModelAlias& alias = begun_.alias;
  const bool has_key = !begun_.key_variable.empty() || !begun_.key_file.empty();
  if (has_key && alias.base_url.empty())
    Wrong(member.value,
          fmt::format("models.{}: {} without a base_url", member.key,
                      begun_.key_variable.empty() ? "key_file" : "key_env"),
          "write where the key belongs to: base_url = \"https://...\"");
  bool counts = true;
  if (begun_.needs_trust) {
    const std::string program = ProgramOf(alias.model);
    std::string says = program.empty() ? fmt::format("has {} mean {}", member.key, alias.model)
                                       : fmt::format("starts the program {} as {}", program, member.key);
    if (!alias.base_url.empty()) says += " at " + WithoutCredentials(alias.base_url);
    if (!begun_.key_variable.empty()) says += fmt::format(", with the key in {}", begun_.key_variable);
    if (!begun_.key_file.empty()) says += fmt::format(", with the key in {}", begun_.key_file);
    if (!begun_.raised.empty()) says += ", and raises" + begun_.raised;
    Map value;
    for (const Member& part : member.value.AsMap()) {
      if (part.key != "parameters") value.Append(part.key, part.value);
    }
    counts = Admit({.effect = PowerEffect::kAlias,
                    .setting = "models." + member.key,
                    .value = WriteJson(Value(std::move(value)), JsonStyle::kCanonical),
                    .says = std::move(says),
                    .subject = member.key},
                   member);
    if (counts && !program.empty()) settings_.programs.push_back(program);
  }
  alias.untrusted = !counts;
  if (!counts) alias.agent = {.shortlist = alias.agent.shortlist};
  if (counts && !alias.base_url.empty()) {
    settings_.endpoints.push_back({.provider = ModelAddressOf(alias.model).provider,
                                   .base_url = alias.base_url,
                                   .key_variable = std::move(begun_.key_variable),
                                   .key_file = std::move(begun_.key_file)});
  }
  Note("models." + member.key, alias.model, member, counts);
  settings_.aliases.insert_or_assign(member.key, std::move(alias));
}

void SettingsReader::ReadAliasPart(const Row& row, const Member& part) {
  ModelAlias& alias = begun_.alias;
  const Value& value = part.value;
  if (part.key == "parameters" && value.is_map()) {
    alias.parameters = value.AsMap();
  } else if (part.key == "model" && value.is_string()) {
    alias.model = value.AsString();
  } else if (part.key == "base_url" && value.is_string()) {
    alias.base_url = value.AsString();
  } else if (part.key == "key_env" && value.is_string()) {
    begun_.key_variable = value.AsString();
  } else if (part.key == "key_file" && value.is_string()) {
    begun_.key_file = value.AsString();
  } else if (part.key == "context_tokens" && IsCount(value, kContextTokensMax)) {
    alias.agent.context_tokens = static_cast<std::int64_t>(value.AsNumber());
  } else if (part.key == "max_turns" && IsCount(value, kAgentTurnsMax)) {
    alias.agent.max_turns = static_cast<std::uint32_t>(value.AsNumber());
  } else if (part.key == "shortlist" && value.is_bool()) {
    alias.agent.shortlist = value.AsBool();
  } else {
    Wrong(value,
          fmt::format("models.{}.{}: expected another kind of value, found {}", begun_.name, part.key,
                      KindName(value)),
          "model, base_url, key_env and key_file are texts, parameters is a table, context_tokens and "
          "max_turns are "
          "whole numbers from 1, shortlist is true or false");
    return;
  }
  const bool is_program = row.kind == SettingKind::kModels && !ProgramOf(alias.model).empty();
  begun_.needs_trust = begun_.needs_trust || row.kind == SettingKind::kPower || is_program;
  if (row.kind == SettingKind::kLimit) {
    const bool raises = value.AsNumber() > row.usual;
    begun_.needs_trust = begun_.needs_trust || raises;
    if (raises) begun_.raised += fmt::format(" {} to {}", part.key, TextOf(value));
  }
}

void SettingsReader::ReadGrant(const Row&, const Member& member) {
  struct Grant {
    std::string_view key;
    std::vector<std::string> Settings::*list;
    PowerEffect effect;
    std::string_view says;
  };
  static constexpr Grant kGrants[] = {
      {"env", &Settings::allowed_environment, PowerEffect::kEnvironment, "lets suites and programs have "},
      {"hosts", &Settings::allowed_hosts, PowerEffect::kHost, "lets suites reach "},
      {"paths", &Settings::allowed_paths, PowerEffect::kPath, "lets suites read files below "},
      {"exec", &Settings::allowed_programs, PowerEffect::kProgram, "lets suites start "},
  };
  const auto* grant = std::find_if(std::begin(kGrants), std::end(kGrants),
                                   [&](const Grant& each) { return each.key == member.key; });
  ASSAY_ASSERT(grant != std::end(kGrants));
  if (!IsListOfTexts(member.value)) {
    Wrong(member.value,
          fmt::format("{}: expected a list of texts, found {}", member.key, KindName(member.value)),
          "write [\"...\"]");
    return;
  }
  std::string all;
  bool counts = true;
  for (const Value& item : member.value.AsList()) {
    const std::string& text = item.AsString();
    const bool is_trusted = Admit({.effect = grant->effect,
                                   .setting = "allow." + member.key,
                                   .value = JsonOf(item),
                                   .says = fmt::format("{}{}", grant->says, text),
                                   .subject = text},
                                  member);
    if (is_trusted) (settings_.*grant->list).push_back(text);
    counts = counts && is_trusted;
    all += (all.empty() ? "" : ", ") + text;
  }
  Note("allow." + member.key, all, member, counts);
}

}  // namespace assay
