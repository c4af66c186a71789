// ExecTransport: the transport of Route::kProgram (base/wire/line_protocol.h): local programs of the user's
// own that stay running and answer one turn after the other in lines. Not sandboxed: they are the user's
// tools, and talk to whom they like.
//
// A turn gets a process to itself: an idle one that was begun with the same words and the same first line,
// else a new one, up to `processes_max`; beyond that it waits. A process sees the given environment, the
// current folder, three pipes, and a folder of its own that ends with it. It is ended, with everything in its
// process group, when it breaks the protocol, ends, exceeds a limit or its deadline; all of them are when
// this object ends, and when this process is killed (io/exec/guard.h). What goes wrong is the reply's error,
// with the last lines of standard error: kTimeout (deadline), kIo (it ended), kCorrupt (not the protocol),
// kLimit (too much output), kNotFound (no such program). What the program itself reports is a reply.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "base/errors/result.h"
#include "base/limits.h"
#include "base/wire/line_protocol.h"
#include "base/wire/transport.h"

namespace assay {

struct ExecOptions {
  LineProtocol protocol;
  std::vector<std::string> environment;                 // "NAME=value", all of it
  std::chrono::milliseconds attempt{600'000};           // start and turn, where the request names no time-out
  std::chrono::milliseconds goodbye{500};               // between the last line and the end
  std::size_t turn_bytes_max = limits::kReplyBytesMax;  // all lines of one turn, the line under way included
  std::size_t processes_max = 256;
  std::string folder = "/tmp";  // for the folders of the processes
};

class ExecLoop;

class ExecTransport final : public Transport {
 public:
  static Result<std::unique_ptr<ExecTransport>> Open(ExecOptions options);
  explicit ExecTransport(std::unique_ptr<ExecLoop> loop);
  ~ExecTransport() override;  // says goodbye first

  void Send(Ticket ticket, HttpRequest request, CompletionSink& sink) override;
  // Ends the processes that are at a turn; idle ones stay.
  void CancelAll() override;

 private:
  std::unique_ptr<ExecLoop> loop_;
};

}  // namespace assay
