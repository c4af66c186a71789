// What batch interfaces have in common that take requests as the lines of a file and give results as those of
// another (OpenAI, Mistral).
#pragma once

#include <string>
#include <string_view>

#include "providers/batch/batch.h"

namespace assay {

// The upload of the lines.
HttpRequest UploadLines(const RemoteBatch& batch, const std::string& lines);
HttpRequest FileContent(const RemoteBatch& batch, const std::string& file);
// "/v1/responses" of ".../responses": how the interface names a method, whatever the base URL is.
std::string EndpointOf(const RemoteBatch& batch);

// Members and words of what the interface says of a batch.
struct FileBatchWords {
  std::string_view status_member = "status";
  std::string_view output_member;
  std::string_view error_member;
  std::span<const std::string_view> ended;  // statuses of batches that will answer nothing more
};
// Where the batch goes from here, by the reply to the request of its phase.
Result<std::vector<BatchResult>> AdvanceFiles(const FileBatchWords& words, RemoteBatch& batch,
                                              const HttpReply& reply);
// The next request of every phase but kCreate and kRunning.
HttpRequest ContentRequest(const RemoteBatch& batch);

}  // namespace assay
