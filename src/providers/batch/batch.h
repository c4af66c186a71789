// BatchInterface: the codec of a provider's batch interface, to which many requests are handed at once and
// answered within a day at a part of the price. Pure functions between a batch and the wire; when to ask is
// the executor's. One file for each interface and one row of batch.cc for each provider.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors/result.h"
#include "base/wire/wire.h"
#include "spec/exchange/request.h"
#include "text/value.h"

namespace assay {

struct BatchItem {
  std::string id;    // at most 64 letters, digits, '_' and '-'; finds its result
  std::string body;  // as the provider's codec encoded it
};

// What is done next. kRunning asks how it goes, until there are results; kDiscard, once they are in the
// store, has them forgotten.
enum class BatchPhase { kUpload, kCreate, kRunning, kOutput, kErrors, kDone, kDiscard };

// A batch at its provider: all that its next request needs.
struct RemoteBatch {
  std::string base_url;     // of the provider, never empty
  std::string url;          // where each of its requests would go alone
  std::uint32_t epoch = 0;  // whose answers it makes
  BatchPhase phase = BatchPhase::kUpload;
  std::string id;  // "" before it is created
  std::string input_file;
  std::string output_file;
  std::string error_file;
  std::string way = {};  // kBackgroundWay: it is one answer that is made in the background; "": a batch
};
inline constexpr std::string_view kBackgroundWay = "background";

struct BatchResult {
  std::string id;
  std::optional<HttpReply> reply;  // as if it had been asked alone; nothing: it was not asked
};

struct BatchInterface {
  // Of the list price.
  double price_factor = 0.5;
  std::size_t requests_max = 0;
  std::size_t bytes_max = 0;  // of the bodies together
  BatchPhase first = BatchPhase::kCreate;
  // The request of the batch's phase, without key; `items` are read by the phases before kRunning.
  HttpRequest (*request)(const RemoteBatch& batch, std::span<const BatchItem> items);
  // What its reply says: the next phase, and results. An Error is the service's own; the batch stays as it
  // was.
  Result<std::vector<BatchResult>> (*advance)(RemoteBatch& batch, const HttpReply& reply);
  // Ends the batch early; its phase stays kRunning until the service has done so.
  HttpRequest (*cancel)(const RemoteBatch& batch);
  bool discards = false;  // there is a phase kDiscard
};

// Null: this provider has none for requests of this kind, or none that is known here.
const BatchInterface* FindBatchInterface(std::string_view provider, RequestKind kind = RequestKind::kModel);
// The same of a request; null also for what goes to no provider's own service.
const BatchInterface* BatchInterfaceOf(const Request& request);
// The one that makes single answers in the background; null: this provider has none, or not for a request
// that is worded so.
const BatchInterface* BackgroundInterfaceOf(const Request& request, const HttpRequest& wire);
// Of a batch that was stored: by its way.
const BatchInterface* InterfaceOf(std::string_view provider, const RemoteBatch& batch);

extern const BatchInterface kAnthropicBatches;  // anthropic.cc
extern const BatchInterface kGoogleBatches;     // google.cc
extern const BatchInterface kMistralBatches;    // mistral.cc
extern const BatchInterface kOpenAiBackground;  // background.cc
extern const BatchInterface kOpenAiBatches;     // openai.cc

// Stored form (JSON) of what is not in a batch's record already.
std::string BatchDetails(const RemoteBatch& batch);
Result<RemoteBatch> ReadBatchDetails(std::string_view details);

// --- for the interfaces ---
// A value for each line that is one; what cannot be read is left out, and its request counts as not asked.
// kNetwork if the text ends within a line: the rest of the file did not come.
Result<std::vector<Value>> JsonLines(std::string_view text);
HttpRequest Get(std::string url);

}  // namespace assay
