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
#include "text/json/json.h"

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
  if (const Value* calls = delta->Find("tool_calls"); calls != nullptr && calls->is_list()) {
    for (const Value& call : calls->AsList()) TakeCallPiece(call, state);
  } else if (const Value* function = delta->Find("function_call"); function != nullptr) {
    TakeCallPiece(AsCall(*function), state);
  }
}

// What a whole body would have: annotations of the message, and beside the choices the last list that came.
void TakeSources(const Value& chunk, Map& sources) {
  for (const std::string_view name : {"search_results", "citations"}) {
    if (const Value* list = chunk.Find(name)) sources.Set(std::string(name), *list);
  }
  const Value* choices = chunk.Find("choices");
  if (choices == nullptr || !choices->is_list() || choices->AsList().empty()) return;
  const Value* delta = choices->AsList().front().Find("delta");
  const Value* annotations = delta == nullptr ? nullptr : delta->Find("annotations");
  if (annotations == nullptr || !annotations->is_list()) return;
  Value* message = sources.Find("message");
  if (message == nullptr) {
    Map made;
    made.Append("annotations", List());
    message = &sources.Set("message", Value(std::move(made)));
  }
  List& known = message->AsMap().Find("annotations")->AsList();
  known.insert(known.end(), annotations->AsList().begin(), annotations->AsList().end());
}

// What went wrong, in an event of its own or beside the rest (Groq).
std::optional<Error> ErrorOfEvent(const Value& chunk, std::string_view data) {
  for (const Value* holder : {&chunk, chunk.Find("x_groq")}) {
    const Value* error = holder == nullptr ? nullptr : holder->Find("error");
    if (error != nullptr && error->Truthy()) return ErrorOfReply(0, *holder, data);
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
    const Value* thinking = part.Find("thinking");
    if (thinking == nullptr) continue;
    if (thinking->is_string()) reply.reasoning += thinking->AsString();
    if (!thinking->is_list()) continue;
    for (const Value& thought : thinking->AsList()) reply.reasoning += thought.TextAt("text");
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
  const Value* candidates = event.Find("candidates");
  if (candidates == nullptr || !candidates->is_list() || candidates->AsList().empty()) return false;
  const Value& candidate = candidates->AsList().front();
  if (!candidate.TextAt("finishReason").empty()) return false;
  const Value* content = candidate.Find("content");
  const Value* parts = content == nullptr ? nullptr : content->Find("parts");
  if (parts == nullptr || !parts->is_list()) return true;
  return std::all_of(parts->AsList().begin(), parts->AsList().end(), [](const Value& part) {
    return part.TextAt("text").empty() && part.Find("functionCall") == nullptr;
  });
}

}  // namespace

std::optional<Error> ErrorOfChoice(const Value& choice) {
  const Value* error = choice.Find("error");
  if (error == nullptr || !error->Truthy()) return std::nullopt;
  return ErrorOfReply(0, choice, "an error");
}

void TakeRefusal(std::string refusal, ModelReply& reply) {
  if (refusal.empty() || !reply.text.empty()) return;
  reply.text = std::move(refusal);
  reply.finish_reason = kRefusal;
}

bool BeginsAnswer(std::string_view event_data) {
  const Result<Value> event = ParseJson(event_data);
  if (!event || !event->is_map()) return true;
  const std::string type = event->TextAt("type");
  if (OnlyOpens(type) || IsSilentCandidate(*event)) return false;
  if (type.empty() && event->Find("role") != nullptr && event->Find("choices") == nullptr)
    return false;  // Bedrock's messageStart
  const Value* delta = event->Find("delta");
  if (const Value* choices = event->Find("choices")) {
    if (!choices->is_list() || choices->AsList().empty()) return false;
    const Value& choice = choices->AsList().front();
    if (!choice.TextAt("finish_reason").empty()) return true;
    delta = choice.Find("delta");
  } else if (type != "content_block_delta") {
    return true;
  }
  if (delta == nullptr || !delta->is_map()) return false;
  const auto says_something = [](const Member& member) {
    const bool is_text = member.key != "role" && member.value.is_string() && !member.value.AsString().empty();
    return (is_text && member.key != "type") || (member.value.is_list() && !member.value.AsList().empty());
  };
  return std::any_of(delta->AsMap().begin(), delta->AsMap().end(), says_something);
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
    const Value* choices = chunk->Find("choices");
    if (choices != nullptr && choices->is_list() && !choices->AsList().empty()) {
      const Value& choice = choices->AsList().front();
      if (const std::optional<Error> failed = ErrorOfChoice(choice)) return *failed;
      TakeChoice(ends, choice, state);
    }
    TakeSources(*chunk, state.sources);
    TakeServed(*chunk, state.reply);
    if (std::string tier = chunk->TextAt("service_tier"); !tier.empty()) state.reply.tier = std::move(tier);
    const Value* usage = chunk->Find("usage");
    // Groq's own place for it, there whether it was asked for or not.
    const Value* own = chunk->Find("x_groq");
    if (usage == nullptr && own != nullptr) usage = own->Find("usage");
    if (usage != nullptr && usage->is_map()) state.reply.usage = ChatUsage(*usage);
  }
  if (!state.ended && !is_done) return Error{ErrorCode::kCorrupt, "the stream ended before the answer did"};
  if (!state.ended && (state.has_end_member || !ends.may_be_unsaid)) TakeEndWord(ends, {}, state.reply);
  TakeRefusal(std::move(state.refusal), state.reply);
  state.reply.tool_calls = std::move(state.calls);
  List calls;
  for (Map& beside : state.beside) calls.emplace_back(std::move(beside));
  state.message.AsMap().Set("tool_calls", Value(std::move(calls)));
  TakeCitations(Value(std::move(state.sources)), state.reply);
  state.reply.parts = ChatParts(state.message);
  return std::move(state.reply);
}

}  // namespace assay
