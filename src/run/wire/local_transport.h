// LocalTransport: answers a request of Route::kLocal with the request's own body, inside the process. Every
// other request is refused, so that a program without another transport reaches no network and starts no
// program.
#pragma once

#include "base/wire/transport.h"

namespace assay {

class LocalTransport final : public Transport {
 public:
  void Send(Ticket ticket, HttpRequest request, CompletionSink& sink) override;
  void CancelAll() override {}  // nothing is ever under way
};

}  // namespace assay
