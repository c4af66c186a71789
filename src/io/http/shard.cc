// Connects libcurl's multi-socket interface with libuv's polls and timers.
#include "io/http/shard.h"

#include <sys/socket.h>
#include <unistd.h>

namespace assay {

namespace {

// Connections that a shard keeps for later requests; more than it ever has under way.
constexpr long kConnectionsKept = 512;

int UvEvents(int what) {
  int events = 0;
  if (what & CURL_POLL_IN) events |= UV_READABLE;
  if (what & CURL_POLL_OUT) events |= UV_WRITABLE;
  return events;
}

}  // namespace

SocketWatch& HttpSockets::WatchOf(curl_socket_t socket) {
  const auto index = static_cast<std::size_t>(socket);
  if (index >= watches_.size()) watches_.resize(index + 1);
  if (watches_[index] == nullptr) {
    watches_[index] = std::make_unique<SocketWatch>();
    watches_[index]->socket = socket;
  }
  return *watches_[index];
}

int HttpSockets::Open(const curl_sockaddr& address) {
  const int socket = ::socket(address.family, address.socktype | SOCK_CLOEXEC, address.protocol);
  if (socket >= 0) WatchOf(socket).is_ours = true;
  return socket;
}

void HttpSockets::Close(curl_socket_t socket) {
  Forget(socket);
  WatchOf(socket).is_ours = false;
  ::close(socket);
}

void HttpSockets::Want(HttpShard& shard, curl_socket_t socket, int events) {
  SocketWatch& watch = WatchOf(socket);
  watch.shard = &shard;
  watch.wanted = events;
  if (events == 0 && !watch.is_ours) Forget(socket);
  if (events == 0 || watch.watched == events) return;
  if (!watch.is_open) {
    watch.is_open = uv_poll_init_socket(loop_, &watch.poll, socket) == 0;
    if (!watch.is_open) return;
    watch.poll.data = &watch;
  }
  if (uv_poll_start(&watch.poll, events, &OnPoll) == 0) watch.watched = events;
}

void HttpSockets::Forget(curl_socket_t socket) {
  SocketWatch& watch = WatchOf(socket);
  if (watch.watched != 0) uv_poll_stop(&watch.poll);
  watch.watched = 0;
  watch.wanted = 0;
}

void HttpSockets::OnPoll(uv_poll_t* poll, int status, int events) {
  auto& watch = *static_cast<SocketWatch*>(poll->data);
  if (watch.wanted == 0) {  // a waiting connection: libcurl will look when it needs it
    uv_poll_stop(poll);
    watch.watched = 0;
    return;
  }
  int ready = status < 0 ? CURL_CSELECT_ERR : 0;
  if (events & UV_READABLE) ready |= CURL_CSELECT_IN;
  if (events & UV_WRITABLE) ready |= CURL_CSELECT_OUT;
  watch.shard->OnSocketReady(watch.socket, ready);
}

void HttpSockets::CloseHandles() {
  for (const std::unique_ptr<SocketWatch>& watch : watches_) {
    if (watch != nullptr && watch->is_open) uv_close(reinterpret_cast<uv_handle_t*>(&watch->poll), nullptr);
  }
}

HttpShard::HttpShard(const HttpEnvironment& environment, HttpSockets& sockets,
                     std::function<void(HttpTransfer&)> on_end)
    : environment_(environment),
      sockets_(sockets),
      on_end_(std::move(on_end)),
      multi_(environment.curl.multi_init()) {
  ASSAY_ASSERT(multi_ != nullptr);
  uv_timer_init(environment_.loop, &timer_);
  timer_.data = this;
  environment_.curl.multi_setopt(multi_, CURLMOPT_SOCKETFUNCTION, &OnSocket);
  environment_.curl.multi_setopt(multi_, CURLMOPT_SOCKETDATA, static_cast<void*>(this));
  environment_.curl.multi_setopt(multi_, CURLMOPT_TIMERFUNCTION, &OnTimer);
  environment_.curl.multi_setopt(multi_, CURLMOPT_TIMERDATA, static_cast<void*>(this));
  environment_.curl.multi_setopt(multi_, CURLMOPT_MAXCONNECTS, kConnectionsKept);
}

HttpShard::~HttpShard() = default;

void HttpShard::Close() {
  DropAll();
  idle_.clear();
  environment_.curl.multi_cleanup(multi_);
  uv_close(reinterpret_cast<uv_handle_t*>(&timer_), nullptr);
}

void HttpShard::LimitConnections(long per_host) {
  environment_.curl.multi_setopt(multi_, CURLMOPT_MAX_HOST_CONNECTIONS, per_host);
}

void HttpShard::Send(HttpSend send, HttpVersion known) {
  std::unique_ptr<HttpTransfer> transfer;
  if (idle_.empty()) {
    transfer = std::make_unique<HttpTransfer>(environment_);
  } else {
    transfer = std::move(idle_.back());
    idle_.pop_back();
  }
  transfer->Begin(std::move(send), known);
  transfer->position = active_.size();
  active_.push_back(std::move(transfer));
  environment_.curl.multi_add_handle(multi_, active_.back()->easy());
}

// Out of the multi handle and back among the idle ones, ready for the next request.
void HttpShard::Remove(HttpTransfer& transfer) {
  environment_.curl.multi_remove_handle(multi_, transfer.easy());
  const std::size_t position = transfer.position;
  idle_.push_back(std::move(active_[position]));
  if (position + 1 < active_.size()) {
    active_[position] = std::move(active_.back());
    active_[position]->position = position;
  }
  active_.pop_back();
}

std::size_t HttpShard::EndOverdue() {
  std::size_t ended = 0;
  for (std::size_t i = active_.size(); i-- > 0;) {
    HttpTransfer& transfer = *active_[i];
    std::optional<Error> overdue = transfer.Overdue();
    if (!overdue) continue;
    Remove(transfer);
    transfer.End(*std::move(overdue));
    ++ended;
  }
  return ended;
}

std::size_t HttpShard::DropAll() {
  const std::size_t dropped = active_.size();
  while (!active_.empty()) Remove(*active_.back());
  return dropped;
}

int HttpShard::OnSocket(CURL*, curl_socket_t socket, int what, void* user, void*) {
  auto& shard = *static_cast<HttpShard*>(user);
  shard.sockets_.Want(shard, socket, what == CURL_POLL_REMOVE ? 0 : UvEvents(what));
  return 0;
}

int HttpShard::OnTimer(CURLM*, long timeout_ms, void* user) {
  auto& shard = *static_cast<HttpShard*>(user);
  if (timeout_ms < 0) {
    uv_timer_stop(&shard.timer_);
    return 0;
  }
  // Also for 0: libcurl must not be called from its own callback.
  uv_timer_start(
      &shard.timer_,
      [](uv_timer_t* timer) { static_cast<HttpShard*>(timer->data)->Act(CURL_SOCKET_TIMEOUT, 0); },
      static_cast<std::uint64_t>(timeout_ms), 0);
  return 0;
}

void HttpShard::OnSocketReady(curl_socket_t socket, int curl_events) { Act(socket, curl_events); }

void HttpShard::Act(curl_socket_t socket, int events) {
  int running = 0;
  environment_.curl.multi_socket_action(multi_, socket, events, &running);
  int left = 0;
  while (const CURLMsg* message = environment_.curl.multi_info_read(multi_, &left)) {
    if (message->msg != CURLMSG_DONE) continue;
    const CURLcode code = message->data.result;
    void* user = nullptr;
    environment_.curl.easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &user);
    auto& transfer = *static_cast<HttpTransfer*>(user);
    Remove(transfer);
    transfer.End(code);
    on_end_(transfer);
  }
}

}  // namespace assay
