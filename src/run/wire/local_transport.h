// The transport that never leaves the process: it answers a request of Route::kLocal with the request's body.
// Every other one is refused: what has no other transport reaches no network and starts no program.
#pragma once

#include "base/wire/transport.h"

namespace assay {

class LocalTransport final : public Transport {
 public:
  void Send(Ticket ticket, HttpRequest request, CompletionSink& sink) override;
  void CancelAll() override {}  // nothing is ever under way
};

}  // namespace assay
