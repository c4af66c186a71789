// Reading complaints.
#include "providers/adapt.h"

#include "providers/reply_json.h"
#include "text/json.h"

namespace assay {

namespace {

constexpr int kBadRequest = 400;
constexpr std::string_view kTemperature = "temperature";
constexpr std::string_view kMaxTokens = "max_tokens";
constexpr std::string_view kCompletionTokens = "max_completion_tokens";

bool Contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

}  // namespace

Adaptation LearnFrom(const HttpReply& reply) {
  if (reply.error || reply.status != kBadRequest) return {};
  const Result<Value> body = ParseJson(reply.body);
  const Value* error = body ? body->Find("error") : nullptr;
  if (error == nullptr) return {};
  const std::string message = TextMember(*error, "message");
  const std::string param = TextMember(*error, "param");
  const bool is_unsupported = TextMember(*error, "code").starts_with("unsupported") ||
                              Contains(message, "nsupported") || Contains(message, "not support");
  if (!is_unsupported) return {};
  const auto blames = [&](std::string_view name) {
    return param.empty() ? Contains(message, name) : param == name;
  };
  return {.without_temperature = blames(kTemperature), .completion_tokens = blames(kMaxTokens)};
}

void Adapt(const Adaptation& adaptation, HttpRequest& request) {
  if (!adaptation.IsAny()) return;
  Result<Value> body = ParseJson(request.body);
  if (!body || !body->is_map()) return;
  Map& map = body->AsMap();
  if (adaptation.without_temperature) map.Erase(kTemperature);
  const Value* limit = map.Find(kMaxTokens);
  if (adaptation.completion_tokens && limit != nullptr) {
    Value moved = *limit;
    map.Erase(kMaxTokens);
    map.Set(std::string(kCompletionTokens), std::move(moved));
  }
  request.body = WriteJson(*body, JsonStyle::kJavaScript);
}

std::string AdaptationText(const Adaptation& adaptation) {
  std::string text;
  if (adaptation.without_temperature) text = "without temperature";
  if (adaptation.completion_tokens) {
    text += text.empty() ? "with " : ", with ";
    text += kCompletionTokens;
  }
  return text;
}

}  // namespace assay
