// Uploads request files, follows a batch's status, and reads result files. Sources: OpenAI API reference,
// "Files"; docs.mistral.ai, "Files".
#include "providers/batch/files.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/hash.h"
#include "providers/shapes/reply/reply_json.h"
#include "providers/shapes/reply/status.h"
#include "text/found.h"
#include "text/json/json.h"

namespace assay {

namespace {

constexpr std::size_t kBoundaryDigits = 32;
BatchPhase AfterOutput(const RemoteBatch& batch) {
  return batch.error_file.empty() ? BatchPhase::kDone : BatchPhase::kErrors;
}

BatchResult FilesResultOf(const Value& line) {
  BatchResult result{.id = line.TextAt("custom_id"), .reply = {}};
  const Map& response = line.MapAt("response");
  const Value* body = response.Find("body");
  if (body == nullptr) return result;  // expired or cancelled before it was asked
  HttpReply reply;
  reply.status = static_cast<int>(CountMember(response, "status_code"));
  const std::string* text = FindText(response, "body");
  reply.body = text != nullptr ? *text : WriteJson(*body, JsonStyle::kJavaScript);
  if (reply.status != 0) result.reply = std::move(reply);
  return result;
}

Result<std::vector<BatchResult>> ReadResults(RemoteBatch& batch, const HttpReply& reply) {
  if (reply.error) return *reply.error;
  if (reply.status != kStatusOk) return ErrorOfReply(reply.status, Value(), reply.body);
  std::vector<BatchResult> results;
  ASSAY_TRY(const std::vector<Value> lines, JsonLines(reply.body));
  for (const Value& line : lines) results.push_back(FilesResultOf(line));
  batch.phase = batch.phase == BatchPhase::kOutput ? AfterOutput(batch) : BatchPhase::kDone;
  return results;
}

// How it goes. A batch that was refused as a whole has answered nothing.
void TakeStatus(const FileBatchWords& words, RemoteBatch& batch, const Value& body) {
  const std::string status = body.TextAt(words.status_member);
  if (std::find(words.ended.begin(), words.ended.end(), status) == words.ended.end()) return;
  batch.output_file = body.TextAt(words.output_member);
  batch.error_file = body.TextAt(words.error_member);
  batch.phase = batch.output_file.empty() ? AfterOutput(batch) : BatchPhase::kOutput;
}

HttpRequest Upload(const FileBatchWords& words, const RemoteBatch& batch, std::span<const BatchItem> items) {
  std::string lines;
  for (const BatchItem& item : items) lines += words.line(batch, item).Finish() + '\n';
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

HttpRequest Content(const RemoteBatch& batch) {
  const std::string& file = batch.phase == BatchPhase::kOutput ? batch.output_file : batch.error_file;
  return Get(UrlOf(batch.base_url, fmt::format("/files/{}/content", PathPart(file))));
}

std::string UrlOfBatch(const FileBatchWords& words, const RemoteBatch& batch, std::string_view what) {
  return UrlOf(batch.base_url, fmt::format("{}/{}{}", words.batches, batch.id, what));
}

}  // namespace

std::string EndpointOf(const RemoteBatch& batch) {
  std::string_view base = batch.base_url;
  while (base.ends_with('/')) base.remove_suffix(1);
  return fmt::format("/v1{}", std::string_view(batch.url).substr(std::min(base.size(), batch.url.size())));
}

HttpRequest RequestOfFiles(const FileBatchWords& words, const RemoteBatch& batch,
                           std::span<const BatchItem> items) {
  switch (batch.phase) {
    case BatchPhase::kUpload:
      return Upload(words, batch, items);
    case BatchPhase::kCreate:
      return JsonPost(UrlOf(batch.base_url, words.batches), words.create(batch, items).Finish());
    case BatchPhase::kOutput:
    case BatchPhase::kErrors:
      return Content(batch);
    default:
      return Get(UrlOfBatch(words, batch, ""));
  }
}

Result<std::vector<BatchResult>> AdvanceFiles(const FileBatchWords& words, RemoteBatch& batch,
                                              const HttpReply& reply) {
  if (batch.phase == BatchPhase::kOutput || batch.phase == BatchPhase::kErrors)
    return ReadResults(batch, reply);
  std::vector<BatchResult> none;
  ASSAY_TRY(const Value body, ReadReplyJson(reply));
  const std::string id = body.TextAt("id");
  if (batch.phase == BatchPhase::kRunning) {
    TakeStatus(words, batch, body);
    return none;
  }
  if (id.empty()) return Error{ErrorCode::kCorrupt, "the batch interface says no \"id\""};
  (batch.phase == BatchPhase::kUpload ? batch.input_file : batch.id) = id;
  batch.phase = batch.phase == BatchPhase::kUpload ? BatchPhase::kCreate : BatchPhase::kRunning;
  return none;
}

HttpRequest CancelFiles(const FileBatchWords& words, const RemoteBatch& batch) {
  return JsonPost(UrlOfBatch(words, batch, "/cancel"), "{}");
}

}  // namespace assay
