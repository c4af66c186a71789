// One loop over poll(): reads requests, hands them to the handler, and writes what it says.
#include "io/http/local_server.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/core.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <utility>

#include "io/http/held_port.h"

namespace assay {

namespace {

constexpr std::size_t kConnectionsMax = 256;
constexpr std::ptrdiff_t kHalfOpenMax = 128;  // of one address
// What newcomers may take of a round, so that those who were accepted before have their turn.
constexpr int kAcceptedInRound = 256;
constexpr std::chrono::milliseconds kAcceptingInRound{20};
constexpr int kSparedMax = 4;                // that have just asked, for each connection that is dropped
constexpr int kWaitingMax = 4096;            // that the system keeps until they are accepted
constexpr int kSendBufferBytes = 128 << 10;  // of a connection, in the system: else it grows to megabytes
constexpr int kDrawsMax = 4;                 // of ports: each is a chance of who has occupied the others
constexpr int kTickMs = 250;
constexpr std::chrono::seconds kRequestMax{10};  // from its first byte to its last
constexpr std::chrono::seconds kUnreadMax{30};   // while the other side takes nothing of a reply
constexpr std::chrono::seconds kIdleMax{120};
// Of what comes behind the last reply of a connection. It is read and dropped: a socket that is closed with
// bytes unread makes the system reset the connection, and the other side may lose the reply.
constexpr std::chrono::seconds kDrainMax{2};
constexpr std::size_t kDrainedBytesMax = 4u << 20;
constexpr std::size_t kBytesOfRead = 16u << 10;  // at once
constexpr int kReadsInTurn =
    (kServedHeadBytesMax + kServedCookieBytesMax + kServedBodyBytesMax) / kBytesOfRead + 1;

std::string_view ReasonOfStatus(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 204:
      return "No Content";
    case 206:
      return "Partial Content";
    case 302:
      return "Found";
    case 304:
      return "Not Modified";
    case 400:
      return "Bad Request";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 413:
      return "Content Too Large";
    case 416:
      return "Range Not Satisfiable";
    default:
      return "Internal Server Error";
  }
}

}  // namespace

// One connection, with what has been read and what is still to be written: at most one request and one reply.
class LocalServer::Connection {
 public:
  enum class Use { kDraining, kHalfOpen, kIdle, kUnread, kGoesOn };

  Connection(int socket, std::uint32_t peer, const Clock& clock)
      : socket_(socket), peer_(peer), clock_(clock), began_(clock.Now()), moved_(began_) {}
  ~Connection() { close(socket_); }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  int socket() const { return socket_; }
  bool IsHalfOpenOf(std::uint32_t peer) const { return peer_ == peer && UseNow() == Use::kHalfOpen; }
  bool GoesOn() const { return next_ != nullptr; }
  bool IsBroken() const { return is_broken_; }
  // Whether there may be another request in what was read, and the reply before it has been sent in full.
  bool CanAnswer() const { return has_news_ && !WantsToWrite() && !GoesOn() && !closes_ && !is_broken_; }
  short Events() const {
    if (WantsToWrite()) return POLLOUT;
    return CanAnswer() ? 0 : POLLIN;
  }
  // `now`: when it was last seen whether there is something to read.
  bool IsDone(TimePoint now) const {
    if (is_broken_) return true;
    switch (UseNow()) {
      case Use::kDraining:
        return now - moved_ > kDrainMax;
      case Use::kHalfOpen:
        return now - began_ > kRequestMax;
      case Use::kIdle:
        return now - moved_ > kIdleMax;
      case Use::kUnread:
        return now - moved_ > kUnreadMax;
      case Use::kGoesOn:
        return false;
    }
    return false;
  }
  // The lowest is dropped: one whose last reply has been sent, or else the one that has waited for its other
  // side for longest; streams go last.
  std::pair<int, TimePoint> Worth() const {
    const Use use = UseNow();
    const int rank = use == Use::kDraining ? 0 : use == Use::kGoesOn ? 2 : 1;
    return {rank, use == Use::kHalfOpen ? began_ : moved_};
  }

