// Answers requests of Route::kLocal at once with their own body; refuses all others.
#include "run/wire/local_transport.h"

#include <fmt/core.h>

#include "base/errors/diagnostics.h"

namespace assay {

void LocalTransport::Send(Ticket ticket, HttpRequest request, CompletionSink& sink) {
  HttpReply reply;
  if (request.route == Route::kLocal) {
    reply.status = 200;
    reply.body = std::move(request.body);
  } else {
    reply.error =
        Error{ErrorCode::kUnsupported, fmt::format("nothing is sent from here: {}", Quoted(request.url))};
  }
  sink.Deliver({.ticket = ticket, .reply = std::move(reply)});
}

}  // namespace assay
