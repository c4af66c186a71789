// HttpTransport's public functions, which pass messages to its loop.
#include "io/http/transport.h"

#include <unistd.h>

#include <string>

#include "io/http/loop.h"

namespace assay {

namespace {

constexpr const char* kPlaces[] = {
    "/etc/ssl/certs/ca-certificates.crt",                 // Debian, Ubuntu, Arch, Alpine, Gentoo, NixOS
    "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",  // Fedora, RHEL and what is built from it
    "/etc/pki/tls/certs/ca-bundle.crt",                   // their older releases
    "/var/lib/ca-certificates/ca-bundle.pem",             // openSUSE, SLES
    "/etc/ssl/ca-bundle.pem",                             // their older releases
    "/etc/ssl/cert.pem",                                  // Alpine, Void
};

// The file of the first distribution whose place has one; "" if none has.
std::string AuthoritiesFile() {
  for (const char* place : kPlaces) {
    if (access(place, R_OK) == 0) return place;
  }
  return "";
}

}  // namespace

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
