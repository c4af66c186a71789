// The table of prefixes of ids, and the one of parameters.
#include "dialects/promptfoo/lower/models.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include "dialects/names.h"
#include "text/found.h"
#include "text/javascript/values.h"

namespace assay::promptfoo {
namespace {

// What promptfoo sends of its own accord.
enum class Habit { kNone, kChat, kAnthropic, kEmbeds };

struct FamilyRow {
  std::string_view theirs;  // longer ones first
  std::string_view ours;    // "": not asked here
  Habit habit = Habit::kNone;
};
constexpr FamilyRow kFamilies[] = {
    {"openai:chat:", "openai", Habit::kChat},
    {"openai:responses:", "openai-responses", Habit::kChat},
    {"openai:embeddings:", "openai", Habit::kEmbeds},
    {"openai:embedding:", "openai", Habit::kEmbeds},
    {"openai:completion:", ""},
    {"openai:realtime:", ""},
    {"openai:assistant:", ""},
    {"openai:image:", ""},
    {"openai:video:", ""},
    {"openai:moderation:", ""},
    {"openai:transcription:", ""},
    {"openai:speech:", ""},
    {"openai:agents:", ""},
    {"openai:codex", ""},
    {"openai:chatkit:", ""},
    {"openai:", "openai", Habit::kChat},
    {"anthropic:messages:", "anthropic", Habit::kAnthropic},
    {"anthropic:claude-agent-sdk", ""},
    {"anthropic:claude-code", ""},
    {"anthropic:completion:", ""},
    {"anthropic:", "anthropic", Habit::kAnthropic},
    {"azureopenai:chat:", "azure-openai", Habit::kChat},
    {"azure:chat:", "azure-openai", Habit::kChat},
    {"azure:embedding:", "azure-openai", Habit::kEmbeds},
    {"azure:", ""},
    {"mistral:embedding:", "mistral", Habit::kEmbeds},
    {"mistral:", "mistral"},
    {"groq:", "groq", Habit::kChat},
    {"openrouter:", "openrouter", Habit::kChat},
    {"deepseek:", "deepseek", Habit::kChat},
    {"xai:", "xai", Habit::kChat},
    {"togetherai:embedding:", "together", Habit::kEmbeds},
    {"togetherai:chat:", "together", Habit::kChat},
    {"togetherai:", "together", Habit::kChat},
    {"fireworks:", "fireworks", Habit::kChat},
    {"perplexity:", "perplexity", Habit::kChat},
    {"cerebras:", "cerebras", Habit::kChat},
    {"ollama:embeddings:", "ollama", Habit::kEmbeds},
    {"ollama:chat:", "ollama"},
    {"ollama:completion:", "ollama"},
    {"ollama:", "ollama"},
    {"localai:chat:", "openai-compatible", Habit::kChat},
    {"localai:", "openai-compatible", Habit::kChat},
    {"litellm:", "openai-compatible", Habit::kChat},
    {"google:embedding:", ""},
    {"google:image:", ""},
    {"google:live:", ""},
    {"google:video:", ""},
    {"google:", "google"},
    {"vertex:embedding:", ""},
    {"vertex:", "vertex"},
    {"cohere:embedding:", ""},
    {"cohere:", "cohere"},
    {"bedrock:agents:", ""},
    {"bedrock:kb:", ""},
    {"bedrock:converse:", "bedrock"},
    {"bedrock:", "bedrock"},
};

constexpr std::string_view kHttpGenerator = "http-template";
constexpr std::string_view kEcho = "echo";

// Ids of providers that assay does not ask.
constexpr std::string_view kNotHere[] = {
    "browser",        "f5",      "mcp",       "package", "promptfoo", "sequence",
    "simulated-user", "webhook", "websocket", "ws",      "wss"};

// Members of a configuration that go into the body of a request as they stand.
constexpr std::string_view kSent[] = {
    "frequency_penalty", "function_call",   "functions",    "logit_bias",
    "logprobs",          "metadata",        "modalities",   "parallel_tool_calls",
    "presence_penalty",  "response_format", "service_tier", "store",
    "thinking",          "tool_choice",     "tools",        "top_k",
    "top_logprobs",      "verbosity"};
// Those that are read in other ways, or that say nothing of a request.
constexpr std::string_view kRead[] = {"apiBaseUrl",
                                      "apiHost",
                                      "apiKey",
                                      "apiKeyEnvar",
                                      "basePath",
                                      "cost",
                                      "headers",
                                      "inputCost",
                                      "max_completion_tokens",
                                      "max_output_tokens",
                                      "max_tokens",
                                      "maxOutputTokens",
                                      "omitDefaults",
                                      "organization",
                                      "outputCost",
                                      "passthrough",
                                      "reasoning",
                                      "reasoning_effort",
                                      "seed",
                                      "stop",
                                      "stopSequences",
                                      "stop_sequences",
                                      "temperature",
                                      "top_p",
                                      "topP"};

template <std::size_t kSize>
bool Has(const std::string_view (&names)[kSize], std::string_view name) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

// The first of the members that is a number, or a text of one, as templates of the environment make it.
std::optional<double> FirstNumber(const Map& config, std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names) {
    if (const std::optional<double> number = config.NumberAt(name)) return number;
    const std::string& text = config.TextAt(name);
    if (text.empty()) continue;
    if (const std::optional<double> number = NumberOfText(text)) return number;
  }
  return std::nullopt;
}

std::optional<double> NumberOf(const EvalOptions& options, std::string_view name) {
  const auto found = options.environment.find(name);
  return found == options.environment.end() ? std::nullopt : NumberOfText(found->second);
}

// Models that think take neither a temperature nor a limit of tokens there.
bool ThinksThere(std::string_view model) {
  const std::size_t slash = model.rfind('/');
  if (slash != std::string_view::npos) model.remove_prefix(slash + 1);
  for (const std::string_view begin : {"o1", "o3", "o4", "gpt-5"}) {
    if (model.starts_with(begin)) return true;
  }
  return false;
}

void AddStops(const Map& config, SamplingParams& params) {
  for (const std::string_view name : {"stop", "stop_sequences", "stopSequences"}) {
    if (const std::string* one = FindText(config, name)) params.stop.push_back(*one);
    for (const Value& each : config.ListAt(name)) {
      if (each.is_string()) params.stop.push_back(each.AsString());
    }
  }
}

void AddDefaults(const Map& config, const FamilyRow& prefix, std::string_view model,
                 const EvalOptions& options, SamplingParams& params) {
  constexpr double kTokens = 1024;
  const bool is_chat = prefix.habit == Habit::kChat;
  const bool has_none = prefix.habit == Habit::kNone || prefix.habit == Habit::kEmbeds ||
                        config.BoolAt("omitDefaults").value_or(false) || (is_chat && ThinksThere(model));
  if (has_none) return;
  const std::string_view of = is_chat ? "OPENAI" : "ANTHROPIC";
  if (!params.temperature)
    params.temperature = NumberOf(options, fmt::format("{}_TEMPERATURE", of)).value_or(0);
  if (!params.max_tokens)
    params.max_tokens =
        static_cast<std::int64_t>(NumberOf(options, fmt::format("{}_MAX_TOKENS", of)).value_or(kTokens));
}

SamplingParams ParamsOf(const Map& config, const FamilyRow& prefix, std::string_view model,
                        const EvalOptions& options) {
  SamplingParams params;
  params.temperature = FirstNumber(config, {"temperature"});
  params.top_p = FirstNumber(config, {"top_p", "topP"});
  const std::optional<double> tokens =
      FirstNumber(config, {"max_completion_tokens", "max_output_tokens", "maxOutputTokens", "max_tokens"});
  if (tokens) params.max_tokens = static_cast<std::int64_t>(*tokens);
  if (const auto seed = FirstNumber(config, {"seed"})) params.seed = static_cast<std::int64_t>(*seed);
  params.effort = config.TextAt("reasoning_effort");
  if (params.effort.empty()) params.effort = config.MapAt("reasoning").TextAt("effort");
  AddStops(config, params);
  AddDefaults(config, prefix, model, options, params);
  Map extra;
  for (const Member& member : config) {
    if (Has(kSent, member.key)) extra.Append(member.key, WithWholeNumbers(member.value), member.key_span);
  }
  for (const Member& member : config.MapAt("passthrough"))
    extra.Set(member.key, WithWholeNumbers(member.value));
  if (!extra.empty()) params.extra = Value(std::move(extra));
  return params;
}

std::string BaseUrlOf(const Map& config) {
  const std::string& base = config.TextAt("apiBaseUrl");
  const std::string& host = config.TextAt("apiHost");
  if (!base.empty() || host.empty()) return base;
  return fmt::format("https://{}/v1", host);
}

NamedModel NotAskedHere(const std::string& id) {
  NamedModel asked;
  asked.model_id = id;
  asked.problem = fmt::format("assay has no provider for \"{}\"", id);
  return asked;
}

// An id that is none of theirs may be one of ours, as users name models with -m.
NamedModel OurModel(const std::string& id) {
  ModelAddress address = ModelAddressOf(id);
  if (address.provider.empty() || address.model.empty() || Has(kNotHere, address.provider))
    return NotAskedHere(id);
  NamedModel asked;
  asked.model_id = id;
  asked.ref = {.provider = std::move(address.provider),
               .model = std::move(address.model),
               .base_url = {},
               .custom = {}};
  return asked;
}

bool IsHttp(std::string_view id) {
  return id == "http" || id == "https" || id.starts_with("http://") || id.starts_with("https://");
}

}  // namespace

