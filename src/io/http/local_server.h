// LocalServer: a server of HTTP/1.1 for this machine alone: it listens on 127.0.0.1, answers one request
// after the other on the thread that runs it, and reads no bodies but small ones (docs/decisions/0071).
// Anybody on the machine may connect, so every connection is bounded in memory and time, and none keeps
// others out.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/errors/result.h"
#include "base/wire/wire.h"
#include "io/http/served_request.h"

namespace assay {

struct ServedReply {
  int status = 200;
  std::vector<HttpHeader> headers = {};  // length and connection are the server's
  std::string body = {};
  // Of a reply that goes on: asked a few times a second for what comes next, "": nothing yet; nothing: that
  // was all.
  std::function<std::optional<std::string>()> next = {};
};

class LocalServer {
 public:
  using Handler = std::function<ServedReply(const ServedRequest&)>;
  // kIo: the port of 127.0.0.1 is taken (0: those that are drawn by chance are). `clock` outlives it.
  static Result<std::unique_ptr<LocalServer>> Open(std::uint16_t port, const Clock& clock);
  // For Open. Owns the files: the socket, and both ends of a pipe.
  LocalServer(int socket, int wake_read, int wake_write, std::uint16_t port, const Clock& clock);
  // Headers of the replies to what is no request, which no handler sees. Before Run.
  void SendWithRefusals(std::vector<HttpHeader> headers) { refusal_headers_ = std::move(headers); }
  ~LocalServer();
  LocalServer(const LocalServer&) = delete;
  LocalServer& operator=(const LocalServer&) = delete;

  std::uint16_t port() const { return port_; }
  // Until Stop.
  void Run(const Handler& handler);
  // One round of Run: waits up to `wait_ms` for something to do, and does it. False: Stop was called.
  bool Step(const Handler& handler, int wait_ms);
  void Stop();  // any thread, and before Run too

 private:
  class Connection;

  void Accept(const Handler& handler);
  void MakeRoom(const Handler& handler, std::uint32_t peer);
  void DropLeast(const Handler& handler, const std::function<bool(const Connection&)>& counts);
  void TickAll();

  int socket_;
  int wake_read_;
  int wake_write_;
  std::uint16_t port_;
  const Clock& clock_;
  std::vector<HttpHeader> refusal_headers_;
  TimePoint next_tick_;
  std::vector<std::unique_ptr<Connection>> connections_;
};

}  // namespace assay
