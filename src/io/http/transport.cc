// HttpTransport's public functions, which pass messages to its loop.
#include "io/http/transport.h"

#include "io/http/authorities.h"
#include "io/http/loop.h"

namespace assay {

Result<std::unique_ptr<HttpTransport>> HttpTransport::Open(HttpOptions options) {
  if (options.ca_file.empty()) options.ca_file = AuthoritiesFile();
  ASSAY_TRY(const CurlApi curl, OpenCurl());
  ASSAY_TRY(std::unique_ptr<HttpLoop> loop, HttpLoop::Start(curl, options));
  return std::make_unique<HttpTransport>(std::move(loop));
}

HttpTransport::HttpTransport(std::unique_ptr<HttpLoop> loop) : loop_(std::move(loop)) {}

HttpTransport::~HttpTransport() = default;

void HttpTransport::Send(Ticket ticket, HttpRequest request, CompletionSink& sink) {
  loop_->Post(HttpSend{.ticket = ticket, .request = std::move(request), .sink = &sink});
}

void HttpTransport::CancelAll() { loop_->CancelAll(); }

}  // namespace assay
