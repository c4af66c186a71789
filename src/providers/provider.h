// ProviderRow: the codec between a model call and its HTTP request and reply, with the provider's key and
// address. Pure; each provider is one file and one row of table.cc.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "base/errors/result.h"
#include "base/wire/wire.h"
#include "spec/exchange/request.h"

namespace assay {

struct ModelFacts;  // providers/facts/model_facts.h

// What to do with a reply. kRetry: the same request may succeed later; kFail: it will not.
enum class ReplyClass { kOk, kRetry, kFail };

// Where a provider's key comes from and where it goes. A key is sent only to the provider's own URL or to one
// that the user gave; codecs never see it.
struct KeyRule {
  enum class Need { kNone, kOptional, kRequired };
  Need need = Need::kNone;
  std::string_view variables;  // names in the environment, blanks between; the first that is set counts
  std::string_view header;     // "authorization"
  std::string_view prefix;     // "Bearer "
};

// A service of AWS: requests without a key are signed with the user's keys of AWS.
struct AwsService {
  std::string_view service = {};        // "bedrock"; "": it is none
  std::string_view url_of_region = {};  // with {} for the name of the region
};

struct ProviderRow {
  std::string_view name;      // prefix of model ids: "echo" in "echo:any"
  std::string_view help;      // one line for `assay list providers`
  std::string_view example;   // a model id
  std::size_t max_in_flight;  // default width of the provider's pool
  // `facts`: what is known of the model; null: nothing.
  Result<HttpRequest> (*encode_known)(const ModelRequest& request, const ModelFacts* facts);
  Result<ModelReply> (*decode)(const HttpReply& reply);
  ReplyClass (*classify)(const HttpReply& reply);
  // Changes what `encode_known` made so that the reply comes piece by piece; null: replies of this provider
  // always come whole. `decode` reads either.
  void (*stream)(HttpRequest& request) = nullptr;
  // Of providers that embed texts, both; of others null. One vector per text, in the order of the texts.
  Result<HttpRequest> (*encode_embedding)(const EmbedRequest& request) = nullptr;
  Result<EmbedReply> (*decode_embedding)(const HttpReply& reply) = nullptr;
  // Of providers in the network. Codecs use ModelRequest::base_url where it is not empty.
  std::string_view base_url = {};           // "" if only the user can know it
  std::string_view base_url_variable = {};  // name in the environment of another one; "": not in the network
  KeyRule key = {};
  // Sent where a request sets no limit of tokens; 0: none is sent, the model's own maximum holds.
  std::int64_t max_tokens = 1500;
  bool keeps_blanks = false;  // at both ends of an answer
  // Above so many tokens a reply comes piece by piece whether anybody wants pieces or not; 0: never.
  std::int64_t unstreamed_max = 0;
  // The parts of messages that its protocol has words for.
  MediaKinds media = {.image = true, .pdf = true, .audio = true};
  // How its requests travel; the sender sets it, codecs need not. kProgram: the model is a command line to
  // its end, of a program that only the user may name.
  Route route = Route::kHttp;
  AwsService aws = {};

  // By what the table of models knows.
  Result<HttpRequest> Encode(const ModelRequest& request) const;
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
