// Mistral's batch interface: files as OpenAI's, jobs in words of its own. Source: docs.mistral.ai, "Batch
// inference"; the types of its official client.
#include "providers/batch/files.h"
#include "providers/shapes/reply/reply_json.h"
#include "text/json/json.h"

namespace assay {
namespace {

constexpr std::size_t kMistralRequestsMax = 20'000;    // the service: a million
constexpr std::size_t kMistralBytesMax = 150'000'000;  // of a file; the service: 512 MB

JsonBody MistralLine(const RemoteBatch&, const BatchItem& item) {
  JsonBody line;
  line.Text("custom_id", item.id);
  line.Raw("body", item.body);
  return line;
}

// The model belongs to the job; all of its requests are of one model.
std::string ModelOf(std::span<const BatchItem> items) {
  if (items.empty()) return {};
  const Result<Value> body = ParseJson(items.front().body);
  return body ? body->TextAt("model") : std::string();
}

JsonBody MistralCreate(const RemoteBatch& batch, std::span<const BatchItem> items) {
  JsonBody body;
  body.Raw("input_files", WriteJson(Value(List{Value(batch.input_file)}), JsonStyle::kJavaScript));
  body.Text("endpoint", EndpointOf(batch));
  body.Text("model", ModelOf(items));
  body.Number("timeout_hours", 24);
  return body;
}

constexpr std::string_view kMistralEnded[] = {"SUCCESS", "FAILED", "TIMEOUT_EXCEEDED", "CANCELLED"};
constexpr FileBatchWords kMistralWords = {.batches = "/batch/jobs",
                                          .output_member = "output_file",
                                          .error_member = "error_file",
                                          .ended = kMistralEnded,
                                          .line = MistralLine,
                                          .create = MistralCreate};

}  // namespace

const BatchInterface kMistralBatches = FileBatches<kMistralWords>(kMistralRequestsMax, kMistralBytesMax);

}  // namespace assay
