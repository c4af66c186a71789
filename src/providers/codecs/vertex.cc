// The provider `vertex`: models of Google and of Anthropic at Google Cloud's Vertex AI, in the protocols of
// their makers, with a token of the cloud in place of a key. The base URL ends with the location
// (…/v1/projects/PROJECT/locations/LOCATION). Sources: cloud.google.com, "Generate content with the Gemini
// API", "Use Claude models: request predictions".
#include <fmt/core.h>

#include <algorithm>

#include "base/wire/sse.h"
#include "providers/codecs/rows.h"
#include "providers/facts/output_max.h"
#include "providers/shapes/chat.h"
#include "providers/shapes/reply/reply_json.h"
#include "providers/shapes/reply/status.h"
#include "text/json/json.h"
#include "text/object.h"

namespace assay {
namespace {

constexpr std::string_view kClaude = "claude";
constexpr std::string_view kClaudeWhole = ":rawPredict";
constexpr std::string_view kClaudeInPieces = ":streamRawPredict";
constexpr std::string_view kClaudeVersion = "vertex-2023-10-16";

void VertexStream(HttpRequest& request) {
  if (request.url.ends_with(kClaudeInPieces)) return;
  const std::size_t at = request.url.rfind(kClaudeWhole);
  if (at == std::string::npos) return kGoogleProvider.stream(request);
  request.url.replace(at, kClaudeWhole.size(), kClaudeInPieces);
  kAnthropicProvider.stream(request);
}

// The model is a part of the address there, and the version of the protocol one of the body.
Result<HttpRequest> EncodeClaude(const ModelRequest& request, const ModelFacts* facts) {
  ASSAY_TRY(const HttpRequest theirs, kAnthropicProvider.encode_known(request, facts));
  ASSAY_TRY(const Value said, ParseJson(theirs.body));
  Map body = Object{{"anthropic_version", kClaudeVersion}};
  for (const Member& member : said.AsMap()) {
    if (member.key != "model") body.Append(member.key, member.value);
  }
  const std::string path =
      fmt::format("/publishers/anthropic/models/{}{}", PathPart(request.model), kClaudeWhole);
  HttpRequest wire =
      JsonPost(UrlOf(request.base_url, path), WriteJson(Value(std::move(body)), JsonStyle::kJavaScript));
  if (OutputTokensMax(request) > kAnthropicProvider.unstreamed_max) VertexStream(wire);
  return wire;
}

Result<HttpRequest> EncodeVertex(const ModelRequest& request, const ModelFacts* facts) {
  if (request.model.starts_with(kClaude)) return EncodeClaude(request, facts);
  ModelRequest addressed = request;
  if (!request.base_url.empty()) addressed.base_url = UrlOf(request.base_url, "/publishers/google");
  return kGoogleProvider.encode_known(addressed, facts);
}

// Whether it is Claude who says so: both protocols name their ends, each in a word of its own, beside which
// models may write anything.
bool IsOfClaude(const HttpReply& reply) {
  const auto has_word = [&](std::string_view word) { return reply.body.find(word) != std::string::npos; };
  if (!has_word("\"stop_reason\"") && !has_word("\"message_start\"")) return false;
  if (const Result<Value> whole = ParseJson(reply.body))
    return whole->is_map() && whole->Find("stop_reason") != nullptr;
  const std::vector<SseEvent> events = ReadSse(reply.body);
  return std::any_of(events.begin(), events.end(), [](const SseEvent& event) {
    const Result<Value> data = ParseJson(event.data);
    return data && data->TextAt("type") == "message_start";
  });
}

Result<ModelReply> DecodeVertex(const HttpReply& reply) {
  return (IsOfClaude(reply) ? kAnthropicProvider : kGoogleProvider).decode(reply);
}

}  // namespace

const ProviderRow kVertexProvider = {
    .name = "vertex",
    .help = "models of Google and Anthropic at Vertex AI; set the URL up to the location by --base-url",
    .example = "vertex:gemini-3.5-flash",
    .max_in_flight = 20,
    .encode_known = EncodeVertex,
    .decode = DecodeVertex,
    .classify = ClassifyByStatus,
    .stream = VertexStream,
    .base_url_variable = "VERTEX_BASE_URL",
    .key = {.need = KeyRule::Need::kRequired,
            .variables = "VERTEX_ACCESS_TOKEN",
            .header = "authorization",
            .prefix = "Bearer "},
};

}  // namespace assay
