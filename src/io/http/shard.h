// HttpShard: one multi handle of libcurl, driven by the loop: its sockets by uv_poll, its timer by uv_timer.
// A multi handle searches its connections for every request, so thousands of requests are spread over many of
// them.
#pragma once

#include <uv.h>

#include <functional>
#include <memory>
#include <vector>

#include "io/http/transfer.h"

namespace assay {

class HttpShard;

// A socket and what the loop waits for on it. Owned by HttpSockets, one for each number of a socket.
struct SocketWatch {
  uv_poll_t poll{};
  HttpShard* shard = nullptr;
  curl_socket_t socket = -1;
  int wanted = 0;   // uv events that libcurl asks for
  int watched = 0;  // uv events that the loop waits for
  bool is_open = false;
  bool is_ours = false;  // opened by HttpSockets, so its closing is seen
};

// The sockets of a loop, by number. A connection that waits for its next request stays registered with the
// kernel, which saves two system calls a request; that is safe only where its closing is seen.
class HttpSockets {
 public:
  explicit HttpSockets(uv_loop_t* loop) : loop_(loop) {}
  // Opens a socket for libcurl; -1 if none can be had.
  int Open(const curl_sockaddr& address);
  void Close(curl_socket_t socket);
  void Want(HttpShard& shard, curl_socket_t socket, int events);
  void Forget(curl_socket_t socket);
  // Closes all handles; the loop must run until their callbacks were called.
  void CloseHandles();

 private:
  SocketWatch& WatchOf(curl_socket_t socket);
  static void OnPoll(uv_poll_t* poll, int status, int events);
  uv_loop_t* loop_;
  std::vector<std::unique_ptr<SocketWatch>> watches_;
};

class HttpShard {
 public:
  // `on_end` is called for every transfer that ends by itself, after its reply was delivered.
  HttpShard(const HttpEnvironment& environment, HttpSockets& sockets,
            std::function<void(HttpTransfer&)> on_end);
  ~HttpShard();  // the timer must be closed by then
  HttpShard(const HttpShard&) = delete;
  HttpShard& operator=(const HttpShard&) = delete;

  std::size_t active() const { return active_.size(); }
  void Send(HttpSend send, HttpVersion known);
  // Ends transfers whose deadline has passed; returns how many.
  std::size_t EndOverdue();
  // Drops everything under way without a word; returns how many.
  std::size_t DropAll();
  void LimitConnections(long per_host);  // 0: no limit
  void OnSocketReady(curl_socket_t socket, int curl_events);
  // Drops all and closes; no callback comes later than the loop's next turn.
  void Close();

 private:
  static int OnSocket(CURL* easy, curl_socket_t socket, int what, void* user, void* of_socket);
  static int OnTimer(CURLM* multi, long timeout_ms, void* user);
  void Act(curl_socket_t socket, int events);
  void Remove(HttpTransfer& transfer);

  const HttpEnvironment& environment_;
  HttpSockets& sockets_;
  std::function<void(HttpTransfer&)> on_end_;
  CURLM* multi_ = nullptr;
  uv_timer_t timer_{};
  std::vector<std::unique_ptr<HttpTransfer>> active_;
  std::vector<std::unique_ptr<HttpTransfer>> idle_;
};

}  // namespace assay
