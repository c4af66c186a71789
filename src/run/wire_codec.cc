// Requests to wire types and back, by kind.
#include "run/wire_codec.h"

#include <fmt/core.h>

#include "base/diagnostics.h"

namespace assay {

namespace {

const ProviderRow* CodecOf(const PreparedRequest& prepared, const ModelRequest& request) {
  return prepared.recorded ? &RecordedProvider() : FindProvider(request.provider);
}

// The row that embeds, or null.
const ProviderRow* EmbedderOf(const EmbedRequest& request) {
  const ProviderRow* row = FindProvider(request.provider);
  return row == nullptr || row->encode_embedding == nullptr ? nullptr : row;
}

Error NoEmbedder(const EmbedRequest& request) {
  return {ErrorCode::kUnsupported,
          fmt::format("nobody embeds texts for {}: there is no provider {} with embeddings; give recorded "
                      "replies (--replay), name another embeddingModel, or leave embedding out of "
                      "--eval-method",
                      Quoted(request.provider + ":" + request.model), Quoted(request.provider))};
}

Error NoProvider(const ModelRequest& request) {
  return {
      ErrorCode::kUnsupported,
      fmt::format("nobody answers for {}: there is no provider named {}; give recorded replies (--fixtures, "
                  "--replay) or use a model of `assay list providers`",
                  Quoted(request.provider + ":" + request.model), Quoted(request.provider))};
}

template <class T>
Result<Reply> Widen(Result<T> reply) {
  if (!reply) return std::move(reply).error();
  return Reply(std::move(reply).value());
}

// A reply that a provider's row has classified and decoded.
WireVerdict Judged(ReplyClass reply_class, Result<Reply> reply, int status) {
  if (reply_class != ReplyClass::kOk && reply) {
    reply = Error{ErrorCode::kNetwork, fmt::format("the provider answered with status {}", status)};
  }
  return {.reply_class = reply_class, .reply = std::move(reply), .raw = {}};
}

WireVerdict DecodeHttp(const PreparedRequest& prepared, HttpReply reply) {
  if (const auto* model = std::get_if<ModelRequest>(&prepared.request)) {
    if (const ProviderRow* codec = CodecOf(prepared, *model)) {
      WireVerdict verdict = Judged(codec->classify(reply), Widen(codec->decode(reply)), reply.status);
      if (!prepared.recorded) verdict.raw = std::move(reply.body);
      return verdict;
    }
  }
  if (prepared.recorded) {
    return {.reply_class = ReplyClass::kOk,
            .reply = DecodeReply(KindOf(prepared.request), reply.body),
            .raw = {}};
  }
  if (const auto* embed = std::get_if<EmbedRequest>(&prepared.request)) {
    // Vectors are long, and the decoded reply says all of them.
    if (const ProviderRow* codec = EmbedderOf(*embed)) {
      return Judged(codec->classify(reply), Widen(codec->decode_embedding(reply)), reply.status);
    }
  }
  WireVerdict verdict;
  if (reply.error) {
    verdict.reply_class = ReplyClass::kRetry;
    verdict.reply = *reply.error;
    return verdict;
  }
  verdict.reply_class = ReplyClass::kOk;
  verdict.reply = Reply(std::move(reply));
  return verdict;
}

}  // namespace

Result<WireRequest> EncodeOnWire(const PreparedRequest& prepared) {
  if (prepared.recorded) {
    return WireRequest(HttpRequest{.method = "GET",
                                   .url = "recorded:",
                                   .headers = {},
                                   .body = EncodeReply(*prepared.recorded),
                                   .timeout = {}});
  }
  if (const auto* model = std::get_if<ModelRequest>(&prepared.request)) {
    const ProviderRow* codec = CodecOf(prepared, *model);
    if (codec == nullptr) return NoProvider(*model);
    ASSAY_TRY(HttpRequest request, codec->encode(*model));
    return WireRequest(std::move(request));
  }
  if (const auto* http = std::get_if<HttpRequest>(&prepared.request)) return WireRequest(*http);
  if (const auto* process = std::get_if<ProcessRequest>(&prepared.request)) return WireRequest(*process);
  const auto& embed = std::get<EmbedRequest>(prepared.request);
  const ProviderRow* embedder = EmbedderOf(embed);
  if (embedder == nullptr) return NoEmbedder(embed);
  ASSAY_TRY(HttpRequest request, embedder->encode_embedding(embed));
  return WireRequest(std::move(request));
}

WireVerdict DecodeFromWire(const PreparedRequest& prepared, std::variant<HttpReply, ProcessReply> reply) {
  if (auto* http = std::get_if<HttpReply>(&reply)) return DecodeHttp(prepared, std::move(*http));
  auto& process = std::get<ProcessReply>(reply);
  WireVerdict verdict;
  if (process.error) {
    verdict.reply_class = ReplyClass::kFail;
    verdict.reply = *process.error;
  } else {
    verdict.reply_class = ReplyClass::kOk;
    verdict.reply = Reply(std::move(process));
  }
  return verdict;
}

}  // namespace assay
