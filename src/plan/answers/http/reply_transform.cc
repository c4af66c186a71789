// Runs transformResponse over the reply, and takes what it gives apart.
#include "plan/answers/http/reply_transform.h"

#include <fmt/core.h>

#include "base/errors/diagnostics.h"
#include "plan/answers/http/snippet.h"
#include "text/found.h"
#include "text/javascript/text.h"
#include "text/javascript/values.h"
#include "text/json/json.h"
#include "text/object.h"

namespace assay {

namespace {

// What a transform says beside the answer.
constexpr std::string_view kToldMembers[] = {"tokenUsage", "cost", "metadata", "guardrails", "finishReason"};

Status CheckStatus(const Value& config, const HttpReply& reply, const ScriptWorld& world) {
  if (reply.status == kTooManyRequests)
    return Error{ErrorCode::kRateLimited,
                 fmt::format("the service answered with status {}: too many requests", reply.status)};
  const std::string* code = FindText(config, "validateStatus");
  if (code == nullptr || code->empty()) return Ok();
  ASSAY_TRY(const Value is_valid, RunSnippet("config.validateStatus", *code,
                                             {{"status", Value(static_cast<double>(reply.status))}}, world));
  if (is_valid.Truthy()) return Ok();
  return Error{
      ErrorCode::kService,
      fmt::format("the service answered with status {}, which config.validateStatus does not take: {}",
                  reply.status, Quoted(reply.body))};
}

// What the transform gives; without one the reply itself, as JSON if it is some.
Result<Value> Transformed(const Value& config, const HttpReply& reply, const ScriptWorld& world) {
  Result<Value> json = ParseJson(reply.body);
  const std::string* code = FindText(config, "transformResponse");
  if (code == nullptr || code->empty()) code = FindText(config, "responseParser");
  if (code == nullptr || code->empty()) return json ? *std::move(json) : Value(reply.body);
  const Value response =
      Object{{"status", reply.status}, {"data", reply.body}, {"headers", Map()}, {"cached", false}};
  return RunSnippet("config.transformResponse", *code,
                    {{"json", json ? *std::move(json) : Value(Null{})},
                     {"text", Value(reply.body)},
                     {"context", Object{{"response", response}}}},
                    world);
}

Usage UsageOfTokens(const Map& tokens) {
  const auto count = [&](std::string_view name) {
    return static_cast<std::int64_t>(tokens.NumberAt(name).value_or(0));
  };
  Usage usage{.input_tokens = count("prompt"), .output_tokens = count("completion"), .known = true};
  // Whoever tells no more than their sum.
  if (usage.input_tokens == 0 && usage.output_tokens == 0) usage.output_tokens = count("total");
  usage.cached_read_tokens = std::min(count("cached"), usage.input_tokens);
  return usage;
}

Error NoAnswerOf(std::string_view why) { return {ErrorCode::kNoAnswer, std::string(why)}; }

// A text as it is, an object or a list as JSON.
std::string TextOfValue(const Value& value) {
  return value.is_map() || value.is_list() ? JsJson(value) : JsString(value);
}

// The text that the output is.
Result<std::string> AnswerOf(const Value& output, bool takes_empty) {
  if (output.is_nullish())
    return NoAnswerOf("there is no output: config.transformResponse gave none of this reply");
  std::string text = TextOfValue(output);
  if (!takes_empty && JsTrim(text).empty()) return NoAnswerOf("the service's answer is empty");
  return text;
}

Result<std::string> ReadTransformed(const Value& made, bool takes_empty, AttemptFacts& told) {
  const Value* output = made.is_map() ? made.Find("output") : nullptr;
  const Value* error = made.is_map() ? made.Find("error") : nullptr;
  if (made.is_map() && (output != nullptr || error != nullptr)) {
    for (const std::string_view name : kToldMembers) {
      if (const Value* value = made.Find(name)) told.details.AsMap().Set(std::string(name), *value);
    }
    if (const Map* tokens = FindMap(made, "tokenUsage"))
      told.usage_by_role.emplace_back("main", UsageOfTokens(*tokens));
  }
  if (error != nullptr && error->Truthy()) return Error{ErrorCode::kService, TextOfValue(*error)};
  const Value& answer = output != nullptr && !output->is_undefined() ? *output : made;
  if (answer.is_map() || answer.is_list()) told.details.AsMap().Set("output", answer);
  return AnswerOf(answer, takes_empty);
}

Result<std::string> AnswerOfExchange(const Value& config, const Exchange& exchange, const ScriptWorld& world,
                                     bool takes_empty, AttemptFacts& told) {
  if (exchange.error) return *exchange.error;
  const auto* reply = std::get_if<HttpReply>(&exchange.reply);
  if (reply == nullptr) return NoAnswerOf("the service gave no reply");
  told.details = Value(Map(Object{{"status", reply->status}}));
  ASSAY_CHECK_OK(CheckStatus(config, *reply, world));
  ASSAY_TRY(const Value made, Transformed(config, *reply, world));
  return ReadTransformed(made, takes_empty, told);
}

}  // namespace

Transcript TranscriptOfService(const Value& config, const std::string& prompt, const Exchange& exchange,
                               const ScriptWorld& world, bool takes_empty) {
  Transcript transcript;
  transcript.history.push_back({.role = Role::kUser, .text = prompt});
  Result<std::string> answer = AnswerOfExchange(config, exchange, world, takes_empty, transcript.told);
  if (!answer) {
    transcript.error = answer.error().message;
    transcript.error_class = ErrorCodeName(answer.error().code);
    return transcript;
  }
  transcript.history.push_back({.role = Role::kAssistant, .text = *answer});
  transcript.generated_indices = {0};
  transcript.generated_texts = {*answer};
  transcript.generated_reasoning = {""};
  transcript.answer = *std::move(answer);
  return transcript;
}

}  // namespace assay
