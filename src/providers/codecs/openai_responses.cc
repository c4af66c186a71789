// The Responses protocol, and the provider `openai-responses`. Nothing is kept at the service (`store`): a
// conversation is sent whole each time.
#include "providers/codecs/openai_responses.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include "base/wire/sse.h"
#include "providers/codecs/rows.h"
#include "providers/facts/model_facts.h"
#include "providers/facts/output_max.h"
#include "providers/shapes/chat.h"
#include "providers/shapes/parts.h"
#include "providers/shapes/reply/chat_stream.h"
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
#include "text/javascript/truth.h"
#include "text/json/json.h"

namespace assay {
namespace {

constexpr std::string_view kOpenAiResponsesBaseUrl = "https://api.openai.com/v1";
constexpr std::string_view kPath = "/responses";
constexpr MediaKinds kResponsesMedia = {.image = true, .pdf = true};
constexpr std::string_view kOpenAiResponsesWhole = "\"stream\":false}";
constexpr std::string_view kCustomCall = "custom_tool_call";
constexpr std::string_view kOpenAiResponsesStreamed = "\"stream\":true}";

// Of a model that is not known, by its name.
bool Thinks(const ModelRequest& request, const ModelFacts* facts) {
  if (facts != nullptr) return facts->thinking != Thinking::kNo;
  return std::any_of(std::begin(kOpenAiThinkers), std::end(kOpenAiThinkers),
                     [&](std::string_view start) { return request.model.starts_with(start); });
}

Sampling OpenAiResponsesTakenBy(const ModelRequest& request, const ModelFacts* facts) {
  if (facts != nullptr) return SamplingBeside(request.params, *facts);
  const bool thinks = Thinks(request, facts);
  return {.temperature = !thinks, .top_p = !thinks};
}

Result<HttpRequest> EncodeOpenAiResponses(const ModelRequest& request, const ModelFacts* facts) {
  return EncodeResponses(kOpenAiResponsesBaseUrl, request, facts);
}

// The texts of [{"type", `member`}...] whose type fits.
std::string TextsOf(const Value* parts, std::string_view type, std::string_view member = "text") {
  std::string text;
  if (parts == nullptr || !parts->is_list()) return text;
  for (const Value& part : parts->AsList()) {
    if (part.TextAt("type") == type) text += part.TextAt(member);
  }
  return text;
}

bool HasPart(const Value* parts, std::string_view type) {
  if (parts == nullptr || !parts->is_list()) return false;
  return std::any_of(parts->AsList().begin(), parts->AsList().end(),
                     [type](const Value& part) { return part.TextAt("type") == type; });
}

ToolCall CallOf(const Value& item) {
  return {
      .id = item.TextAt("call_id"),
      .name = item.TextAt("name"),
      .arguments = ArgumentsOf(item.Find(item.TextAt("type") == "function_call" ? "arguments" : "input"))};
}

bool IsCall(std::string_view type) { return type == "function_call" || type == kCustomCall; }

// `calls`: how many calls of the message stood before it.
JsonBody OpenAiResponsesAsItCame(const Value& item, const Message& message, std::size_t& calls) {
  JsonBody body;
  const bool is_call = IsCall(item.TextAt("type")) && calls < message.calls.size();
  for (const Member& member : item.AsMap()) {
    body.Json(member.key, is_call && member.key == "call_id" ? Value(message.calls[calls].id) : member.value);
  }
  if (is_call) ++calls;
  return body;
}

// Whether an item goes back as it is. Thoughts that the service does not keep and did not hand over cannot.
bool CanGoBack(const Value& item) {
  if (item.TextAt("type") != "reasoning") return true;
  return !item.TextAt("encrypted_content").empty() || IsTruthyAt(item, "content");
}

// Commentary beside the answer is no part of it.
bool IsAnswer(const Value& message) {
  const std::string phase = message.TextAt("phase");
  return phase.empty() || phase == "final_answer";
}

// A turn's items for Message::parts; "" where its words and calls say all. Where thoughts stay behind, the
// names go too by which the other items belong to them.
std::string ItemsToKeep(const List& output) {
  const bool are_whole = std::all_of(output.begin(), output.end(), CanGoBack);
  List items;
  bool is_plain = true;
  bool has_called = false;
  for (const Value& item : output) {
    if (!item.is_map() || !CanGoBack(item)) continue;
    const std::string type = item.TextAt("type");
    const bool is_message = type == "message" && item.TextAt("phase").empty() && !has_called;
    has_called = has_called || type == "function_call";
    is_plain = is_plain && (is_message || type == "function_call");
    Value& kept = items.emplace_back(item);
    if (!are_whole) kept.AsMap().Erase("id");
  }
  return is_plain ? std::string() : PartsAs(kResponsesForm, Value(std::move(items)));
}

// The items of a conversation: [{"role","content"}...]; calls and what came of them are items of their own.
class InputWriter {
 public:
  void Add(const Message& message) {
    if (message.role == Role::kTool) return AddOutput(message);
    if (const std::optional<Value> came = PartsOf(message, kResponsesForm); came && came->is_list())
      return AddAsItCame(came->AsList(), message);
    if (message.calls.empty() || !message.text.empty()) AddWords(message);
    for (const ToolCall& call : message.calls) {
      JsonBody called;
      called.Text("type", "function_call");
      called.Text("call_id", call.id);
      called.Text("name", call.name);
      called.Text("arguments", ArgumentsText(call));
      AddItem(std::move(called));
    }
  }
  std::string Finish() && { return std::move(items_) + "]"; }

