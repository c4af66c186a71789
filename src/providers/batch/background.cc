// Answers that OpenAI's Responses interface makes while nobody holds a connection: each is a batch of one. It
// is begun, asked for until it is there, and deleted, since meanwhile the service keeps it. Source: OpenAI
// API reference, "Background mode".
#include <fmt/core.h>

#include <algorithm>

#include "providers/batch/batch.h"
#include "providers/codecs/openai_responses.h"
#include "providers/shapes/reply/reply_json.h"
#include "providers/shapes/request/json_body.h"

namespace assay {
namespace {

// The address of the answer, or of something that is done with it; what stands behind the '?' (Azure) stays.
std::string UrlOfAnswer(const RemoteBatch& batch, std::string_view what) {
  const std::size_t mark = std::min(batch.url.find('?'), batch.url.size());
  return fmt::format("{}/{}{}{}", std::string_view(batch.url).substr(0, mark), batch.id, what,
                     std::string_view(batch.url).substr(mark));
}

// The request as it would go alone, but that the service keeps its answer until it is fetched.
std::string InBackground(const std::string& body) {
  Result<Value> request = ParseJson(body);
  if (!request || !request->is_map()) return body;
  for (const auto& [name, value] : {std::pair("store", true), {"stream", false}, {"background", true}})
    request->AsMap().Set(name, Value(value));
  return WriteJson(*request, JsonStyle::kJavaScript);
}

HttpRequest BackgroundRequestOf(const RemoteBatch& batch, std::span<const BatchItem> items) {
  if (batch.phase == BatchPhase::kCreate) return JsonPost(batch.url, InBackground(items.front().body));
  HttpRequest request = Get(UrlOfAnswer(batch, ""));
  if (batch.phase == BatchPhase::kDiscard) request.method = "DELETE";
  return request;
}

BatchResult BackgroundResultOf(const HttpReply& reply) { return {.id = {}, .reply = reply}; }

// Whoever is refused at the beginning, or is told nothing that could be asked for, gets that as his reply: it
// is read, paced and learned from as everywhere.
Result<std::vector<BatchResult>> BackgroundAdvance(RemoteBatch& batch, const HttpReply& reply) {
  constexpr int kStatusOk = 200;
  const bool begins = batch.phase == BatchPhase::kCreate;
  if (!begins && reply.error) return *reply.error;
  const Result<Value> body = ParseJson(reply.body);
  const bool is_told = !reply.error && reply.status == kStatusOk && body;
  if (!begins && !is_told) return ErrorOfReply(reply.status, body ? *body : Value(), reply.body);
  const std::string status = is_told ? body->TextAt("status") : std::string();
  if (begins && is_told) batch.id = body->TextAt("id");
  const bool goes_on = (status == "queued" || status == "in_progress") && !batch.id.empty();
  batch.phase = goes_on ? BatchPhase::kRunning : BatchPhase::kDone;
  std::vector<BatchResult> results;
  // What was ended before it was there is asked for once more, in the foreground.
  if (!goes_on && status != "cancelled") results.push_back(BackgroundResultOf(reply));
  return results;
}

HttpRequest CancelBackground(const RemoteBatch& batch) {
  return JsonPost(UrlOfAnswer(batch, "/cancel"), "{}");
}

}  // namespace

const BatchInterface kOpenAiBackground = {
    .price_factor = 1,
    .requests_max = 1,
    .bytes_max = 1,
    .request = BackgroundRequestOf,
    .advance = BackgroundAdvance,
    .cancel = CancelBackground,
    .discards = true,
};

}  // namespace assay
