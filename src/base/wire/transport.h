// Transport and Launcher: the interfaces by which the executor reaches the network and runs programs. Both
// are asynchronous: a call returns at once, and exactly one completion per ticket is pushed to the given
// sink, from any thread. Implementations: run/wire/, io/, and fakes in tests/sim.
#pragma once

#include <cstdint>
#include <variant>

#include "base/bounded_queue.h"
#include "base/wire/wire.h"

namespace assay {

using Ticket = std::uint64_t;

struct Completion {
  Ticket ticket = 0;
  std::variant<HttpReply, ProcessReply> reply;
};

// Where completions go. Push must not block the caller for long; it is called from the loop thread too.
class CompletionSink {
 public:
  virtual ~CompletionSink() = default;
  virtual void Deliver(Completion completion) = 0;
  // Something that happens before the completion, as a line of the protocol that the ticket's request speaks.
  // Any thread; nobody has to listen.
  virtual void Tell(Ticket, std::string_view) {}
};

class Transport {
 public:
  virtual ~Transport() = default;
  virtual void Send(Ticket ticket, HttpRequest request, CompletionSink& sink) = 0;
  // Gives up on everything under way: no completion comes after this returns.
  virtual void CancelAll() = 0;
};

class Launcher {
 public:
  virtual ~Launcher() = default;
  virtual void Run(Ticket ticket, ProcessRequest request, CompletionSink& sink) = 0;
  virtual void CancelAll() = 0;
};

}  // namespace assay