 private:
  void AddItem(JsonBody item) {
    if (items_.size() > 1) items_ += ',';
    items_ += std::move(item).Finish();
  }
  // Tools of free text have an output of their own kind.
  void AddOutput(const Message& message) {
    const bool is_custom = std::find(customs_.begin(), customs_.end(), message.call_id) != customs_.end();
    JsonBody item;
    item.Text("type", is_custom ? "custom_tool_call_output" : "function_call_output");
    item.Text("call_id", message.call_id);
    item.Text("output", message.text);
    AddItem(std::move(item));
  }
  void AddAsItCame(const List& items, const Message& message) {
    std::size_t calls = 0;
    for (const Value& each : items) {
      const std::size_t before = calls;
      AddItem(OpenAiResponsesAsItCame(each, message, calls));
      if (calls > before && each.TextAt("type") == kCustomCall) customs_.push_back(message.calls[before].id);
    }
  }
  void AddWords(const Message& message) {
    JsonBody item;
    item.Text("role", RoleName(message.role));
    if (message.media.empty()) {
      item.Text("content", message.text);
    } else {
      JsonBody text;
      text.Text("type", "input_text");
      text.Text("text", message.text);
      item.Raw("content", ContentWithMedia(MediaWords::kResponses, message, std::move(text).Finish()));
    }
    AddItem(std::move(item));
  }

