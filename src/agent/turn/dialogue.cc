// Runs the loop of model requests and tool calls: reads the calls from each reply, runs the tools, and asks
// for a final answer when the requests run out.
#include "agent/turn/dialogue.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "agent/limits.h"
#include "agent/words/evidence.h"
#include "agent/words/reply_text.h"
#include "agent/words/status_block.h"
#include "agent/words/text_calls.h"
#include "base/errors/diagnostics.h"
#include "base/text/utf8.h"
#include "corpus/limits.h"
#include "spec/suite/suite.h"
#include "text/json/json.h"
#include "text/object.h"
#include "text/python/json.h"

namespace assay {

namespace {

constexpr std::uint32_t kFinalTries = 2;

// A call's arguments: a map, or why they are none.
Result<Value> ArgumentsOf(const ToolCall& call) {
  if (call.arguments.find_first_not_of(" \t\r\n") == std::string::npos) return Value(Map());
  Result<Value> parsed = ParseJson(call.arguments);
  if (!parsed || !parsed->is_map()) {
    return Error{ErrorCode::kInvalidInput,
                 fmt::format("The arguments of {} are no JSON object. Call it again with one.", call.name)};
  }
  return parsed;
}

std::vector<ToolCall> CallsOf(const ModelReply& reply, bool original) {
  if (!reply.tool_calls.empty()) return reply.tool_calls;
  std::vector<ToolCall> calls;
  const ParameterEnd end = original ? ParameterEnd::kKept : ParameterEnd::kDropped;
  for (TextCall& written : FindTextCalls(reply.text, end)) {
    calls.push_back({.id = std::move(written.id),
                     .name = std::move(written.name),
                     .arguments = WritePythonJson(Value(std::move(written.arguments))).value_or("{}")});
  }
  return calls;
}

// Ids that a service left out or gave twice are made, so that every result finds its call.
void MakeIdsUnique(std::vector<ToolCall>& calls) {
  for (std::size_t i = 0; i < calls.size(); ++i) {
    const auto is_same = [&](const ToolCall& other) { return other.id == calls[i].id; };
    const bool is_known = std::any_of(calls.begin(), calls.begin() + static_cast<std::ptrdiff_t>(i), is_same);
    if (calls[i].id.empty() || is_known) calls[i].id = fmt::format("call_{}", i);
  }
}

// What came out of the store as a double and is whole reads as a whole number.
Value WithWholeNumbers(const Value& value) {
  constexpr double kMost = 9e15;
  if (value.is_number()) {
    const double number = value.AsNumber();
    const bool is_whole = std::trunc(number) == number && std::abs(number) < kMost;
    return is_whole ? Value(static_cast<std::int64_t>(number)) : value;
  }
  if (value.is_list()) {
    return ArrayOf(value.AsList(), [&](const Value& item) { return WithWholeNumbers(item); });
  }
  if (!value.is_map()) return value;
  Map map;
  for (const Member& member : value.AsMap()) map.Append(member.key, WithWholeNumbers(member.value));
  return map;
}

// One line of JSON in the original's spacing, cut where a model would drown in it.
std::string ResultText(const Value& result) {
  std::string text =
      WritePythonJson(WithWholeNumbers(result)).value_or(R"({"error": "the result cannot be written"})");
  if (text.size() > limits::kToolResultBytesMax) {
    text = CutToBytes(text, limits::kToolResultBytesMax);
    text += "… (the rest is left out)";
  }
  return text;
}

Map EventOf(std::string_view name, std::uint32_t number) {
  return Object{{"event", name}, {"turn", static_cast<std::int64_t>(number)}};
}

}  // namespace

Dialogue::Dialogue(TurnState& turn, std::vector<const ToolRow*> offered, SystemPromptParts system,
                   std::string user_text)
    : turn_(turn) {
  for (const ToolRow* row : offered) state_.use.emplace_back(std::string(row->name), 0);
  system.tools = offered;
  state_.offered = std::move(offered);
  state_.system = SystemPrompt(system);
  state_.conversation = Conversation(state_.system);
  state_.conversation.Add({Role::kUser, std::move(user_text)});
}

std::optional<Waited> Dialogue::Run(const RoundListener& before_round) {
  const std::uint32_t turns =
      std::clamp<std::uint32_t>(turn_.context.TheVariant().agent.max_turns, 1, limits::kTurnsMax);
  for (std::uint32_t& number = state_.round; number <= turns; ++number) {
    before_round(state_);
    if (IsStopped()) return Waited{};
    if (!turn_.profile().lean) {
      ASSAY_AWAIT(const Waited made, MakeRoom(turn_, state_.conversation));
      static_cast<void>(made);
    }
    ASSAY_AWAIT(const Next next, OneTurn(number));
    if (next == Next::kOver) return Waited{};
  }
  if (IsStopped()) return Waited{};
  return DemandAnswer();
}

ModelRequest Dialogue::MakeRequest(std::uint32_t number, bool is_final) const {
  const AgentModel& agent = turn_.context.TheVariant().agent;
  ModelRequest request;
  request.params = turn_.context.TheVariant().params;
  if (!request.params.max_tokens) request.room = kNoLimit;
  std::string system = is_final ? FinalSystemPrompt() : state_.system;
  if (!is_final && !turn_.profile().lean) {
    system += "\n" + StatusBlock({.used_tokens = state_.conversation.Tokens(),
                                  .context_tokens = agent.context_tokens,
                                  .turns_left = static_cast<std::int64_t>(agent.max_turns) - number + 1});
  }
  const std::vector<Message>& said = state_.conversation.messages();
  request.messages.reserve(said.size() + 1);
  request.messages.push_back({Role::kSystem, std::move(system)});
  request.messages.insert(request.messages.end(), said.begin(), said.end());
  if (is_final || state_.offered.empty()) return request;
  for (const ToolRow* row : state_.offered) request.tools.push_back(SpecOf(*row));
  request.tool_choice = "auto";
  return request;
}

std::optional<Result<ModelReply>> Dialogue::AskMain(std::uint32_t number, bool is_final) {
  turn_.walk.Tell(EventOf("llm_start", number));
  const Usage before = turn_.used_by_model;
  ASSAY_AWAIT(Result<ModelReply> reply,
              AskModel(
                  turn_, turn_.context.TheVariant(), RequestRole::kCandidate,
                  [&] { return MakeRequest(number, is_final); }, turn_.used_by_model));
  if (reply) {
    Map end = EventOf("llm_end", number);
    Extend(end, {{"input_tokens", turn_.used_by_model.input_tokens - before.input_tokens},
                 {"output_tokens", turn_.used_by_model.output_tokens - before.output_tokens}});
    turn_.walk.Tell(std::move(end));
  }
  return reply;
}

std::optional<Dialogue::Next> Dialogue::OneTurn(std::uint32_t number) {
  ASSAY_AWAIT(Result<ModelReply> reply, AskMain(number, false));
  if (!reply) {
    Fail(std::move(reply).error());
    return Next::kOver;
  }
  std::vector<ToolCall> calls = CallsOf(*reply, turn_.suite().agent.original_calls);
  if (!calls.empty() && IsCutShort(*reply)) {
    Fail({ErrorCode::kNoAnswer,
          fmt::format("the model's output tokens were used up in the middle of a call of {}, which was not "
                      "made; allow it more: --max-tokens",
                      Quoted(calls.back().name))});
    return Next::kOver;
  }
  if (!calls.empty()) {
    MakeIdsUnique(calls);
    state_.answer = StripThinking(reply->text);  // what there is, should the turn be stopped
    state_.conversation.Add(
        {.role = Role::kAssistant, .text = reply->text, .calls = calls, .parts = reply->parts});
    ASSAY_AWAIT(const Waited ran, RunCalls(number, std::move(calls)));
    static_cast<void>(ran);
    return Next::kGoOn;
  }
  state_.answer = StripThinking(reply->text);
  state_.reasoning = reply->reasoning;
  state_.is_cut = reply->finish_reason == kCutAtLimit;
  if (!state_.answer.empty()) return Next::kOver;
  if (state_.was_nudged) {
    EndSilent(*reply, EmptyReplyApology());
    return Next::kOver;
  }
  state_.was_nudged = true;
  turn_.walk.TellStatus("agent", "an empty reply: the model is asked once more");
  state_.conversation.Add({Role::kUser, std::string(EmptyReplyNudge())});
  return Next::kGoOn;
}

std::optional<Waited> Dialogue::DemandAnswer() {
  const std::uint32_t first = turn_.context.TheVariant().agent.max_turns + 1;
  state_.conversation.Add({Role::kUser, std::string(FinalAnswerDemand())});
  for (std::uint32_t number = first; number < first + kFinalTries; ++number) {
    ASSAY_AWAIT(Result<ModelReply> reply, AskMain(number, true));
    if (!reply) {
      Fail(std::move(reply).error());
      return Waited{};
    }
    state_.answer = StripThinking(reply->text);
    state_.reasoning = reply->reasoning;
    state_.is_cut = reply->finish_reason == kCutAtLimit;
    if (!state_.answer.empty()) return Waited{};
    if (number + 1 == first + kFinalTries) EndSilent(*reply, NoAnswerFallback());
  }
  return Waited{};
}

std::optional<Waited> Dialogue::RunCalls(std::uint32_t number, std::vector<ToolCall> calls) {
  for (std::size_t i = 0; i < calls.size(); ++i) {
    const ToolCall& call = calls[i];
    Map start = EventOf("tool_start", number);
    Extend(start, {{"call_index", static_cast<std::int64_t>(i + 1)},
                   {"total_calls", static_cast<std::int64_t>(calls.size())},
                   {"tool_name", call.name},
                   {"tool_arguments", call.arguments}});
    turn_.walk.Tell(std::move(start));
    Value result;
    if (i < limits::kCallsPerReplyMax) {
      ASSAY_AWAIT(result, RunCall(call));
    } else {
      result = ToolError(fmt::format("Not run: one reply may call {} tools. Call it in your next reply.",
                                     limits::kCallsPerReplyMax));
    }
    CountUse(call.name);
    Map end = EventOf("tool_end", number);
    Extend(end, {{"call_index", static_cast<std::int64_t>(i + 1)}, {"tool_name", call.name}});
    if (List evidence = EvidenceOf(result); !evidence.empty()) end.Append("evidence", std::move(evidence));
    if (std::string problem = ProblemOfResult(result); !problem.empty())
      end.Append("problem", std::move(problem));
    turn_.walk.Tell(std::move(end));
    state_.conversation.Add(
        {.role = Role::kTool, .text = Fenced("a tool", ResultText(result)), .calls = {}, .call_id = call.id});
  }
  return Waited{};
}

std::optional<Value> Dialogue::RunCall(const ToolCall& call) {
  const auto offered = std::find_if(state_.offered.begin(), state_.offered.end(),
                                    [&](const ToolRow* row) { return row->name == call.name; });
  if (offered == state_.offered.end())
    return ToolError(fmt::format("There is no tool {} here.", Quoted(call.name)));
  const Result<Value> arguments = ArgumentsOf(call);
  if (!arguments) return ToolError(arguments.error().message);
  return (*offered)->run(turn_, *arguments);
}

void Dialogue::CountUse(const std::string& tool) {
  const auto found = std::find_if(state_.use.begin(), state_.use.end(),
                                  [&](const auto& each) { return each.first == tool; });
  if (found == state_.use.end()) {
    state_.use.emplace_back(tool, 1);
  } else {
    ++found->second;
  }
}

bool Dialogue::IsStopped() {
  halt_reason_ = LimitReached(turn_);
  return halt_reason_.has_value();
}

// What a limit of tokens cut is no whole call. The original makes it all the same.
bool Dialogue::IsCutShort(const ModelReply& reply) const {
  return reply.finish_reason == kCutAtLimit && !turn_.suite().agent.original_calls;
}

// Research without a word of an answer is none, however often it was asked for; the original, and a turn
// without research, says so in words of its own.
void Dialogue::EndSilent(const ModelReply& reply, std::string_view instead) {
  if (!turn_.profile().research_mode || turn_.suite().agent.original_calls) {
    state_.answer = instead;
  } else if (reply.finish_reason == kCutAtLimit) {
    Fail({ErrorCode::kNoAnswer,
          "the model used up its output tokens before it answered; allow it more: --max-tokens"});
  } else {
    Fail({ErrorCode::kCorrupt, "the model's last reply is empty, also when it was asked once more"});
  }
}

void Dialogue::Fail(Error error) {
  state_.answer.clear();
  error_ = std::move(error);
}

void Dialogue::TakeInto(AgentTurn& turn) {
  turn.answer = std::move(state_.answer);
  turn.reasoning = std::move(state_.reasoning);
  turn.is_cut = state_.is_cut;
  turn.error = std::move(error_);
  turn.details.halted = halt_reason_.has_value();
  turn.details.halt_reason = std::move(halt_reason_);
  Map use;
  for (const auto& [tool, count] : state_.use) use.Append(tool, static_cast<std::int64_t>(count));
  turn.details.tool_usage = Value(std::move(use));
}

}  // namespace assay
