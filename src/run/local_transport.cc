// Replies at once.
#include "run/local_transport.h"

#include <fmt/core.h>

namespace assay {

void LocalTransport::Send(Ticket ticket, HttpRequest request, CompletionSink& sink) {
  HttpReply reply;
  if (request.url.starts_with("echo:") || request.url.starts_with("recorded:")) {
    reply.status = 200;
    reply.body = std::move(request.body);
  } else {
    reply.error = Error{ErrorCode::kUnsupported, fmt::format("no transport for {}", request.url)};
  }
  sink.Deliver({.ticket = ticket, .reply = std::move(reply)});
}

}  // namespace assay