  std::string items_ = "[";
  std::vector<std::string> customs_;  // ids of calls of tools of free text
};

std::string InputItems(const std::vector<Message>& messages) {
  InputWriter writer;
  for (const Message& message : messages) writer.Add(message);
  return std::move(writer).Finish();
}

// Whole is only what its service calls completed.
void TakeEndOf(const Value& body, bool refused, ModelReply& reply) {
  constexpr EndWords kWords = {.services = end_words::kResponses};
  const std::string& reason = body.MapAt("incomplete_details").TextAt("reason");
  TakeEndWord(kWords, reason.empty() ? body.TextAt("status") : reason, reply);
  if (reply.finish_reason != "stop") return;
  if (refused) {
    reply.finish_reason = kRefusal;
  } else if (!reply.tool_calls.empty()) {
    reply.finish_reason = "tool_calls";
  }
}

Result<ModelReply> DecodeOpenAiResponsesBody(const Value& body) {
  if (ErrorIn(body) != nullptr) return ErrorOfReply(0, body, {});
  const List* output = FindList(body, "output");
  if (output == nullptr) return NoAnswerIn(body, "output");
  ModelReply reply;
  bool refused = false;
  std::string refusal;
  for (const Value& item : *output) {
    const std::string type = item.TextAt("type");
    const Value* content = item.Find("content");
    if (type == "message") {
      (IsAnswer(item) ? reply.text : reply.reasoning) += TextsOf(content, "output_text");
      refused = refused || HasPart(content, "refusal");
      refusal += TextsOf(content, "refusal", "refusal");
    } else if (type == "reasoning") {
      const std::string thought = TextsOf(content, "reasoning_text");
      reply.reasoning += thought.empty() ? TextsOf(item.Find("summary"), "summary_text") : thought;
    } else if (IsCall(type)) {
      reply.tool_calls.push_back(CallOf(item));
    }
  }
  reply.parts = ItemsToKeep(*output);
  TakeEndOf(body, refused, reply);
  if (refused && reply.text.empty()) reply.text = refusal;
  if (refused) reply.end_words = std::move(refusal);
  TakeCitations(body, reply);
  TakeServed(body, reply);
  reply.tier = body.TextAt("service_tier");
  if (const Value* usage = body.Find("usage")) reply.usage = ResponsesUsage(*usage);
  AddListedToolCosts(body, reply.usage);
  return reply;
}

constexpr std::string_view kEventPrefix = "response.";

bool IsLastEvent(std::string_view type) {
  return type == "response.completed" || type == "response.incomplete" || type == "response.failed" ||
         type == "response.cancelled";
}

// The last event repeats the whole reply; services that leave its items out there have sent each of them
// before.
Result<Value> OpenAiResponsesBodyOfStream(std::string_view stream) {
  std::map<std::int64_t, Value> items;
  std::optional<Value> body;
  for (const SseEvent& event : ReadSse(stream)) {
    Result<Value> read = ParseJson(event.data);
    if (!read) {
      if (event.data == "[DONE]") break;
      return Error{ErrorCode::kCorrupt, "an event of the reply is no JSON"};
    }
    const std::string type = read->TextAt("type");
    if (type == "error") return ErrorOfReply(0, *read, event.data);
    if (type == "response.output_item.done") {
      if (const Value* item = read->Find("item")) items[CountMember(*read, "output_index")] = *item;
    } else if (IsLastEvent(type)) {
      const Value* whole = read->Find("response");
      if (whole == nullptr || !whole->is_map()) continue;
      body = *whole;
      if (body->Find("status") == nullptr) body->AsMap().Set("status", type.substr(kEventPrefix.size()));
    }
  }
  if (!body) return Error{ErrorCode::kCorrupt, "the stream ended before the answer did"};
  if (body->ListAt("output").empty()) {
    List list;
    for (auto& [index, item] : items) list.push_back(std::move(item));
    body->AsMap().Set("output", Value(std::move(list)));
  }
  return *std::move(body);
}

// A failed response has status 200 and an "error" of its own; other errors are read as everywhere.
Result<Value> OpenAiResponsesWholeBody(const HttpReply& reply) {
  if (!reply.error && reply.status == 200) {
    Result<Value> body = ParseJson(reply.body);
    if (body && body->TextAt("object") == "response") return body;
  }
  return ReadReplyJson(reply);
}

}  // namespace

Result<HttpRequest> EncodeResponses(std::string_view base_url, const ModelRequest& request,
                                    const ModelFacts* facts) {
  const SamplingParams& params = request.params;
  if (params.seed) return Error{ErrorCode::kUnsupported, "OpenAI's Responses API takes no seed"};
  if (!params.stop.empty())
    return Error{ErrorCode::kUnsupported, "OpenAI's Responses API takes no stop sequences"};
  ASSAY_CHECK_OK(MayWordMedia(request, kResponsesMedia));
  JsonBody body;
  body.Text("model", request.model);
  body.Raw("input", InputItems(request.messages));
  const Sampling takes = OpenAiResponsesTakenBy(request, facts);
  if (takes.temperature && params.temperature) body.Number("temperature", *params.temperature);
  if (takes.top_p && params.top_p) body.Number("top_p", *params.top_p);
  if (request.room != kNoLimit) body.Number("max_output_tokens", static_cast<double>(LimitOfReply(request)));
  const auto order = ThinkingOrderOf(params, facts, EffortForm::kReasoningEffort);
  const bool shows_thoughts = params.shows_thoughts && Thinks(request, facts);
  if (order || shows_thoughts) {
    JsonBody reasoning;
    if (order) reasoning.Text("effort", order->effort);
    if (shows_thoughts) reasoning.Text("summary", "auto");
    body.Raw("reasoning", std::move(reasoning).Finish());
  }
  if (!request.answer_schema.is_undefined()) body.Raw("text", ResponsesTextFormat(request.answer_schema));
  if (!request.tools.empty()) {
    body.Raw("tools", ResponsesTools(request.tools));
    if (!request.tool_choice.empty()) body.Text("tool_choice", request.tool_choice);
  }
  // What is not kept there comes along, sealed, to be given back.
  if (Thinks(request, facts)) body.Raw("include", R"(["reasoning.encrypted_content"])");
  body.Bool("store", false);
  body.Bool("stream", false);
  return JsonPost(UrlOf(request.base_url.empty() ? base_url : request.base_url, kPath),
                  std::move(body).Finish());
}

bool IsAskedByResponses(const ModelRequest& request, const ModelFacts* facts) {
  if (facts != nullptr && facts->responses_only) return true;
  const bool may_be = !request.params.seed && request.params.stop.empty();
  return request.params.shows_thoughts && may_be && Thinks(request, facts);
}

bool IsResponsesRequest(const HttpRequest& request) {
  return std::string_view(request.url).substr(0, request.url.find('?')).ends_with(kPath);
}

Value ResponsesMembers(const Value& parameters) {
  constexpr std::string_view kVerbosity = "verbosity";
  const Value* verbosity = parameters.Find(kVerbosity);
  if (verbosity == nullptr) return parameters;
  Map members = parameters.AsMap();
  Map text = members.MapAt("text");
  text.Set(std::string(kVerbosity), *verbosity);
  members.Erase(kVerbosity);
  members.Set("text", Value(std::move(text)));
  return Value(std::move(members));
}

void StreamResponses(HttpRequest& request) {
  ASSAY_ASSERT(request.body.ends_with(kOpenAiResponsesWhole));
  request.body.replace(request.body.size() - kOpenAiResponsesWhole.size(), kOpenAiResponsesWhole.size(),
                       kOpenAiResponsesStreamed);
}

void StreamEither(HttpRequest& request) {
  if (IsResponsesRequest(request)) return StreamResponses(request);
  StreamChat(request);
}

bool IsResponsesReply(const HttpReply& reply) {
  if (reply.error || reply.status != 200) return false;
  if (IsEventStream(reply)) {
    // The first event names its kind, or has it in its data.
    const std::size_t end = reply.body.find("\n\n");
    return std::string_view(reply.body).substr(0, end).find("response.") != std::string_view::npos;
  }
  if (reply.body.find("\"response\"") == std::string::npos) return false;
  const Result<Value> body = ParseJson(reply.body);
  return body && body->TextAt("object") == "response";
}

Result<ModelReply> DecodeResponses(const HttpReply& reply) {
  const bool is_stream = !reply.error && reply.status == 200 && IsEventStream(reply);
  ASSAY_TRY(const Value body,
            is_stream ? OpenAiResponsesBodyOfStream(reply.body) : OpenAiResponsesWholeBody(reply));
  ASSAY_TRY(ModelReply decoded, DecodeOpenAiResponsesBody(body));
  TrimText(decoded);
  return NamedReply(std::move(decoded));
}

const ProviderRow kOpenAiResponsesProvider = {
    .name = "openai-responses",
    .help = "models of OpenAI by its Responses API",
    .example = "openai-responses:gpt-5.5-pro",
    .max_in_flight = 20,
    .encode_known = EncodeOpenAiResponses,
    .decode = DecodeResponses,
    .classify = ClassifyByStatus,
    .stream = StreamResponses,
    .base_url = kOpenAiResponsesBaseUrl,
    .base_url_variable = "OPENAI_BASE_URL",
    .key = kOpenAiKey,
    .media = kResponsesMedia,
};

}  // namespace assay
