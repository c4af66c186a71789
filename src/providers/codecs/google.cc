// The provider `google`. The key goes into a header, not into the URL, where logs would keep it; system
// messages are sent as the system instruction. Sources: spec blueprint 18.3, 25; Gemini API reference,
// "generateContent".
#include "providers/codecs/google.h"

#include <fmt/core.h>

#include <map>
#include <utility>

#include "providers/codecs/anthropic.h"
#include "providers/codecs/rows.h"
#include "providers/facts/output_max.h"
#include "providers/shapes/chat.h"
#include "providers/shapes/parts.h"
#include "providers/shapes/reply/citations.h"
#include "providers/shapes/reply/reply_json.h"
#include "providers/shapes/reply/status.h"
#include "providers/shapes/reply/usage.h"
#include "providers/shapes/request/json_body.h"
#include "providers/shapes/request/media.h"
#include "providers/shapes/request/thinking.h"
#include "providers/shapes/tool_calls.h"
#include "text/javascript/truth.h"
#include "text/object.h"

namespace assay {
namespace {

constexpr std::string_view kGoogleBaseUrl = "https://generativelanguage.googleapis.com/v1beta";
constexpr std::int64_t kGoogleMaxTokens = 1500;

constexpr std::string_view kSeal = "thoughtSignature";

Value TextParts(const std::string& text) { return Value(List{Object{{"text", text}}}); }

Result<HttpRequest> EncodeGoogle(const ModelRequest& request, const ModelFacts* facts) {
  const SamplingParams& params = request.params;
  JsonBody config;
  if (params.temperature) config.Number("temperature", *params.temperature);
  if (params.top_p) config.Number("topP", *params.top_p);
  if (const std::int64_t limit = LimitSent(request, kGoogleMaxTokens); limit > 0)
    config.Number("maxOutputTokens", static_cast<double>(limit));
  const auto order = ThinkingOrderOf(params, facts, EffortForm::kThinkingBudget);
  for (const Member& member : GoogleThinking(order, params, facts))
    config.Raw(member.key, WriteJson(member.value, JsonStyle::kJavaScript));
  if (params.seed) config.Raw("seed", std::to_string(*params.seed));
  if (!params.stop.empty()) {
    const List stop(params.stop.begin(), params.stop.end());
    config.Raw("stopSequences", WriteJson(Value(stop), JsonStyle::kJavaScript));
  }
  if (!request.answer_schema.is_undefined()) {
    config.Text("responseMimeType", "application/json");
    config.Raw("responseJsonSchema", WriteJson(request.answer_schema, JsonStyle::kJavaScript));
  }
  JsonBody body;
  if (const std::string system = SystemText(request.messages); !system.empty())
    body.Raw("systemInstruction", WriteJson(GoogleSystem(system), JsonStyle::kJavaScript));
  body.Raw("contents", WriteJson(GoogleContents(request.messages), JsonStyle::kJavaScript));
  if (!request.tools.empty()) {
    body.Raw("tools", GoogleTools(request.tools));
    if (!request.tool_choice.empty()) body.Raw("toolConfig", GoogleToolConfig(request.tool_choice));
  }
  body.Raw("generationConfig", std::move(config).Finish());
  const std::string path = fmt::format("/models/{}:generateContent", PathPart(request.model));
  return JsonPost(UrlOf(request.base_url.empty() ? kGoogleBaseUrl : request.base_url, path),
                  std::move(body).Finish());
}

Result<ModelReply> DecodeGoogle(const HttpReply& reply) {
  const bool is_stream = !reply.error && reply.status == 200 && IsEventStream(reply);
  ASSAY_TRY(const Value body, is_stream ? GoogleBodyOfStream(reply.body) : ReadReplyJson(reply));
  const EndWords ends = {.services = end_words::kGoogle, .may_be_unsaid = !is_stream};
  ASSAY_TRY(ModelReply decoded, DecodeGoogleBody(body, ends));
  TrimText(decoded);
  return NamedReply(std::move(decoded));
}

void TakePart(const Value& part, ModelReply& reply) {
  (IsTruthyAt(part, "thought") ? reply.reasoning : reply.text) += part.TextAt("text");
  const Value* function = part.Find("functionCall");
  if (function == nullptr) return;
  reply.tool_calls.push_back({.id = function->TextAt("id"),
                              .name = function->TextAt("name"),
                              .arguments = ArgumentsOf(function->Find("args")),
                              .seal = part.TextAt(kSeal)});
}

// The service knows calls by their names; an id is sent only where it gave one itself.
Map NamedCall(const std::string& id, const std::string& name) {
  return Object{{"id", When(!IsMadeCallId(id), id)}, {"name", name}};
}

// Whether text, calls and their seals say all of a turn: words, then calls.
bool IsGooglePlain(const List& parts) {
  bool has_called = false;
  for (const Value& part : parts) {
    const Value* function = part.Find("functionCall");
    if (function != nullptr) {
      if (!HasOnly(part, {"functionCall", kSeal}) || !HasOnly(*function, {"id", "name", "args"}))
        return false;
    } else if (!HasOnly(part, {"text"}) || (has_called && !part.TextAt("text").empty())) {
      return false;
    }
    has_called = has_called || function != nullptr;
  }
  return true;
}

// Pieces of one text, as a stream has them, are one part.
List GoogleJoined(const List& pieces) {
  List parts;
  for (const Value& piece : pieces) {
    Value* last = parts.empty() ? nullptr : &parts.back();
    const auto is_text = [](const Value& part) {
      return HasOnly(part, {"text", "thought"}) && !part.AsMap().empty() && part.Find("text") != nullptr;
    };
    const auto is_thought = [](const Value& part) { return IsTruthyAt(part, "thought"); };
    if (last != nullptr && is_text(*last) && is_text(piece) && is_thought(*last) == is_thought(piece)) {
      last->AsMap().Set("text", last->TextAt("text") + piece.TextAt("text"));
    } else {
      parts.push_back(piece);
    }
  }
  return parts;
}

Value PartOfCall(const ToolCall& call) {
  Map function = NamedCall(call.id, call.name);
  function.Append("args", ArgumentsObject(call));
  return Object{{"functionCall", std::move(function)},
                {kSeal, When(!call.seal.empty() && !IsSealOfThoughts(call.seal), call.seal)}};
}

Value PartOfResult(const Message& message, const std::string& name) {
  Map response = Object{{"result", message.text}};
  Map function = NamedCall(message.call_id, name);
  function.Append("response", Value(std::move(response)));
  return Object{{"functionResponse", std::move(function)}};
}

}  // namespace

Value GoogleContents(const std::vector<Message>& messages) {
  struct Turn {
    Role role;
    List parts;
  };
  std::vector<Turn> turns;
  std::map<std::string, std::string, std::less<>> names;  // of calls, by their ids
  for (const Message& message : messages) {
    if (message.role == Role::kSystem) continue;
    // Results in a row are one turn.
    if (message.role == Role::kTool && !turns.empty() && turns.back().role == Role::kTool) {
      turns.back().parts.push_back(PartOfResult(message, names[message.call_id]));
      continue;
    }
    List parts;
    if (message.role == Role::kTool) {
      parts.push_back(PartOfResult(message, names[message.call_id]));
    } else if (message.calls.empty() || !message.text.empty()) {
      parts = GoogleMedia(message);
      parts.push_back(TextParts(message.text).AsList().front());
    }
    for (const ToolCall& call : message.calls) {
      names[call.id] = call.name;
      parts.push_back(PartOfCall(call));
    }
    if (std::optional<Value> came = PartsOf(message, kGoogleForm); came && came->is_list())
      parts = std::move(came->AsList());
    turns.push_back({message.role, std::move(parts)});
  }
  return ArrayOf(turns, [&](Turn& turn) {
    return Object{{"role", turn.role == Role::kAssistant ? "model" : "user"},
                  {"parts", std::move(turn.parts)}};
  });
}

Value GoogleSystem(const std::string& text) { return Object{{"parts", TextParts(text)}}; }

Result<ModelReply> DecodeGoogleBody(const Value& body, const EndWords& ends) {
  const List& candidates = body.ListAt("candidates");
  if (candidates.empty()) {
    const std::string& reason = body.MapAt("promptFeedback").TextAt("blockReason");
    if (!reason.empty()) {
      return Error{ErrorCode::kContentFilter,
                   fmt::format("the service blocked the prompt ({}); word it otherwise, or ask another model",
                               reason)};
    }
    return NoAnswerIn(body, "candidates");
  }
  const Value& candidate = candidates.front();
  ModelReply reply;
  const List& parts = candidate.MapAt("content").ListAt("parts");
  for (const Value& part : parts) TakePart(part, reply);
  if (!IsGooglePlain(parts)) reply.parts = PartsAs(kGoogleForm, Value(GoogleJoined(parts)));
  TakeEnd(ends, candidate, "finishReason", reply);
  AddEndWords(candidate.TextAt("finishMessage"), reply);
  TakeCitations(body, reply);
  TakeServed(body, reply);
  if (const Value* usage = body.Find("usageMetadata")) reply.usage = GoogleUsage(*usage);
  reply.tier = body.MapAt("usageMetadata").TextAt("serviceTier");
  AddGroundingCosts(candidate, reply.usage);
  return reply;
}

const ProviderRow kGoogleProvider = {
    .name = "google",
    .help = "models of Google (Gemini)",
    .example = "google:gemini-3.5-flash",
    .max_in_flight = 20,
    .encode_known = EncodeGoogle,
    .decode = DecodeGoogle,
    .classify = ClassifyByStatus,
    .stream = StreamGoogle,
    .base_url = kGoogleBaseUrl,
    .base_url_variable = "GOOGLE_BASE_URL",
    .key = {.need = KeyRule::Need::kRequired,
            .variables = "GOOGLE_API_KEY GEMINI_API_KEY",
            .header = "x-goog-api-key",
            .prefix = ""},
};

}  // namespace assay
