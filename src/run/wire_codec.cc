// Requests to wire types and back, by kind.
#include "run/wire_codec.h"

#include <fmt/core.h>

#include "base/diagnostics.h"

namespace assay {

namespace {

const ProviderRow* CodecOf(const PreparedRequest& prepared, const ModelRequest& request) {
  return prepared.recorded ? &RecordedProvider() : FindProvider(request.provider);
}

Error NoProvider(const ModelRequest& request) {
  return {
      ErrorCode::kUnsupported,
      fmt::format("nobody answers for {}: there is no provider named {}; give recorded replies (--fixtures, "
                  "--replay) or use a model of `assay list providers`",
                  Quoted(request.provider + ":" + request.model), Quoted(request.provider))};
}

Result<Reply> Widen(Result<ModelReply> reply) {
  if (!reply) return std::move(reply).error();
  return Reply(std::move(reply).value());
}

WireVerdict DecodeHttp(const PreparedRequest& prepared, HttpReply reply) {
  WireVerdict verdict;
  const auto* model = std::get_if<ModelRequest>(&prepared.request);
  const ProviderRow* codec = model == nullptr ? nullptr : CodecOf(prepared, *model);
  if (codec != nullptr) {
    verdict.reply_class = codec->classify(reply);
    verdict.reply = Widen(codec->decode(reply));
    if (verdict.reply_class != ReplyClass::kOk && verdict.reply) {
      verdict.reply =
          Error{ErrorCode::kNetwork, fmt::format("the provider answered with status {}", reply.status)};
    }
    if (!prepared.recorded) verdict.raw = std::move(reply.body);
    return verdict;
  }
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
                                   .body = EncodeReply(Reply(*prepared.recorded)),
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
  return Error{ErrorCode::kUnsupported, "no provider of embeddings is built in"};
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
