// By scheme.
#include "run/network_transport.h"

#include "providers/exec.h"

namespace assay {

Result<Transport*> NetworkTransport::TransportOf(std::string_view url) {
  if (url.starts_with(kExecScheme)) {
    if (exec_ == nullptr) {
      ASSAY_TRY(exec_, ExecTransport::Open({.protocol = ExecProtocol(), .environment = environment_}));
    }
    return exec_.get();
  }
  if (!url.starts_with("http://") && !url.starts_with("https://")) return &local_;
  if (http_ == nullptr) {
    ASSAY_TRY(http_, HttpTransport::Open(options_));
  }
  return http_.get();
}

void NetworkTransport::Send(Ticket ticket, HttpRequest request, CompletionSink& sink) {
  const Result<Transport*> transport = TransportOf(request.url);
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
