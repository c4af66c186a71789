// Counts.
#include "providers/shapes/usage.h"

#include <algorithm>

#include "base/sse.h"
#include "providers/shapes/chat.h"
#include "providers/shapes/reply_json.h"
#include "text/json/json.h"

namespace assay {

namespace {

std::int64_t DetailOf(const Value& usage, std::string_view details, std::string_view name) {
  const Value* map = usage.Find(details);
  return map == nullptr ? 0 : CountMember(*map, name);
}

// Members of `map` that are maps: what stands around usage in replies and events.
void TakeMembers(const Value& from, Map& usage) {
  if (!from.is_map()) return;
  for (const Member& member : from.AsMap()) usage.Set(member.key, member.value);
}

// The counts of a body or an event, wherever the protocols put them; later events add to earlier ones.
void TakeCounts(const Value& body, Map& usage, Map& metadata, std::string& finish) {
  for (const std::string_view holder : {"", "message", "response"}) {
    const Value* map = holder.empty() ? &body : body.Find(holder);
    if (map == nullptr || !map->is_map()) continue;
    if (const Value* counts = map->Find("usage")) TakeMembers(*counts, usage);
    if (const Value* counts = map->Find("usageMetadata")) TakeMembers(*counts, metadata);
    if (std::string reason = TextMember(*map, "stop_reason"); !reason.empty()) finish = std::move(reason);
  }
  if (const Value* delta = body.Find("delta")) {
    if (std::string reason = TextMember(*delta, "stop_reason"); !reason.empty()) finish = std::move(reason);
  }
  for (const auto& [list, name] :
       {std::pair{"choices", "finish_reason"}, std::pair{"candidates", "finishReason"}}) {
    const Value* rows = body.Find(list);
    if (rows == nullptr || !rows->is_list() || rows->AsList().empty()) continue;
    if (std::string reason = TextMember(rows->AsList().front(), name); !reason.empty())
      finish = std::move(reason);
  }
}

Usage UsageOf(const Map& counts) {
  if (counts.empty()) return {};
  const Value usage{counts};
  if (usage.Find("prompt_tokens") != nullptr) return ChatUsage(usage);
  const bool is_responses =
      usage.Find("input_tokens_details") != nullptr || usage.Find("total_tokens") != nullptr;
  return is_responses ? ResponsesUsage(usage) : AnthropicUsage(usage);
}

}  // namespace

Usage ChatUsage(const Value& usage) {
  if (!usage.is_map()) return {};
  Usage counts;
  counts.known = true;
  counts.input_tokens = CountMember(usage, "prompt_tokens");
  counts.output_tokens = CountMember(usage, "completion_tokens");
  counts.reasoning_tokens = std::max(DetailOf(usage, "completion_tokens_details", "reasoning_tokens"),
                                     CountMember(usage, "reasoning_tokens"));
  const std::int64_t total = CountMember(usage, "total_tokens");
  const std::int64_t beside = total - counts.input_tokens - counts.output_tokens;
  if (beside > 0) {
    counts.output_tokens += beside;
    counts.reasoning_tokens = std::max(counts.reasoning_tokens, beside);
  }
  counts.cached_read_tokens = std::max(
      {DetailOf(usage, "prompt_tokens_details", "cached_tokens"), CountMember(usage, "cached_tokens"),
       CountMember(usage, "num_cached_tokens"), CountMember(usage, "prompt_cache_hit_tokens")});
  counts.cached_write_tokens = DetailOf(usage, "prompt_tokens_details", "cache_write_tokens");
  return counts;
}

Usage AnthropicUsage(const Value& usage) {
  if (!usage.is_map()) return {};
  Usage counts;
  counts.known = true;
  counts.cached_read_tokens = CountMember(usage, "cache_read_input_tokens");
  counts.cached_write_tokens = CountMember(usage, "cache_creation_input_tokens");
  counts.input_tokens =
      CountMember(usage, "input_tokens") + counts.cached_read_tokens + counts.cached_write_tokens;
  counts.output_tokens = CountMember(usage, "output_tokens");
  counts.reasoning_tokens = DetailOf(usage, "output_tokens_details", "thinking_tokens");
  return counts;
}

Usage ResponsesUsage(const Value& usage) {
  if (!usage.is_map()) return {};
  Usage counts;
  counts.known = true;
  counts.input_tokens = CountMember(usage, "input_tokens");
  counts.output_tokens = CountMember(usage, "output_tokens");
  counts.reasoning_tokens = DetailOf(usage, "output_tokens_details", "reasoning_tokens");
  counts.cached_read_tokens = DetailOf(usage, "input_tokens_details", "cached_tokens");
  counts.cached_write_tokens = DetailOf(usage, "input_tokens_details", "cache_write_tokens");
  return counts;
}

Usage GoogleUsage(const Value& usage) {
  if (!usage.is_map()) return {};
  Usage counts;
  counts.known = true;
  counts.reasoning_tokens = CountMember(usage, "thoughtsTokenCount");
  counts.input_tokens =
      CountMember(usage, "promptTokenCount") + CountMember(usage, "toolUsePromptTokenCount");
  counts.output_tokens = CountMember(usage, "candidatesTokenCount") + counts.reasoning_tokens;
  counts.cached_read_tokens = CountMember(usage, "cachedContentTokenCount");
  return counts;
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
