// Counts which beginnings of prompts repeat, marks them, and holds calls back while the first with the same
// beginning is under way.
#include "run/limits/cost/prompt_cache.h"

#include <fmt/core.h>

#include <algorithm>

#include "spec/exchange/tool_calls.h"

namespace assay {

namespace {

constexpr std::size_t kBytesPerToken = 4;

// How many messages stand before the first that is no system prompt.
std::uint32_t SystemMessages(const std::vector<Message>& messages) {
  const auto first = std::find_if(messages.begin(), messages.end(),
                                  [](const Message& message) { return message.role != Role::kSystem; });
  return static_cast<std::uint32_t>(first - messages.begin());
}

// The beginnings of a request that others may have too, shortest first: its system prompt, what was said
// before its last turn, and all of it.
std::vector<std::uint32_t> LengthsOf(const ModelRequest& request, const RequestTag& tag) {
  const auto all = static_cast<std::uint32_t>(request.messages.size());
  std::vector<std::uint32_t> lengths;
  if (const std::uint32_t system = SystemMessages(request.messages); system > 0) lengths.push_back(system);
  // A turn adds the answer to the one before, and the next question or what came of its calls.
  const auto answer = std::find_if(request.messages.rbegin(), request.messages.rend(),
                                   [](const Message& message) { return message.role == Role::kAssistant; });
  const auto before = static_cast<std::uint32_t>(request.messages.rend() - answer);
  if (tag.turn > 0 && before > 1) lengths.push_back(before - 1);
  lengths.push_back(all);
  lengths.erase(std::unique(lengths.begin(), lengths.end()), lengths.end());
  return lengths;
}

}  // namespace

void PromptCache::Expect(Call& call) {
  const auto* request = std::get_if<ModelRequest>(&call.prepared.request);
  if (request == nullptr || call.prepared.recorded || !call.beginnings.empty()) return;
  const std::optional<ModelFacts> facts = models_.FactsOf(*request);
  if (!facts || facts->cache_min_tokens == 0) return;
  const std::size_t least = static_cast<std::size_t>(facts->cache_min_tokens) * kBytesPerToken;
  std::string text = fmt::format("{}\n{}\n{}\n", request->provider, request->model, request->base_url);
  const std::size_t frame = text.size();
  // Tools stand before everything else.
  text += ToolsText(request->tools);
  std::uint32_t taken = 0;
  for (const std::uint32_t length : LengthsOf(*request, call.prepared.tag)) {
    for (; taken < length; ++taken) {
      const Message& message = request->messages[taken];
      text += fmt::format("{} {}\n{}", static_cast<int>(message.role), message.text.size(), message.text);
      for (const MediaPart& part : message.media) text += part.sha256;
      for (const ToolCall& made : message.calls)
        text += fmt::format("{} {} {}\n{}{}{}", made.id.size(), made.name.size(), made.arguments.size(),
                            made.id, made.name, made.arguments);
    }
    if (text.size() - frame < least) continue;
    call.beginnings.push_back({.messages = length, .digest = Sha256Of(text)});
    ++beginnings_[call.beginnings.back().digest].calls;
  }
}

// A conversation that goes on is repeated by its own next turn.
bool PromptCache::IsRepeated(const Call& call, const CallBeginning& beginning) const {
  const auto& request = std::get<ModelRequest>(call.prepared.request);
  const RequestTag& tag = call.prepared.tag;
  const bool is_all = beginning.messages == request.messages.size();
  const bool goes_on = tag.role == RequestRole::kCandidate && !tag.is_final_turn;
  return (is_all && goes_on) || beginnings_.at(beginning.digest).calls > 1;
}

bool PromptCache::IsBlocked(const Call& call, TimePoint now) const {
  return std::any_of(call.beginnings.begin(), call.beginnings.end(), [&](const CallBeginning& each) {
    const Beginning& beginning = beginnings_.at(each.digest);
    return !beginning.is_there && beginning.first != nullptr && beginning.first != &call &&
           now < beginning.first_until;
  });
}

bool PromptCache::Keep(Call& call, TimePoint now) {
  if (call.beginnings.empty()) return false;
  if (IsBlocked(call, now)) {
    kept_.push_back(&call);
    return true;
  }
  auto& request = std::get<ModelRequest>(call.prepared.request);
  request.repeated.clear();
  for (const CallBeginning& each : call.beginnings) {
    if (IsRepeated(call, each)) request.repeated.push_back(each.messages);
  }
  return false;
}

void PromptCache::OnSend(const Call& call, TimePoint now) {
  for (const CallBeginning& each : call.beginnings) {
    Beginning& beginning = beginnings_.at(each.digest);
    if (beginning.is_there || beginning.calls < 2 || beginning.first != nullptr) continue;
    beginning.first = &call;
    beginning.first_until = now + kFirstCallMost;
  }
}

void PromptCache::OnReply(const Call& call) {
  for (const CallBeginning& each : call.beginnings) {
    Beginning& beginning = beginnings_.at(each.digest);
    if (beginning.first == &call) beginning.is_there = true;
  }
}

std::vector<Call*> PromptCache::Release(TimePoint now) {
  std::vector<Call*> released;
  std::erase_if(kept_, [&](Call* call) {
    const bool is_free = !IsBlocked(*call, now);
    if (is_free) released.push_back(call);
    return is_free;
  });
  return released;
}

TimePoint PromptCache::NextRelease() const {
  TimePoint next = kNever;
  for (const Call* call : kept_) {
    for (const CallBeginning& each : call->beginnings) {
      const Beginning& beginning = beginnings_.at(each.digest);
      if (!beginning.is_there && beginning.first != nullptr) next = std::min(next, beginning.first_until);
    }
  }
  return next;
}

}  // namespace assay
