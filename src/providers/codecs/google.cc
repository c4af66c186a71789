// The provider `google`. The key goes into a header, not into the URL, where logs would keep it; system
// messages are sent as the system instruction. Sources: spec blueprint 18.3, 25; Gemini API reference,
// "generateContent".
#include "providers/codecs/google.h"

#include <fmt/core.h>

#include "providers/codecs/anthropic.h"
#include "providers/codecs/rows.h"
#include "providers/facts/output_max.h"
#include "providers/shapes/chat.h"
#include "providers/shapes/json_body.h"
#include "providers/shapes/reply_json.h"
#include "providers/shapes/status.h"
#include "providers/shapes/thinking.h"
#include "providers/shapes/usage.h"
#include "text/javascript/text.h"

namespace assay {
namespace {

constexpr std::string_view kBaseUrl = "https://generativelanguage.googleapis.com/v1beta";
constexpr std::int64_t kMaxTokens = 1500;

Value PartsOf(const std::string& text) {
  Map part;
  part.Append("text", text);
  return Value(List{Value(std::move(part))});
}

Result<HttpRequest> Encode(const ModelRequest& request, const ModelFacts* facts) {
  const SamplingParams& params = request.params;
  JsonBody config;
  if (params.temperature) config.Number("temperature", *params.temperature);
  if (params.top_p) config.Number("topP", *params.top_p);
  config.Number("maxOutputTokens", static_cast<double>(LimitSent(request, kMaxTokens)));
  if (const auto order = ThinkingOrderOf(params, facts, EffortForm::kThinkingBudget)) {
    for (const Member& member : GoogleThinking(*order))
      config.Raw(member.key, WriteJson(member.value, JsonStyle::kJavaScript));
  }
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
  body.Raw("generationConfig", std::move(config).Finish());
  const std::string path = fmt::format("/models/{}:generateContent", PathPart(request.model));
  return JsonPost(UrlOf(request.base_url.empty() ? kBaseUrl : request.base_url, path),
                  std::move(body).Finish());
}

Result<ModelReply> Decode(const HttpReply& reply) {
  const bool is_stream = !reply.error && reply.status == 200 && IsEventStream(reply);
  ASSAY_TRY(const Value body, is_stream ? GoogleBodyOfStream(reply.body) : ReadReplyJson(reply));
  ASSAY_TRY(ModelReply decoded, DecodeGoogleBody(body));
  decoded.text = JsTrim(decoded.text);
  PutToolCallsIntoText(decoded);
  return CheckedReply(std::move(decoded));
}

void TakePart(const Value& part, ModelReply& reply, List& calls) {
  const Value* thought = part.Find("thought");
  const bool is_thought = thought != nullptr && thought->Truthy();
  (is_thought ? reply.reasoning : reply.text) += TextMember(part, "text");
  const Value* function = part.Find("functionCall");
  if (function == nullptr) return;
  const Value* arguments = function->Find("args");
  Map call;
  call.Append("name", TextMember(*function, "name"));
  call.Append("arguments", arguments == nullptr ? Value() : *arguments);
  calls.push_back(Value(std::move(call)));
}

}  // namespace

Value GoogleContents(const std::vector<Message>& messages) {
  List contents;
  for (const Message& message : messages) {
    if (message.role == Role::kSystem) continue;
    Map content;
    content.Append("role", message.role == Role::kAssistant ? "model" : "user");
    content.Append("parts", PartsOf(message.text));
    contents.push_back(Value(std::move(content)));
  }
  return Value(std::move(contents));
}

Value GoogleSystem(const std::string& text) {
  Map system;
  system.Append("parts", PartsOf(text));
  return Value(std::move(system));
}

Result<ModelReply> DecodeGoogleBody(const Value& body) {
  const Value* candidates = body.Find("candidates");
  if (candidates == nullptr || !candidates->is_list() || candidates->AsList().empty()) {
    const Value* feedback = body.Find("promptFeedback");
    const std::string reason = feedback == nullptr ? std::string() : TextMember(*feedback, "blockReason");
    if (!reason.empty()) {
      return Error{ErrorCode::kContentFilter,
                   fmt::format("the service blocked the prompt ({}); word it otherwise, or ask another model",
                               reason)};
    }
    return Error{ErrorCode::kCorrupt, "expected a reply with \"candidates\", found none"};
  }
  const Value& candidate = candidates->AsList().front();
  ModelReply reply;
  List calls;
  const Value* content = candidate.Find("content");
  const Value* parts = content == nullptr ? nullptr : content->Find("parts");
  if (parts != nullptr && parts->is_list()) {
    for (const Value& part : parts->AsList()) TakePart(part, reply, calls);
  }
  if (!calls.empty()) reply.tool_calls = Value(std::move(calls));
  reply.finish_reason = FinishReason(TextMember(candidate, "finishReason"));
  if (const Value* usage = body.Find("usageMetadata")) reply.usage = GoogleUsage(*usage);
  return reply;
}

const ProviderRow kGoogleProvider = {
    .name = "google",
    .help = "models of Google (Gemini)",
    .example = "google:gemini-2.5-flash",
    .max_in_flight = 20,
    .encode_known = Encode,
    .decode = Decode,
    .classify = ClassifyByStatus,
    .stream = StreamGoogle,
    .base_url = kBaseUrl,
    .base_url_variable = "GOOGLE_BASE_URL",
    .key = {.need = KeyRule::Need::kRequired,
            .variables = "GOOGLE_API_KEY GEMINI_API_KEY",
            .header = "x-goog-api-key",
            .prefix = ""},
};

}  // namespace assay
