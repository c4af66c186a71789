// Anthropic's batch interface. Results are read from the batch's own address, not from one that a reply
// names: the key goes along. Source: Anthropic API reference, "Message Batches".
#include <fmt/core.h>

#include <array>

#include "providers/batch/batch.h"
#include "providers/shapes/reply/reply_json.h"
#include "providers/shapes/request/json_body.h"

namespace assay {
namespace {

constexpr std::size_t kAnthropicRequestsMax = 20'000;    // the service: 100,000
constexpr std::size_t kAnthropicBytesMax = 150'000'000;  // the service: 256 MB

HttpRequest WithVersion(HttpRequest request) {
  request.headers.push_back({"anthropic-version", "2023-06-01"});
  return request;
}

std::string AnthropicBatchUrl(const RemoteBatch& batch, std::string_view what) {
  return fmt::format("{}/batches/{}{}", batch.url, batch.id, what);
}

// A batch has no streams: a long answer, which comes in pieces elsewhere, comes whole.
std::string AnthropicWholeBody(const std::string& body) {
  constexpr std::string_view kStreamed = R"("stream":true)";
  Result<Value> sent = body.find(kStreamed) == std::string::npos ? Value() : ParseJson(body);
  if (!sent || !sent->is_map()) return body;
  sent->AsMap().Set("stream", Value(false));
  return WriteJson(*sent, JsonStyle::kJavaScript);
}

HttpRequest AnthropicRequestOf(const RemoteBatch& batch, std::span<const BatchItem> items) {
  if (batch.phase == BatchPhase::kOutput) return WithVersion(Get(AnthropicBatchUrl(batch, "/results")));
  if (batch.phase != BatchPhase::kCreate) return WithVersion(Get(AnthropicBatchUrl(batch, "")));
  std::string requests = "[";
  for (const BatchItem& item : items) {
    if (requests.size() > 1) requests += ',';
    JsonBody request;
    request.Text("custom_id", item.id);
    request.Raw("params", AnthropicWholeBody(item.body));
    requests += std::move(request).Finish();
  }
  JsonBody body;
  body.Raw("requests", requests + "]");
  return WithVersion(JsonPost(fmt::format("{}/batches", batch.url), std::move(body).Finish()));
}

// The status that the same error would have had alone.
int StatusOf(const Value& error) {
  struct Type {
    std::string_view name;
    int status;
  };
  static constexpr auto kTypes = std::to_array<Type>({
      {"invalid_request_error", 400},
      {"authentication_error", 401},
      {"billing_error", 402},
      {"permission_error", 403},
      {"not_found_error", 404},
      {"request_too_large", 413},
      {"rate_limit_error", 429},
      {"timeout_error", 504},
      {"overloaded_error", 529},
  });
  constexpr int kServerTrouble = 500;
  const Value* inner = error.Find("error");
  const std::string type = (inner == nullptr ? error : *inner).TextAt("type");
  for (const Type& each : kTypes) {
    if (each.name == type) return each.status;
  }
  return kServerTrouble;
}

BatchResult AnthropicResultOf(const Value& line) {
  BatchResult read{.id = line.TextAt("custom_id"), .reply = {}};
  const Value* result = line.Find("result");
  if (result == nullptr) return read;
  const Value* message = result->Find("message");
  const Value* error = result->Find("error");
  const std::string type = result->TextAt("type");
  HttpReply reply;
  if (type == "succeeded" && message != nullptr) {
    reply.status = 200;
    reply.body = WriteJson(*message, JsonStyle::kJavaScript);
    read.reply = std::move(reply);
  } else if (type == "errored" && error != nullptr) {
    reply.status = StatusOf(*error);
    reply.body = WriteJson(*error, JsonStyle::kJavaScript);
    read.reply = std::move(reply);
  }
  return read;
}

Result<std::vector<BatchResult>> AnthropicAdvance(RemoteBatch& batch, const HttpReply& reply) {
  std::vector<BatchResult> results;
  if (batch.phase == BatchPhase::kOutput) {
    if (reply.error) return *reply.error;
    if (reply.status != 200) return ErrorOfReply(reply.status, Value(), reply.body);
    ASSAY_TRY(const std::vector<Value> lines, JsonLines(reply.body));
    for (const Value& line : lines) results.push_back(AnthropicResultOf(line));
    batch.phase = BatchPhase::kDone;
    return results;
  }
  ASSAY_TRY(const Value body, ReadReplyJson(reply));
  if (batch.phase == BatchPhase::kCreate) {
    batch.id = body.TextAt("id");
    if (batch.id.empty()) return Error{ErrorCode::kCorrupt, "the batch interface says no \"id\""};
    batch.phase = BatchPhase::kRunning;
  } else if (body.TextAt("processing_status") == "ended") {
    batch.phase = BatchPhase::kOutput;
  }
  return results;
}

HttpRequest CancelAnthropic(const RemoteBatch& batch) {
  return WithVersion(JsonPost(AnthropicBatchUrl(batch, "/cancel"), "{}"));
}

}  // namespace

const BatchInterface kAnthropicBatches = {
    .requests_max = kAnthropicRequestsMax,
    .bytes_max = kAnthropicBytesMax,
    .request = AnthropicRequestOf,
    .advance = AnthropicAdvance,
    .cancel = CancelAnthropic,
};

}  // namespace assay
