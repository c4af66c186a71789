// OpenAI's batch interface, for answers and for embeddings. Source: OpenAI API reference, "Batch".
#include "providers/batch/files.h"

namespace assay {
namespace {

constexpr std::size_t kOpenAiRequestsMax = 20'000;    // the service: 50,000
constexpr std::size_t kOpenAiBytesMax = 150'000'000;  // the service: 200 MB with what stands around them

JsonBody OpenAiLine(const RemoteBatch& batch, const BatchItem& item) {
  JsonBody line;
  line.Text("custom_id", item.id);
  line.Text("method", "POST");
  line.Text("url", EndpointOf(batch));
  line.Raw("body", item.body);
  return line;
}

JsonBody OpenAiCreate(const RemoteBatch& batch, std::span<const BatchItem>) {
  JsonBody body;
  body.Text("input_file_id", batch.input_file);
  body.Text("endpoint", EndpointOf(batch));
  body.Text("completion_window", "24h");
  return body;
}

constexpr std::string_view kOpenAiEnded[] = {"completed", "expired", "cancelled", "failed"};
constexpr FileBatchWords kOpenAiWords = {.batches = "/batches",
                                         .output_member = "output_file_id",
                                         .error_member = "error_file_id",
                                         .ended = kOpenAiEnded,
                                         .line = OpenAiLine,
                                         .create = OpenAiCreate};

}  // namespace

const BatchInterface kOpenAiBatches = FileBatches<kOpenAiWords>(kOpenAiRequestsMax, kOpenAiBytesMax);

}  // namespace assay
