// Keeps a conversation within its model's context: long results of tools are shortened first, then the oldest
// rounds are removed.
// source: asky 0.4.15, spec research 9.5 (80 %).
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "agent/turn/turn_state.h"

namespace assay {

// The messages of a conversation, with how long they are.
class Conversation {
 public:
  explicit Conversation(std::string_view system = {});
  void Add(Message message);
  void Replace(std::size_t place, std::string text);
  // Removes the oldest round behind the first message: an assistant's and the results that it asked for.
  // False: there is none but the last.
  bool DropOldestRound();
  const std::vector<Message>& messages() const { return messages_; }
  // A quarter of the characters, the system's included.
  std::int64_t Tokens() const { return static_cast<std::int64_t>(characters_ / 4); }

 private:
  std::vector<Message> messages_;
  std::size_t characters_ = 0;
};

// Nothing: a summary is still to come.
std::optional<Waited> MakeRoom(TurnState& turn, Conversation& conversation);

}  // namespace assay
