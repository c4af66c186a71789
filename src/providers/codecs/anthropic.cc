// The provider `anthropic`. Sources: spec blueprint 18.2; Anthropic API reference, "Messages", "Streaming
// messages".
#include "providers/codecs/anthropic.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "base/sse.h"
#include "providers/codecs/rows.h"
#include "providers/facts/output_max.h"
#include "providers/shapes/answer_schema.h"
#include "providers/shapes/chat.h"
#include "providers/shapes/json_body.h"
#include "providers/shapes/reply_json.h"
#include "providers/shapes/status.h"
#include "providers/shapes/thinking.h"
#include "providers/shapes/usage.h"
#include "text/javascript/text.h"

namespace assay {
namespace {

constexpr std::string_view kBaseUrl = "https://api.anthropic.com";
constexpr std::int64_t kMaxTokens = 1500;  // the service wants a limit

// Its own tools take a base URL without the version, others with it.
std::string MessagesUrl(std::string_view base_url) {
  while (base_url.ends_with('/')) base_url.remove_suffix(1);
  return UrlOf(base_url, base_url.ends_with("/v1") ? "/messages" : "/v1/messages");
}

// Tells the service to keep what the prompt begins with, up to the end of this block.
JsonBody MarkedBlock(const std::string& text) {
  JsonBody block;
  block.Text("type", "text");
  block.Text("text", text);
  block.Raw("cache_control", R"({"type":"ephemeral"})");
  return block;
}

bool IsMarked(const ModelRequest& request, std::size_t message) {
  return std::find(request.repeated.begin(), request.repeated.end(), message + 1) != request.repeated.end();
}

// "system" and "messages"; with a mark at the end of each beginning that other calls repeat.
void AddConversation(const ModelRequest& request, JsonBody& body) {
  if (request.repeated.empty()) {
    if (const std::string system = SystemText(request.messages); !system.empty()) body.Text("system", system);
    body.Raw("messages", ChatMessages(WithoutSystem(request.messages)));
    return;
  }
  bool system_is_marked = false;
  std::string messages = "[";
  for (std::size_t i = 0; i < request.messages.size(); ++i) {
    const Message& message = request.messages[i];
    if (message.role == Role::kSystem) {
      system_is_marked = system_is_marked || IsMarked(request, i);
      continue;
    }
    JsonBody sent;
    sent.Text("role", RoleName(message.role));
    if (IsMarked(request, i)) {
      sent.Raw("content", fmt::format("[{}]", MarkedBlock(message.text).Finish()));
    } else {
      sent.Text("content", message.text);
    }
    if (messages.size() > 1) messages += ',';
    messages += std::move(sent).Finish();
  }
  const std::string system = SystemText(request.messages);
  if (!system.empty() && system_is_marked) {
    body.Raw("system", fmt::format("[{}]", MarkedBlock(system).Finish()));
  } else if (!system.empty()) {
    body.Text("system", system);
  }
  body.Raw("messages", messages + "]");
}

// Adds what the model is told of thinking and of its answer's shape, which share a member. Whether it is told
// to think.
bool AddOutput(const ModelRequest& request, const ModelFacts* facts, JsonBody& body) {
  const auto order = ThinkingOrderOf(request.params, facts, EffortForm::kOutputConfig);
  Map members = order ? AnthropicThinking(*order) : Map();
  if (!request.answer_schema.is_undefined()) {
    const Value* known = members.Find("output_config");
    Map config = known == nullptr ? Map() : known->AsMap();
    config.Append("format", AnthropicOutputFormat(request.answer_schema));
    members.Set("output_config", Value(std::move(config)));
  }
  for (const Member& member : members) body.Raw(member.key, WriteJson(member.value, JsonStyle::kJavaScript));
  return order && order->effort != "none";
}

Result<HttpRequest> Encode(const ModelRequest& request, const ModelFacts* facts) {
  const SamplingParams& params = request.params;
  if (params.seed) return Error{ErrorCode::kUnsupported, "anthropic takes no seed"};
  JsonBody body;
  body.Text("model", request.model);
  AddConversation(request, body);
  body.Number("max_tokens", static_cast<double>(LimitSent(request, kMaxTokens)));
  const bool thinks = AddOutput(request, facts, body);
  // Who thinks takes no temperature.
  if (!thinks && params.temperature) body.Number("temperature", *params.temperature);
  if (params.top_p) body.Number("top_p", *params.top_p);
  if (!params.stop.empty()) {
    const List stop(params.stop.begin(), params.stop.end());
    body.Raw("stop_sequences", WriteJson(Value(stop), JsonStyle::kJavaScript));
  }
  body.Bool("stream", false);
  HttpRequest wire =
      JsonPost(MessagesUrl(request.base_url.empty() ? kBaseUrl : request.base_url), std::move(body).Finish());
  wire.headers.push_back({"anthropic-version", std::string(kAnthropicVersion)});
  return wire;
}

Value CallOf(const Value& block) {
  Map call;
  call.Append("name", TextMember(block, "name"));
  const Value* input = block.Find("input");
  call.Append("arguments", input == nullptr ? Value() : *input);
  return Value(std::move(call));
}

// The blocks of a stream, put together as the body that came at once would have them.
struct StreamedBlock {
  Map block;
  std::string text, thinking, input;
};

void TakeDelta(const Value& delta, StreamedBlock& block) {
  block.text += TextMember(delta, "text");
  block.thinking += TextMember(delta, "thinking");
  block.input += TextMember(delta, "partial_json");
}

Value Joined(StreamedBlock block) {
  block.block.Set("text", std::move(block.text));
  block.block.Set("thinking", std::move(block.thinking));
  if (Result<Value> input = ParseJson(block.input)) block.block.Set("input", *std::move(input));
  return Value(std::move(block.block));
}

Result<Value> BodyOfStream(std::string_view stream) {
  std::map<std::int64_t, StreamedBlock> blocks;
  Map body;
  Map usage;
  const auto take_usage = [&usage](const Value* counts) {
    if (counts == nullptr || !counts->is_map()) return;
    for (const Member& member : counts->AsMap()) usage.Set(member.key, member.value);
  };
  bool ended = false;
  for (const SseEvent& event : ReadSse(stream)) {
    Result<Value> read = ParseJson(event.data);
    if (!read) return Error{ErrorCode::kCorrupt, "an event of the reply is no JSON"};
    const std::string type = TextMember(*read, "type");
    if (type == "error") return ErrorOfReply(0, *read, event.data);
    if (type == "message_start") {
      const Value* message = read->Find("message");
      take_usage(message == nullptr ? nullptr : message->Find("usage"));
    } else if (type == "content_block_start") {
      const Value* block = read->Find("content_block");
      if (block != nullptr && block->is_map())
        blocks[CountMember(*read, "index")] = {
            .block = block->AsMap(), .text = TextMember(*block, "text"), .thinking = {}, .input = {}};
    } else if (type == "content_block_delta") {
      if (const Value* delta = read->Find("delta")) TakeDelta(*delta, blocks[CountMember(*read, "index")]);
    } else if (type == "message_delta") {
      if (const Value* delta = read->Find("delta"))
        body.Set("stop_reason", TextMember(*delta, "stop_reason"));
      take_usage(read->Find("usage"));
    } else if (type == "message_stop") {
      ended = true;
    }
  }
  if (!ended) return Error{ErrorCode::kCorrupt, "the stream ended before the answer did"};
  List content;
  for (auto& [index, block] : blocks) content.push_back(Joined(std::move(block)));
  body.Set("content", Value(std::move(content)));
  body.Set("usage", Value(std::move(usage)));
  return Value(std::move(body));
}

Result<ModelReply> Decode(const HttpReply& reply) {
  const bool is_stream = !reply.error && reply.status == 200 && IsEventStream(reply);
  ASSAY_TRY(const Value body, is_stream ? BodyOfStream(reply.body) : ReadReplyJson(reply));
  ASSAY_TRY(ModelReply decoded, DecodeAnthropicBody(body));
  decoded.text = JsTrim(decoded.text);
  PutToolCallsIntoText(decoded);
  return CheckedReply(std::move(decoded));
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

std::vector<Message> WithoutSystem(const std::vector<Message>& messages) {
  std::vector<Message> kept;
  for (const Message& message : messages) {
    if (message.role != Role::kSystem) kept.push_back(message);
  }
  return kept;
}

Result<ModelReply> DecodeAnthropicBody(const Value& body) {
  const Value* content = body.Find("content");
  if (content == nullptr || !content->is_list())
    return Error{ErrorCode::kCorrupt, "expected a reply with \"content\", found none"};
  ModelReply reply;
  List calls;
  for (const Value& block : content->AsList()) {
    const std::string type = TextMember(block, "type");
    if (type == "text") reply.text += TextMember(block, "text");
    if (type == "thinking") reply.reasoning += TextMember(block, "thinking");
    if (type == "tool_use") calls.push_back(CallOf(block));
  }
  if (!calls.empty()) reply.tool_calls = Value(std::move(calls));
  reply.finish_reason = FinishReason(TextMember(body, "stop_reason"));
  const Value* usage = body.Find("usage");
  if (usage != nullptr) reply.usage = AnthropicUsage(*usage);
  return reply;
}

const ProviderRow kAnthropicProvider = {
    .name = "anthropic",
    .help = "models of Anthropic",
    .example = "anthropic:claude-haiku-4-5",
    .max_in_flight = 20,
    .encode_known = Encode,
    .decode = Decode,
    .classify = ClassifyByStatus,
    .stream = StreamChatUncounted,
    .base_url = kBaseUrl,
    .base_url_variable = "ANTHROPIC_BASE_URL",
    .key = {.need = KeyRule::Need::kRequired,
            .variables = "ANTHROPIC_API_KEY",
            .header = "x-api-key",
            .prefix = ""},
};

}  // namespace assay
