// Reads the usage members of each protocol, and finds counts in replies that hold no answer. Impossible
// counts make the usage unknown.
#include "providers/shapes/reply/usage.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/wire/sse.h"
#include "providers/facts/model_facts.h"
#include "providers/shapes/chat.h"
#include "providers/shapes/reply/reply_json.h"
#include "spec/run/run_cost.h"
#include "text/json/json.h"

namespace assay {

namespace {

// Reads counts of tokens. One that no call can have (a text, a fraction, below 0, or beyond a billion) is no
// slip of one number: then nothing of what the reply says of its usage counts.
class Counter {
 public:
  std::int64_t Of(const Value& map, std::string_view name) {
    const Value* value = map.Find(name);
    if (value == nullptr || value->is_null()) return 0;
    const double number = map.NumberAt(name).value_or(-1);
    is_told_ = true;
    if (number >= 0 && number <= kTokensMost && std::trunc(number) == number)
      return static_cast<std::int64_t>(number);
    believable_ = false;
    return 0;
  }
  std::int64_t Of(const Value& usage, std::string_view details, std::string_view name) {
    const Value* map = usage.Find(details);
    return map == nullptr ? 0 : Of(*map, name);
  }
  Usage Believed(Usage counts) const {
    counts.known = true;
    const bool fits = static_cast<double>(counts.input_tokens) <= kTokensMost &&
                      static_cast<double>(counts.output_tokens) <= kTokensMost;
    return is_told_ && believable_ && fits ? counts : Usage{};
  }

 private:
  static constexpr double kTokensMost = 1e9;
  bool is_told_ = false;
  bool believable_ = true;
};

// US dollars; absent: none, or none that a call can have.
std::optional<std::int64_t> NanoUsd(double usd) {
  constexpr double kUsdMost = 1e6;
  if (!(usd >= 0 && usd <= kUsdMost)) return std::nullopt;
  return std::llround(usd * kNanoPerUsd);
}

// `cost` of a usage: dollars (OpenRouter), or a map with their sum (Perplexity); `cost_in_usd_ticks` (xAI):
// ten billion to a dollar.
std::optional<std::int64_t> StatedCost(const Value& usage) {
  if (const auto cost = usage.NumberAt("cost")) return NanoUsd(*cost);
  if (const auto cost = usage.MapAt("cost").NumberAt("total_cost")) return NanoUsd(*cost);
  constexpr double kTicksPerUsd = 1e10;
  const std::optional<double> ticks = usage.NumberAt("cost_in_usd_ticks");
  return ticks ? NanoUsd(*ticks / kTicksPerUsd) : std::nullopt;
}

// Members of `map` that are maps: what stands around usage in replies and events.
void TakeMembers(const Map& from, Map& usage) {
  for (const Member& member : from) usage.Set(member.key, member.value);
}

// The counts of a body or an event, wherever the protocols put them; later events add to earlier ones.
void TakeCounts(const Value& body, Map& usage, Map& metadata, std::string& finish) {
  for (const std::string_view holder : {"", "message", "response"}) {
    const Value* map = holder.empty() ? &body : body.Find(holder);
    if (map == nullptr) continue;
    TakeMembers(map->MapAt("usage"), usage);
    TakeMembers(map->MapAt("usageMetadata"), metadata);
    for (const std::string_view name : {"stop_reason", "stopReason"}) {
      if (const std::string& reason = map->TextAt(name); !reason.empty()) finish = reason;
    }
  }
  if (const std::string& reason = body.MapAt("delta").TextAt("stop_reason"); !reason.empty()) finish = reason;
  for (const auto& [list, name] :
       {std::pair{"choices", "finish_reason"}, std::pair{"candidates", "finishReason"}}) {
    const List& rows = body.ListAt(list);
    if (rows.empty()) continue;
    if (const std::string& reason = rows.front().TextAt(name); !reason.empty()) finish = reason;
  }
}

Usage UsageOf(const Map& counts) {
  if (counts.empty()) return {};
  const Value usage{counts};
  if (usage.Find("prompt_tokens") != nullptr) return ChatUsage(usage);
  if (usage.Find("inputTokens") != nullptr) return BedrockUsage(usage);
  if (usage.Find("tokens") != nullptr || usage.Find("billed_units") != nullptr) return CohereUsage(usage);
  const bool is_responses =
      usage.Find("input_tokens_details") != nullptr || usage.Find("total_tokens") != nullptr;
  return is_responses ? ResponsesUsage(usage) : AnthropicUsage(usage);
}

// At the list price; whoever knows the user's own prices sets these (ModelBook::PriceTools).
void AddToolUse(std::string_view seller, std::string_view tool, std::int64_t calls, Billing& billing) {
  if (calls == 0) return;
  billing.tools_nano_usd += calls * ToolNanoUsd(seller, tool);
  billing.tool_uses.push_back({.seller = seller, .tool = tool, .calls = calls});
}

}  // namespace

bool HasCount(const Value& usage, std::string_view name) { return usage.NumberAt(name).has_value(); }

void AddListedToolCosts(const Value& body, Usage& usage) {
  if (!usage.known) return;
  for (const Value& item : body.ListAt("output")) {
    const std::string type = item.TextAt("type");
    const Value* action = item.Find("action");
    // Pages that it opens, and words that it looks for in them, are free.
    const bool is_search = action == nullptr || action->TextAt("type") == "search";
    if (type == "web_search_call" && is_search) AddToolUse("openai", "web_search", 1, usage.billing);
    if (type == "file_search_call") AddToolUse("openai", "file_search", 1, usage.billing);
  }
}

void AddGroundingCosts(const Value& candidate, Usage& usage) {
  if (!usage.known) return;
  const List& queries = candidate.MapAt("groundingMetadata").ListAt("webSearchQueries");
  AddToolUse("google", "google_search", static_cast<std::int64_t>(queries.size()), usage.billing);
}

std::optional<std::int64_t> CostInHeaders(const HttpReply& reply) {
  const auto header = std::find_if(reply.headers.begin(), reply.headers.end(), [](const HttpHeader& each) {
    return each.name == "x-litellm-response-cost";
  });
  if (header == reply.headers.end()) return std::nullopt;
  const std::string_view text = header->value;
  double usd = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), usd);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return NanoUsd(usd);
}

