// The local server over real sockets of this machine.
#include "io/http/local_server.h"

#include <arpa/inet.h>
#include <doctest/doctest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <deque>
#include <thread>
#include <utility>

namespace assay {

namespace {

// One end of a connection to the server.
class Client {
 public:
  explicit Client(std::uint16_t port, int receive_buffer = 0) : file_(socket(AF_INET, SOCK_STREAM, 0)) {
    if (receive_buffer > 0)
      REQUIRE(setsockopt(file_, SOL_SOCKET, SO_RCVBUF, &receive_buffer, sizeof receive_buffer) == 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    REQUIRE(connect(file_, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0);
  }
  ~Client() { close(file_); }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  void Send(const std::string& bytes) {
    REQUIRE(send(file_, bytes.data(), bytes.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(bytes.size()));
  }
  // What the system takes of it; false: the other side has closed.
  bool TrySend(const std::string& bytes, std::size_t& sent) {
    const ssize_t taken = send(file_, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (taken > 0) sent += static_cast<std::size_t>(taken);
    return taken >= 0 || errno == EAGAIN;
  }
  // Until the other side closes.
  std::string ReadAll() {
    std::string reply;
    char some[4096];
    ssize_t got = 0;
    while ((got = recv(file_, some, sizeof some, 0)) > 0) reply.append(some, static_cast<std::size_t>(got));
    is_reset = got < 0;
    return reply;
  }
  // What is there now; is_closed tells whether that is all that ever comes.
  std::string ReadSome() {
    std::string reply;
    char some[4096];
    ssize_t got = 0;
    while ((got = recv(file_, some, sizeof some, MSG_DONTWAIT)) > 0)
      reply.append(some, static_cast<std::size_t>(got));
    is_closed = got == 0 || (errno != EAGAIN && errno != EWOULDBLOCK);
    return reply;
  }
  bool is_closed = false;
  bool is_reset = false;  // ReadAll has seen no orderly end

 private:
  int file_;
};

std::string Exchange(std::uint16_t port, const std::string& bytes) {
  Client client(port);
  client.Send(bytes);
  return client.ReadAll();
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
  if (request.target == "/endless") reply.next = [] { return std::optional<std::string>(""); };
  return reply;
}

struct Running {
  Running() : server(LocalServer::Open(0, clock).value()), thread([this] { server->Run(Echo); }) {}
  ~Running() { server->Stop(); }
  SystemClock clock;
  std::unique_ptr<LocalServer> server;
  std::jthread thread;
};

// A server whose rounds the test makes, and whose time it moves.
struct Stepped {
  struct ByHand final : Clock {
    TimePoint Now() const override { return now; }
    std::int64_t WallMs() const override { return 0; }
    void Wait(Inbox&, TimePoint) override {}
    TimePoint now{};
  };
  std::uint16_t port() const { return server->port(); }
  void Go(int rounds = 4) {
    constexpr int kWaitMs = 3;  // until the system has handed on what was sent
    const auto answer = [this](const ServedRequest& request) {
      ++answered;
      ServedReply reply = Echo(request);
      if (request.target == "/large") reply.body.assign(kLargeBytes, 'x');
      return reply;
    };
    for (int i = 0; i < rounds; ++i) server->Step(answer, kWaitMs);
  }
  void Later(int seconds) {
    Go();
    clock.now += std::chrono::seconds(seconds);
    Go();
  }
  // What the client gets, as soon as there is something, or its connection is closed.
  std::string Reply(Client& client) {
    std::string reply;
    for (int i = 0; i < 500 && reply.empty() && !client.is_closed; ++i) {
      Go(1);
      reply = client.ReadSome();
    }
    return reply;
  }
  // After everything that it got was read.
  bool Ends(Client& client) {
    while (!Reply(client).empty()) {
    }
    return client.is_closed;
  }
  bool IsOpen(Client& client) {
    Go();
    client.ReadSome();
    return !client.is_closed;
  }
  static constexpr std::size_t kLargeBytes = 1u << 20;
  ByHand clock;
  std::unique_ptr<LocalServer> server = LocalServer::Open(0, clock).value();
  int answered = 0;
};

const std::string kGet = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
const std::string kGetLarge = "GET /large HTTP/1.1\r\nHost: a\r\n\r\n";
constexpr int kSmallBuffer = 4096;

}  // namespace

TEST_CASE("replies to what is no request carry the headers that every reply carries") {
  for (const char* bytes : {"GET / HTTP/1.x\r\nHost: a\r\n\r\n", "GET / HTTP/1.1\r\nHost : a\r\n\r\n",
                            "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999\r\n\r\n"}) {
    Stepped stepped;
    stepped.server->SendWithRefusals({{"X-Content-Type-Options", "nosniff"}});
    Client client(stepped.port());
    client.Send(bytes);
    const std::string reply = stepped.Reply(client);
    CAPTURE(bytes);
    CHECK(reply.starts_with("HTTP/1.1 4"));
    CHECK(reply.find("\r\nX-Content-Type-Options: nosniff\r\n") != std::string::npos);
  }
}

TEST_CASE("a port whose connections somebody still holds is not taken") {
  const int before = socket(AF_INET, SOCK_STREAM, 0);
  const int on = 1;
  REQUIRE(setsockopt(before, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) == 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* const name = reinterpret_cast<sockaddr*>(&address);
  REQUIRE(bind(before, name, size) == 0);
  REQUIRE(listen(before, 1) == 0);
  REQUIRE(getsockname(before, name, &size) == 0);
  const std::uint16_t port = ntohs(address.sin_port);
  auto client = std::make_unique<Client>(port);
  const int kept = accept(before, nullptr, nullptr);
  REQUIRE(kept >= 0);
  close(before);
  const SystemClock clock;
  const auto held = LocalServer::Open(port, clock);
  REQUIRE_FALSE(held.has_value());
  CHECK(held.error().message.find("still has connections") != std::string::npos);
  close(kept);  // the first to close waits for its time to pass, which holds nobody up
  client.reset();
  CHECK(LocalServer::Open(port, clock).has_value());
}

TEST_CASE("whole requests are answered, one behind the other on one connection") {
  Running running;
  const std::string replies = Exchange(
      running.server->port(),
      "GET /one HTTP/1.1\r\nHost: a\r\n\r\nPOST /two HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc"
      "HEAD /three HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
  CHECK(replies ==
        "HTTP/1.1 200 OK\r\nX-Test: yes\r\nContent-Length: 8\r\n\r\nGET /one"
        "HTTP/1.1 200 OK\r\nX-Test: yes\r\nContent-Length: 13\r\n\r\nPOST /two abc"
        "HTTP/1.1 200 OK\r\nX-Test: yes\r\nContent-Length: 11\r\nConnection: close\r\n\r\n");
}

TEST_CASE("a reply that goes on is asked for more until it ends") {
  Running running;
  const std::string reply = Exchange(running.server->port(), "GET /stream HTTP/1.1\r\nHost: a\r\n\r\n");
  CHECK(reply.ends_with("Connection: close\r\n\r\ndata: 2\n\ndata: 1\n\n"));
}

TEST_CASE("what is no request, or too much of one, ends its connection") {
  const std::string post = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ";
  Running running;
  const auto reply_to = [&running](const std::string& sent) {
    return Exchange(running.server->port(), sent);
  };
  // What is no request is served_request_test.cc's.
  CHECK(reply_to("GET / HTTP/1.x\r\nHost: a\r\n\r\n" + kGet) ==
        "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
  CHECK(reply_to("GET / HTTP/1.1\nHost: a\n\n").starts_with("HTTP/1.1 400 "));
  CHECK(reply_to(post + "99999\r\n\r\n").starts_with("HTTP/1.1 413 "));
  CHECK(reply_to("GET / HTTP/1.1\r\nX: " + std::string(40'000, 'x')).starts_with("HTTP/1.1 400 "));
  CHECK(reply_to("GET / HTTP/1.1\r\nCookie: " + std::string(kServedCookieBytesMax, 'x')) ==
        "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
}

TEST_CASE("a reply waits until the one before has been sent in full") {
  // Replies to requests that came at once were all made at once: 6 GB for a client that read nothing.
  constexpr int kMany = 20;
  Stepped stepped;
  Client client(stepped.port(), kSmallBuffer);
  std::string many;
  for (int i = 0; i < kMany; ++i) many += kGetLarge;
  client.Send(many);
  stepped.Go(50);
  CHECK(stepped.answered == 1);
  std::size_t got = 0;
  for (std::size_t more = 1; more > 0 && stepped.answered < kMany; got += more)
    more = stepped.Reply(client).size();
  CHECK(stepped.answered == kMany);
  CHECK(got > (kMany - 2) * Stepped::kLargeBytes);
}

TEST_CASE("a connection that reads nothing for 30 s ends; one that reads something does not") {
  Stepped stepped;
  Client deaf(stepped.port(), kSmallBuffer);
  deaf.Send(kGetLarge);
  Client slow(stepped.port(), kSmallBuffer);
  slow.Send(kGetLarge);
  stepped.Later(29);
  CHECK(!stepped.Reply(slow).empty());
  stepped.Later(2);
  CHECK(stepped.IsOpen(slow));
  CHECK(stepped.Ends(deaf));
}

TEST_CASE("a request has 10 s from its first byte to its last, and an idle connection 120 s") {
  // Each byte used to begin the time anew.
  Stepped stepped;
  Client silent(stepped.port());
  Client dripping(stepped.port());
  Client again(stepped.port());
  again.Send(kGet);
  CHECK(stepped.Reply(again).starts_with("HTTP/1.1 200 "));
  for (int i = 0; i < 9; ++i) {
    dripping.Send("G");
    stepped.Later(1);
  }
  CHECK(stepped.IsOpen(silent));
  CHECK(stepped.IsOpen(dripping));
  again.Send("GET");
  stepped.Later(2);
  CHECK(stepped.Ends(silent));
  CHECK(stepped.Ends(dripping));
  stepped.Later(7);
  again.Send(" / HTTP/1.1\r\nHost: a\r\n\r\n");
  CHECK(stepped.Reply(again).starts_with("HTTP/1.1 200 "));
  stepped.Later(119);
  CHECK(stepped.IsOpen(again));
  stepped.Later(2);
  CHECK(stepped.Ends(again));
}

TEST_CASE("cookies do not make a head longer, but do not prolong its 10 s either") {
  Stepped stepped;
  Client client(stepped.port());
  const auto sent_in_pieces = [&](const std::string& bytes) {
    constexpr std::size_t kPiece = 30'000;
    for (std::size_t at = 0; at < bytes.size(); at += kPiece) {
      client.Send(bytes.substr(at, kPiece));
      stepped.Go(2);
    }
  };
  const std::string head = "GET / HTTP/1.1\r\nHost: a\r\nCookie: ";
  for (int i = 0; i < 2; ++i) {
    sent_in_pieces(head + std::string(700'000, 'x') + "\r\n\r\n");
    CHECK(stepped.Reply(client).starts_with("HTTP/1.1 200 "));
  }
  sent_in_pieces(head + std::string(100'000, 'x'));
  for (int i = 0; i < 9; ++i) {
    client.Send("x");
    stepped.Later(1);
  }
  CHECK(stepped.IsOpen(client));
  stepped.Later(2);
  CHECK(stepped.Ends(client));
}

TEST_CASE("newcomers are answered, and old connections that wait go") {
  // 128 halves of requests kept everybody else out.
  struct Row {
    std::string_view what;
    std::string sent;
  };
  const Row rows[] = {{"nothing", ""}, {"half a request", "GET / HT"}, {"idle", kGet}, {"unread", kGetLarge}};
  for (const Row& row : rows) {
    CAPTURE(row.what);
    Stepped stepped;
    Client stream(stepped.port());
    stream.Send("GET /endless HTTP/1.1\r\nHost: a\r\n\r\n");
    CHECK(stepped.Reply(stream).starts_with("HTTP/1.1 200 "));
    std::deque<Client> others;
    for (int i = 0; i < 300; ++i) {
      others.emplace_back(stepped.port(), kSmallBuffer).Send(row.sent);
      if (i % 20 == 19) stepped.Go(2);
    }
    stepped.Go();
    Client owner(stepped.port());
    owner.Send(kGet);
    CHECK(stepped.Reply(owner).starts_with("HTTP/1.1 200 "));
    CHECK(stepped.IsOpen(stream));
    CHECK(stepped.Ends(others.front()));
    CHECK(stepped.IsOpen(others.back()));
  }
}

TEST_CASE("a newcomer that has not asked yet is younger than those that have their replies") {
  // Halves of requests went before idle connections, and so one newcomer before the next.
  for (const std::string& sent : {kGet, kGetLarge}) {
    Stepped stepped;
    std::deque<Client> others;
    const auto add = [&](int count, const std::string& what) {
      for (int i = 0; i < count; ++i) others.emplace_back(stepped.port(), kSmallBuffer).Send(what);
      stepped.Later(1);
    };
    for (int i = 0; i < 13; ++i) add(20, sent);
    Client owner(stepped.port());
    stepped.Later(1);
    add(10, "");
    CHECK(stepped.IsOpen(owner));
    owner.Send(kGet);
    CHECK(stepped.Reply(owner).starts_with("HTTP/1.1 200 "));
  }
}

TEST_CASE("one round takes in many newcomers, and answers those that have asked") {
  // A round took in 32: while others opened thousands of connections a second, the system dropped his.
  Stepped stepped;
  std::deque<Client> others;
  for (int i = 0; i < 200; ++i) others.emplace_back(stepped.port());
  Client owner(stepped.port());
  owner.Send(kGet);
  stepped.Go(1);
  CHECK(owner.ReadSome().starts_with("HTTP/1.1 200 "));
}

TEST_CASE("who asks while others come in is answered before one of them displaces him") {
  Stepped stepped;
  Client owner(stepped.port());
  stepped.Go(1);
  std::deque<Client> others;
  for (int i = 0; i < 200; ++i) others.emplace_back(stepped.port());
  others.front().Send(kGet);
  // The owner's request comes in while that of the first of the others is answered. His cookies are longer
  // than what is read at once.
  const std::string long_get =
      "GET / HTTP/1.1\r\nHost: a\r\nCookie: " + std::string(50'000, 'x') + "\r\n\r\n";
  bool is_sent = false;
  const auto answer = [&](const ServedRequest& request) {
    if (!std::exchange(is_sent, true)) owner.Send(long_get);
    return Echo(request);
  };
  constexpr int kWaitMs = 3;
  stepped.server->Step(answer, kWaitMs);
  CHECK(owner.ReadSome().starts_with("HTTP/1.1 200 "));
  CHECK(!owner.is_closed);
}

TEST_CASE("who still sends when he is refused reads why") {
  // Closing a socket whose bytes were not read resets the connection, and the refusal was lost.
  const std::string rows[] = {
      "GET / HTTP/1.x\r\nX: ", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 999999\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: a\r\nX: "};
  for (const std::string& row : rows) {
    CAPTURE(row);
    Running running;
    Client client(running.server->port());
    client.Send(row + std::string(2u << 20, 'x'));
    CHECK(client.ReadAll().starts_with("HTTP/1.1 4"));
    CHECK(!client.is_reset);
  }
}

TEST_CASE("who never stops sending after the last reply is cut off, by bytes and by time") {
  Stepped stepped;
  Client silent(stepped.port());
  silent.Send("GET / HTTP/1.0\r\n\r\n");
  Client endless(stepped.port());
  endless.Send("GET / HTTP/1.x\r\n");
  stepped.Go();
  const std::string many(64u << 10, 'x');
  std::size_t sent = 0;
  for (int i = 0; i < 2'000 && endless.TrySend(many, sent); ++i) stepped.Go(1);
  CHECK(sent > (4u << 20));
  CHECK(sent < (32u << 20));
  CHECK(silent.TrySend("x", sent));
  stepped.Later(3);
  int tries = 500;  // the first byte makes the system reset the connection
  while (tries > 0 && silent.TrySend("x", sent)) {
    stepped.Go(1);
    --tries;
  }
  CHECK(tries > 0);
}

TEST_CASE("a port that is taken is told") {
  Running running;
  const std::uint16_t port = running.server->port();
  CHECK(port >= 11'000);
  const auto taken = LocalServer::Open(port, running.clock);
  REQUIRE(!taken);
  CHECK(taken.error().message.starts_with("port " + std::to_string(port) + " of 127.0.0.1 "));
}

}  // namespace assay
