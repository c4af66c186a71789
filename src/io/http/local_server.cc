// One loop over poll(): reads heads, hands whole requests to the handler, and writes what it says.
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
#include <charconv>
#include <chrono>
#include <cstring>

#include "base/text/ascii.h"

namespace assay {

namespace {

constexpr std::size_t kConnectionsMax = 128;
constexpr std::size_t kServedHeadBytesMax = 32u << 10;
constexpr std::size_t kServedBodyBytesMax = 4u << 10;
constexpr int kTickMs = 250;
constexpr std::chrono::seconds kIdleMax{120};

std::string_view ReasonOfStatus(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 204:
      return "No Content";
    case 206:
      return "Partial Content";
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

std::string_view WithoutBlanks(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

// The head up to its blank line. Nothing: it is none.
std::optional<ServedRequest> ReadHead(std::string_view head) {
  ServedRequest request;
  std::size_t end = head.find("\r\n");
  const std::string_view line = head.substr(0, end);
  const std::size_t first = line.find(' ');
  const std::size_t last = line.rfind(' ');
  if (first == std::string_view::npos || first == last || !line.substr(last + 1).starts_with("HTTP/1."))
    return std::nullopt;
  request.method = line.substr(0, first);
  request.target = line.substr(first + 1, last - first - 1);
  const bool is_path =
      request.target.starts_with('/') && std::all_of(request.target.begin(), request.target.end(),
                                                     [](char byte) { return byte > 0x20 && byte < 0x7F; });
  if (!is_path) return std::nullopt;
  while (end != std::string_view::npos && end + 2 < head.size()) {
    const std::size_t begin = end + 2;
    end = head.find("\r\n", begin);
    const std::string_view field = head.substr(begin, end - begin);
    if (field.empty()) break;
    const std::size_t colon = field.find(':');
    if (colon == 0 || colon == std::string_view::npos || field[colon - 1] == ' ') return std::nullopt;
    request.headers.push_back(
        {AsciiLower(field.substr(0, colon)), std::string(WithoutBlanks(field.substr(colon + 1)))});
  }
  return request;
}

}  // namespace

std::string_view ServedRequest::Header(std::string_view name) const {
  const HttpHeader* found = nullptr;
  for (const HttpHeader& header : headers) {
    if (header.name != name) continue;
    if (found != nullptr) return {};
    found = &header;
  }
  return found == nullptr ? std::string_view() : std::string_view(found->value);
}

// One connection, with what has been read and what is still to be written.
class LocalServer::Connection {
 public:
  Connection(int socket, const Clock& clock) : socket_(socket), clock_(clock), last_used_(clock.Now()) {}
  ~Connection() { close(socket_); }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  int socket() const { return socket_; }
  bool WantsToWrite() const { return written_ < out_.size(); }
  bool GoesOn() const { return next_ != nullptr; }
  bool IsDone() const {
    if (is_broken_) return true;
    if (WantsToWrite() || GoesOn()) return false;
    return closes_ || clock_.Now() - last_used_ > kIdleMax;
  }

  void Read(const Handler& handler) {
    char bytes[16u << 10];
    const ssize_t got = recv(socket_, bytes, sizeof bytes, 0);
    if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR)) {
      is_broken_ = true;
      return;
    }
    if (got < 0) return;
    last_used_ = clock_.Now();
    if (GoesOn()) return;  // what is sent behind a request that goes on is nobody's
    in_.append(bytes, static_cast<std::size_t>(got));
    while (!closes_ && !GoesOn() && AnswerOne(handler)) {
    }
    Write();
  }

  void Write() {
    while (WantsToWrite()) {
      const ssize_t sent = send(socket_, out_.data() + written_, out_.size() - written_, MSG_NOSIGNAL);
      if (sent < 0) {
        is_broken_ = errno != EAGAIN && errno != EINTR;
        return;
      }
      written_ += static_cast<std::size_t>(sent);
      last_used_ = clock_.Now();
    }
    out_.clear();
    written_ = 0;
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
    Write();
  }

 private:
  // Whether there was a whole request.
  bool AnswerOne(const Handler& handler) {
    const std::size_t end = in_.find("\r\n\r\n");
    if (end == std::string::npos) {
      if (in_.size() > kServedHeadBytesMax) Refuse(400);
      return false;
    }
    std::optional<ServedRequest> request = ReadHead(std::string_view(in_).substr(0, end + 2));
    if (!request) {
      Refuse(400);
      return false;
    }
    // Nothing that is asked here comes in pieces.
    const std::string_view length = request->Header("content-length");
    std::size_t body = 0;
    const bool is_length =
        length.empty() || std::from_chars(length.data(), length.data() + length.size(), body).ptr ==
                              length.data() + length.size();
    if (!is_length || !request->Header("transfer-encoding").empty()) {
      Refuse(400);
      return false;
    }
    if (body > kServedBodyBytesMax) {
      Refuse(413);
      return false;
    }
    if (in_.size() < end + 4 + body) return false;
    request->body = in_.substr(end + 4, body);
    in_.erase(0, end + 4 + body);
    Answer(*request, handler(*request));
    return true;
  }

