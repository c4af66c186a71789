// The transport of a run: "echo:" and "recorded:" are answered inside the process, http and https go to the
// network. The network is opened by the first request that needs it.
#pragma once

#include <memory>

#include "io/http_transport.h"
#include "run/local_transport.h"

namespace assay {

class NetworkTransport final : public Transport {
 public:
  explicit NetworkTransport(HttpOptions options) : options_(std::move(options)) {}
  void Send(Ticket ticket, HttpRequest request, CompletionSink& sink) override;
  void CancelAll() override;

 private:
  HttpOptions options_;
  LocalTransport local_;
  std::unique_ptr<HttpTransport> http_;
};

}  // namespace assay
