// Reading complaints.
#include "providers/adapt.h"

#include <algorithm>
#include <iterator>

#include "providers/reply_json.h"
#include "text/json.h"

namespace assay {

namespace {

constexpr int kBadRequest = 400;
constexpr int kUnprocessable = 422;
constexpr std::string_view kTemperature = "temperature";
constexpr std::string_view kMaxTokens = "max_tokens";
constexpr std::string_view kCompletionTokens = "max_completion_tokens";
constexpr std::string_view kStream = "stream";
constexpr std::string_view kStreamOptions = "stream_options";

struct AdaptationRow {
  bool Adaptation::*is_needed;
  std::string_view text;
};
constexpr AdaptationRow kRows[] = {
    {&Adaptation::without_temperature, "without temperature"},
    {&Adaptation::completion_tokens, "with max_completion_tokens"},
    {&Adaptation::without_stream_options, "without stream_options"},
    {&Adaptation::without_stream, "without stream"},
};

bool Contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

}  // namespace

bool Adaptation::Lacks(const Adaptation& other) const {
  return std::any_of(std::begin(kRows), std::end(kRows), [&](const AdaptationRow& row) {
    return other.*row.is_needed && !(this->*row.is_needed);
  });
}

void Adaptation::Add(const Adaptation& other) {
  for (const AdaptationRow& row : kRows) this->*row.is_needed = this->*row.is_needed || other.*row.is_needed;
}

Adaptation LearnFrom(const HttpReply& reply) {
  if (reply.error || (reply.status != kBadRequest && reply.status != kUnprocessable)) return {};
  // Only this program asks for it, and never with a value of the user's: every complaint means the whole.
  if (Contains(reply.body, kStreamOptions)) return {.without_stream_options = true};
  if (reply.status != kBadRequest) return {};
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
  return {.without_temperature = blames(kTemperature),
          .completion_tokens = blames(kMaxTokens),
          .without_stream = param == kStream};
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
  if (adaptation.without_stream_options || adaptation.without_stream) map.Erase(kStreamOptions);
  if (adaptation.without_stream && map.Find(kStream) != nullptr) map.Set(std::string(kStream), Value(false));
  request.body = WriteJson(*body, JsonStyle::kJavaScript);
}

std::string AdaptationText(const Adaptation& adaptation) {
  std::string text;
  for (const AdaptationRow& row : kRows) {
    if (!(adaptation.*row.is_needed)) continue;
    text += text.empty() ? "" : ", ";
    text += row.text;
  }
  return text;
}

}  // namespace assay
