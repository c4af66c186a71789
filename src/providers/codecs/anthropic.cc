// The provider `anthropic`. Sources: spec blueprint 18.2; Anthropic API reference, "Messages", "Streaming
// messages".
#include "providers/codecs/anthropic.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "base/wire/sse.h"
#include "providers/codecs/rows.h"
#include "providers/facts/output_max.h"
#include "providers/shapes/chat.h"
#include "providers/shapes/parts.h"
#include "providers/shapes/reply/citations.h"
#include "providers/shapes/reply/reply_json.h"
#include "providers/shapes/reply/status.h"
#include "providers/shapes/reply/usage.h"
#include "providers/shapes/request/answer_schema.h"
#include "providers/shapes/request/json_body.h"
#include "providers/shapes/request/media.h"
#include "providers/shapes/request/thinking.h"
#include "providers/shapes/tool_calls.h"
#include "text/found.h"
#include "text/javascript/text.h"
#include "text/object.h"

namespace assay {
namespace {

constexpr std::string_view kAnthropicBaseUrl = "https://api.anthropic.com";
constexpr std::int64_t kAnthropicMaxTokens = 1500;  // the service wants a limit

// Its own tools take a base URL without the version, others with it.
std::string MessagesUrl(std::string_view base_url) {
  while (base_url.ends_with('/')) base_url.remove_suffix(1);
  return UrlOf(base_url, base_url.ends_with("/v1") ? "/messages" : "/v1/messages");
}

// Told to the service in a block: keep what the prompt begins with, up to its end.
constexpr std::string_view kKeepMark = R"({"type":"ephemeral"})";

std::string TextBlock(const std::string& text, bool is_marked) {
  JsonBody block;
  block.Text("type", "text");
  block.Text("text", text);
  if (is_marked) block.Raw("cache_control", kKeepMark);
  return std::move(block).Finish();
}

std::string ResultBlock(const Message& message, bool is_marked) {
  JsonBody block;
  block.Text("type", "tool_result");
  block.Text("tool_use_id", message.call_id);
  block.Text("content", message.text);
  if (is_marked) block.Raw("cache_control", kKeepMark);
  return std::move(block).Finish();
}

std::string CallBlock(const ToolCall& call, bool is_marked) {
  JsonBody block;
  block.Text("type", "tool_use");
  block.Text("id", call.id);
  block.Text("name", call.name);
  block.Raw("input", WriteJson(ArgumentsObject(call), JsonStyle::kJavaScript));
  if (is_marked) block.Raw("cache_control", kKeepMark);
  return std::move(block).Finish();
}

// The turn as it came, its calls under the ids by which their results name them.
std::string BlocksAsTheyCame(const Message& message, List blocks, bool is_marked) {
  Value* last = nullptr;
  std::size_t calls = 0;
  for (Value& block : blocks) {
    if (!block.is_map()) continue;
    const std::string type = block.TextAt("type");
    if (type == "tool_use" && calls < message.calls.size())
      block.AsMap().Set("id", message.calls[calls++].id);
    if (type == "text" || type == "tool_use") last = &block;
  }
  if (is_marked && last != nullptr) last->AsMap().Set("cache_control", *ParseJson(kKeepMark));
  return WriteJson(Value(std::move(blocks)), JsonStyle::kJavaScript);
}

bool IsMarked(const std::vector<std::uint32_t>& repeated, std::size_t message) {
  return std::find(repeated.begin(), repeated.end(), message + 1) != repeated.end();
}

// Thoughts that led to calls, what was said, and the calls.
std::string BlocksWithCalls(const Message& message, bool is_marked) {
  std::string blocks;
  const auto add = [&blocks](std::string_view block) {
    if (!blocks.empty()) blocks += ',';
    blocks += block;
  };
  const std::string& seal = message.calls.front().seal;
  if (IsSealOfThoughts(seal)) add(std::string_view(seal).substr(1, seal.size() - 2));
  if (!JsTrim(message.text).empty()) add(TextBlock(message.text, false));
  for (const ToolCall& call : message.calls)
    add(CallBlock(call, is_marked && &call == &message.calls.back()));
  return blocks;
}

// "system" and "messages"; with a mark at the end of each beginning that other calls repeat.
void AddAnthropicConversation(const ModelRequest& request, JsonBody& body) {
  const std::string system = SystemText(request.messages);
  bool system_is_marked = false;
  for (std::size_t i = 0; i < request.messages.size(); ++i)
    system_is_marked =
        system_is_marked || (request.messages[i].role == Role::kSystem && IsMarked(request.repeated, i));
  if (!system.empty() && system_is_marked) {
    body.Raw("system", fmt::format("[{}]", TextBlock(system, true)));
  } else if (!system.empty()) {
    body.Text("system", system);
  }
  body.Raw("messages", AnthropicMessages(request.messages, request.repeated));
}

// Adds what the model is told of thinking and of its answer's shape, which share a member. Whether it is told
// to think.
bool AddOutput(const ModelRequest& request, const ModelFacts* facts, JsonBody& body) {
  const auto order = ThinkingOrderOf(request.params, facts, EffortForm::kOutputConfig);
  Map members = AnthropicThinking(order, request.params, facts);
  if (!request.answer_schema.is_undefined()) {
    Map config = members.MapAt("output_config");
    config.Append("format", AnthropicOutputFormat(request.answer_schema));
    members.Set("output_config", Value(std::move(config)));
  }
  for (const Member& member : members) body.Raw(member.key, WriteJson(member.value, JsonStyle::kJavaScript));
  return order && order->effort != "none";
}

Result<HttpRequest> EncodeAnthropic(const ModelRequest& request, const ModelFacts* facts) {
  const SamplingParams& params = request.params;
  if (params.seed) return Error{ErrorCode::kUnsupported, "anthropic takes no seed"};
  JsonBody body;
  body.Text("model", request.model);
  AddAnthropicConversation(request, body);
  // Who wants no limit gets the model's own.
  const std::int64_t limit = LimitSent(request, kAnthropicMaxTokens);
  body.Number("max_tokens", static_cast<double>(limit > 0 ? limit : StatedOutputMax(request.model)));
  const bool thinks = AddOutput(request, facts, body);
  // Who thinks takes no temperature.
  if (!thinks && params.temperature) body.Number("temperature", *params.temperature);
  if (params.top_p) body.Number("top_p", *params.top_p);
  if (!params.stop.empty()) {
    const List stop(params.stop.begin(), params.stop.end());
    body.Raw("stop_sequences", WriteJson(Value(stop), JsonStyle::kJavaScript));
  }
  if (!request.tools.empty()) {
    body.Raw("tools", AnthropicTools(request.tools));
    if (!request.tool_choice.empty()) body.Raw("tool_choice", AnthropicToolChoice(request.tool_choice));
  }
  body.Bool("stream", false);
  HttpRequest wire = JsonPost(MessagesUrl(request.base_url.empty() ? kAnthropicBaseUrl : request.base_url),
                              std::move(body).Finish());
  wire.headers.push_back({"anthropic-version", std::string(kAnthropicVersion)});
  return wire;
}

// The block as the service wants it back: its thoughts are signed.
Value SealedThought(const Value& block) {
  Map kept = Object{{"type", block.TextAt("type")}};
  if (block.Find("data") != nullptr) {
    kept.Append("data", block.TextAt("data"));
  } else {
    Extend(kept, {{"thinking", block.TextAt("thinking")}, {"signature", block.TextAt("signature")}});
  }
  return Value(std::move(kept));
}

// The blocks of a stream, put together as the body that came at once would have them.
struct StreamedBlock {
  Map block;
  std::string input = {};  // its text: JSON, or not
};

void TakeDelta(const Value& delta, StreamedBlock& block) {
  for (const std::string_view name : {"text", "thinking"}) {
    const std::string piece = delta.TextAt(name);
    if (!piece.empty()) block.block.Set(std::string(name), Value(block.block).TextAt(name) + piece);
  }
  // No piece, but the whole, as its client has it: the start of the block may have had it too.
  if (std::string signature = delta.TextAt("signature"); !signature.empty())
    block.block.Set("signature", std::move(signature));
  block.input += delta.TextAt("partial_json");
  if (const Value* citation = delta.Find("citation")) {
    List citations = block.block.ListAt("citations");
    citations.push_back(*citation);
    block.block.Set("citations", Value(std::move(citations)));
  }
}

Value AnthropicJoined(StreamedBlock block) {
  if (!block.input.empty()) block.block.Set("input", std::move(block.input));
  return Value(std::move(block.block));
}

// Blocks as the service wants them back: what was written in pieces is an object.
List SentBack(const List& content) {
  List blocks;
  for (const Value& block : content) {
    Value& sent = blocks.emplace_back(block);
    const std::string* input = FindText(block, "input");
    if (input == nullptr) continue;
    Result<Value> written = ParseJson(*input);
    sent.AsMap().Set("input", written && written->is_map() ? *std::move(written) : Value(Map()));
  }
  return blocks;
}

bool IsSealed(const Value& block) {
  return (block.TextAt("type") == "thinking" && HasOnly(block, {"type", "thinking", "signature"}) &&
          block.Find("signature") != nullptr) ||
         (block.TextAt("type") == "redacted_thinking" && HasOnly(block, {"type", "data"}));
}

// Whether text, calls and the seal of the first of them say all of a turn: thoughts, then words, then calls.
bool IsAnthropicPlain(const List& content) {
  std::size_t at = 0;
  const auto skip = [&](auto is_such) {
    const std::size_t first = at;
    while (at < content.size() && is_such(content[at])) ++at;
    return at - first;
  };
  const std::size_t thoughts = skip(IsSealed);
  const std::size_t texts = skip([](const Value& block) {
    return block.TextAt("type") == "text" && HasOnly(block, {"type", "text"});
  });
  const std::size_t calls = skip([](const Value& block) {
    return block.TextAt("type") == "tool_use" && HasOnly(block, {"type", "id", "name", "input"});
  });
  return at == content.size() && (thoughts == 0 || calls > 0) && (calls == 0 || texts <= 1);
}

Result<Value> AnthropicBodyOfStream(std::string_view stream) {
  std::map<std::int64_t, StreamedBlock> blocks;
  Map body;
  Map usage;
  const auto take = [](const Map& from, Map& into) {
    for (const Member& member : from) into.Set(member.key, member.value);
  };
  bool ended = false;
  for (const SseEvent& event : ReadSse(stream)) {
    Result<Value> read = ParseJson(event.data);
    if (!read) return Error{ErrorCode::kCorrupt, "an event of the reply is no JSON"};
    const std::string type = read->TextAt("type");
    if (type == "error") return ErrorOfReply(0, *read, event.data);
    if (type == "message_start") {
      take(read->MapAt("message").MapAt("usage"), usage);
      if (const Value* message = read->Find("message")) body.Set("model", Value(message->TextAt("model")));
    } else if (type == "content_block_start") {
      if (const Map* block = FindMap(*read, "content_block"))
        blocks[CountMember(*read, "index")] = {.block = *block};
    } else if (type == "content_block_delta") {
      if (const Value* delta = read->Find("delta")) TakeDelta(*delta, blocks[CountMember(*read, "index")]);
    } else if (type == "message_delta") {
      take(read->MapAt("delta"), body);
      take(read->MapAt("usage"), usage);
    } else if (type == "message_stop") {
      ended = true;
    }
  }
  if (!ended) return Error{ErrorCode::kCorrupt, "the stream ended before the answer did"};
  List content;
  for (auto& [index, block] : blocks) content.push_back(AnthropicJoined(std::move(block)));
  body.Set("content", Value(std::move(content)));
  body.Set("usage", Value(std::move(usage)));
  return Value(std::move(body));
}

Result<ModelReply> DecodeAnthropic(const HttpReply& reply) {
  const bool is_stream = !reply.error && reply.status == 200 && IsEventStream(reply);
  ASSAY_TRY(const Value body, is_stream ? AnthropicBodyOfStream(reply.body) : ReadReplyJson(reply));
  const EndWords ends = {.services = end_words::kAnthropic, .may_be_unsaid = !is_stream};
  ASSAY_TRY(ModelReply decoded, DecodeAnthropicBody(body, ends));
  TrimText(decoded);
  return NamedReply(std::move(decoded));
}

}  // namespace

std::string SystemText(const std::vector<Message>& messages) {
  std::string text;
  for (const Message& message : messages) {
    if (message.role != Role::kSystem) continue;
    if (!text.empty()) text += "\n\n";
    text += message.text;
  }
  return text;
}

std::string AnthropicMessages(const std::vector<Message>& said, const std::vector<std::uint32_t>& repeated) {
  std::string messages = "[";
  for (std::size_t i = 0; i < said.size(); ++i) {
    const Message& message = said[i];
    if (message.role == Role::kSystem) continue;
    if (messages.size() > 1) messages += ',';
    JsonBody sent;
    if (message.role == Role::kTool) {
      // Results in a row are one message.
      std::string blocks = ResultBlock(message, IsMarked(repeated, i));
      for (; i + 1 < said.size() && said[i + 1].role == Role::kTool; ++i)
        blocks += "," + ResultBlock(said[i + 1], IsMarked(repeated, i + 1));
      sent.Text("role", RoleName(Role::kUser));
      sent.Raw("content", fmt::format("[{}]", blocks));
    } else {
      sent.Text("role", RoleName(message.role));
      std::optional<Value> came = PartsOf(message, kAnthropicForm);
      if (came && came->is_list()) {
        sent.Raw("content", BlocksAsTheyCame(message, std::move(came->AsList()), IsMarked(repeated, i)));
      } else if (!message.calls.empty()) {
        sent.Raw("content", fmt::format("[{}]", BlocksWithCalls(message, IsMarked(repeated, i))));
      } else if (!message.media.empty()) {
        sent.Raw("content", ContentWithMedia(MediaWords::kAnthropic, message,
                                             TextBlock(message.text, IsMarked(repeated, i))));
      } else if (IsMarked(repeated, i)) {
        sent.Raw("content", fmt::format("[{}]", TextBlock(message.text, true)));
      } else {
        sent.Text("content", message.text);
      }
    }
    messages += std::move(sent).Finish();
  }
  return messages + "]";
}

std::vector<Message> WithoutSystem(const std::vector<Message>& messages) {
  std::vector<Message> kept;
  for (const Message& message : messages) {
    if (message.role != Role::kSystem) kept.push_back(message);
  }
  return kept;
}

Result<ModelReply> DecodeAnthropicBody(const Value& body, const EndWords& ends) {
  const List* content = FindList(body, "content");
  if (content == nullptr) return NoAnswerIn(body, "content");
  ModelReply reply;
  List thoughts;
  for (const Value& block : *content) {
    const std::string type = block.TextAt("type");
    if (type == "text") reply.text += block.TextAt("text");
    if (type == "thinking") reply.reasoning += block.TextAt("thinking");
    if (block.Find("signature") != nullptr || block.Find("data") != nullptr)
      thoughts.push_back(SealedThought(block));
    if (type == "tool_use") {
      reply.tool_calls.push_back({.id = block.TextAt("id"),
                                  .name = block.TextAt("name"),
                                  .arguments = ArgumentsOf(block.Find("input"))});
    }
  }
  if (!IsAnthropicPlain(*content)) {
    reply.parts = PartsAs(kAnthropicForm, Value(SentBack(*content)));
  } else if (!reply.tool_calls.empty() && !thoughts.empty()) {
    reply.tool_calls.front().seal = WriteJson(Value(std::move(thoughts)), JsonStyle::kJavaScript);
  }
  TakeEnd(ends, body, "stop_reason", reply);
  const Map& details = body.MapAt("stop_details");
  const std::string& why = details.TextAt("explanation");
  AddEndWords(why.empty() ? details.TextAt("category") : why, reply);
  TakeCitations(body, reply);
  TakeServed(body, reply);
  if (const Value* usage = body.Find("usage")) reply.usage = AnthropicUsage(*usage);
  reply.tier = body.MapAt("usage").TextAt("service_tier");
  return reply;
}

const ProviderRow kAnthropicProvider = {
    .name = "anthropic",
    .help = "models of Anthropic",
    .example = "anthropic:claude-haiku-4-5",
    .max_in_flight = 20,
    .encode_known = EncodeAnthropic,
    .decode = DecodeAnthropic,
    .classify = ClassifyByStatus,
    .stream = StreamChatUncounted,
    .base_url = kAnthropicBaseUrl,
    .base_url_variable = "ANTHROPIC_BASE_URL",
    .key = {.need = KeyRule::Need::kRequired,
            .variables = "ANTHROPIC_API_KEY",
            .header = "x-api-key",
            .prefix = ""},
    .unstreamed_max = 21'333,
    .media = {.image = true, .pdf = true},
};

}  // namespace assay
