// The provider `bedrock`: models at Amazon Bedrock by its Converse interface, whose words are the same for
// all makers. A request carries a key of its own, or is signed (run/wire/signed). Source:
// docs.aws.amazon.com, Amazon Bedrock API reference, "Converse", "ConverseStream".
#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <utility>

#include "base/wire/sse.h"
#include "providers/codecs/anthropic.h"
#include "providers/codecs/rows.h"
#include "providers/facts/output_max.h"
#include "providers/shapes/parts.h"
#include "providers/shapes/reply/endings.h"
#include "providers/shapes/reply/reply_json.h"
#include "providers/shapes/reply/status.h"
#include "providers/shapes/reply/usage.h"
#include "providers/shapes/request/json_body.h"
#include "providers/shapes/request/media.h"
#include "providers/shapes/request/thinking.h"
#include "providers/shapes/tool_calls.h"
#include "text/found.h"
#include "text/json/json.h"
#include "text/object.h"

namespace assay {
namespace {

constexpr std::int64_t kBedrockMaxTokens = 1500;
constexpr std::string_view kBedrockForm = "bedrock";

// {name: value}
Value BedrockOne(std::string_view name, Value value) { return Object{{name, std::move(value)}}; }

Value ToolUseBlock(const ToolCall& call) {
  return BedrockOne("toolUse",
                    Object{{"toolUseId", call.id}, {"name", call.name}, {"input", ArgumentsObject(call)}});
}

Value ToolResult(const Message& message) {
  return BedrockOne("toolResult", Object{{"toolUseId", message.call_id},
                                         {"content", List{BedrockOne("text", message.text)}}});
}

// The turn as it came, its calls under the ids by which their results name them.
List BedrockAsItCame(const Message& message, List blocks) {
  std::size_t calls = 0;
  for (Value& block : blocks) {
    Value* use = block.is_map() ? block.AsMap().Find("toolUse") : nullptr;
    if (use != nullptr && use->is_map() && calls < message.calls.size())
      use->AsMap().Set("toolUseId", message.calls[calls++].id);
  }
  return blocks;
}

List BlocksOf(const Message& message) {
  if (std::optional<Value> came = PartsOf(message, kBedrockForm); came && came->is_list())
    return BedrockAsItCame(message, std::move(came->AsList()));
  if (message.role == Role::kTool) return {ToolResult(message)};
  List blocks = BedrockMedia(message);
  if (message.calls.empty() || !message.text.empty()) blocks.push_back(BedrockOne("text", message.text));
  for (const ToolCall& call : message.calls) blocks.push_back(ToolUseBlock(call));
  return blocks;
}

Value MessagesOf(const std::vector<Message>& said) {
  struct Turn {
    Role role;
    List content;
  };
  std::vector<Turn> turns;
  for (const Message& message : said) {
    if (message.role == Role::kSystem) continue;
    // Results in a row are one turn.
    if (message.role == Role::kTool && !turns.empty() && turns.back().role == Role::kTool) {
      turns.back().content.push_back(ToolResult(message));
    } else {
      turns.push_back({message.role, BlocksOf(message)});
    }
  }
  return ArrayOf(turns, [&](Turn& turn) {
    return Object{{"role", turn.role == Role::kAssistant ? "assistant" : "user"},
                  {"content", std::move(turn.content)}};
  });
}

Value ToolConfig(const ModelRequest& request) {
  return Object{
      {"tools",
       ArrayOf(request.tools,
               [&](const ToolSpec& tool) {
                 return BedrockOne(
                     "toolSpec",
                     Object{{"name", tool.name},
                            {"description", UnlessEmpty(tool.description)},
                            {"inputSchema", BedrockOne("json", tool.parameters.is_map()
                                                                   ? tool.parameters
                                                                   : Value(Object{{"type", "object"}}))}});
               })},
      {"toolChoice", request.tool_choice == "required" ? BedrockOne("any", Map())
                     : request.tool_choice == "auto"   ? BedrockOne("auto", Map())
                                                       : Value()}};
}

// What Converse has no member for goes to the model in its maker's own words. Whether it is told to think.
bool AddBedrockThinking(const ModelRequest& request, const ModelFacts* facts, JsonBody& body) {
  const auto order = ThinkingOrderOf(request.params, facts, EffortForm::kReasoningEffort);
  Map fields;
  if (order && order->form == EffortForm::kReasoningEffort) {
    fields.Append("reasoning_effort", order->effort);
  } else {
    fields = AnthropicThinking(order, request.params, facts);
  }
  if (!fields.empty()) body.Json("additionalModelRequestFields", Value(std::move(fields)));
  return order && order->effort != "none";
}

// The schema is a text there.
Value OutputConfig(const Value& schema) {
  return BedrockOne(
      "textFormat",
      Object{{"type", "json_schema"},
             {"structure",
              BedrockOne("jsonSchema", Object{{"name", "answer"},
                                              {"schema", WriteJson(schema, JsonStyle::kJavaScript)}})}});
}

// Names of profiles have slashes (arn:…:inference-profile/…), which belong to the name.
std::string UrlFor(const ModelRequest& request) {
  std::string name;
  for (const char c : PathPart(request.model)) name += c == '/' ? std::string("%2F") : std::string(1, c);
  return UrlOf(request.base_url, fmt::format("/model/{}/converse", name));
}

Result<HttpRequest> EncodeBedrock(const ModelRequest& request, const ModelFacts* facts) {
  const SamplingParams& params = request.params;
  if (params.seed) return Error{ErrorCode::kUnsupported, "bedrock takes no seed"};
  if (request.tool_choice == "none" && !request.tools.empty())
    return Error{ErrorCode::kUnsupported, "bedrock has no setting to call none of its tools"};
  JsonBody body;
  body.Json("messages", MessagesOf(request.messages));
  if (const std::string system = SystemText(request.messages); !system.empty())
    body.Json("system", Value(List{BedrockOne("text", system)}));
  const bool thinks = AddBedrockThinking(request, facts, body);
  JsonBody config;
  if (const std::int64_t limit = LimitSent(request, kBedrockMaxTokens); limit > 0)
    config.Number("maxTokens", static_cast<double>(limit));
  if (!thinks && params.temperature) config.Number("temperature", *params.temperature);
  if (params.top_p) config.Number("topP", *params.top_p);
  if (!params.stop.empty()) config.Json("stopSequences", Value(ArrayOf(params.stop)));
  body.Raw("inferenceConfig", std::move(config).Finish());
  if (!request.tools.empty()) body.Json("toolConfig", ToolConfig(request));
  if (!request.answer_schema.is_undefined()) body.Json("outputConfig", OutputConfig(request.answer_schema));
  return JsonPost(UrlFor(request), std::move(body).Finish());
}

// Whether text and calls say all of a turn: words, then calls.
bool IsBedrockPlain(const List& blocks) {
  bool has_called = false;
  bool has_said = false;
  for (const Value& block : blocks) {
    const bool is_text = HasOnly(block, {"text"}) && block.Find("text") != nullptr;
    const bool is_call = HasOnly(block, {"toolUse"}) && block.Find("toolUse") != nullptr;
    if (!(is_text || is_call) || (is_text && (has_called || has_said))) return false;
    has_called = has_called || is_call;
    has_said = has_said || is_text;
  }
  return true;
}

void TakeBlock(const Value& block, ModelReply& reply) {
  reply.text += block.TextAt("text");
  reply.reasoning += block.MapAt("reasoningContent").MapAt("reasoningText").TextAt("text");
  if (const Value* use = block.Find("toolUse")) {
    reply.tool_calls.push_back({.id = use->TextAt("toolUseId"),
                                .name = use->TextAt("name"),
                                .arguments = ArgumentsOf(use->Find("input"))});
  }
}

void BedrockStream(HttpRequest& request) {
  constexpr std::string_view kWhole = "/converse";
  constexpr std::string_view kInPieces = "/converse-stream";
  const std::size_t end = std::min(request.url.find('?'), request.url.size());
  const std::size_t at = request.url.rfind(kWhole, end);
  if (at != std::string::npos && at + kWhole.size() == end) request.url.replace(at, kWhole.size(), kInPieces);
}

// The pieces of a stream, put together to the body of a whole reply.
class BedrockPieces {
 public:
  Status Take(const SseEvent& event) {
    const Result<Value> read = ParseJson(event.data);
    if (!read || !read->is_map()) return Error{ErrorCode::kCorrupt, "an event of the reply is no JSON"};
    const Value& data = *read;
    if (data.Find("error") != nullptr) return ErrorOfReply(0, data, event.data);
    const auto at = static_cast<std::int64_t>(CountMember(data, "contentBlockIndex"));
    if (event.name == "contentBlockStart") {
      const Value* use = data.MapAt("start").Find("toolUse");
      if (use != nullptr && use->is_map()) blocks_[at].parts.Set("toolUse", *use);
    } else if (event.name == "contentBlockDelta") {
      if (const Value* delta = data.Find("delta")) TakeDelta(*delta, blocks_[at]);
    } else if (event.name == "messageStop") {
      body_.Set("stopReason", data.TextAt("stopReason"));
    } else if (const Value* usage = data.Find("usage")) {
      body_.Set("usage", *usage);
    }
    return Ok();
  }

