// Shortens a conversation that no longer fits its model's context: summaries replace long tool results, then
// the oldest rounds are removed.
#include "agent/turn/compaction.h"

#include <algorithm>

#include "agent/words/prompts.h"
#include "agent/words/summarizer.h"
#include "base/text/utf8.h"

namespace assay {

namespace {

constexpr std::size_t kLongResultBytes = 2'000;

bool IsFull(const TurnState& turn, const Conversation& conversation) {
  const std::int64_t context = turn.context.TheVariant().agent.context_tokens;
  return context > 0 &&
         static_cast<double>(conversation.Tokens()) >= kContextShare * static_cast<double>(context);
}

}  // namespace

Conversation::Conversation(std::string_view system) : characters_(CountCodePoints(system)) {}

void Conversation::Add(Message message) {
  characters_ += CharactersOf(message);
  messages_.push_back(std::move(message));
}

void Conversation::Replace(std::size_t place, std::string text) {
  characters_ -= CharactersOf(messages_[place]);
  messages_[place].text = std::move(text);
  characters_ += CharactersOf(messages_[place]);
}

bool Conversation::DropOldestRound() {
  constexpr std::size_t kFirst = 1;
  std::size_t end = kFirst + 1;
  while (end < messages_.size() && messages_[end].role == Role::kTool) ++end;
  if (end >= messages_.size()) return false;
  for (std::size_t i = kFirst; i < end; ++i) characters_ -= CharactersOf(messages_[i]);
  messages_.erase(messages_.begin() + kFirst, messages_.begin() + static_cast<std::ptrdiff_t>(end));
  return true;
}

std::optional<Waited> MakeRoom(TurnState& turn, Conversation& conversation) {
  for (std::size_t i = 0; i < conversation.messages().size() && IsFull(turn, conversation); ++i) {
    const Message& message = conversation.messages()[i];
    if (message.role != Role::kTool || message.text.size() < kLongResultBytes) continue;
    ASSAY_AWAIT(const std::string summary, Summarize(turn, "the result of a tool", message.text));
    if (summary.size() < message.text.size()) conversation.Replace(i, Fenced("a tool, shortened", summary));
  }
  bool has_dropped = false;
  while (IsFull(turn, conversation) && conversation.DropOldestRound()) has_dropped = true;
  if (has_dropped) turn.walk.TellStatus("agent", "the oldest rounds are left out: the context is full");
  return Waited{};
}

}  // namespace assay
