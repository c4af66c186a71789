// HttpLoop: the event loop (libuv) of the HTTP client, on a thread of its own. Other threads post requests;
// the loop sends them and delivers the replies.
#pragma once

#include <uv.h>

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <variant>
#include <vector>

#include "base/bounded_queue.h"
#include "io/http/shard.h"

namespace assay {

// What is known of a server, and the shards that talk to it. Servers of HTTP/2 take many requests on one
// connection, so few are opened; others need one for each request.
struct HttpOrigin {
  HttpVersion version = HttpVersion::kUnknown;
  std::vector<std::unique_ptr<HttpShard>> shards;
};

class HttpLoop {
 public:
  static Result<std::unique_ptr<HttpLoop>> Start(const CurlApi& curl, const HttpOptions& options);
  HttpLoop(const CurlApi& curl, const HttpOptions& options, std::size_t sockets_max);
  ~HttpLoop();
  HttpLoop(const HttpLoop&) = delete;
  HttpLoop& operator=(const HttpLoop&) = delete;

  // Any thread but the loop's own.
  void Post(HttpSend send);
  // Nothing is delivered after this returns, except for what is posted later.
  void CancelAll();

 private:
  struct Cancel {
    std::shared_ptr<BoundedQueue<bool>> done;  // shared: the loop is not done with it when the other side is
  };
  struct Quit {};
  using Message = std::variant<HttpSend, Cancel, Quit>;

  bool Open();
  void Run();
  void Push(Message message);
  void OnMessages();
  void SendWaiting();
  void Send(HttpSend send);
  HttpShard& ShardFor(HttpOrigin& origin, bool is_encrypted);
  void OnEnd(HttpOrigin& origin, HttpTransfer& transfer);
  void OnSweep();
  void DropAll();
  void CloseAll();

  HttpEnvironment environment_;
  std::size_t sockets_max_;
  uv_loop_t loop_{};
  uv_async_t wake_{};
  uv_timer_t sweep_{};
  HttpSockets sockets_;
  std::map<std::string, HttpOrigin> origins_;  // by origin and reach
  std::deque<HttpSend> waiting_;               // for a socket
  std::size_t active_ = 0;
  BoundedQueue<Message> inbox_;
  std::jthread thread_;  // last: it ends before anything that it uses
};

}  // namespace assay