  Result<Value> Body() && {
    if (body_.Find("stopReason") == nullptr)
      return Error{ErrorCode::kCorrupt, "the stream ended before the answer did"};
    List content;
    for (auto& [at, block] : blocks_) {
      if (Value* use = block.parts.Find("toolUse")) {
        // Without arguments there is no piece of them. What its limit of tokens cut stands as it came.
        Result<Value> input = block.input.empty() ? Value(Map()) : ParseJson(block.input);
        use->AsMap().Set("input", input ? *std::move(input) : Value(block.input));
      }
      content.push_back(Value(Whole(std::move(block))));
    }
    body_.Set("output",
              BedrockOne("message", Object{{"role", "assistant"}, {"content", std::move(content)}}));
    return Value(std::move(body_));
  }

 private:
  // What has come of it, each text by itself: a delta is a word or less.
  struct Block {
    Map parts;          // as it began
    std::string input;  // of a tool call
    std::string text;
    std::string thought;
    std::string signature;
    std::string redacted;
  };

  static void TakeDelta(const Value& delta, Block& block) {
    block.text += delta.TextAt("text");
    block.input += delta.MapAt("toolUse").TextAt("input");
    const Map& thought = delta.MapAt("reasoningContent");
    block.thought += thought.TextAt("text");
    block.signature += thought.TextAt("signature");
    block.redacted += thought.TextAt("redactedContent");
  }