  // False: there is nothing to read now.
  bool Read() {
    char bytes[kBytesOfRead];
    const ssize_t got = recv(socket_, bytes, sizeof bytes, 0);
    if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR)) {
      is_broken_ = true;
      return false;
    }
    if (got < 0) return false;
    if (GoesOn()) return true;  // what is sent behind a request that goes on is nobody's
    if (closes_) {
      drained_ += static_cast<std::size_t>(got);
      is_broken_ = drained_ > kDrainedBytesMax;
      return true;
    }
    if (in_.empty()) Begin();
    in_.append(bytes, static_cast<std::size_t>(got));
    has_news_ = true;
    return true;
  }

  void Write() {
    while (WantsToWrite()) {
      const ssize_t sent = send(socket_, out_.data() + written_, out_.size() - written_, MSG_NOSIGNAL);
      if (sent < 0) {
        is_broken_ = errno != EAGAIN && errno != EINTR;
        return;
      }
      written_ += static_cast<std::size_t>(sent);
      moved_ = clock_.Now();
    }
    std::string().swap(out_);
    written_ = 0;
    if (closes_ && !GoesOn()) {
      in_.clear();
      has_news_ = false;
      shutdown(socket_, SHUT_WR);
    }
    if (!in_.empty()) Begin();  // the next request has waited for this reply
  }

  // The request that is first in what was read. False: it is not whole.
  bool AnswerOne(const Handler& handler, const std::vector<HttpHeader>& refusal_headers) {
    read_ = ReadServedRequest(in_, read_.of_part);
    if (!read_.request && read_.refused == 0) {
      has_news_ = false;
      return false;
    }
    const ReadBytes read = std::exchange(read_, {});
    if (read.request) {
      in_.erase(0, read.used);
      has_news_ = !in_.empty();
      Answer(*read.request, handler(*read.request));
    } else {
      Refuse(read.refused, refusal_headers);
    }
    moved_ = clock_.Now();
    Write();
    return true;
  }

  // Outside a round: reads what has come, up to a whole request. Whether there was one to answer.
  bool TakeTurn(const Handler& handler, const std::vector<HttpHeader>& refusal_headers) {
    for (int reads = 0; reads < kReadsInTurn; ++reads) {
      const bool has_read = Events() == POLLIN && !is_broken_ && Read();
      if (CanAnswer() && AnswerOne(handler, refusal_headers)) return true;
      if (!has_read) return false;
    }
    return false;
  }

  // Asks the reply that goes on for more, where the other side has taken what there was.
  void Tick() {
    if (!GoesOn() || WantsToWrite()) return;
    std::optional<std::string> more = next_();
    if (more) {
      out_ += *more;
    } else {
      next_ = nullptr;
      closes_ = true;
    }
    moved_ = clock_.Now();
    Write();
  }

 private:
  bool WantsToWrite() const { return written_ < out_.size(); }
  Use UseNow() const {
    if (WantsToWrite()) return Use::kUnread;
    if (GoesOn()) return Use::kGoesOn;
    if (closes_) return Use::kDraining;
    return is_new_ || !in_.empty() ? Use::kHalfOpen : Use::kIdle;
  }
  void Begin() {
    if (!is_new_) began_ = clock_.Now();
  }

  void Answer(const ServedRequest& request, ServedReply reply) {
    is_new_ = false;
    closes_ = request.is_last;
    const bool is_head = request.method == "HEAD";
    const bool has_body = reply.status != 204 && reply.status != 304;
    next_ = is_head ? nullptr : std::move(reply.next);
    out_ += fmt::format("HTTP/1.1 {} {}\r\n", reply.status, ReasonOfStatus(reply.status));
    AddHeaders(reply.headers);
    if (!GoesOn() && has_body) out_ += fmt::format("Content-Length: {}\r\n", reply.body.size());
    if (closes_ || GoesOn()) out_ += "Connection: close\r\n";
    out_ += "\r\n";
    if (!is_head && has_body) out_ += reply.body;
  }

  void AddHeaders(const std::vector<HttpHeader>& headers) {
    for (const HttpHeader& header : headers) out_ += fmt::format("{}: {}\r\n", header.name, header.value);
  }

  void Refuse(int status, const std::vector<HttpHeader>& headers) {
    closes_ = true;
    out_ += fmt::format("HTTP/1.1 {} {}\r\n", status, ReasonOfStatus(status));
    AddHeaders(headers);
    out_ += "Content-Length: 0\r\nConnection: close\r\n\r\n";
  }

  int socket_;
  std::uint32_t peer_;
  const Clock& clock_;
  TimePoint began_;  // when the request that is being read did; of the first one: the connection
  TimePoint moved_;  // when something of a reply was last taken
  std::string in_;
  ReadBytes read_;  // of `in_`, which is a part of a request
  std::string out_;
  std::size_t written_ = 0;
  std::function<std::optional<std::string>()> next_;
  bool is_new_ = true;     // no request has been whole so far
  bool has_news_ = false;  // in `in_`, since it was last found to be a part
  bool closes_ = false;    // once everything is written, and the other side has ended, too
  std::size_t drained_ = 0;
  bool is_broken_ = false;
};

