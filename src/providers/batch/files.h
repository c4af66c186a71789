// Shared code of batch interfaces that take requests as lines of an uploaded file and return results as lines
// of another (OpenAI, Mistral).
#pragma once

#include <string>
#include <string_view>

#include "providers/batch/batch.h"
#include "providers/shapes/request/json_body.h"

namespace assay {

// "/v1/responses" of ".../responses": how the interface names a method, whatever the base URL is.
std::string EndpointOf(const RemoteBatch& batch);

// Where such an interface has its batches, and the members and words of what is said of them.
struct FileBatchWords {
  std::string_view batches;  // their path: "/batches"
  std::string_view status_member = "status";
  std::string_view output_member;
  std::string_view error_member;
  std::span<const std::string_view> ended;  // statuses of batches that will answer nothing more
  // The line of a request in the file that is uploaded, and what makes a batch of that file.
  JsonBody (*line)(const RemoteBatch& batch, const BatchItem& item) = nullptr;
  JsonBody (*create)(const RemoteBatch& batch, std::span<const BatchItem> items) = nullptr;
};
// What a BatchInterface does, in these words.
HttpRequest RequestOfFiles(const FileBatchWords& words, const RemoteBatch& batch,
                           std::span<const BatchItem> items);
Result<std::vector<BatchResult>> AdvanceFiles(const FileBatchWords& words, RemoteBatch& batch,
                                              const HttpReply& reply);
HttpRequest CancelFiles(const FileBatchWords& words, const RemoteBatch& batch);

// The row of an interface: only words differ.
template <const FileBatchWords& words>
constexpr BatchInterface FileBatches(std::size_t requests_max, std::size_t bytes_max) {
  return {
      .requests_max = requests_max,
      .bytes_max = bytes_max,
      .first = BatchPhase::kUpload,
      .request = [](const RemoteBatch& batch,
                    std::span<const BatchItem> items) { return RequestOfFiles(words, batch, items); },
      .advance = [](RemoteBatch& batch, const HttpReply& reply) { return AdvanceFiles(words, batch, reply); },
      .cancel = [](const RemoteBatch& batch) { return CancelFiles(words, batch); }};
}

}  // namespace assay