  // The block as a reply that is no stream has it.
  static Map Whole(Block block) {
    if (!block.text.empty()) block.parts.Set("text", std::move(block.text));
    Map kept = Object{
        {"redactedContent", UnlessEmpty(std::move(block.redacted))},
        {"reasoningText", UnlessEmpty(Object{{"text", UnlessEmpty(std::move(block.thought))},
                                             {"signature", UnlessEmpty(std::move(block.signature))}})}};
    if (!kept.empty()) block.parts.Set("reasoningContent", Value(std::move(kept)));
    return std::move(block.parts);
  }

  std::map<std::int64_t, Block> blocks_;
  Map body_;
};

Result<Value> BedrockBodyOfStream(std::string_view stream) {
  BedrockPieces pieces;
  for (const SseEvent& event : ReadSse(stream)) ASSAY_CHECK_OK(pieces.Take(event));
  return std::move(pieces).Body();
}

Result<ModelReply> DecodeBedrock(const HttpReply& reply) {
  const bool is_stream = !reply.error && reply.status == 200 && IsEventStream(reply);
  ASSAY_TRY(const Value body, is_stream ? BedrockBodyOfStream(reply.body) : ReadReplyJson(reply));
  const List* content = FindList(body.MapAt("output").MapAt("message"), "content");
  if (content == nullptr) return NoAnswerIn(body, "output");
  ModelReply decoded;
  for (const Value& block : *content) TakeBlock(block, decoded);
  if (!IsBedrockPlain(*content)) decoded.parts = PartsAs(kBedrockForm, Value(*content));
  TakeEnd({.services = end_words::kBedrock}, body, "stopReason", decoded);
  if (const Value* usage = body.Find("usage")) decoded.usage = BedrockUsage(*usage);
  TrimText(decoded);
  return NamedReply(std::move(decoded));
}

}  // namespace

const ProviderRow kBedrockProvider = {
    .name = "bedrock",
    .help = "models at Amazon Bedrock; a key of its own, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
    .example = "bedrock:amazon.nova-lite-v1:0",
    .max_in_flight = 10,
    .encode_known = EncodeBedrock,
    .decode = DecodeBedrock,
    .classify = ClassifyByStatus,
    .stream = BedrockStream,
    .base_url_variable = "BEDROCK_BASE_URL",
    .key = {.need = KeyRule::Need::kRequired,
            .variables = "AWS_BEARER_TOKEN_BEDROCK",
            .header = "authorization",
            .prefix = "Bearer "},
    .media = {.image = true, .pdf = true},
    .aws = {.service = "bedrock", .url_of_region = "https://bedrock-runtime.{}.amazonaws.com"},
};

}  // namespace assay
