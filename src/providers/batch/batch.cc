// The table of batch interfaces, one row per provider, and the stored form of a batch's state.
#include "providers/batch/batch.h"

#include <algorithm>

#include "providers/codecs/openai_responses.h"
#include "providers/shapes/reply/reply_json.h"
#include "text/json/json.h"
#include "text/object.h"

namespace assay {

namespace {

struct Row {
  std::string_view provider;
  const BatchInterface* batches;
  bool embeds = false;  // embeddings too
};
constexpr Row kBatchRows[] = {
    {"anthropic", &kAnthropicBatches}, {"google", &kGoogleBatches},           {"mistral", &kMistralBatches},
    {"openai", &kOpenAiBatches, true}, {"openai-responses", &kOpenAiBatches},
};

// Whose Responses interface answers in the background.
constexpr std::string_view kBackgrounds[] = {"azure-openai", "openai", "openai-responses"};

bool HasBackground(std::string_view provider) {
  return std::find(std::begin(kBackgrounds), std::end(kBackgrounds), provider) != std::end(kBackgrounds);
}

struct PhaseName {
  BatchPhase phase;
  std::string_view name;
};
constexpr PhaseName kPhases[] = {
    {BatchPhase::kUpload, "upload"},   {BatchPhase::kCreate, "create"}, {BatchPhase::kRunning, "running"},
    {BatchPhase::kOutput, "output"},   {BatchPhase::kErrors, "errors"}, {BatchPhase::kDone, "done"},
    {BatchPhase::kDiscard, "discard"},
};

// Members of the stored form, in its order.
struct TextRow {
  std::string_view name;
  std::string RemoteBatch::*text;
};
constexpr TextRow kTexts[] = {
    {"base_url", &RemoteBatch::base_url},
    {"url", &RemoteBatch::url},
    {"id", &RemoteBatch::id},
    {"input_file", &RemoteBatch::input_file},
    {"output_file", &RemoteBatch::output_file},
    {"error_file", &RemoteBatch::error_file},
    {"way", &RemoteBatch::way},
};

}  // namespace

const BatchInterface* FindBatchInterface(std::string_view provider, RequestKind kind) {
  const auto* row = std::find_if(std::begin(kBatchRows), std::end(kBatchRows),
                                 [provider](const Row& each) { return each.provider == provider; });
  if (row == std::end(kBatchRows)) return nullptr;
  return kind == RequestKind::kModel || (kind == RequestKind::kEmbed && row->embeds) ? row->batches : nullptr;
}

const BatchInterface* BatchInterfaceOf(const Request& request) {
  if (const auto* model = std::get_if<ModelRequest>(&request))
    return model->custom.is_undefined() ? FindBatchInterface(model->provider) : nullptr;
  const auto* embed = std::get_if<EmbedRequest>(&request);
  return embed == nullptr ? nullptr : FindBatchInterface(embed->provider, RequestKind::kEmbed);
}

const BatchInterface* BackgroundInterfaceOf(const Request& request, const HttpRequest& wire) {
  const auto* model = std::get_if<ModelRequest>(&request);
  if (model == nullptr || !model->custom.is_undefined() || !IsResponsesRequest(wire)) return nullptr;
  return HasBackground(model->provider) ? &kOpenAiBackground : nullptr;
}

const BatchInterface* InterfaceOf(std::string_view provider, const RemoteBatch& batch) {
  if (batch.way.empty()) return FindBatchInterface(provider);
  return batch.way == kBackgroundWay && HasBackground(provider) ? &kOpenAiBackground : nullptr;
}

std::string BatchDetails(const RemoteBatch& batch) {
  Map details = Object{{"v", 1}};
  for (const PhaseName& each : kPhases) {
    if (each.phase == batch.phase) details.Append("phase", each.name);
  }
  for (const TextRow& row : kTexts) {
    if (!(batch.*row.text).empty()) details.Append(std::string(row.name), batch.*row.text);
  }
  details.Append("epoch", static_cast<double>(batch.epoch));
  return WriteJson(Value(std::move(details)), JsonStyle::kJavaScript);
}

Result<RemoteBatch> ReadBatchDetails(std::string_view details) {
  ASSAY_TRY(const Value read, ParseJson(details));
  RemoteBatch batch;
  const std::string phase = read.TextAt("phase");
  const auto* known = std::find_if(std::begin(kPhases), std::end(kPhases),
                                   [&](const PhaseName& each) { return each.name == phase; });
  if (known == std::end(kPhases)) return Error{ErrorCode::kCorrupt, "a stored batch has no phase"};
  batch.phase = known->phase;
  batch.epoch = static_cast<std::uint32_t>(CountMember(read, "epoch"));
  for (const TextRow& row : kTexts) batch.*row.text = read.TextAt(row.name);
  return batch;
}

Result<std::vector<Value>> JsonLines(std::string_view text) {
  std::vector<Value> values;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    if (Result<Value> value = ParseJson(text.substr(0, end))) {
      values.push_back(*std::move(value));
    } else if (end == std::string_view::npos) {
      return Error{ErrorCode::kNetwork, "the results of the batch end within a line"};
    }
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return values;
}

HttpRequest Get(std::string url) {
  HttpRequest request;
  request.method = "GET";
  request.url = std::move(url);
  return request;
}

}  // namespace assay
