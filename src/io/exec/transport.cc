// ExecTransport's public functions, which pass messages to its loop.
#include "io/exec/transport.h"

#include <fcntl.h>
#include <fmt/core.h>

#include <cstdlib>

#include "io/exec/loop.h"

namespace assay {

Result<std::unique_ptr<ExecTransport>> ExecTransport::Open(ExecOptions options) {
  options.folder += "/assay-exec-XXXXXX";
  if (mkdtemp(options.folder.data()) == nullptr)
    return Error{ErrorCode::kIo, fmt::format("no folder for programs can be made as {}", options.folder)};
  SandboxPipe wake = OpenPipe();
  if (!wake.write.is_open()) return Error{ErrorCode::kIo, "too many open files to run programs"};
  fcntl(wake.write.get(), F_SETFL, O_NONBLOCK);
  return std::make_unique<ExecTransport>(std::make_unique<ExecLoop>(std::move(options), std::move(wake)));
}

ExecTransport::ExecTransport(std::unique_ptr<ExecLoop> loop) : loop_(std::move(loop)) {}

ExecTransport::~ExecTransport() = default;

void ExecTransport::Send(Ticket ticket, HttpRequest request, CompletionSink& sink) {
  loop_->Post({.ticket = ticket, .request = std::move(request), .sink = &sink});
}

void ExecTransport::CancelAll() { loop_->CancelAll(); }

}  // namespace assay