LocalServer::LocalServer(int socket, int wake_read, int wake_write, std::uint16_t port, const Clock& clock)
    : socket_(socket),
      wake_read_(wake_read),
      wake_write_(wake_write),
      port_(port),
      clock_(clock),
      next_tick_(clock.Now()) {}

LocalServer::~LocalServer() {
  for (const int file : {socket_, wake_read_, wake_write_}) close(file);
}

namespace {

// Which ports the system draws can be foretold, and a browser can be led to all of them before. Who occupies
// nearly all ports chooses among the rest, so few draws are made, and the system's choice is no way out.
bool BindByChance(int listener, sockaddr_in& address) {
  constexpr std::uint32_t kFirst = 11'000;  // browsers refuse some below
  constexpr std::uint32_t kEnd = 65'536;
  for (int draws = 0; draws < kDrawsMax; ++draws) {
    std::uint32_t drawn = 0;
    if (getentropy(&drawn, sizeof drawn) != 0) return false;
    address.sin_port = htons(static_cast<std::uint16_t>(kFirst + drawn % (kEnd - kFirst)));
    if (bind(listener, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0) return true;
    if (errno != EADDRINUSE) return false;
  }
  return false;
}

// By errno.
Error FailureToListen(std::uint16_t port) {
  if (port == 0 && errno == EADDRINUSE) {
    return {ErrorCode::kIo,
            fmt::format("{} ports of 127.0.0.1, drawn by chance, are all taken. Somebody may occupy this "
                        "machine's ports. If you trust its users, name a free port with --port N",
                        kDrawsMax)};
  }
  return {ErrorCode::kIo,
          fmt::format("{} of 127.0.0.1 cannot be listened on: {}",
                      port == 0 ? "a port" : fmt::format("port {}", port), std::strerror(errno))};
}

Error HeldPort(std::uint16_t port) {
  return {ErrorCode::kIo,
          fmt::format(
              "port {} of 127.0.0.1 still has connections of the program that had it before. They could get "
              "what a browser sends to this one. End that program, or leave out --port",
              port)};
}

}  // namespace

Result<std::unique_ptr<LocalServer>> LocalServer::Open(std::uint16_t port, const Clock& clock) {
  int wake[2];
  if (pipe2(wake, O_CLOEXEC | O_NONBLOCK) != 0)
    return Error{ErrorCode::kIo, fmt::format("no pipe can be made: {}", std::strerror(errno))};
  const int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  // A stranger who listened here before may keep connections of a browser, which sends its next request
  // there. So a port that is drawn has none of any kind; one that is named may have those whose time has not
  // passed yet.
  const int shares = port != 0 && IsPortHeld(port).has_value() ? 1 : 0;
  const int buffer = kSendBufferBytes;  // connections have what their listener has
  socklen_t size = sizeof address;
  auto* const name = reinterpret_cast<sockaddr*>(&address);
  const bool is_open = listener >= 0 &&
                       setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &shares, sizeof shares) == 0 &&
                       setsockopt(listener, SOL_SOCKET, SO_SNDBUF, &buffer, sizeof buffer) == 0 &&
                       (port == 0 ? BindByChance(listener, address) : bind(listener, name, size) == 0) &&
                       listen(listener, kWaitingMax) == 0 && getsockname(listener, name, &size) == 0;
  const bool is_held = is_open && shares != 0 && IsPortHeld(port).value_or(true);
  if (!is_open || is_held) {
    Error error = is_held ? HeldPort(port) : FailureToListen(port);
    for (const int file : {wake[0], wake[1], listener}) {
      if (file >= 0) close(file);
    }
    return error;
  }
  return std::make_unique<LocalServer>(listener, wake[0], wake[1], ntohs(address.sin_port), clock);
}

