// The provider `custom`: models that a suite describes itself, with their URL. Sources: spec
// blueprint 9.2, 18.8. Better than the format's own tool: system messages reach models of the families
// anthropic and google. Headers are not added here: they may name secrets of the environment, which only the
// sender may look up.
#include <fmt/core.h>

#include <algorithm>
#include <iterator>

#include "providers/codecs/anthropic.h"
#include "providers/codecs/google.h"
#include "providers/codecs/rows.h"
#include "providers/facts/output_max.h"
#include "providers/shapes/chat.h"
#include "providers/shapes/reply/reply_json.h"
#include "providers/shapes/reply/status.h"
#include "providers/shapes/request/answer_schema.h"
#include "providers/shapes/request/media.h"
#include "providers/shapes/request/thinking.h"
#include "providers/shapes/tool_calls.h"
#include "text/found.h"
#include "text/javascript/text.h"
#include "text/json/json.h"

namespace assay {
namespace {

constexpr std::int64_t kCustomMaxTokens = 1500;

// The conversation as one text, for models that only continue texts.
std::string PromptText(const ModelRequest& request) {
  const bool is_raw = request.custom.TextAt("promptFormat") == "raw";
  const std::vector<Message> spoken = WithoutSystem(request.messages);
  const std::string system = SystemText(request.messages);
  if (is_raw && system.empty() && spoken.size() == 1) return spoken.front().text;
  std::string text = system.empty() ? std::string() : system + "\n\n";
  for (const Message& message : spoken) {
    if (is_raw) {
      text += message.text + "\n\n";
    } else {
      text += fmt::format("{}: {}\n", message.role == Role::kAssistant ? "Assistant" : "User", message.text);
    }
  }
  if (!is_raw) text += "Assistant:";
  return std::string(JsTrim(text));
}

// The name that the suite gives a parameter, or the usual one.
std::string ParameterName(const Value& custom, std::string_view usual) {
  const std::string& name = custom.MapAt("parameterMapping").TextAt(usual);
  return name.empty() ? std::string(usual) : name;
}

// As the family that the model says it is one of.
void AddCustomThinking(const ModelRequest& request, const ModelFacts* facts, Map& target) {
  const std::string family = request.custom.TextAt("inherit");
  Map members;
  if (family == "anthropic") {
    members = AnthropicThinking(ThinkingOrderOf(request.params, facts, EffortForm::kOutputConfig),
                                request.params, facts);
  } else if (family == "google") {
    members = GoogleThinking(ThinkingOrderOf(request.params, facts, EffortForm::kThinkingBudget),
                             request.params, facts);
  } else if (const auto order = ThinkingOrderOf(request.params, facts, EffortForm::kReasoningEffort)) {
    members.Append("reasoning_effort", order->effort);
  }
  for (Member& member : members) target.Set(member.key, std::move(member.value));
}

// The answer's schema, as the family says it.
void AddSchema(const ModelRequest& request, Map& target) {
  const std::string family = request.custom.TextAt("inherit");
  if (family == "google") {
    target.Set("responseMimeType", "application/json");
    target.Set("responseJsonSchema", request.answer_schema);
  } else if (family == "anthropic") {
    Map output = target.MapAt("output_config");
    output.Append("format", AnthropicOutputFormat(request.answer_schema));
    target.Set("output_config", Value(std::move(output)));
  } else {
    target.Set("response_format", *ParseJson(ChatResponseFormat(request.answer_schema)));
  }
}

void AddSampling(const ModelRequest& request, const ModelFacts* facts, Map& body) {
  const Value& custom = request.custom;
  const bool is_google = custom.TextAt("inherit") == "google";
  const std::string tokens_name = is_google ? "maxOutputTokens" : "max_tokens";
  Map config;
  Map& target = is_google ? config : body;
  // A Claude that thinks takes none.
  const bool takes_none = custom.TextAt("inherit") == "anthropic" && AsksToThink(request.params);
  if (request.params.temperature && !takes_none)
    target.Set(ParameterName(custom, "temperature"), Value(*request.params.temperature));
  std::string mapped = ParameterName(custom, "max_tokens");
  if (mapped == "max_tokens") mapped = tokens_name;
  std::int64_t limit = LimitSent(request, kCustomMaxTokens);
  if (limit == 0 && custom.TextAt("inherit") == "anthropic") limit = StatedOutputMax(request.model);
  if (limit > 0) target.Set(std::move(mapped), Value(static_cast<double>(limit)));
  AddCustomThinking(request, facts, target);
  if (!request.answer_schema.is_undefined()) AddSchema(request, target);
  if (is_google) body.Set("generationConfig", Value(std::move(config)));
}

void AddCustomConversation(const ModelRequest& request, Map& body) {
  const std::string family = request.custom.TextAt("inherit");
  const std::string system = SystemText(request.messages);
  if (request.custom.TextAt("format") == "completions") {
    body.Set("prompt", PromptText(request));
  } else if (family == "anthropic") {
    if (!system.empty()) body.Set("system", system);
    body.Set("messages", *ParseJson(AnthropicMessages(request.messages)));
  } else if (family == "google") {
    if (!system.empty()) body.Set("systemInstruction", GoogleSystem(system));
    body.Set("contents", GoogleContents(request.messages));
  } else {
    body.Set("messages", *ParseJson(ChatMessages(request.messages)));
  }
}

// The tools, as the family says them. Models that only continue texts take none.
Status AddTools(const ModelRequest& request, Map& body) {
  if (request.tools.empty()) return Ok();
  if (request.custom.TextAt("format") == "completions")
    return Error{ErrorCode::kUnsupported,
                 "a custom model of the format \"completions\" only continues texts: it cannot call tools"};
  const std::string family = request.custom.TextAt("inherit");
  const std::string& choice = request.tool_choice;
  if (family == "anthropic") {
    body.Set("tools", *ParseJson(AnthropicTools(request.tools)));
    if (!choice.empty()) body.Set("tool_choice", *ParseJson(AnthropicToolChoice(choice)));
  } else if (family == "google") {
    body.Set("tools", *ParseJson(GoogleTools(request.tools)));
    if (!choice.empty()) body.Set("toolConfig", *ParseJson(GoogleToolConfig(choice)));
  } else {
    body.Set("tools", *ParseJson(ChatTools(request.tools)));
    if (!choice.empty()) body.Set("tool_choice", choice);
  }
  return Ok();
}

void SetOrErase(const Member& member, Map& map) {
  if (member.value.is_null()) {
    map.Erase(member.key);
  } else {
    map.Set(member.key, member.value);
  }
}

// Members that Google's protocol has beside generationConfig; every other parameter belongs below it.
bool StandsBesideConfig(std::string_view name) {
  constexpr std::string_view kNames[] = {"contents",       "systemInstruction", "tools",  "toolConfig",
                                         "safetySettings", "cachedContent",     "labels", "model",
                                         "stream"};
  return std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames);
}

// What the suite adds to the body, replaces in it, or takes from it (null).
void AddParameters(const Map& parameters, Map& body) {
  constexpr std::string_view kConfig = "generationConfig";
  const bool has_config = FindMap(body, kConfig) != nullptr;
  Map config = body.MapAt(kConfig);
  for (const Member& member : parameters) {
    if (!has_config || StandsBesideConfig(member.key)) {
      SetOrErase(member, body);
    } else if (member.key == kConfig && member.value.is_map()) {
      for (const Member& each : member.value.AsMap()) SetOrErase(each, config);
    } else {
      SetOrErase(member, config);
    }
  }
  if (has_config) body.Set(std::string(kConfig), Value(std::move(config)));
}

Result<HttpRequest> EncodeCustom(const ModelRequest& request, const ModelFacts* facts) {
  if (!request.custom.is_map() || request.base_url.empty()) {
    return Error{ErrorCode::kInvalidInput,
                 "a custom model is described by the suite that uses it: {id, url, "
                 "modelName, inherit}; this one is not"};
  }
  ASSAY_CHECK_OK(MayWordMedia(request, MediaOfCustom(request.custom)));
  Map body;
  const std::string family = request.custom.TextAt("inherit");
  // Google's protocol names the model in the URL, and knows no member of either name.
  if (family != "google") {
    body.Set("model", request.model);
    body.Set("stream", Value(false));
  }
  AddSampling(request, facts, body);
  AddCustomConversation(request, body);
  ASSAY_CHECK_OK(AddTools(request, body));
  AddParameters(request.custom.MapAt("parameters"), body);
  HttpRequest wire = JsonPost(request.base_url, WriteJson(Value(std::move(body)), JsonStyle::kJavaScript));
  if (family == "anthropic") wire.headers.push_back({"anthropic-version", std::string(kAnthropicVersion)});
  return wire;
}

// The families are told apart by their replies.
Result<ModelReply> DecodeCustomBody(const Value& body) {
  if (body.Find("candidates") != nullptr) return DecodeGoogleBody(body, kAnyEndWords);
  const Value* content = body.Find("content");
  if (content != nullptr && content->is_list()) return DecodeAnthropicBody(body, kAnyEndWords);
  return DecodeChatBody(body, kAnyEndWords);
}

Result<ModelReply> DecodeCustom(const HttpReply& reply) {
  ASSAY_TRY(const Value body, ReadReplyJson(reply));
  ASSAY_TRY(ModelReply decoded, DecodeCustomBody(body));
  TrimText(decoded);
  return NamedReply(std::move(decoded));
}

}  // namespace

const ProviderRow kCustomProvider = {
    .name = "custom",
    .help = "models that a suite describes itself, with their URL",
    .example = "custom:my-model",
    .max_in_flight = 10,
    .encode_known = EncodeCustom,
    .decode = DecodeCustom,
    .classify = ClassifyByStatus,
};

}  // namespace assay
