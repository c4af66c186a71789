// Joins the chunks of a chat stream to one reply. Source: OpenAI API reference, "Chat completion chunk".
#include "providers/shapes/reply/chat_stream.h"

#include <algorithm>
#include <map>

#include "base/wire/sse.h"
#include "providers/shapes/chat.h"
#include "providers/shapes/chat_parts.h"
#include "providers/shapes/reply/citations.h"
#include "providers/shapes/reply/reply_json.h"
#include "providers/shapes/reply/usage.h"
#include "providers/shapes/tool_calls.h"
#include "text/found.h"
#include "text/javascript/truth.h"
#include "text/json/json.h"
#include "text/object.h"

namespace assay {

namespace {

constexpr std::string_view kEnd = "[DONE]";

struct StreamState {
  ModelReply reply;
  std::vector<ToolCall> calls;
  Value message{Map()};                        // its other members, joined
  std::vector<Map> beside;                     // of each call
  std::map<std::int64_t, std::size_t> places;  // of the last call of each index
  Map sources;                                 // what TakeCitations reads
  List annotations;                            // of the message, which are of them
  std::string refusal;
  bool ended = false;
  bool has_end_member = false;  // some event has it, be it null
};

// A piece belongs to the call of its index. Services that send whole calls may leave the index out, or give
// the same one to all: another id begins another call.
void TakeCallPiece(const Value& piece, StreamState& state) {
  const CalledTool tool = CalledToolOf(piece);
  if (tool.called == nullptr) return;
  const std::string id = piece.TextAt("id");
  const auto [place, is_new] = state.places.try_emplace(CountMember(piece, "index"), state.calls.size());
  const bool is_other =
      !is_new && !id.empty() && !state.calls[place->second].id.empty() && state.calls[place->second].id != id;
  if (is_new || is_other) {
    place->second = state.calls.size();
    state.calls.push_back({});
    state.beside.push_back({});
  }
  for (const Member& member : piece.AsMap()) state.beside[place->second].Set(member.key, member.value);
  ToolCall& call = state.calls[place->second];
  if (call.id.empty()) call.id = id;
  call.name += tool.called->TextAt("name");
  call.arguments += ArgumentsOf(tool.called->Find(tool.arguments));
}

void TakeChoice(const EndWords& ends, const Value& choice, StreamState& state) {
  ModelReply& reply = state.reply;
  if (const Value* finish = choice.Find("finish_reason")) {
    state.has_end_member = true;
    if (finish->Truthy()) {
      TakeEnd(ends, choice, "finish_reason", reply);
      state.ended = true;
    }
  }
  const Value* delta = choice.Find("delta");
  if (delta == nullptr) return;
  if (const Value* content = delta->Find("content")) TakeChatContent(*content, reply);
  JoinDelta(*delta, state.message);
  state.refusal += delta->TextAt("refusal");
  std::string thought = delta->TextAt("reasoning_content");
  if (thought.empty()) thought = delta->TextAt("reasoning");
  reply.reasoning += thought.empty() ? TextOfDetails(*delta) : thought;
  if (const List* calls = FindList(*delta, "tool_calls")) {
    for (const Value& call : *calls) TakeCallPiece(call, state);
  } else if (const Value* function = delta->Find("function_call"); function != nullptr) {
    TakeCallPiece(AsCall(*function), state);
  }
}

// What a whole body would have: annotations of the message, and beside the choices the last list that came.
void TakeSources(const Value& chunk, StreamState& state) {
  for (const std::string_view name : {"search_results", "citations"}) {
    if (const Value* list = chunk.Find(name)) state.sources.Set(std::string(name), *list);
  }
  const List& choices = chunk.ListAt("choices");
  if (choices.empty()) return;
  const List& more = choices.front().MapAt("delta").ListAt("annotations");
  state.annotations.insert(state.annotations.end(), more.begin(), more.end());
}

// What went wrong, in an event of its own or beside the rest (Groq).
std::optional<Error> ErrorOfEvent(const Value& chunk, std::string_view data) {
  for (const Value* holder : {&chunk, chunk.Find("x_groq")}) {
    if (holder != nullptr && IsTruthyAt(*holder, "error")) return ErrorOfReply(0, *holder, data);
  }
  return std::nullopt;
}

}  // namespace

void TakeChatContent(const Value& content, ModelReply& reply) {
  if (content.is_string()) reply.text += content.AsString();
  if (!content.is_list()) return;
  for (const Value& part : content.AsList()) {
    const std::string type = part.TextAt("type");
    if (type == "text" || type == "output_text") reply.text += part.TextAt("text");
    reply.reasoning += part.TextAt("thinking");
    for (const Value& thought : part.ListAt("thinking")) reply.reasoning += thought.TextAt("text");
  }
}

namespace {

// Kinds of events that only open a reply or a part of it, or say that it is still coming.
bool OnlyOpens(std::string_view type) {
  constexpr std::string_view kTypes[] = {
      "message_start",
      "content_block_start",
      "ping",
      "keepalive",
      "response.created",
      "response.queued",
      "response.in_progress",
      "response.output_item.added",
      "response.content_part.added",
      "response.reasoning_summary_part.added",
  };
  return std::find(std::begin(kTypes), std::end(kTypes), type) != std::end(kTypes);
}

// Whether a piece of Google's protocol has no part that says anything, and no end.
bool IsSilentCandidate(const Value& event) {
  const List& candidates = event.ListAt("candidates");
  if (candidates.empty()) return false;
  const Value& candidate = candidates.front();
  if (!candidate.TextAt("finishReason").empty()) return false;
  const List& parts = candidate.MapAt("content").ListAt("parts");
  return std::all_of(parts.begin(), parts.end(), [](const Value& part) {
    return part.TextAt("text").empty() && part.Find("functionCall") == nullptr;
  });
}

}  // namespace

std::optional<Error> ErrorOfChoice(const Value& choice) {
  if (!IsTruthyAt(choice, "error")) return std::nullopt;
  return ErrorOfReply(0, choice, "an error");
}

void TakeRefusal(std::string refusal, ModelReply& reply) {
  if (refusal.empty() || !reply.text.empty()) return;
  reply.text = std::move(refusal);
  reply.end_words = reply.text;
  reply.finish_reason = kRefusal;
}

bool BeginsAnswer(std::string_view event_data) {
  const Result<Value> event = ParseJson(event_data);
  if (!event || !event->is_map()) return true;
  const std::string type = event->TextAt("type");
  if (OnlyOpens(type) || IsSilentCandidate(*event)) return false;
  if (type.empty() && event->Find("role") != nullptr && event->Find("choices") == nullptr)
    return false;  // Bedrock's messageStart
  const List& choices = event->ListAt("choices");
  if (event->Find("choices") != nullptr) {
    if (choices.empty()) return false;
    if (!choices.front().TextAt("finish_reason").empty()) return true;
  } else if (type != "content_block_delta") {
    return true;
  }
  const Map& delta = (choices.empty() ? *event : choices.front()).MapAt("delta");
  const auto says_something = [](const Member& member) {
    const bool is_text = member.key != "role" && member.value.is_string() && !member.value.AsString().empty();
    return (is_text && member.key != "type") || (member.value.is_list() && !member.value.AsList().empty());
  };
  return std::any_of(delta.begin(), delta.end(), says_something);
}

Result<ModelReply> DecodeChatStream(std::string_view stream, const EndWords& ends) {
  StreamState state;
  bool is_done = false;
  for (const SseEvent& event : ReadSse(stream)) {
    if (event.data == kEnd) {
      is_done = true;
      break;
    }
    Result<Value> chunk = ParseJson(event.data);
    if (!chunk) return Error{ErrorCode::kCorrupt, "an event of the reply is no JSON"};
    if (const std::optional<Error> failed = ErrorOfEvent(*chunk, event.data)) return *failed;
    if (const List& choices = chunk->ListAt("choices"); !choices.empty()) {
      const Value& choice = choices.front();
      if (const std::optional<Error> failed = ErrorOfChoice(choice)) return *failed;
      TakeChoice(ends, choice, state);
    }
    TakeSources(*chunk, state);
    TakeServed(*chunk, state.reply);
    if (std::string tier = chunk->TextAt("service_tier"); !tier.empty()) state.reply.tier = std::move(tier);
    const Value* usage = chunk->Find("usage");
    // Groq's own place for it, there whether it was asked for or not.
    if (usage == nullptr) usage = chunk->MapAt("x_groq").Find("usage");
    if (usage != nullptr && usage->is_map()) state.reply.usage = ChatUsage(*usage);
  }
  if (!state.ended && !is_done) return Error{ErrorCode::kCorrupt, "the stream ended before the answer did"};
  if (!state.ended && (state.has_end_member || !ends.may_be_unsaid)) TakeEndWord(ends, {}, state.reply);
  TakeRefusal(std::move(state.refusal), state.reply);
  state.reply.tool_calls = std::move(state.calls);
  state.message.AsMap().Set("tool_calls",
                            Value(ArrayOf(state.beside, [&](Map& beside) { return std::move(beside); })));
  state.sources.Append("message", Object{{"annotations", std::move(state.annotations)}});
  TakeCitations(Value(std::move(state.sources)), state.reply);
  state.reply.parts = ChatParts(state.message);
  return std::move(state.reply);
}

}  // namespace assay
