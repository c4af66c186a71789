// The provider `cohere`, by the second version of its chat interface: messages and tools are those of the
// chat protocol, parameters, ends and streams its own. Source: docs.cohere.com, "Chat API (v2)", "Streaming".
#include <map>

#include "base/wire/sse.h"
#include "providers/codecs/rows.h"
#include "providers/facts/output_max.h"
#include "providers/shapes/chat.h"
#include "providers/shapes/chat_parts.h"
#include "providers/shapes/parts.h"
#include "providers/shapes/reply/chat_stream.h"
#include "providers/shapes/reply/citations.h"
#include "providers/shapes/reply/reply_json.h"
#include "providers/shapes/reply/status.h"
#include "providers/shapes/reply/usage.h"
#include "providers/shapes/request/json_body.h"
#include "providers/shapes/request/thinking.h"
#include "providers/shapes/tool_calls.h"
#include "text/object.h"

namespace assay {
namespace {

constexpr std::string_view kCohereBaseUrl = "https://api.cohere.com";
constexpr std::int64_t kCohereMaxTokens = 1500;

Map ThinkingOf(const ThinkingOrder& order) {
  return Object{{"type", order.effort == "none" ? "disabled" : "enabled"},
                {"token_budget", When(order.effort != "none", Number(order.tokens))}};
}

void AddCohereParams(const ModelRequest& request, const ModelFacts* facts, JsonBody& body) {
  const SamplingParams& params = request.params;
  if (params.temperature) body.Number("temperature", *params.temperature);
  if (params.top_p) body.Number("p", *params.top_p);
  if (const std::int64_t limit = LimitSent(request, kCohereMaxTokens); limit > 0)
    body.Number("max_tokens", static_cast<double>(limit));
  if (const auto order = ThinkingOrderOf(params, facts, EffortForm::kBudgetTokens))
    body.Json("thinking", Value(ThinkingOf(*order)));
  if (params.seed) body.Raw("seed", std::to_string(*params.seed));
  if (!params.stop.empty()) body.Json("stop_sequences", Value(ArrayOf(params.stop)));
  if (request.answer_schema.is_undefined()) return;
  body.Json("response_format", Object{{"type", "json_object"}, {"json_schema", request.answer_schema}});
}

Result<HttpRequest> EncodeCohere(const ModelRequest& request, const ModelFacts* facts) {
  JsonBody body;
  body.Text("model", request.model);
  body.Raw("messages", ChatMessages(request.messages));
  AddCohereParams(request, facts, body);
  if (!request.tools.empty()) {
    body.Raw("tools", ChatTools(request.tools));
    if (request.tool_choice == "required") body.Text("tool_choice", "REQUIRED");
    if (request.tool_choice == "none") body.Text("tool_choice", "NONE");
  }
  body.Bool("stream", false);
  std::string_view base = request.base_url.empty() ? kCohereBaseUrl : std::string_view(request.base_url);
  while (base.ends_with('/')) base.remove_suffix(1);
  return JsonPost(UrlOf(base, base.ends_with("/v2") ? "/chat" : "/v2/chat"), std::move(body).Finish());
}

// A text and a list of parts are the same to the chat protocol's readers.
ModelReply ReplyOf(const Value& body) {
  ModelReply reply;
  TakeEnd({.services = end_words::kCohere}, body, "finish_reason", reply);
  if (const Value* message = body.Find("message")) {
    if (const Value* content = message->Find("content")) TakeChatContent(*content, reply);
    reply.tool_calls = ChatCalls(*message);
    reply.parts = ChatParts(*message);
    if (const std::string plan = message->TextAt("tool_plan"); reply.reasoning.empty())
      reply.reasoning = plan;
  }
  TakeCitations(body, reply);
  if (const Value* usage = body.Find("usage")) reply.usage = CohereUsage(*usage);
  return reply;
}

// The events' pieces, put together as the message that comes at once.
class CoherePieces {
 public:
  void Take(const Value& event) {
    const Map& delta = event.MapAt("delta");
    const Map& message = delta.MapAt("message");
    const std::int64_t index = CountMember(event, "index");
    if (const Value* content = message.Find("content")) Join(*content, content_[index]);
    if (const Value* call = message.Find("tool_calls")) Join(*call, calls_[index]);
    plan_ += message.TextAt("tool_plan");
    if (event.TextAt("type") != "message-end") return;
    for (const Member& member : delta) body_.Set(member.key, member.value);
  }
  Value Body() && {
    body_.Set("message", Object{{"content", ListOf(std::move(content_))},
                                {"tool_calls", !calls_.empty() ? Value(ListOf(std::move(calls_))) : Value()},
                                {"tool_plan", UnlessEmpty(plan_)}});
    return Value(std::move(body_));
  }

 private:
  static Value ListOf(std::map<std::int64_t, Value> parts) {
    List list;
    for (auto& [index, part] : parts) list.push_back(std::move(part));
    return Value(std::move(list));
  }
  // Texts grow; members that are maps (the function of a call) are joined in turn.
  static void Join(const Value& piece, Value& whole) {
    if (!whole.is_map()) whole = Value(Map());
    if (!piece.is_map()) return;
    for (const Member& member : piece.AsMap()) {
      Value* known = whole.AsMap().Find(member.key);
      if (known == nullptr) {
        whole.AsMap().Set(member.key, member.value);
      } else if (known->is_map()) {
        Join(member.value, *known);
      } else if (known->is_string() && member.value.is_string() && member.key != "type") {
        *known = Value(known->AsString() + member.value.AsString());
      }
    }
  }

  std::map<std::int64_t, Value> content_;
  std::map<std::int64_t, Value> calls_;
  std::string plan_;
  Map body_;
};

Result<Value> CohereBodyOfStream(std::string_view stream) {
  CoherePieces pieces;
  bool ended = false;
  for (const SseEvent& event : ReadSse(stream)) {
    Result<Value> read = ParseJson(event.data);
    if (!read || !read->is_map()) {
      if (event.data == "[DONE]") break;
      return Error{ErrorCode::kCorrupt, "an event of the reply is no JSON"};
    }
    pieces.Take(*read);
    ended = ended || read->TextAt("type") == "message-end";
  }
  if (!ended) return Error{ErrorCode::kCorrupt, "the stream ended before the answer did"};
  return std::move(pieces).Body();
}

Result<ModelReply> DecodeCohere(const HttpReply& reply) {
  const bool is_stream = !reply.error && reply.status == 200 && IsEventStream(reply);
  ASSAY_TRY(const Value body, is_stream ? CohereBodyOfStream(reply.body) : ReadReplyJson(reply));
  const Value* message = body.Find("message");
  if (message == nullptr || !message->is_map()) return NoAnswerIn(body, "message");
  ModelReply decoded = ReplyOf(body);
  TrimText(decoded);
  return NamedReply(std::move(decoded));
}

}  // namespace

const ProviderRow kCohereProvider = {
    .name = "cohere",
    .help = "models of Cohere",
    .example = "cohere:command-a-03-2025",
    .max_in_flight = 10,
    .encode_known = EncodeCohere,
    .decode = DecodeCohere,
    .classify = ClassifyByStatus,
    .stream = StreamChatUncounted,
    .base_url = kCohereBaseUrl,
    .base_url_variable = "COHERE_BASE_URL",
    .key = {.need = KeyRule::Need::kRequired,
            .variables = "COHERE_API_KEY CO_API_KEY",
            .header = "authorization",
            .prefix = "Bearer "},
    .media = {.image = true},
};

}  // namespace assay
