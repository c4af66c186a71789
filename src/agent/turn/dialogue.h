// Dialogue: the loop of model requests and tool calls in a turn of the research agent. It ends when the model
// answers, when the turn is stopped, or when the allowed number of requests is used up.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "agent/turn/compaction.h"
#include "agent/turn/turn.h"
#include "agent/words/prompts.h"

namespace assay {

// What is known between two rounds.
struct DialogueState {
  std::uint32_t round = 1;  // the one that comes next
  std::vector<const ToolRow*> offered = {};
  std::string system = {};
  Conversation conversation = Conversation();  // without the system's words
  std::vector<std::pair<std::string, std::int64_t>> use = {};
  std::string answer = {};
  std::string reasoning = {};
  bool is_cut = false;
  bool was_nudged = false;
};

class Dialogue {
 public:
  // Goes on from there.
  Dialogue(TurnState& turn, DialogueState state) : turn_(turn), state_(std::move(state)) {}
  // The first two messages; `system` lacks only the tools.
  Dialogue(TurnState& turn, std::vector<const ToolRow*> offered, SystemPromptParts system,
           std::string user_text);

  // Nothing: a reply is still to come. `before_round` is told what is known before each round.
  using RoundListener = std::function<void(const DialogueState&)>;
  std::optional<Waited> Run(const RoundListener& before_round);
  void TakeInto(AgentTurn& turn);

 private:
  enum class Next { kGoOn, kOver };
  std::optional<Next> OneTurn(std::uint32_t number);
  std::optional<Waited> DemandAnswer();
  std::optional<Result<ModelReply>> AskMain(std::uint32_t number, bool is_final);
  std::optional<Waited> RunCalls(std::uint32_t number, std::vector<ToolCall> calls);
  std::optional<Value> RunCall(const ToolCall& call);
  ModelRequest MakeRequest(std::uint32_t number, bool is_final) const;
  void CountUse(const std::string& tool);
  bool IsStopped();
  bool IsCutShort(const ModelReply& reply) const;
  void EndSilent(const ModelReply& reply, std::string_view instead);
  void Fail(Error error);

  TurnState& turn_;
  DialogueState state_;
  std::optional<Error> error_;
  std::optional<std::string> halt_reason_;
};

}  // namespace assay
