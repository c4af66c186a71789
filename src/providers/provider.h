// A provider: the codec between a model call and the wire. Pure; one file and one row of table.cc each.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "base/result.h"
#include "base/wire.h"
#include "spec/request.h"

namespace assay {

// What to do with a reply. kRetry: the same request may succeed later; kFail: it will not.
enum class ReplyClass { kOk, kRetry, kFail };

struct ProviderRow {
  std::string_view name;      // prefix of model ids: "echo" in "echo:any"
  std::string_view help;      // one line for `assay list providers`
  std::string_view example;   // a model id
  std::size_t max_in_flight;  // default width of the provider's pool
  Result<HttpRequest> (*encode)(const ModelRequest& request);
  Result<ModelReply> (*decode)(const HttpReply& reply);
  ReplyClass (*classify)(const HttpReply& reply);
  // Of providers that embed texts, both; of others null. One vector per text, in the order of the texts.
  Result<HttpRequest> (*encode_embedding)(const EmbedRequest& request) = nullptr;
  Result<EmbedReply> (*decode_embedding)(const HttpReply& reply) = nullptr;
};

std::span<const ProviderRow> ProviderTable();
const ProviderRow* FindProvider(std::string_view name);
// The codec of recorded replies (ModelRequest::source is not empty); no row of the table, no prefix of model
// ids.
const ProviderRow& RecordedProvider();

struct ModelName {
  std::string provider;
  std::string model;
};
// "openai:gpt-4o" -> {openai, gpt-4o}; a text without ':' has no provider.
std::optional<ModelName> SplitModelId(std::string_view model_id);

}  // namespace assay
