// OpenAI's batch interface, for answers and for embeddings. Source: OpenAI API reference, "Batch".
#include "providers/batch/files.h"

namespace assay {
namespace {

constexpr std::size_t kRequestsMax = 20'000;    // the service: 50,000
constexpr std::size_t kBytesMax = 150'000'000;  // the service: 200 MB with what stands around them

JsonBody Line(const RemoteBatch& batch, const BatchItem& item) {
  JsonBody line;
  line.Text("custom_id", item.id);
  line.Text("method", "POST");
  line.Text("url", EndpointOf(batch));
  line.Raw("body", item.body);
  return line;
}

JsonBody Create(const RemoteBatch& batch, std::span<const BatchItem>) {
  JsonBody body;
  body.Text("input_file_id", batch.input_file);
  body.Text("endpoint", EndpointOf(batch));
  body.Text("completion_window", "24h");
  return body;
}

constexpr std::string_view kEnded[] = {"completed", "expired", "cancelled", "failed"};
constexpr FileBatchWords kWords = {.batches = "/batches",
                                   .output_member = "output_file_id",
                                   .error_member = "error_file_id",
                                   .ended = kEnded,
                                   .line = Line,
                                   .create = Create};

}  // namespace

const BatchInterface kOpenAiBatches = FileBatches<kWords>(kRequestsMax, kBytesMax);

}  // namespace assay
