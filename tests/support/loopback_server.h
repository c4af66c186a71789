// A tiny HTTP server on the loopback, for tests that want real requests on a real wire: one thread, one
// connection at a time, each closed after its reply.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "base/bounded_queue.h"
#include "base/wire/wire.h"

namespace assay {

struct ArrivedRequest {
  std::string method;
  std::string path;
  std::vector<HttpHeader> headers;  // names in lower case
  std::string body;
};

struct ScriptedReply {
  int status = 200;
  std::string content_type = "application/json";
  std::string body;
  std::chrono::milliseconds delay{0};  // cut short when the client hangs up
};

class LoopbackServer {
 public:
  // `answer` is called in the server's thread, once per request.
  using Answer = std::function<ScriptedReply(const ArrivedRequest&)>;
  explicit LoopbackServer(Answer answer);
  ~LoopbackServer();
  LoopbackServer(const LoopbackServer&) = delete;
  LoopbackServer& operator=(const LoopbackServer&) = delete;

  std::string address() const { return address_; }                // "127.0.0.1:40123"
  std::vector<ArrivedRequest> Taken() { return taken_.Drain(); }  // what came since the last call

 private:
  void Serve();
  void AnswerOne(int connection);

  Answer answer_;
  BoundedQueue<ArrivedRequest> taken_{1024};
  int listener_ = -1;
  int stop_[2] = {-1, -1};  // a pipe: closed at the writing end when the server shall end
  std::string address_;
  std::thread thread_;
};

}  // namespace assay
