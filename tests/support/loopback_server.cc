// A socket server with as much of HTTP/1.1 as a client that sends content-length needs.
#include "tests/support/loopback_server.h"

#include <arpa/inet.h>
#include <fmt/core.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "base/errors/assert.h"

namespace assay {

namespace {

constexpr int kWaiting = 64;

std::string Lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return text;
}

// The request at the start of `bytes`; nothing while it is incomplete.
std::optional<ArrivedRequest> ReadRequest(const std::string& bytes) {
  const std::size_t head = bytes.find("\r\n\r\n");
  if (head == std::string::npos) return std::nullopt;
  ArrivedRequest request;
  const std::size_t method = bytes.find(' ');
  request.method = bytes.substr(0, method);
  request.path = bytes.substr(method + 1, bytes.find(' ', method + 1) - method - 1);
  std::size_t length = 0;
  for (std::size_t line = bytes.find("\r\n") + 2; line < head;) {
    const std::size_t end = bytes.find("\r\n", line);
    const std::size_t colon = bytes.find(':', line);
    HttpHeader header{.name = Lower(bytes.substr(line, colon - line)),
                      .value = bytes.substr(colon + 1, end - colon - 1)};
    header.value.erase(0, header.value.find_first_not_of(' '));
    if (header.name == "content-length") length = std::strtoul(header.value.c_str(), nullptr, 10);
    request.headers.push_back(std::move(header));
    line = end + 2;
  }
  const std::size_t body = head + 4;
  if (bytes.size() < body + length) return std::nullopt;
  request.body = bytes.substr(body, length);
  return request;
}

}  // namespace

LoopbackServer::LoopbackServer(Answer answer) : answer_(std::move(answer)) {
  listener_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in place{};
  place.sin_family = AF_INET;
  place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof(place);
  auto* const address = reinterpret_cast<sockaddr*>(&place);
  ASSAY_ASSERT(bind(listener_, address, size) == 0 && listen(listener_, kWaiting) == 0);
  ASSAY_ASSERT(getsockname(listener_, address, &size) == 0 && pipe(stop_) == 0);
  address_ = fmt::format("127.0.0.1:{}", ntohs(place.sin_port));
  thread_ = std::thread([this] { Serve(); });
}

LoopbackServer::~LoopbackServer() {
  close(stop_[1]);
  thread_.join();
  close(stop_[0]);
  close(listener_);
}

void LoopbackServer::Serve() {
  while (true) {
    pollfd events[] = {{listener_, POLLIN, 0}, {stop_[0], POLLIN, 0}};
    poll(events, 2, -1);
    if (events[1].revents != 0) return;
    const int connection = accept(listener_, nullptr, nullptr);
    if (connection < 0) continue;
    AnswerOne(connection);
    close(connection);
  }
}

void LoopbackServer::AnswerOne(int connection) {
  pollfd events[] = {{connection, POLLIN, 0}, {stop_[0], POLLIN, 0}};
  std::string bytes;
  std::optional<ArrivedRequest> request;
  while (!(request = ReadRequest(bytes))) {
    char piece[65536];
    poll(events, 2, -1);
    if (events[1].revents != 0) return;
    const ssize_t got = recv(connection, piece, sizeof(piece), 0);
    if (got <= 0) return;
    bytes.append(piece, static_cast<std::size_t>(got));
  }
  const ScriptedReply reply = answer_(*request);
  taken_.PushUnbounded(*std::move(request));
  if (reply.delay.count() > 0) poll(events, 2, static_cast<int>(reply.delay.count()));
  const std::string text =
      fmt::format("HTTP/1.1 {} x\r\ncontent-type: {}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{}",
                  reply.status, reply.content_type, reply.body.size(), reply.body);
  for (std::size_t sent = 0; sent < text.size();) {
    const ssize_t wrote = send(connection, text.data() + sent, text.size() - sent, MSG_NOSIGNAL);
    if (wrote <= 0) return;
    sent += static_cast<std::size_t>(wrote);
  }
}

}  // namespace assay
