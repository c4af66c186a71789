// Chooses the transport by the request's route, and opens it at first use.
#include "run/wire/network_transport.h"

#include <fmt/core.h>

#include "base/errors/diagnostics.h"
#include "base/wire/url.h"
#include "providers/codecs/exec.h"

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

Result<Transport*> NetworkTransport::TransportOf(const HttpRequest& request) {
  switch (request.route) {
    case Route::kLocal:
      return &local_;
    case Route::kProgram:
      if (exec_ == nullptr) {
        ASSAY_TRY(exec_, ExecTransport::Open({.protocol = ExecProtocol(), .environment = environment_}));
      }
      return exec_.get();
    case Route::kHttp:
      break;
  }
  if (!IsHttpUrl(request.url)) {
    return Error{ErrorCode::kUnsupported,
                 fmt::format("expected an address that begins with http:// or https://, found {}",
                             Quoted(request.url))};
  }
  if (http_ == nullptr) {
    ASSAY_TRY(http_, HttpTransport::Open(options_));
  }
  return http_.get();
}

void NetworkTransport::Send(Ticket ticket, HttpRequest request, CompletionSink& sink) {
  const Result<Transport*> transport = TransportOf(request);
  if (transport) {
    (*transport)->Send(ticket, std::move(request), sink);
    return;
  }
  HttpReply reply;
  reply.error = Error{ErrorCode::kUnsupported, transport.error().message};
  sink.Deliver({.ticket = ticket, .reply = std::move(reply)});
}

void NetworkTransport::CancelAll() {
  if (http_ != nullptr) http_->CancelAll();
  if (exec_ != nullptr) exec_->CancelAll();
}

}  // namespace assay
