// NetworkTransport: sends each request by its route: inside the process, to programs of the user's own, or to
// the network, and there to http and https only. Each of the three is opened by the first request that needs
// it.
#pragma once

#include <memory>

#include "base/wire/transport.h"
#include "io/exec/transport.h"
#include "io/http/transport.h"

namespace assay {

// Answers a request of Route::kLocal with the request's own body, inside the process. Every other request is
// refused, so that a program without another transport reaches no network and starts no program.
class LocalTransport final : public Transport {
 public:
  void Send(Ticket ticket, HttpRequest request, CompletionSink& sink) override;
  void CancelAll() override {}  // nothing is ever under way
};

class NetworkTransport final : public Transport {
 public:
  // `environment`: of the programs, "NAME=value".
  explicit NetworkTransport(HttpOptions options, std::vector<std::string> environment = {})
      : options_(std::move(options)), environment_(std::move(environment)) {}
  void Send(Ticket ticket, HttpRequest request, CompletionSink& sink) override;
  void CancelAll() override;

 private:
  Result<Transport*> TransportOf(const HttpRequest& request);
  HttpOptions options_;
  std::vector<std::string> environment_;
  LocalTransport local_;
  std::unique_ptr<HttpTransport> http_;
  std::unique_ptr<ExecTransport> exec_;
};

}  // namespace assay
