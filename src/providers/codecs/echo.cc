// The provider `echo`: answers with the last user message, at once and for nothing. Any model name will do.
// For trying suites out, for tests and for measuring assay itself.
//
// As an embedder it counts the words of a text in buckets chosen by their hash: texts that share words are
// similar, and nothing else is known of them.
#include "base/hash.h"
#include "providers/codecs/rows.h"
#include "providers/shapes/reply/status.h"
#include "spec/exchange/exchange.h"

namespace assay {
namespace {

Result<HttpRequest> EncodeEcho(const ModelRequest& request, const ModelFacts*) {
  HttpRequest wire;
  wire.method = "GET";
  for (auto message = request.messages.rbegin(); message != request.messages.rend(); ++message) {
    if (message->role != Role::kUser) continue;
    wire.body = message->text;
    break;
  }
  return wire;
}

Result<ModelReply> DecodeEcho(const HttpReply& reply) {
  if (reply.error) return *reply.error;
  ModelReply decoded;
  decoded.text = reply.body;
  decoded.finish_reason = "stop";
  return decoded;
}

constexpr std::size_t kBuckets = 64;

// ASCII letters in lower case and digits; every other byte below 128 parts words.
char WordByte(char byte) {
  if (byte >= 'A' && byte <= 'Z') return static_cast<char>(byte - 'A' + 'a');
  const bool is_word =
      (byte >= 'a' && byte <= 'z') || (byte >= '0' && byte <= '9') || static_cast<unsigned char>(byte) >= 128;
  return is_word ? byte : '\0';
}

std::vector<double> BagOfWords(std::string_view text) {
  std::vector<double> counts(kBuckets);
  std::string word;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    const char byte = i < text.size() ? WordByte(text[i]) : '\0';
    if (byte != '\0') {
      word += byte;
    } else if (!word.empty()) {
      ++counts[Sha256Of(word)[0] % kBuckets];
      word.clear();
    }
  }
  return counts;
}

Result<HttpRequest> EncodeEchoEmbedding(const EmbedRequest& request) {
  EmbedReply reply;
  for (const std::string& text : request.texts) reply.vectors.push_back(BagOfWords(text));
  HttpRequest wire;
  wire.method = "GET";
  wire.body = EncodeReply(Reply(std::move(reply)));
  return wire;
}

Result<EmbedReply> DecodeEmbedding(const HttpReply& reply) {
  if (reply.error) return *reply.error;
  ASSAY_TRY(Reply decoded, DecodeReply(RequestKind::kEmbed, reply.body));
  return std::get<EmbedReply>(std::move(decoded));
}

}  // namespace

const ProviderRow kEchoProvider = {
    .name = "echo",
    .help = "answers with the last user message; any model name, no network",
    .example = "echo:any-name",
    .max_in_flight = 256,
    .encode_known = EncodeEcho,
    .decode = DecodeEcho,
    .classify = ClassifyByStatus,
    .encode_embedding = EncodeEchoEmbedding,
    .decode_embedding = DecodeEmbedding,
    .route = Route::kLocal,
};

}  // namespace assay
