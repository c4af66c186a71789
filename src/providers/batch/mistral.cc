// Mistral's batch interface: files as OpenAI's, jobs in words of its own. Source: docs.mistral.ai, "Batch
// inference"; the types of its official client.
#include "providers/batch/files.h"
#include "providers/shapes/reply/reply_json.h"
#include "text/json/json.h"

namespace assay {
namespace {

constexpr std::size_t kRequestsMax = 20'000;    // the service: a million
constexpr std::size_t kBytesMax = 150'000'000;  // of a file; the service: 512 MB

JsonBody Line(const RemoteBatch&, const BatchItem& item) {
  JsonBody line;
  line.Text("custom_id", item.id);
  line.Raw("body", item.body);
  return line;
}

// The model belongs to the job; all of its requests are of one model.
std::string ModelOf(std::span<const BatchItem> items) {
  if (items.empty()) return {};
  const Result<Value> body = ParseJson(items.front().body);
  return body ? TextMember(*body, "model") : std::string();
}

JsonBody Create(const RemoteBatch& batch, std::span<const BatchItem> items) {
  JsonBody body;
  body.Raw("input_files", WriteJson(Value(List{Value(batch.input_file)}), JsonStyle::kJavaScript));
  body.Text("endpoint", EndpointOf(batch));
  body.Text("model", ModelOf(items));
  body.Number("timeout_hours", 24);
  return body;
}

constexpr std::string_view kEnded[] = {"SUCCESS", "FAILED", "TIMEOUT_EXCEEDED", "CANCELLED"};
constexpr FileBatchWords kWords = {.batches = "/batch/jobs",
                                   .output_member = "output_file",
                                   .error_member = "error_file",
                                   .ended = kEnded,
                                   .line = Line,
                                   .create = Create};

}  // namespace

const BatchInterface kMistralBatches = FileBatches<kWords>(kRequestsMax, kBytesMax);

}  // namespace assay
