// Replies of a recording (fixtures, an earlier run). The sender puts the stored form of the recorded reply
// (EncodeReply of spec/exchange/exchange.h) into the body; an empty body says that there is none.
#include "providers/codecs/rows.h"
#include "providers/shapes/reply/status.h"
#include "spec/exchange/exchange.h"

namespace assay {
namespace {

Result<HttpRequest> EncodeRecorded(const ModelRequest&, const ModelFacts*) {
  HttpRequest wire;
  wire.method = "GET";
  return wire;
}

Result<ModelReply> DecodeRecorded(const HttpReply& reply) {
  if (reply.error) return *reply.error;
  if (reply.body.empty())
    return Error{ErrorCode::kNotFound, "expected a recorded reply, the recording has none"};
  ASSAY_TRY(Reply stored, DecodeReply(RequestKind::kModel, reply.body));
  return std::get<ModelReply>(std::move(stored));
}

// What is not recorded will not be recorded a second later.
ReplyClass Classify(const HttpReply& reply) {
  return reply.status == kStatusOk && !reply.body.empty() ? ReplyClass::kOk : ReplyClass::kFail;
}

}  // namespace

const ProviderRow& RecordedProvider() {
  static constexpr ProviderRow kRow = {
      .name = "recorded",
      .help = "replies of a recording",
      .example = "",
      .max_in_flight = 256,
      .encode_known = EncodeRecorded,
      .decode = DecodeRecorded,
      .classify = Classify,
      .route = Route::kLocal,
  };
  return kRow;
}

}  // namespace assay
