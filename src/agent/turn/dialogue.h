// Dialogue: the loop of model requests and tool calls in a turn of the research agent. It ends when the model
// answers, when the turn is stopped, or when the allowed number of requests is used up.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "agent/turn/compaction.h"
#include "agent/turn/turn.h"
#include "agent/words/prompts.h"

namespace assay {

class Dialogue {
 public:
  Dialogue(TurnState& turn, std::vector<const ToolRow*> offered);

  // The first two messages; `system` lacks only the tools.
  void Begin(SystemPromptParts system, std::string user_text);
  // Nothing: a reply is still to come.
  std::optional<Waited> Run();
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
  std::vector<const ToolRow*> offered_;
  std::string system_;
  Conversation conversation_;  // without the system's words
  std::vector<std::pair<std::string, std::int64_t>> use_;
  std::string answer_;
  std::string reasoning_;
  bool is_cut_ = false;
  bool was_nudged_ = false;
  std::optional<Error> error_;
  std::optional<std::string> halt_reason_;
};

}  // namespace assay
