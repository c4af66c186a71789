// The local server over real sockets of this machine.
#include "io/http/local_server.h"

#include <arpa/inet.h>
#include <doctest/doctest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <thread>

namespace assay {

namespace {

// Sends the bytes and reads until the other side closes.
std::string Exchange(std::uint16_t port, const std::string& bytes) {
  const int file = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  REQUIRE(connect(file, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0);
  REQUIRE(send(file, bytes.data(), bytes.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(bytes.size()));
  std::string reply;
  char some[4096];
  for (ssize_t got = 0; (got = recv(file, some, sizeof some, 0)) > 0;)
    reply.append(some, static_cast<std::size_t>(got));
  close(file);
  return reply;
}

ServedReply Echo(const ServedRequest& request) {
  ServedReply reply{.headers = {{"X-Test", "yes"}}, .body = request.method + " " + request.target};
  if (!request.body.empty()) reply.body += " " + request.body;
  if (request.target == "/stream") {
    reply.next = [left = 2]() mutable -> std::optional<std::string> {
      if (left == 0) return std::nullopt;
      return "data: " + std::to_string(left--) + "\n\n";
    };
    reply.body.clear();
  }
  return reply;
}

struct Running {
  Running() : server(LocalServer::Open(0, clock).value()), thread([this] { server->Run(Echo); }) {}
  ~Running() { server->Stop(); }
  SystemClock clock;
  std::unique_ptr<LocalServer> server;
  std::jthread thread;
};

}  // namespace

TEST_CASE("whole requests are answered, one behind the other on one connection") {
  Running running;
  const std::string replies =
      Exchange(running.server->port(),
               "GET /one HTTP/1.1\r\nHost: a\r\n\r\nPOST /two HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc"
               "HEAD /three HTTP/1.1\r\nConnection: close\r\n\r\n");
  CHECK(replies ==
        "HTTP/1.1 200 OK\r\nX-Test: yes\r\nContent-Length: 8\r\n\r\nGET /one"
        "HTTP/1.1 200 OK\r\nX-Test: yes\r\nContent-Length: 13\r\n\r\nPOST /two abc"
        "HTTP/1.1 200 OK\r\nX-Test: yes\r\nContent-Length: 11\r\nConnection: close\r\n\r\n");
}

TEST_CASE("a reply that goes on is asked for more until it ends") {
  Running running;
  const std::string reply = Exchange(running.server->port(), "GET /stream HTTP/1.1\r\n\r\n");
  CHECK(reply.ends_with("Connection: close\r\n\r\ndata: 2\n\ndata: 1\n\n"));
}

TEST_CASE("what is no request, or too much of one, ends its connection") {
  struct Row {
    std::string sent;
    std::string_view status;
  };
  const Row rows[] = {
      {"nonsense\r\n\r\n", "400"},
      {"GET relative HTTP/1.1\r\n\r\n", "400"},
      {"GET / SPDY/3\r\n\r\n", "400"},
      {"GET / HTTP/1.1\r\n folded\r\n\r\n", "400"},
      {"GET / HTTP/1.1\r\nName : value\r\n\r\n", "400"},
      {"GET /\x01 HTTP/1.1\r\n\r\n", "400"},
      {"POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", "400"},
      {"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n", "400"},
      {"POST / HTTP/1.1\r\nContent-Length: 99999\r\n\r\n", "413"},
      {"GET / HTTP/1.1\r\nX: " + std::string(40'000, 'x'), "400"},
  };
  Running running;
  for (const Row& row : rows) {
    CAPTURE(row.sent.substr(0, 40));
    CHECK(Exchange(running.server->port(), row.sent).substr(9, 3) == row.status);
  }
}

TEST_CASE("a port that is taken is told") {
  Running running;
  CHECK(!LocalServer::Open(running.server->port(), running.clock));
}

}  // namespace assay