void LocalServer::Stop() {
  const char byte = 0;
  // A full pipe has woken it already.
  [[maybe_unused]] const ssize_t sent = write(wake_write_, &byte, 1);
}

// Drops the connection of the least worth among those that count. If its request has arrived in the meantime,
// the request is answered, and the next connection is tried.
void LocalServer::DropLeast(const Handler& handler, const std::function<bool(const Connection&)>& counts) {
  for (int spared = 0; true; ++spared) {
    auto least = connections_.end();
    for (auto each = connections_.begin(); each != connections_.end(); ++each) {
      if (counts(**each) && (least == connections_.end() || (*each)->Worth() < (*least)->Worth()))
        least = each;
    }
    if (least == connections_.end()) return;
    if (spared == kSparedMax || !(*least)->TakeTurn(handler, refusal_headers_)) {
      connections_.erase(least);
      return;
    }
  }
}

// An old one goes, not the newcomer: others on this machine can open connections, too.
void LocalServer::MakeRoom(const Handler& handler, std::uint32_t peer) {
  const auto is_half_open = [peer](const Connection& each) { return each.IsHalfOpenOf(peer); };
  const auto half_open = std::count_if(connections_.begin(), connections_.end(),
                                       [&](const auto& each) { return is_half_open(*each); });
  if (half_open >= kHalfOpenMax) DropLeast(handler, is_half_open);
  if (connections_.size() >= kConnectionsMax) DropLeast(handler, [](const Connection&) { return true; });
}

// Other processes on this machine can open thousands of connections a second. A connection that has sent a
// whole request when it is accepted gets its reply before another one can displace it. One that is closed by
// then takes no room.
void LocalServer::Accept(const Handler& handler) {
  const TimePoint until = clock_.Now() + kAcceptingInRound;
  for (int i = 0; i < kAcceptedInRound && clock_.Now() < until; ++i) {
    sockaddr_in peer{};
    socklen_t size = sizeof peer;
    const int accepted =
        accept4(socket_, reinterpret_cast<sockaddr*>(&peer), &size, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (accepted < 0) {
      const bool are_files_short = errno == EMFILE || errno == ENFILE;
      if (are_files_short) DropLeast(handler, [](const Connection&) { return true; });
      return;
    }
    auto newcomer = std::make_unique<Connection>(accepted, peer.sin_addr.s_addr, clock_);
    newcomer->TakeTurn(handler, refusal_headers_);
    if (newcomer->IsBroken()) continue;
    MakeRoom(handler, peer.sin_addr.s_addr);
    connections_.push_back(std::move(newcomer));
  }
}

void LocalServer::TickAll() {
  if (clock_.Now() < next_tick_) return;
  for (const auto& each : connections_) each->Tick();
  next_tick_ = clock_.Now() + std::chrono::milliseconds(kTickMs);
}

bool LocalServer::Step(const Handler& handler, int wait_ms) {
  std::vector<pollfd> files = {{wake_read_, POLLIN, 0}, {socket_, POLLIN, 0}};
  for (const auto& each : connections_) {
    files.push_back({each->socket(), each->Events(), 0});
    if (each->CanAnswer()) wait_ms = 0;
  }
  poll(files.data(), files.size(), wait_ms);
  const TimePoint now = clock_.Now();
  if ((files[0].revents & POLLIN) != 0) return false;
  for (std::size_t i = 0; i + 2 < files.size(); ++i) {
    const short events = files[i + 2].revents;
    if ((events & (POLLIN | POLLHUP | POLLERR)) != 0) connections_[i]->Read();
    if ((events & POLLOUT) != 0) connections_[i]->Write();
    // One request of each in a round: who sends many at once waits like others.
    if (connections_[i]->CanAnswer()) connections_[i]->AnswerOne(handler, refusal_headers_);
  }
  if ((files[1].revents & POLLIN) != 0) Accept(handler);
  TickAll();
  std::erase_if(connections_, [now](const auto& each) { return each->IsDone(now); });
  return true;
}

void LocalServer::Run(const Handler& handler) {
  while (Step(handler, kTickMs)) {
  }
}

}  // namespace assay
