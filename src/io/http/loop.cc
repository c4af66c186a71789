// Spreads requests over the shards of each server, and ends those whose deadline has passed.
#include "io/http/loop.h"

#include <sys/resource.h>

#include <algorithm>
#include <cstddef>

#include "base/limits.h"
#include "base/thread_name.h"

namespace assay {

namespace {

constexpr std::size_t kKeptForTheRest = 64;  // the store, result files, standard streams, libraries
constexpr std::size_t kEnough = 1u << 20;    // where the system sets no limit

// Raises the soft limit to the hard one; returns how many sockets may be used beside what the rest of the
// program needs, at least 1.
std::size_t RaiseFileLimit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return 1;
  limit.rlim_cur = std::min<rlim_t>(limit.rlim_max, kEnough);
  if (setrlimit(RLIMIT_NOFILE, &limit) != 0 && getrlimit(RLIMIT_NOFILE, &limit) != 0) return 1;
  const auto files = static_cast<std::size_t>(limit.rlim_cur);
  return files > kKeptForTheRest ? files - kKeptForTheRest : 1;
}

constexpr std::size_t kShardsMax = 64;   // of one origin
constexpr std::size_t kShardFill = 160;  // requests of a shard before the next one is used
constexpr long kConnectionsOfMany = 4;   // of a shard, where one connection takes many requests
constexpr std::uint64_t kHttpSweepEveryMs = 250;
constexpr std::size_t kInboxMax = limits::kQueueDepthMax;

}  // namespace

Result<std::unique_ptr<HttpLoop>> HttpLoop::Start(const CurlApi& curl, const HttpOptions& options) {
  auto loop = std::make_unique<HttpLoop>(curl, options, RaiseFileLimit());
  if (!loop->Open()) return Error{ErrorCode::kIo, "the event loop of the HTTP client cannot be started"};
  return loop;
}

HttpLoop::HttpLoop(const CurlApi& curl, const HttpOptions& options, std::size_t sockets_max)
    : environment_{.curl = curl, .options = options},
      sockets_max_(std::min(sockets_max, limits::kMaxInFlightMax)),
      sockets_(&loop_),
      inbox_(kInboxMax) {}

bool HttpLoop::Open() {
  if (uv_loop_init(&loop_) != 0) return false;
  environment_.loop = &loop_;
  environment_.sockets = &sockets_;
  environment_.open_socket = [](void* sockets, const curl_sockaddr& address) {
    return static_cast<HttpSockets*>(sockets)->Open(address);
  };
  environment_.close_socket = [](void* sockets, curl_socket_t socket) {
    static_cast<HttpSockets*>(sockets)->Close(socket);
    return 0;
  };
  environment_.share = environment_.curl.share_init();
  // One thread uses the share, so it needs no locks.
  environment_.curl.share_setopt(environment_.share, CURLSHOPT_SHARE, CURL_LOCK_DATA_DNS);
  environment_.curl.share_setopt(environment_.share, CURLSHOPT_SHARE, CURL_LOCK_DATA_SSL_SESSION);
  wake_.data = this;
  sweep_.data = this;
  uv_async_init(&loop_, &wake_, [](uv_async_t* wake) { static_cast<HttpLoop*>(wake->data)->OnMessages(); });
  uv_timer_init(&loop_, &sweep_);
  thread_ = std::jthread([this] {
    NameThread("http");
    Run();
  });
  return true;
}

HttpLoop::~HttpLoop() {
  if (!thread_.joinable()) return;
  Push(Quit{});
  thread_.join();
}

void HttpLoop::Push(Message message) {
  inbox_.PushUnbounded(std::move(message));
  uv_async_send(&wake_);
}

void HttpLoop::Post(HttpSend send) { Push(std::move(send)); }

void HttpLoop::CancelAll() {
  const auto done = std::make_shared<BoundedQueue<bool>>(1);
  Push(Cancel{done});
  done->Pop();
}

void HttpLoop::Run() {
  uv_run(&loop_, UV_RUN_DEFAULT);
  origins_.clear();
  uv_loop_close(&loop_);
  environment_.curl.share_cleanup(environment_.share);
}

