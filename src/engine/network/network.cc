// Finds keys and base URLs of each provider, and fills Endpoints and HttpOptions.
#include "engine/network/network.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "base/text/shell_words.h"
#include "dialects/habits.h"
#include "dialects/names.h"
#include "engine/grants/limits.h"
#include "engine/network/key_file.h"
#include "engine/network/provider_keys.h"
#include "engine/state/store_seal.h"
#include "providers/limits.h"
#include "providers/provider.h"
#include "providers/shapes/reply/chat_stream.h"
#include "store/location.h"
#include "text/javascript/text.h"

namespace assay {

namespace {

constexpr std::string_view kFactcheck = "factcheck";
constexpr std::string_view kFactcheckToken = "BACKGROUND_FUNCTION_AUTH_TOKEN";
constexpr std::string_view kFactcheckDefaultUrl = "http://localhost:3172";

// Without the blanks and line ends that came along when it was pasted.
std::string EnvironmentText(std::string_view name) {
  const char* value = name.empty() ? nullptr : std::getenv(std::string(name).c_str());
  return value == nullptr ? std::string() : std::string(JsTrim(value));
}

// The key in this variable, if it is set.
bool TakeKey(std::string_view variable, Endpoint& endpoint) {
  std::string value = EnvironmentText(variable);
  if (value.empty()) return false;
  endpoint.key = Secret(std::move(value));
  endpoint.key_holder = variable;
  return true;
}

// The first of several names that is set.
void TakeKeyOf(const ProviderRow& row, Endpoint& endpoint) {
  std::string_view names = row.key.variables;
  while (!names.empty()) {
    const std::size_t blank = std::min(names.find(' '), names.size());
    if (TakeKey(names.substr(0, blank), endpoint)) return;
    names.remove_prefix(std::min(blank + 1, names.size()));
  }
}

// Where the environment holds no key.
void TakeKeyFile(const std::string& path, Endpoint& endpoint) {
  if (path.empty() || !endpoint.key.empty()) return;
  Result<Secret> key = ReadKeyFile(path);
  if (key) {
    endpoint.key = *std::move(key);
    endpoint.read_key = [path] { return ReadKeyFile(path); };
  } else {
    endpoint.key_problem = key.error().message;
  }
}

// Where there is no key of its own, a service of AWS is asked with the user's keys of AWS.
void TakeAwsKeys(const AwsService& service, Endpoint& endpoint) {
  if (endpoint.key.empty()) endpoint.aws = ReadAwsKeys(service);
  if (endpoint.aws) endpoint.key_holder = kAwsSecret;
  if (endpoint.base_url.empty()) endpoint.base_url = UrlOfRegion(service);
}

std::vector<std::string_view> ProviderNames() {
  std::vector<std::string_view> names;
  for (const ProviderRow& row : ProviderTable()) {
    if (!row.base_url_variable.empty()) names.push_back(row.name);
  }
  return names;
}

// Where facts are checked: --base-url first, then where weval looks for it.
std::string FactcheckUrl(const RunSpec& spec) {
  if (std::optional<std::string> given = GivenBaseUrl(spec, kFactcheck)) return *std::move(given);
  for (const std::string_view name : {"URL", "NEXT_PUBLIC_APP_URL"}) {
    std::string url = EnvironmentText(name);
    if (url.starts_with("http://") || url.starts_with("https://")) return url;
  }
  return std::string(kFactcheckDefaultUrl);
}

// A command line that the user allows, with the prefix of model ids or without.
void AllowProgram(std::string_view text, std::string_view origin, Endpoints& endpoints,
                  Diagnostics& diagnostics) {
  const std::optional<ModelName> name = SplitModelId(text);
  const ProviderRow* provider = name ? FindProvider(name->provider) : nullptr;
  if (provider != nullptr && provider->route == Route::kProgram)
    text.remove_prefix(provider->name.size() + 1);
  Result<std::vector<std::string>> words = SplitWords(text);
  if (words && !words->empty()) {
    endpoints.programs.push_back(std::move(*words));
    return;
  }
  diagnostics.Error("run.program",
                    fmt::format("{}: {} is no command line: {}", origin, Quoted(text),
                                words ? "it names no program" : words.error().message),
                    Span{});
}

// Whom the user names in place of the suite's models, or for it.
void AddPrograms(const RunSpec& spec, const Granted& granted, Endpoints& endpoints,
                 Diagnostics& diagnostics) {
  const auto add_models = [&](const std::vector<std::string>& models, std::string_view origin) {
    for (const std::string& id : models) {
      const ModelAddress address = ModelAddressOf(id);
      const ProviderRow* provider = FindProvider(address.provider);
      if (provider != nullptr && provider->route == Route::kProgram)
        AllowProgram(address.model, origin, endpoints, diagnostics);
    }
  };
  add_models(spec.models, "--model");
  add_models(spec.judges, "--judge");
  for (const std::string& text : granted.settings.programs)
    AllowProgram(text, "[models] or [collections]", endpoints, diagnostics);
  for (const std::string& text : granted.programs) AllowProgram(text, "--allow-exec", endpoints, diagnostics);
  for (const std::string& text : granted.settings.allowed_programs)
    AllowProgram(text, "[allow] exec", endpoints, diagnostics);
}

// Whose values are keys, or lead to them: those of AWS, and what libpq reads of the team's store.
constexpr std::string_view kKeyPrefixes[] = {"AWS_", "PG"};

constexpr std::string_view kStoreVariable = "ASSAY_STORE";  // a key where the address holds a password

bool IsKey(std::string_view name, const Settings& settings) {
  if (name == kFactcheckToken || name == kStoreKeyVariable) return true;
  for (const std::string_view prefix : kKeyPrefixes) {
    if (name.starts_with(prefix)) return true;
  }
  for (const NamedEndpoint& endpoint : settings.endpoints) {
    if (endpoint.key_variable == name) return true;
  }
  const auto rows = ProviderTable();
  return std::any_of(rows.begin(), rows.end(), [name](const ProviderRow& row) {
    return fmt::format(" {} ", row.key.variables).find(fmt::format(" {} ", name)) != std::string::npos;
  });
}

// Endpoints of aliases. What options say of the whole run comes first.
void AddNamed(const Granted& granted, Endpoints& endpoints) {
  for (const auto& [name, alias] : granted.settings.aliases) {
    if (alias.untrusted && !alias.base_url.empty())
      endpoints.untrusted.emplace(ModelAddressOf(alias.model).provider, alias.base_url);
  }
  for (const NamedEndpoint& each : granted.settings.endpoints) {
    Endpoint endpoint{.base_url = each.base_url, .key = each.key, .patience = each.patience};
    if (endpoint.key.empty()) TakeKey(each.key_variable, endpoint);
    TakeKeyFile(each.key_file, endpoint);
    if (endpoint.key.empty() && endpoint.key_problem.empty()) {
      const Endpoint* own = endpoints.Find(each.provider, each.base_url);
      if (own != nullptr) {
        endpoint.key = own->key;
        endpoint.key_holder = own->key_holder;
        endpoint.read_key = own->read_key;
        endpoint.aws = own->aws;
      }
    }
    if (endpoint.key.empty()) endpoint.key_variable = each.key_variable;
    if (granted.calls.timeout_s) endpoint.patience.timeout.reset();
    if (granted.calls.max_retries) endpoint.patience.max_retries.reset();
    endpoints.named.emplace(std::pair(each.provider, each.base_url), std::move(endpoint));
  }
}

// What --allow-host and the settings grant.
std::vector<std::string> GrantedHosts(const Granted& granted) {
  std::vector<std::string> hosts = granted.hosts;
  hosts.insert(hosts.end(), granted.settings.allowed_hosts.begin(), granted.settings.allowed_hosts.end());
  return hosts;
}

}  // namespace

std::optional<std::string> GivenBaseUrl(const RunSpec& spec, std::string_view provider) {
  for (const std::string& text : spec.base_urls) {
    const std::size_t equals = text.find('=');
    if (equals != std::string::npos && text.substr(0, equals) == provider) return text.substr(equals + 1);
  }
  return std::nullopt;
}

std::string KeyFileOf(std::string_view provider, std::string_view base_url, const Settings& settings) {
  for (const NamedEndpoint& each : settings.endpoints) {
    if (!base_url.empty() && each.provider == provider && each.base_url == base_url && !each.key_file.empty())
      return each.key_file;
  }
  const auto own = settings.key_files.find(provider);
  return own == settings.key_files.end() ? std::string() : own->second;
}

Endpoints ReadEndpoints(const RunSpec& spec, const Granted& granted, Diagnostics& diagnostics) {
  Endpoints endpoints;
  for (const ProviderRow& row : ProviderTable()) {
    if (row.base_url_variable.empty()) continue;
    const std::string name(row.name);
    Endpoint& endpoint = endpoints.providers[name];
    endpoint = {.base_url = EnvironmentText(row.base_url_variable), .key = {}};
    TakeKeyOf(row, endpoint);
    TakeKeyFile(KeyFileOf(name, {}, granted.settings), endpoint);
    const auto in_file = granted.settings.base_urls.find(name);
    if (endpoint.base_url.empty() && in_file != granted.settings.base_urls.end())
      endpoint.base_url = in_file->second;
    if (!row.aws.service.empty()) TakeAwsKeys(row.aws, endpoint);
  }
  for (const std::string& text : spec.base_urls) {
    const std::size_t equals = text.find('=');
    const std::string provider = text.substr(0, equals);
    if (provider == kFactcheck) continue;
    const auto known = endpoints.providers.find(provider);
    if (known == endpoints.providers.end()) {
      const std::string_view near = DidYouMean(provider, ProviderNames());
      diagnostics.Error(
          "run.base-url", fmt::format("--base-url: there is no provider {}", Quoted(provider)), Span{},
          near.empty() ? "`assay list providers` names them all" : fmt::format("did you mean {}?", near));
      continue;
    }
    known->second.base_url = text.substr(equals + 1);
  }
  AddNamed(granted, endpoints);
  for (const auto* names : {&granted.environment, &granted.settings.allowed_environment}) {
    for (const std::string& name : *names) {
      if (std::string value = EnvironmentText(name); !value.empty())
        endpoints.environment[name] = Secret(std::move(value));
    }
  }
  endpoints.factcheck = {.base_url = FactcheckUrl(spec), .key = Secret(EnvironmentText(kFactcheckToken))};
  endpoints.hosts = GrantedHosts(granted);
  endpoints.search_url = granted.settings.search_url;
  while (endpoints.search_url.ends_with('/')) endpoints.search_url.pop_back();
  AddPrograms(spec, granted, endpoints, diagnostics);
  if (granted.calls.timeout_s) endpoints.timeout = Milliseconds(*granted.calls.timeout_s);
  endpoints.streams = granted.calls.stream;
  endpoints.leaves_stream_out = HabitsOf(spec.compat).leaves_stream_out;
  if (granted.calls.stream && granted.calls.batch) {
    diagnostics.Error("run.batch-stream",
                      "--batch and --stream exclude each other: answers of a batch come whole", Span{},
                      "leave one of them out");
  }
  if (granted.calls.batch && granted.calls.background) {
    diagnostics.Error(
        "run.batch-background",
        "--batch and --background exclude each other: a batch answers in the background as well", Span{},
        "leave one of them out");
  }
  return endpoints;
}

std::map<std::string, std::string> BaseUrlsOf(const Endpoints& endpoints) {
  std::map<std::string, std::string> urls;
  for (const auto& [provider, endpoint] : endpoints.providers) {
    if (!endpoint.base_url.empty()) urls[provider] = endpoint.base_url;
  }
  return urls;
}

std::vector<std::string> EnvironmentOfPrograms(const Granted& granted) {
  std::vector<std::string> environment;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view variable = *entry;
    const std::string_view name = variable.substr(0, variable.find('='));
    const bool is_store = name == kStoreVariable && HasPassword(variable.substr(name.size() + 1));
    bool is_granted = !is_store && !IsKey(name, granted.settings);
    for (const auto* names : {&granted.environment, &granted.settings.allowed_environment})
      is_granted = is_granted || std::find(names->begin(), names->end(), name) != names->end();
    if (is_granted) environment.emplace_back(variable);
  }
  return environment;
}

HttpOptions NetworkOptions(const Granted& granted) {
  HttpOptions http;
  http.private_hosts = GrantedHosts(granted);
  if (granted.calls.timeout_s) http.first_byte = Milliseconds(*granted.calls.timeout_s);
  if (granted.calls.idle_timeout_s) http.idle = Milliseconds(*granted.calls.idle_timeout_s);
  if (granted.calls.batch) http.reply_bytes_max = limits::kBatchReplyBytesMax;
  http.ca_file = EnvironmentText("SSL_CERT_FILE");
  http.user_agent = "assay/" ASSAY_VERSION;
  http.begins = &BeginsAnswer;
  return http;
}

}  // namespace assay
