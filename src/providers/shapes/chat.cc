// Writes chat requests and reads whole replies; streams are read by shapes/reply/chat_stream.cc.
#include "providers/shapes/chat.h"

#include <fmt/core.h>

#include <algorithm>

#include "providers/facts/model_facts.h"
#include "providers/facts/output_max.h"
#include "providers/shapes/chat_parts.h"
#include "providers/shapes/parts.h"
#include "providers/shapes/reply/chat_stream.h"
#include "providers/shapes/reply/citations.h"
#include "providers/shapes/reply/reply_json.h"
#include "providers/shapes/reply/status.h"
#include "providers/shapes/reply/usage.h"
#include "providers/shapes/request/answer_schema.h"
#include "providers/shapes/request/json_body.h"
#include "providers/shapes/request/thinking.h"
#include "providers/shapes/tool_calls.h"
#include "text/found.h"
#include "text/python/json.h"

namespace assay {

namespace {

constexpr std::string_view kWhole = "\"stream\":false}";

// Puts `ending` in the place of kWhole.
void EndWith(std::string_view ending, HttpRequest& request) {
  ASSAY_ASSERT(request.body.ends_with(kWhole));
  request.body.replace(request.body.size() - kWhole.size(), kWhole.size(), ending);
}

Error NoBaseUrl(std::string_view provider) {
  return {ErrorCode::kInvalidInput,
          fmt::format("the address of {} is not known; give it with --base-url {}=URL", provider, provider)};
}

bool IsThinker(const ChatShape& shape, std::string_view model) {
  return std::any_of(shape.thinkers.begin(), shape.thinkers.end(),
                     [model](std::string_view start) { return model.starts_with(start); });
}

// Models of OpenAI that think have the limit of tokens under its newer name, as the table knows of those
// whose names do not say so.
bool HasNewerLimit(const ChatShape& shape, std::string_view model, const ModelFacts* facts) {
  if (shape.thinkers.empty()) return false;
  return IsThinker(shape, model) || (facts != nullptr && facts->thinking != Thinking::kNo);
}

// Of a model of OpenAI that is not known, by its name; what the rows of others exclude is left out later.
Sampling TakenBy(const ChatShape& shape, const ModelRequest& request, const ModelFacts* facts) {
  if (shape.thinkers.empty()) return {};
  if (facts != nullptr) return SamplingBeside(request.params, *facts);
  const bool thinks = IsThinker(shape, request.model);
  return {.temperature = !thinks, .top_p = !thinks};
}

void AddThinking(const ChatShape& shape, const ModelRequest& request, const ModelFacts* facts,
                 JsonBody& body) {
  const auto order = ThinkingOrderOf(request.params, facts, EffortForm::kReasoningEffort);
  if (!order) return;
  if (!shape.reasons_by_object) {
    body.Text("reasoning_effort", order->effort);
    return;
  }
  JsonBody reasoning;
  if (request.params.thinking_tokens) {
    reasoning.Number("max_tokens", static_cast<double>(order->tokens));
  } else {
    reasoning.Text("effort", order->effort);
  }
  body.Raw("reasoning", std::move(reasoning).Finish());
}

void AddParams(const ChatShape& shape, const ModelRequest& request, const ModelFacts* facts, JsonBody& body) {
  const SamplingParams& params = request.params;
  const Sampling takes = TakenBy(shape, request, facts);
  const std::int64_t max_tokens = LimitSent(request, shape.max_tokens);
  if (takes.temperature && params.temperature) body.Number("temperature", *params.temperature);
  if (takes.top_p && params.top_p) body.Number("top_p", *params.top_p);
  if (max_tokens > 0) {
    body.Number(HasNewerLimit(shape, request.model, facts) ? "max_completion_tokens" : "max_tokens",
                static_cast<double>(max_tokens));
  }
  AddThinking(shape, request, facts, body);
  if (params.seed) body.Raw(shape.seed_name, std::to_string(*params.seed));
  if (params.stop.empty()) return;
  const List stop(params.stop.begin(), params.stop.end());
  body.Raw("stop", WriteJson(Value(stop), JsonStyle::kJavaScript));
}

// `beside`: of each call what its service gave beside it, in their order.
void AppendCalls(const std::vector<ToolCall>& calls, const Value& beside, std::string& out) {
  out += ",\"tool_calls\":[";
  for (std::size_t i = 0; i < calls.size(); ++i) {
    const Value* more = beside.is_list() && i < beside.AsList().size() ? &beside.AsList()[i] : nullptr;
    const bool is_custom = more != nullptr && more->TextAt("type") == "custom";
    JsonBody tool;
    tool.Text("name", calls[i].name);
    if (is_custom) tool.Text("input", calls[i].arguments);
    if (!is_custom) tool.Text("arguments", ArgumentsText(calls[i]));
    JsonBody body;
    body.Text("id", calls[i].id);
    body.Text("type", is_custom ? "custom" : "function");
    body.Raw(is_custom ? "custom" : "function", std::move(tool).Finish());
    if (more != nullptr && more->is_map()) {
      for (const Member& member : more->AsMap()) {
        if (member.key != "type") body.Json(member.key, member.value);
      }
    }
    if (i > 0) out += ',';
    out += std::move(body).Finish();
  }
  out += ']';
}

void AppendContent(const Message& message, const Value& parts, MediaWords words, std::string& out) {
  if (!message.media.empty()) {
    JsonBody text;
    text.Text("type", "text");
    text.Text("text", message.text);
    out += ContentWithMedia(words, message, std::move(text).Finish());
  } else if (const Value* content = parts.Find("content")) {
    AppendJson(*content, JsonStyle::kJavaScript, out);
  } else if (message.text.empty() && !message.calls.empty()) {
    out += "null";
  } else {
    AppendJsonString(message.text, out);
  }
}

}  // namespace

std::string ChatMessages(const std::vector<Message>& messages, MediaWords words) {
  std::string out;
  std::size_t text_bytes = 0;
  for (const Message& message : messages) text_bytes += message.text.size();
  out.reserve(text_bytes + text_bytes / 8 + messages.size() * 128);
  out += '[';
  for (const Message& message : messages) {
    out += out.size() == 1 ? "{\"role\":\"" : ",{\"role\":\"";
    out += RoleName(message.role);
    out += "\",\"content\":";
    const Value parts = PartsOf(message, kChatForm).value_or(Value(Map()));
    AppendContent(message, parts, words, out);
    for (const Member& member : parts.AsMap()) {
      if (member.key == "content" || member.key == "calls") continue;
      out += ',';
      AppendJsonString(member.key, out);
      out += ':';
      AppendJson(member.value, JsonStyle::kJavaScript, out);
    }
    const Value* beside = parts.Find("calls");
    if (!message.calls.empty()) AppendCalls(message.calls, beside == nullptr ? Value() : *beside, out);
    if (message.role == Role::kTool) {
      out += ",\"tool_call_id\":";
      AppendJsonString(message.call_id, out);
    }
    out += '}';
  }
  out += ']';
  return out;
}

Result<HttpRequest> EncodeChat(const ChatShape& shape, const ModelRequest& request, const ModelFacts* facts) {
  const std::string_view base_url = request.base_url.empty() ? shape.base_url : request.base_url;
  if (base_url.empty()) return NoBaseUrl(request.provider);
  JsonBody body;
  body.Text("model", request.model);
  body.Raw("messages", ChatMessages(request.messages, shape.media));
  AddParams(shape, request, facts, body);
  if (!request.answer_schema.is_undefined())
    body.Raw("response_format", ChatResponseFormat(request.answer_schema));
  if (!request.tools.empty()) {
    body.Raw("tools", ChatTools(request.tools));
    if (!request.tool_choice.empty()) body.Text("tool_choice", request.tool_choice);
  }
  body.Bool("stream", false);
  return JsonPost(UrlOf(base_url, "/chat/completions"), std::move(body).Finish());
}

void StreamChat(HttpRequest& request) {
  EndWith(R"("stream":true,"stream_options":{"include_usage":true}})", request);
}

void StreamChatUncounted(HttpRequest& request) { EndWith(R"("stream":true})", request); }

Result<HttpRequest> EncodeEmbeddings(const ChatShape& shape, const EmbedRequest& request) {
  constexpr std::string_view kLarge = "text-embedding-3-large";
  constexpr std::string_view kCuttable = "text-embedding-3";
  const std::string_view base_url = request.base_url.empty() ? shape.base_url : request.base_url;
  if (base_url.empty()) return NoBaseUrl(request.provider);
  List texts(request.texts.begin(), request.texts.end());
  if (shape.embedded_new_lines == ChatShape::NewLines::kBlanks) {
    for (Value& text : texts) {
      std::string flat = text.AsString();
      std::replace(flat.begin(), flat.end(), '\n', ' ');
      text = Value(std::move(flat));
    }
  }
  JsonBody body;
  body.Text("model", request.model);
  body.Raw("input", WriteJson(Value(std::move(texts)), JsonStyle::kJavaScript));
  if (shape.dimensions == ChatShape::Dimensions::kByModel && request.model.starts_with(kCuttable)) {
    body.Number("dimensions", request.model == kLarge ? 3072 : 1536);
  }
  body.Text("encoding_format", "float");
  return JsonPost(UrlOf(base_url, "/embeddings"), std::move(body).Finish());
}

Result<ModelReply> DecodeChatBody(const Value& body, const EndWords& ends) {
  const List& choices = body.ListAt("choices");
  if (choices.empty()) return NoAnswerIn(body, "choices");
  const Value& choice = choices.front();
  if (const std::optional<Error> failed = ErrorOfChoice(choice)) return *failed;
  ModelReply reply;
  // Many who speak like OpenAI leave the member out; null is no end.
  TakeEnd({.services = ends.services, .may_be_unsaid = true}, choice, "finish_reason", reply);
  reply.text = choice.TextAt("text");  // of plain completions
  if (const Value* message = choice.Find("message")) {
    if (const Value* content = message->Find("content")) TakeChatContent(*content, reply);
    for (const std::string_view name : {"reasoning_content", "reasoning"}) {
      if (reply.reasoning.empty()) reply.reasoning = message->TextAt(name);
    }
    if (reply.reasoning.empty()) reply.reasoning = TextOfDetails(*message);
    TakeRefusal(message->TextAt("refusal"), reply);
    reply.tool_calls = ChatCalls(*message);
    reply.parts = ChatParts(*message);
  }
  TakeCitations(body, reply);
  TakeServed(body, reply);
  reply.tier = body.TextAt("service_tier");
  const Value* told = body.Find("usage");
  const Value usage = told == nullptr ? Value() : *told;
  reply.usage = ChatUsage(usage);
  reply.lacks_input = !HasCount(usage, "prompt_tokens");
  if (const Value* message = choice.Find("message"); message && !HasCount(usage, "completion_tokens"))
    reply.uncounted_characters = static_cast<std::int64_t>(WritePythonJson(*message).value_or("").size());
  return reply;
}

Result<ModelReply> DecodeChat(const ChatShape& shape, const HttpReply& reply) {
  Result<ModelReply> decoded = ModelReply{};
  if (!reply.error && reply.status == 200 && IsEventStream(reply)) {
    decoded = DecodeChatStream(reply.body, shape.ends);
  } else {
    ASSAY_TRY(const Value body, ReadReplyJson(reply));
    decoded = DecodeChatBody(body, shape.ends);
  }
  if (!decoded) return decoded;
  if (!shape.keeps_blanks) TrimText(*decoded);
  return NamedReply(*std::move(decoded));
}

Result<EmbedReply> DecodeEmbeddings(const HttpReply& reply) {
  ASSAY_TRY(const Value body, ReadReplyJson(reply));
  const List* data = FindList(body, "data");
  if (data == nullptr) return NoAnswerIn(body, "data");
  const List& rows = *data;
  EmbedReply decoded;
  decoded.vectors.resize(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Value* index = rows[i].Find("index");
    const std::size_t place = index == nullptr ? i : static_cast<std::size_t>(CountMember(rows[i], "index"));
    const List* vector = FindList(rows[i], "embedding");
    if (place >= rows.size() || !decoded.vectors[place].empty() || vector == nullptr)
      return Error{ErrorCode::kCorrupt, "expected one vector for each text"};
    for (const Value& number : *vector) {
      if (!number.is_number()) return Error{ErrorCode::kCorrupt, "expected vectors of numbers"};
      decoded.vectors[place].push_back(number.AsNumber());
    }
  }
  if (const Value* usage = body.Find("usage")) decoded.usage = ChatUsage(*usage);
  return decoded;
}

}  // namespace assay
