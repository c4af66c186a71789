// OpenAI's batch interface, for answers and for embeddings. Source: OpenAI API reference, "Batch".
#include <fmt/core.h>

#include "providers/batch/files.h"
#include "providers/shapes/json_body.h"
#include "providers/shapes/reply_json.h"

namespace assay {
namespace {

constexpr std::size_t kRequestsMax = 20'000;    // the service: 50,000
constexpr std::size_t kBytesMax = 150'000'000;  // the service: 200 MB with what stands around them

constexpr std::string_view kEnded[] = {"completed", "expired", "cancelled", "failed"};
constexpr FileBatchWords kWords = {
    .output_member = "output_file_id", .error_member = "error_file_id", .ended = kEnded};

std::string Lines(const RemoteBatch& batch, std::span<const BatchItem> items) {
  const std::string endpoint = EndpointOf(batch);
  std::string lines;
  for (const BatchItem& item : items) {
    JsonBody line;
    line.Text("custom_id", item.id);
    line.Text("method", "POST");
    line.Text("url", endpoint);
    line.Raw("body", item.body);
    lines += std::move(line).Finish();
    lines += '\n';
  }
  return lines;
}

HttpRequest Create(const RemoteBatch& batch) {
  JsonBody body;
  body.Text("input_file_id", batch.input_file);
  body.Text("endpoint", EndpointOf(batch));
  body.Text("completion_window", "24h");
  return JsonPost(UrlOf(batch.base_url, "/batches"), std::move(body).Finish());
}

std::string BatchUrl(const RemoteBatch& batch, std::string_view what) {
  return UrlOf(batch.base_url, fmt::format("/batches/{}{}", batch.id, what));
}

HttpRequest RequestOf(const RemoteBatch& batch, std::span<const BatchItem> items) {
  switch (batch.phase) {
    case BatchPhase::kUpload:
      return UploadLines(batch, Lines(batch, items));
    case BatchPhase::kCreate:
      return Create(batch);
    case BatchPhase::kOutput:
    case BatchPhase::kErrors:
      return ContentRequest(batch);
    default:
      return Get(BatchUrl(batch, ""));
  }
}

Result<std::vector<BatchResult>> Advance(RemoteBatch& batch, const HttpReply& reply) {
  return AdvanceFiles(kWords, batch, reply);
}

HttpRequest Cancel(const RemoteBatch& batch) { return JsonPost(BatchUrl(batch, "/cancel"), "{}"); }

}  // namespace

const BatchInterface kOpenAiBatches = {
    .requests_max = kRequestsMax,
    .bytes_max = kBytesMax,
    .first = BatchPhase::kUpload,
    .request = RequestOf,
    .advance = Advance,
    .cancel = Cancel,
};

}  // namespace assay
