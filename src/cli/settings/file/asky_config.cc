// Reads an asky configuration as aliases of models; what asky would accept or ignore is accepted or ignored
// here too.
#include "cli/settings/file/asky_config.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "base/errors/diagnostics.h"
#include "base/errors/span.h"
#include "base/wire/url.h"
#include "text/toml.h"

namespace assay {

namespace {

constexpr std::string_view kProvider = "openai-compatible";
constexpr std::string_view kChatPath = "/chat/completions";
// What the original goes by where general.toml is silent.
constexpr double kTimeoutUsualS = 60;
constexpr double kTurnsOfAsky = 20;
constexpr double kTurnsMost = 200;
constexpr double kContextUsual = 32'000;
constexpr double kContextMost = 1e9;
constexpr double kTriesUsual = 10;
constexpr double kBackoffUsualS = 2;
constexpr double kBackoffMaxUsualS = 60;
constexpr double kSecondsMost = 86'400;
constexpr double kTriesMost = 1000;

const Value* TableAt(const Value& file, std::string_view key) {
  const Value* table = file.Find(key);
  return table != nullptr && table->is_map() ? table : nullptr;
}

double NumberAt(const Value* table, std::string_view key, double usual, double most) {
  const double number = table == nullptr ? usual : table->NumberAt(key).value_or(usual);
  return number >= 0 && number <= most ? number : usual;
}

std::chrono::milliseconds Seconds(double seconds) {
  constexpr double kMsPerSecond = 1000;
  return std::chrono::milliseconds(std::llround(seconds * kMsPerSecond));
}

// A time in seconds; nothing if none is written.
std::optional<std::int64_t> TimeAt(const Value* table, std::string_view key) {
  const double seconds = NumberAt(table, key, 0, kSecondsMost);
  if (seconds <= 0) return std::nullopt;
  return Seconds(seconds).count();
}

// The base of a complete URL of chat completions, its query kept; "" if it leads to nothing of the kind.
std::string BaseOf(std::string_view url) {
  const std::size_t mark = std::min(url.find('?'), url.size());
  std::string_view path = url.substr(0, mark);
  while (path.ends_with('/')) path.remove_suffix(1);
  if (!IsHttpUrl(url) || !path.ends_with(kChatPath)) return {};
  path.remove_suffix(kChatPath.size());
  return fmt::format("{}{}", path, url.substr(mark));
}

class AskyReader {
 public:
  AskyReader(const std::string& folder, FileReader& files, Settings& settings)
      : folder_(folder), files_(files), settings_(settings) {}

  void Read() {
    const Value models = ReadFile("models.toml");
    const Value* named = TableAt(models, "models");
    if (named == nullptr) return;
    const Value apis = ReadFile("api.toml");
    const Value general = ReadFile("general.toml");
    ReadGeneral(general);
    for (const Member& model : named->AsMap()) {
      if (model.value.is_map()) Add(model, TableAt(apis, "api"));
    }
  }

 private:
  std::string PathOf(std::string_view name) const { return fmt::format("{}/{}", folder_, name); }

  Value ReadFile(std::string_view name) {
    const std::string path = PathOf(name);
    if (!files_.Exists(path)) return {};
    const Result<std::string> text = files_.Read(path);
    Diagnostics diagnostics;
    if (!text) {
      settings_.aliases_problem = text.error().message;
      return {};
    }
    Value value = ReadToml(sources_.Add(path, *text), *text, diagnostics);
    if (diagnostics.HasErrors()) settings_.aliases_problem = FormatDiagnostics(diagnostics, sources_);
    return value;
  }

