// The provider `echo`: answers with the last user message, at once and for nothing. Any model name will do.
// For trying suites out, for tests and for measuring assay itself.
#include "providers/rows.h"
#include "providers/status.h"

namespace assay {
namespace {

Result<HttpRequest> Encode(const ModelRequest& request) {
  HttpRequest wire;
  wire.method = "GET";
  wire.url = "echo:";
  for (auto message = request.messages.rbegin(); message != request.messages.rend(); ++message) {
    if (message->role != Role::kUser) continue;
    wire.body = message->text;
    break;
  }
  return wire;
}

Result<ModelReply> Decode(const HttpReply& reply) {
  if (reply.error) return *reply.error;
  ModelReply decoded;
  decoded.text = reply.body;
  decoded.finish_reason = "stop";
  return decoded;
}

}  // namespace

const ProviderRow kEchoProvider = {
    .name = "echo",
    .help = "answers with the last user message; any model name, no network",
    .example = "echo:any-name",
    .max_in_flight = 256,
    .encode = Encode,
    .decode = Decode,
    .classify = ClassifyByStatus,
};

}  // namespace assay