Usage ChatUsage(const Value& usage) {
  if (!usage.is_map()) return {};
  constexpr std::string_view kCounts[] = {"prompt_tokens", "completion_tokens", "total_tokens"};
  const auto is_told = [&usage](std::string_view name) { return HasCount(usage, name); };
  if (std::none_of(std::begin(kCounts), std::end(kCounts), is_told)) return {};
  Counter tokens;
  Usage counts;
  counts.input_tokens = tokens.Of(usage, "prompt_tokens");
  counts.output_tokens = tokens.Of(usage, "completion_tokens");
  counts.reasoning_tokens = std::max(tokens.Of(usage, "completion_tokens_details", "reasoning_tokens"),
                                     tokens.Of(usage, "reasoning_tokens"));
  const std::int64_t total = tokens.Of(usage, "total_tokens");
  const std::int64_t beside = total - counts.input_tokens - counts.output_tokens;
  if (beside > 0) {
    counts.output_tokens += beside;
    counts.reasoning_tokens = std::max(counts.reasoning_tokens, beside);
  }
  counts.cached_read_tokens =
      std::max({tokens.Of(usage, "prompt_tokens_details", "cached_tokens"), tokens.Of(usage, "cached_tokens"),
                tokens.Of(usage, "num_cached_tokens"), tokens.Of(usage, "prompt_cache_hit_tokens")});
  counts.cached_write_tokens = tokens.Of(usage, "prompt_tokens_details", "cache_write_tokens");
  counts.billing.cost_nano_usd = StatedCost(usage);
  return tokens.Believed(counts);
}

