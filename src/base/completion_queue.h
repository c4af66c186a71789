// CompletionQueue: a CompletionSink for code that sends a request and waits for its reply; keeps what
// transports and launchers deliver until it is taken.
#pragma once

#include <utility>
#include <variant>

#include "base/bounded_queue.h"
#include "base/wire/transport.h"

namespace assay {

class CompletionQueue final : public CompletionSink {
 public:
  void Deliver(Completion completion) override { completions_.PushUnbounded(std::move(completion)); }
  // Waits for the next one.
  Completion Take() { return *completions_.Pop(); }
  // The same, of a program.
  ProcessReply TakeProgram() { return std::get<ProcessReply>(Take().reply); }

 private:
  BoundedQueue<Completion> completions_{1};
};

}  // namespace assay