std::optional<double> NumberOfText(std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() ? std::optional<double>(number)
                                                                  : std::nullopt;
}

NamedModel ModelNamed(const std::string& id, const Map& config, const EvalOptions& options) {
  NamedModel asked;
  if (id == kEcho) {
    asked.ref = {.provider = "echo", .model = "echo", .base_url = {}, .custom = {}};
    asked.model_id = "echo:echo";
    asked.reads_whole_text = true;
    return asked;
  }
  if (IsHttp(id)) {
    asked.ref = {.provider = "custom", .model = id, .base_url = id, .custom = {}};
    asked.model_id = id;
    asked.generator = kHttpGenerator;
    asked.reads_whole_text = true;
    return asked;
  }
  const auto prefix = std::find_if(std::begin(kFamilies), std::end(kFamilies), [&](const FamilyRow& row) {
    return id.size() > row.theirs.size() && id.starts_with(row.theirs);
  });
  if (prefix == std::end(kFamilies)) return OurModel(id);
  if (prefix->ours.empty()) return NotAskedHere(id);
  asked.embeds = prefix->habit == Habit::kEmbeds;
  asked.ref = {.provider = std::string(prefix->ours),
               .model = id.substr(prefix->theirs.size()),
               .base_url = BaseUrlOf(config),
               .custom = {}};
  asked.model_id = fmt::format("{}:{}", asked.ref.provider, asked.ref.model);
  asked.params = ParamsOf(config, *prefix, asked.ref.model, options);
  for (const Member& member : config) {
    if (!Has(kSent, member.key) && !Has(kRead, member.key)) asked.unsent.push_back(member.key);
  }
  return asked;
}

}  // namespace assay::promptfoo
