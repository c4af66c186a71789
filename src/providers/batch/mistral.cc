// Mistral's batch interface: files as OpenAI's, jobs in words of its own. Source: docs.mistral.ai, "Batch
// inference"; the types of its official client.
#include <fmt/core.h>

#include "providers/batch/files.h"
#include "providers/shapes/json_body.h"
#include "providers/shapes/reply_json.h"
#include "text/json/json.h"

namespace assay {
namespace {

constexpr std::size_t kRequestsMax = 20'000;    // the service: a million
constexpr std::size_t kBytesMax = 150'000'000;  // of a file; the service: 512 MB

constexpr std::string_view kEnded[] = {"SUCCESS", "FAILED", "TIMEOUT_EXCEEDED", "CANCELLED"};
constexpr FileBatchWords kWords = {
    .output_member = "output_file", .error_member = "error_file", .ended = kEnded};

std::string Lines(std::span<const BatchItem> items) {
  std::string lines;
  for (const BatchItem& item : items) {
    JsonBody line;
    line.Text("custom_id", item.id);
    line.Raw("body", item.body);
    lines += std::move(line).Finish();
    lines += '\n';
  }
  return lines;
}

// The model belongs to the job; all of its requests are of one model.
std::string ModelOf(std::span<const BatchItem> items) {
  if (items.empty()) return {};
  const Result<Value> body = ParseJson(items.front().body);
  return body ? TextMember(*body, "model") : std::string();
}

HttpRequest Create(const RemoteBatch& batch, std::span<const BatchItem> items) {
  JsonBody body;
  body.Raw("input_files", WriteJson(Value(List{Value(batch.input_file)}), JsonStyle::kJavaScript));
  body.Text("endpoint", EndpointOf(batch));
  body.Text("model", ModelOf(items));
  body.Number("timeout_hours", 24);
  return JsonPost(UrlOf(batch.base_url, "/batch/jobs"), std::move(body).Finish());
}

std::string JobUrl(const RemoteBatch& batch, std::string_view what) {
  return UrlOf(batch.base_url, fmt::format("/batch/jobs/{}{}", batch.id, what));
}

HttpRequest RequestOf(const RemoteBatch& batch, std::span<const BatchItem> items) {
  switch (batch.phase) {
    case BatchPhase::kUpload:
      return UploadLines(batch, Lines(items));
    case BatchPhase::kCreate:
      return Create(batch, items);
    case BatchPhase::kOutput:
    case BatchPhase::kErrors:
      return ContentRequest(batch);
    default:
      return Get(JobUrl(batch, ""));
  }
}

Result<std::vector<BatchResult>> Advance(RemoteBatch& batch, const HttpReply& reply) {
  return AdvanceFiles(kWords, batch, reply);
}

HttpRequest Cancel(const RemoteBatch& batch) { return JsonPost(JobUrl(batch, "/cancel"), "{}"); }

}  // namespace

const BatchInterface kMistralBatches = {
    .requests_max = kRequestsMax,
    .bytes_max = kBytesMax,
    .first = BatchPhase::kUpload,
    .request = RequestOf,
    .advance = Advance,
    .cancel = Cancel,
};

}  // namespace assay
