// OpenAI's batch interface: requests are lines of a file, results are lines of another. Sources: OpenAI API
// reference, "Batch", "Files".
#include <fmt/core.h>

#include <algorithm>

#include "base/hash.h"
#include "providers/batch/batch.h"
#include "providers/shapes/json_body.h"
#include "providers/shapes/reply_json.h"

namespace assay {
namespace {

constexpr std::size_t kRequestsMax = 20'000;    // the service: 50,000
constexpr std::size_t kBytesMax = 150'000'000;  // the service: 200 MB with what stands around them
constexpr std::size_t kBoundaryDigits = 32;

// "/v1/responses" of ".../responses": how the interface names a method, whatever the base URL is.
std::string EndpointOf(const RemoteBatch& batch) {
  std::string_view base = batch.base_url;
  while (base.ends_with('/')) base.remove_suffix(1);
  return fmt::format("/v1{}", std::string_view(batch.url).substr(std::min(base.size(), batch.url.size())));
}

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

HttpRequest Upload(const RemoteBatch& batch, std::span<const BatchItem> items) {
  const std::string lines = Lines(batch, items);
  // Of the content itself, so that it does not stand in it.
  const std::string boundary = fmt::format("assay-{}", HexPrefix(Sha256Of(lines), kBoundaryDigits));
  HttpRequest request;
  request.url = UrlOf(batch.base_url, "/files");
  request.headers.push_back({"content-type", fmt::format("multipart/form-data; boundary={}", boundary)});
  request.body = fmt::format(
      "--{0}\r\nContent-Disposition: form-data; name=\"purpose\"\r\n\r\nbatch\r\n"
      "--{0}\r\nContent-Disposition: form-data; name=\"file\"; filename=\"batch.jsonl\"\r\n"
      "Content-Type: application/jsonl\r\n\r\n{1}\r\n--{0}--\r\n",
      boundary, lines);
  return request;
}

HttpRequest Create(const RemoteBatch& batch) {
  JsonBody body;
  body.Text("input_file_id", batch.input_file);
  body.Text("endpoint", EndpointOf(batch));
  body.Text("completion_window", "24h");
  return JsonPost(UrlOf(batch.base_url, "/batches"), std::move(body).Finish());
}

std::string BatchUrl(const RemoteBatch& batch) {
  return UrlOf(batch.base_url, fmt::format("/batches/{}", batch.id));
}

std::string FileUrl(const RemoteBatch& batch, const std::string& file) {
  return UrlOf(batch.base_url, fmt::format("/files/{}/content", file));
}

HttpRequest RequestOf(const RemoteBatch& batch, std::span<const BatchItem> items) {
  switch (batch.phase) {
    case BatchPhase::kUpload:
      return Upload(batch, items);
    case BatchPhase::kCreate:
      return Create(batch);
    case BatchPhase::kOutput:
      return Get(FileUrl(batch, batch.output_file));
    case BatchPhase::kErrors:
      return Get(FileUrl(batch, batch.error_file));
    default:
      return Get(BatchUrl(batch));
  }
}

BatchPhase AfterOutput(const RemoteBatch& batch) {
  return batch.error_file.empty() ? BatchPhase::kDone : BatchPhase::kErrors;
}

// How it goes. A batch that was refused as a whole has answered nothing.
void TakeStatus(RemoteBatch& batch, const Value& body) {
  const std::string status = TextMember(body, "status");
  if (status != "completed" && status != "expired" && status != "cancelled" && status != "failed") return;
  batch.output_file = TextMember(body, "output_file_id");
  batch.error_file = TextMember(body, "error_file_id");
  batch.phase = batch.output_file.empty() ? AfterOutput(batch) : BatchPhase::kOutput;
}

BatchResult ResultOf(const Value& line) {
  BatchResult result{.id = TextMember(line, "custom_id"), .reply = {}};
  const Value* response = line.Find("response");
  const Value* body = response == nullptr ? nullptr : response->Find("body");
  if (body == nullptr) return result;  // expired or cancelled before it was asked
  HttpReply reply;
  reply.status = static_cast<int>(CountMember(*response, "status_code"));
  reply.body = WriteJson(*body, JsonStyle::kJavaScript);
  if (reply.status != 0) result.reply = std::move(reply);
  return result;
}

Result<std::vector<BatchResult>> Advance(RemoteBatch& batch, const HttpReply& reply) {
  std::vector<BatchResult> results;
  if (batch.phase == BatchPhase::kOutput || batch.phase == BatchPhase::kErrors) {
    if (reply.error) return *reply.error;
    if (reply.status != 200) return ErrorOfReply(reply.status, Value(), reply.body);
    for (const Value& line : JsonLines(reply.body)) results.push_back(ResultOf(line));
    batch.phase = batch.phase == BatchPhase::kOutput ? AfterOutput(batch) : BatchPhase::kDone;
    return results;
  }
  ASSAY_TRY(const Value body, ReadReplyJson(reply));
  const std::string id = TextMember(body, "id");
  if (batch.phase == BatchPhase::kRunning) {
    TakeStatus(batch, body);
    return results;
  }
  if (id.empty()) return Error{ErrorCode::kCorrupt, "the batch interface says no \"id\""};
  (batch.phase == BatchPhase::kUpload ? batch.input_file : batch.id) = id;
  batch.phase = batch.phase == BatchPhase::kUpload ? BatchPhase::kCreate : BatchPhase::kRunning;
  return results;
}

HttpRequest Cancel(const RemoteBatch& batch) { return JsonPost(BatchUrl(batch) + "/cancel", "{}"); }

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
