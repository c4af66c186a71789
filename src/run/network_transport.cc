// By scheme.
#include "run/network_transport.h"

namespace assay {

void NetworkTransport::Send(Ticket ticket, HttpRequest request, CompletionSink& sink) {
  if (!request.url.starts_with("http://") && !request.url.starts_with("https://")) {
    local_.Send(ticket, std::move(request), sink);
    return;
  }
  if (http_ == nullptr) {
    Result<std::unique_ptr<HttpTransport>> opened = HttpTransport::Open(options_);
    if (!opened) {
      HttpReply reply;
      reply.error = Error{ErrorCode::kUnsupported, std::move(opened).error().message};
      sink.Deliver({.ticket = ticket, .reply = std::move(reply)});
      return;
    }
    http_ = std::move(*opened);
  }
  http_->Send(ticket, std::move(request), sink);
}

void NetworkTransport::CancelAll() {
  if (http_ != nullptr) http_->CancelAll();
}

}  // namespace assay