  void Answer(const ServedRequest& request, ServedReply reply) {
    closes_ = AsciiLower(request.Header("connection")) == "close";
    const bool is_head = request.method == "HEAD";
    const bool has_body = reply.status != 204 && reply.status != 304;
    next_ = is_head ? nullptr : std::move(reply.next);
    out_ += fmt::format("HTTP/1.1 {} {}\r\n", reply.status, ReasonOfStatus(reply.status));
    for (const HttpHeader& header : reply.headers)
      out_ += fmt::format("{}: {}\r\n", header.name, header.value);
    if (!GoesOn() && has_body) out_ += fmt::format("Content-Length: {}\r\n", reply.body.size());
    if (closes_ || GoesOn()) out_ += "Connection: close\r\n";
    out_ += "\r\n";
    if (!is_head && has_body) out_ += reply.body;
  }

  void Refuse(int status) {
    closes_ = true;
    out_ += fmt::format("HTTP/1.1 {} {}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n", status,
                        ReasonOfStatus(status));
    in_.clear();
  }

  int socket_;
  const Clock& clock_;
  TimePoint last_used_;
  std::string in_;
  std::string out_;
  std::size_t written_ = 0;
  std::function<std::optional<std::string>()> next_;
  bool closes_ = false;  // once everything is written
  bool is_broken_ = false;
};

LocalServer::LocalServer(int socket, int wake_read, int wake_write, std::uint16_t port, const Clock& clock)
    : socket_(socket), wake_read_(wake_read), wake_write_(wake_write), port_(port), clock_(clock) {}

LocalServer::~LocalServer() {
  for (const int file : {socket_, wake_read_, wake_write_}) close(file);
}

Result<std::unique_ptr<LocalServer>> LocalServer::Open(std::uint16_t port, const Clock& clock) {
  const auto failure = [](std::string_view what) {
    return Error{ErrorCode::kIo, fmt::format("{}: {}", what, std::strerror(errno))};
  };
  int wake[2];
  if (pipe2(wake, O_CLOEXEC | O_NONBLOCK) != 0) return failure("no pipe can be made");
  const int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const int on = 1;
  socklen_t size = sizeof address;
  auto* const name = reinterpret_cast<sockaddr*>(&address);
  const bool is_open = listener >= 0 && setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) == 0 &&
                       bind(listener, name, size) == 0 && listen(listener, 64) == 0 &&
                       getsockname(listener, name, &size) == 0;
  if (!is_open) {
    const Error error = failure(fmt::format("port {} of 127.0.0.1 cannot be listened on", port));
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

void LocalServer::Accept() {
  while (true) {
    const int accepted = accept4(socket_, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (accepted < 0) return;
    if (connections_.size() >= kConnectionsMax) {
      close(accepted);
    } else {
      connections_.push_back(std::make_unique<Connection>(accepted, clock_));
    }
  }
}

void LocalServer::Run(const Handler& handler) {
  TimePoint next_tick = clock_.Now();
  while (true) {
    std::vector<pollfd> files = {{wake_read_, POLLIN, 0}, {socket_, POLLIN, 0}};
    for (const auto& each : connections_) {
      const auto events = static_cast<short>(each->WantsToWrite() ? POLLIN | POLLOUT : POLLIN);
      files.push_back({each->socket(), events, 0});
    }
    poll(files.data(), files.size(), kTickMs);
    if ((files[0].revents & POLLIN) != 0) return;
    for (std::size_t i = 0; i + 2 < files.size(); ++i) {
      const short events = files[i + 2].revents;
      if ((events & (POLLIN | POLLHUP | POLLERR)) != 0) connections_[i]->Read(handler);
      if ((events & POLLOUT) != 0) connections_[i]->Write();
    }
    if ((files[1].revents & POLLIN) != 0) Accept();
    if (clock_.Now() >= next_tick) {
      for (const auto& each : connections_) each->Tick();
      next_tick = clock_.Now() + std::chrono::milliseconds(kTickMs);
    }
    std::erase_if(connections_, [](const auto& each) { return each->IsDone(); });
  }
}

}  // namespace assay
