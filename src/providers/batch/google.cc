// Google's batch interface, with the requests and their results in the bodies themselves. Sources: Gemini API
// reference, "Batch API"; the types of its official client.
#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "providers/batch/batch.h"
#include "providers/shapes/reply/reply_json.h"
#include "providers/shapes/reply/status.h"
#include "providers/shapes/request/json_body.h"
#include "text/found.h"
#include "text/javascript/truth.h"
#include "text/json/json.h"
#include "text/object.h"

namespace assay {
namespace {

constexpr std::size_t kGoogleRequestsMax = 20'000;
constexpr std::size_t kGoogleBytesMax = 16'000'000;  // the service: 20 MB with what stands around them
constexpr std::string_view kMethod = ":generateContent";
constexpr std::string_view kGoogleName = "batches/";
HttpRequest GoogleCreate(const RemoteBatch& batch, std::span<const BatchItem> items) {
  std::string requests = "[";
  for (const BatchItem& item : items) {
    if (requests.size() > 1) requests += ',';
    JsonBody metadata;
    metadata.Text("key", item.id);
    JsonBody request;
    request.Raw("request", item.body);
    request.Raw("metadata", std::move(metadata).Finish());
    requests += std::move(request).Finish();
  }
  JsonBody list;
  list.Raw("requests", requests + "]");
  JsonBody input;
  input.Raw("requests", std::move(list).Finish());
  JsonBody inner;
  inner.Text("displayName", "assay");
  inner.Raw("inputConfig", std::move(input).Finish());
  JsonBody body;
  body.Raw("batch", std::move(inner).Finish());
  std::string url = batch.url;
  if (const std::size_t method = url.rfind(kMethod); method != std::string::npos)
    url.replace(method, kMethod.size(), ":batchGenerateContent");
  return JsonPost(std::move(url), std::move(body).Finish());
}

std::string GoogleBatchUrl(const RemoteBatch& batch, std::string_view what) {
  return UrlOf(batch.base_url, fmt::format("/{}{}{}", kGoogleName, batch.id, what));
}

HttpRequest GoogleRequestOf(const RemoteBatch& batch, std::span<const BatchItem> items) {
  return batch.phase == BatchPhase::kCreate ? GoogleCreate(batch, items) : Get(GoogleBatchUrl(batch, ""));
}

bool HasEnded(const Value& body) {
  static constexpr auto kEnds =
      std::to_array<std::string_view>({"SUCCEEDED", "FAILED", "CANCELLED", "EXPIRED"});
  if (IsTruthyAt(body, "done")) return true;
  const Value* metadata = body.Find("metadata");
  const std::string state = (metadata == nullptr ? body : *metadata).TextAt("state");
  return std::any_of(kEnds.begin(), kEnds.end(), [&](std::string_view end) { return state.ends_with(end); });
}

// [{"response" or "error", "metadata": {"key"}}...], wherever an operation or a batch has them.
const List* ResultsIn(const Value& body) {
  for (const Value* holder : {body.Find("response"), body.MapAt("metadata").Find("output"),
                              body.Find("output"), body.Find("dest")}) {
    if (holder == nullptr) continue;
    if (const List* results = FindList(*holder, "inlinedResponses")) return results;
    if (const List* inner = FindList(holder->MapAt("inlinedResponses"), "inlinedResponses")) return inner;
  }
  return nullptr;
}

BatchResult GoogleResultOf(const Value& entry) {
  BatchResult result;
  result.id = entry.MapAt("metadata").TextAt("key");
  HttpReply reply;
  if (const Value* response = entry.Find("response"); response != nullptr && response->is_map()) {
    reply.status = kStatusOk;
    reply.body = WriteJson(*response, JsonStyle::kJavaScript);
    result.reply = std::move(reply);
  } else if (const Value* error = entry.Find("error"); error != nullptr && error->is_map()) {
    Map body = Object{{"error", *error}};
    // What was not asked before the end (cancelled, out of time) is asked alone.
    constexpr std::int64_t kCancelled = 1;
    constexpr std::int64_t kDeadline = 4;
    const std::int64_t code = CountMember(*error, "code");
    if (code == kCancelled || code == kDeadline) return result;
    // Codes of gRPC, or of HTTP already.
    static constexpr std::array<int, 17> kHttp = {500, 499, 500, 400, 504, 404, 409, 403, 429,
                                                  400, 409, 400, 501, 500, 503, 500, 401};
    const bool is_grpc = code >= 0 && code < static_cast<std::int64_t>(kHttp.size());
    reply.status = is_grpc ? kHttp[static_cast<std::size_t>(code)] : static_cast<int>(code);
    reply.body = WriteJson(Value(std::move(body)), JsonStyle::kJavaScript);
    result.reply = std::move(reply);
  }
  return result;
}

Result<std::vector<BatchResult>> GoogleAdvance(RemoteBatch& batch, const HttpReply& reply) {
  std::vector<BatchResult> results;
  // A batch that failed as a whole says so in an "error" beside "done": it has answered nothing.
  const Result<Value> read =
      reply.error || reply.status != kStatusOk ? Result<Value>(Value()) : ParseJson(reply.body);
  const bool is_over = batch.phase != BatchPhase::kCreate && read && read->is_map() && HasEnded(*read);
  if (!is_over) {
    ASSAY_TRY(const Value body, ReadReplyJson(reply));
    if (batch.phase != BatchPhase::kCreate) return results;
    const std::string name = body.TextAt("name");
    if (!name.starts_with(kGoogleName) || name.size() == kGoogleName.size())
      return Error{ErrorCode::kCorrupt, "the batch interface says no \"name\""};
    batch.id = name.substr(kGoogleName.size());
    batch.phase = BatchPhase::kRunning;
    return results;
  }
  if (const List* list = ResultsIn(*read)) {
    for (const Value& entry : *list) results.push_back(GoogleResultOf(entry));
  }
  batch.phase = BatchPhase::kDone;
  return results;
}

HttpRequest CancelGoogle(const RemoteBatch& batch) {
  return JsonPost(GoogleBatchUrl(batch, ":cancel"), "{}");
}

}  // namespace

const BatchInterface kGoogleBatches = {
    .requests_max = kGoogleRequestsMax,
    .bytes_max = kGoogleBytesMax,
    .request = GoogleRequestOf,
    .advance = GoogleAdvance,
    .cancel = CancelGoogle,
};

}  // namespace assay