Usage AnthropicUsage(const Value& usage) {
  if (!usage.is_map()) return {};
  Counter tokens;
  Usage counts;
  counts.cached_read_tokens = tokens.Of(usage, "cache_read_input_tokens");
  counts.cached_write_tokens = tokens.Of(usage, "cache_creation_input_tokens");
  counts.input_tokens =
      tokens.Of(usage, "input_tokens") + counts.cached_read_tokens + counts.cached_write_tokens;
  counts.output_tokens = tokens.Of(usage, "output_tokens");
  counts.reasoning_tokens = tokens.Of(usage, "output_tokens_details", "thinking_tokens");
  counts.billing.hour_write_tokens = tokens.Of(usage, "cache_creation", "ephemeral_1h_input_tokens");
  AddToolUse("anthropic", "web_search", tokens.Of(usage, "server_tool_use", "web_search_requests"),
             counts.billing);
  return tokens.Believed(counts);
}

Usage ResponsesUsage(const Value& usage) {
  if (!usage.is_map()) return {};
  Counter tokens;
  Usage counts;
  counts.input_tokens = tokens.Of(usage, "input_tokens");
  counts.output_tokens = tokens.Of(usage, "output_tokens");
  counts.reasoning_tokens = tokens.Of(usage, "output_tokens_details", "reasoning_tokens");
  counts.cached_read_tokens = tokens.Of(usage, "input_tokens_details", "cached_tokens");
  counts.cached_write_tokens = tokens.Of(usage, "input_tokens_details", "cache_write_tokens");
  counts.billing.cost_nano_usd = StatedCost(usage);
  return tokens.Believed(counts);
}

Usage GoogleUsage(const Value& usage) {
  if (!usage.is_map()) return {};
  Counter tokens;
  Usage counts;
  counts.reasoning_tokens = tokens.Of(usage, "thoughtsTokenCount");
  counts.input_tokens = tokens.Of(usage, "promptTokenCount") + tokens.Of(usage, "toolUsePromptTokenCount");
  counts.output_tokens = tokens.Of(usage, "candidatesTokenCount") + counts.reasoning_tokens;
  counts.cached_read_tokens = tokens.Of(usage, "cachedContentTokenCount");
  return tokens.Believed(counts);
}

Usage CohereUsage(const Value& usage) {
  const Value* counted = usage.Find("tokens");
  if (counted == nullptr || !counted->is_map()) counted = usage.Find("billed_units");
  if (counted == nullptr || !counted->is_map()) return {};
  Counter tokens;
  Usage counts;
  counts.input_tokens = tokens.Of(*counted, "input_tokens");
  counts.output_tokens = tokens.Of(*counted, "output_tokens");
  counts.cached_read_tokens = tokens.Of(usage, "cached_tokens");
  return tokens.Believed(counts);
}

Usage BedrockUsage(const Value& usage) {
  if (!usage.is_map()) return {};
  Counter tokens;
  Usage counts;
  counts.cached_read_tokens = tokens.Of(usage, "cacheReadInputTokens");
  counts.cached_write_tokens = tokens.Of(usage, "cacheWriteInputTokens");
  counts.input_tokens =
      tokens.Of(usage, "inputTokens") + counts.cached_read_tokens + counts.cached_write_tokens;
  counts.output_tokens = tokens.Of(usage, "outputTokens");
  return tokens.Believed(counts);
}

Stated StatedBy(const HttpReply& reply) {
  Map usage;
  Map metadata;
  std::string finish;
  if (Result<Value> body = ParseJson(reply.body); body && body->is_map()) {
    TakeCounts(*body, usage, metadata, finish);
  } else {
    for (const SseEvent& event : ReadSse(reply.body)) {
      if (const Result<Value> data = ParseJson(event.data); data && data->is_map())
        TakeCounts(*data, usage, metadata, finish);
    }
  }
  return {.usage = metadata.empty() ? UsageOf(usage) : GoogleUsage(Value(std::move(metadata))),
          .finish = FinishReason(finish)};
}

}  // namespace assay