  void ReadGeneral(const Value& file) {
    const Value* general = TableAt(file, "general");
    if (general != nullptr) {
      if (settings_.summarizer_alias.empty())
        settings_.summarizer_alias = general->TextAt("summarization_model");
      if (settings_.search_url.empty()) settings_.search_url = general->TextAt("searxng_url");
    }
    const Value* limits = TableAt(file, "limits");
    turns_ = static_cast<std::uint32_t>(
        NumberAt(limits, "max_turns", NumberAt(general, "max_turns", kTurnsOfAsky, kTurnsMost), kTurnsMost));
    settings_.page_timeout_ms = TimeAt(limits, "fetch_timeout");
    settings_.search_timeout_ms = TimeAt(limits, "search_timeout");
    // The original counts tries where we count what comes after the first.
    const auto tries = static_cast<int>(NumberAt(limits, "max_retries", kTriesUsual, kTriesMost));
    patience_ = {.timeout = Seconds(
                     NumberAt(TableAt(file, "general"), "request_timeout", kTimeoutUsualS, kSecondsMost)),
                 .max_retries = std::max(tries - 1, 0),
                 .backoff = Seconds(NumberAt(limits, "initial_backoff", kBackoffUsualS, kSecondsMost)),
                 .backoff_max = Seconds(NumberAt(limits, "max_backoff", kBackoffMaxUsualS, kSecondsMost))};
  }

  void Add(const Member& model, const Value* apis) {
    const std::string api_name = model.value.TextAt("api");
    const Value* api = apis == nullptr ? nullptr : apis->Find(api_name);
    if (api != nullptr && !api->is_map()) api = nullptr;
    // What the model says itself comes before its service's.
    const auto said = [&](std::string_view key, std::string_view key_of_api) {
      std::string own = model.value.TextAt(key);
      return own.empty() && api != nullptr ? api->TextAt(key_of_api) : own;
    };
    const std::string url = said("base_url", "url");
    ModelAlias alias{.model = fmt::format("{}:{}", kProvider, model.value.TextAt("id")),
                     .base_url = BaseOf(url),
                     .origin = PathOf("models.toml")};
    if (const Value* parameters = TableAt(model.value, "parameters")) alias.parameters = parameters->AsMap();
    if (model.value.TextAt("id").empty()) {
      alias.problem =
          fmt::format("{} gives the model alias {} no `id`", PathOf("models.toml"), Quoted(model.key));
    } else if (url.empty()) {
      alias.problem =
          fmt::format("the model alias {} has no URL: {} has no [api.{}] with a `url`", Quoted(model.key),
                      PathOf("api.toml"), api_name.empty() ? "NAME" : api_name);
    } else if (alias.base_url.empty()) {
      alias.problem = fmt::format("the model alias {}: expected a URL that ends in {}, found {}",
                                  Quoted(model.key), kChatPath, Quoted(url));
    }
    alias.agent.context_tokens =
        static_cast<std::int64_t>(NumberAt(&model.value, "context_size", kContextUsual, kContextMost));
    alias.agent.max_turns =
        static_cast<std::uint32_t>(std::max(1.0, NumberAt(&model.value, "max_turns", turns_, kTurnsMost)));
    if (const auto shortlist = model.value.BoolAt("source_shortlist_enabled"))
      alias.agent.shortlist = *shortlist;
    const std::string base_url = alias.base_url;
    const bool is_usable = alias.problem.empty();
    settings_.written.push_back({"models." + model.key, alias.model, alias.origin});
    if (!settings_.aliases.emplace(model.key, std::move(alias)).second) {
      settings_.written.pop_back();
      return;
    }
    if (!is_usable) return;
    settings_.endpoints.push_back({.provider = std::string(kProvider),
                                   .base_url = base_url,
                                   .key = Secret(said("api_key", "api_key")),
                                   .key_variable = said("api_key_env", "api_key_env"),
                                   .patience = patience_});
  }

  const std::string& folder_;
  FileReader& files_;
  Settings& settings_;
  SourceFiles sources_;
  Patience patience_;
  std::uint32_t turns_ = 0;
};

}  // namespace

void AddAskyModels(const std::string& folder, FileReader& files, Settings& settings) {
  if (!folder.empty()) AskyReader(folder, files, settings).Read();
}

std::string AskyFolder() {
  if (const char* own = std::getenv("ASKY_HOME"); own != nullptr && *own != '\0') return own;
  const char* home = std::getenv("HOME");
  return home == nullptr || *home == '\0' ? std::string() : fmt::format("{}/.config/asky", home);
}

}  // namespace assay
