// The transports that never leave the process: "echo:" answers with the request's body, "recorded:" likewise
// (the body is the recorded reply). Every other URL is refused: this program cannot reach the network.
#pragma once

#include "base/transport.h"

namespace assay {

class LocalTransport final : public Transport {
 public:
  void Send(Ticket ticket, HttpRequest request, CompletionSink& sink) override;
  void CancelAll() override {}  // nothing is ever under way
};

}  // namespace assay