void HttpLoop::OnMessages() {
  for (Message& message : inbox_.Drain()) {
    if (auto* send = std::get_if<HttpSend>(&message)) {
      waiting_.push_back(std::move(*send));
    } else if (auto* cancel = std::get_if<Cancel>(&message)) {
      DropAll();
      cancel->done->PushUnbounded(true);
    } else {
      CloseAll();
      return;
    }
  }
  SendWaiting();
}

void HttpLoop::SendWaiting() {
  while (!waiting_.empty() && active_ < sockets_max_) {
    HttpSend send = std::move(waiting_.front());
    waiting_.pop_front();
    Send(std::move(send));
  }
}

void HttpLoop::Send(HttpSend send) {
  std::string name = OriginOf(send.request.url);
  const bool is_encrypted = name.starts_with("https:");
  // Connections that anyone may use must not serve requests that may only reach public addresses.
  if (send.request.reach == Reach::kPublic) name += " public";
  HttpOrigin& origin = origins_[std::move(name)];
  if (active_++ == 0) {
    uv_update_time(&loop_);
    uv_timer_start(
        &sweep_, [](uv_timer_t* timer) { static_cast<HttpLoop*>(timer->data)->OnSweep(); }, kHttpSweepEveryMs,
        kHttpSweepEveryMs);
  }
  ShardFor(origin, is_encrypted).Send(std::move(send), origin.version);
}

HttpShard& HttpLoop::ShardFor(HttpOrigin& origin, bool is_encrypted) {
  for (const std::unique_ptr<HttpShard>& shard : origin.shards) {
    if (shard->active() < kShardFill) return *shard;
  }
  if (origin.shards.size() < kShardsMax) {
    origin.shards.push_back(std::make_unique<HttpShard>(
        environment_, sockets_, [this, &origin](HttpTransfer& transfer) { OnEnd(origin, transfer); }));
    if (is_encrypted && origin.version != HttpVersion::kOne)
      origin.shards.back()->LimitConnections(kConnectionsOfMany);
    return *origin.shards.back();
  }
  const auto least = std::min_element(origin.shards.begin(), origin.shards.end(),
                                      [](const auto& a, const auto& b) { return a->active() < b->active(); });
  return **least;
}

void HttpLoop::OnEnd(HttpOrigin& origin, HttpTransfer& transfer) {
  if (origin.version == HttpVersion::kUnknown && transfer.version() != HttpVersion::kUnknown) {
    origin.version = transfer.version();
    if (origin.version == HttpVersion::kOne) {
      for (const std::unique_ptr<HttpShard>& shard : origin.shards) shard->LimitConnections(0);
    }
  }
  if (std::optional<HttpSend> next = transfer.TakeNext()) waiting_.push_front(*std::move(next));
  if (--active_ == 0) uv_timer_stop(&sweep_);
  SendWaiting();
}

void HttpLoop::OnSweep() {
  std::size_t ended = 0;
  for (auto& [name, origin] : origins_) {
    for (const std::unique_ptr<HttpShard>& shard : origin.shards) ended += shard->EndOverdue();
  }
  active_ -= ended;
  if (active_ == 0) uv_timer_stop(&sweep_);
  SendWaiting();
}

void HttpLoop::DropAll() {
  waiting_.clear();
  for (auto& [name, origin] : origins_) {
    for (const std::unique_ptr<HttpShard>& shard : origin.shards) shard->DropAll();
  }
  active_ = 0;
  uv_timer_stop(&sweep_);
}

void HttpLoop::CloseAll() {
  DropAll();
  for (auto& [name, origin] : origins_) {
    for (const std::unique_ptr<HttpShard>& shard : origin.shards) shard->Close();
  }
  sockets_.CloseHandles();
  uv_close(reinterpret_cast<uv_handle_t*>(&wake_), nullptr);
  uv_close(reinterpret_cast<uv_handle_t*>(&sweep_), nullptr);
}

}  // namespace assay
