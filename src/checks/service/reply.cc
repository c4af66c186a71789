// Reads the score out of a service's reply to `$call` and `$factcheck`, or the error that it means.
#include <fmt/core.h>

#include "base/errors/diagnostics.h"
#include "base/text/byte_order_mark.h"
#include "checks/service/call.h"
#include "text/found.h"
#include "text/javascript/number.h"
#include "text/json/json.h"

namespace assay {
namespace {

Result<Score> ScoreOfReply(const HttpReply& reply) {
  if (reply.status < 200 || reply.status >= 300) {
    const std::string said = reply.body.empty() ? std::string() : ": " + Quoted(reply.body);
    return Error{ErrorCode::kService,
                 fmt::format("the service answered with status {}{}", reply.status, said)};
  }
  std::string_view body = reply.body;
  body = WithoutByteOrderMark(body);
  const Result<Value> value = ParseJson(body);
  if (!value) {
    return Error{ErrorCode::kInvalidInput,
                 fmt::format("expected the service to reply with JSON: {}", value.error().message)};
  }
  return ReadServiceReply(*value);
}

}  // namespace

Result<Score> ReadServiceReply(const Value& reply) {
  if (!reply.is_map() && !reply.is_list()) {
    return Error{ErrorCode::kInvalidInput,
                 fmt::format("expected the service to reply with an object, found {}", KindName(reply))};
  }
  if (const Value* error = reply.Find("error"); error != nullptr && error->Truthy()) {
    const std::string* words = FindText(reply, "error");
    return Score::Missing("the service says: " +
                          Quoted(words != nullptr ? *words : WriteJson(*error, JsonStyle::kJavaScript)));
  }
  const std::optional<double> number = reply.NumberAt("score");
  if (!number) {
    const Value* found = reply.Find("score");
    return Error{ErrorCode::kInvalidInput,
                 fmt::format("expected the service to give a score as a number, found {}",
                             found == nullptr ? "none" : KindName(*found))};
  }
  if (*number < 0 || *number > 1) {
    return Error{ErrorCode::kInvalidInput,
                 fmt::format("expected the service's score in [0, 1], found {}", JsNumberText(*number))};
  }
  Score given = Score::Of(*number + 0.0);  // -0 is 0
  given.explanation = reply.TextAt("explain");
  return given;
}

Score ScoreOfService(std::string_view check, const Exchange& exchange) {
  const auto failure = [check](std::string_view why) {
    return Score::Missing(fmt::format("${}: {}", check, why));
  };
  if (exchange.error) return failure(exchange.error->message);
  const auto* reply = std::get_if<HttpReply>(&exchange.reply);
  if (reply == nullptr) return failure("the service gave no reply");
  Result<Score> score = ScoreOfReply(*reply);
  if (!score) return failure(score.error().message);
  return score->failed() ? failure(score->error) : std::move(score).value();
}

}  // namespace assay
