// Tests of redirects and limits of the HTTP client, against a server of this test on the loopback address.
#include <arpa/inet.h>
#include <doctest/doctest.h>
#include <fmt/core.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <functional>
#include <thread>
#include <vector>

#include "base/completion_queue.h"
#include "io/http/transport.h"

namespace assay {
namespace {

// Answers one connection after the other with what `answer` writes for the head of its request.
class PageServer {
 public:
  using Answer = std::function<std::string(const std::string& head)>;
  explicit PageServer(Answer answer)
      : answer_(std::move(answer)), listener_(socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in place{};
    place.sin_family = AF_INET;
    place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof place;
    auto* const address = reinterpret_cast<sockaddr*>(&place);
    REQUIRE(bind(listener_, address, size) == 0);
    REQUIRE(listen(listener_, 16) == 0);
    REQUIRE(getsockname(listener_, address, &size) == 0);
    port_ = ntohs(place.sin_port);
    thread_ = std::thread([this] { Serve(); });
  }
  ~PageServer() {
    shutdown(listener_, SHUT_RDWR);
    thread_.join();
    close(listener_);
  }
  PageServer(const PageServer&) = delete;
  PageServer& operator=(const PageServer&) = delete;

  std::string Url(std::string_view path, std::string_view host = "127.0.0.1") const {
    return fmt::format("http://{}:{}{}", host, port_, path);
  }
  // Heads of requests, in order. Only when nothing is under way.
  const std::vector<std::string>& heads() const { return heads_; }

 private:
  void Serve() {
    for (int connection = accept(listener_, nullptr, nullptr); connection >= 0;
         connection = accept(listener_, nullptr, nullptr)) {
      std::string head;
      char piece[4096];
      while (head.find("\r\n\r\n") == std::string::npos) {
        const ssize_t got = recv(connection, piece, sizeof piece, 0);
        if (got <= 0) break;
        head.append(piece, static_cast<std::size_t>(got));
      }
      heads_.push_back(head);
      const std::string reply = answer_(head);
      send(connection, reply.data(), reply.size(), MSG_NOSIGNAL);
      close(connection);
    }
  }

  Answer answer_;
  int listener_;
  int port_ = 0;
  std::vector<std::string> heads_;
  std::thread thread_;
};

std::string Page(std::string_view body, std::string_view type = "text/html; charset=utf-8") {
  return fmt::format(
      "HTTP/1.1 200 OK\r\ncontent-type: {}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{}", type,
      body.size(), body);
}

std::string MovedTo(std::string_view where, int status = 302) {
  return fmt::format(
      "HTTP/1.1 {} Moved\r\nlocation: {}\r\ncontent-length: 4\r\nconnection: close\r\n\r\nmove", status,
      where);
}

// "/a" -> "/b" -> "/c", a page; "/loop" and "/pool" lead to each other; "/far/N" leads on to N+1.
std::string Answers(const std::string& head) {
  const std::size_t start = head.find(' ') + 1;
  const std::string path = head.substr(start, head.find(' ', start) - start);
  if (path == "/a") return MovedTo("/b");
  if (path == "/b") return MovedTo("c?x=1#part", 301);
  if (path == "/c?x=1") return Page("the page");
  if (path == "/loop") return MovedTo("/pool");
  if (path == "/pool") return MovedTo("/loop", 307);
  if (path == "/self") return MovedTo("/self");
  if (path.starts_with("/far/")) return MovedTo(fmt::format("/far/{}", std::stoi(path.substr(5)) + 1));
  if (path == "/file") return MovedTo("file:///etc/passwd");
  if (path == "/nowhere") return "HTTP/1.1 302 Moved\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
  if (path == "/broken") return MovedTo("http://[");
  if (path == "/other") {
    const std::size_t colon = head.find(':', head.find("Host:") + 5) + 1;
    return MovedTo(
        fmt::format("http://localhost:{}/c?x=1", head.substr(colon, head.find('\r', colon) - colon)));
  }
  if (path == "/cut") return "HTTP/1.1 206 Some\r\ncontent-length: 9\r\nconnection: close\r\n\r\nhalf";
  if (path == "/packed") return "HTTP/1.1 200 OK\r\ncontent-encoding: odd\r\ncontent-length: 1\r\n\r\nx";
  if (path == "/silent") return "";
  if (path == "/big") return Page(std::string(5'000, 'x'));
  return Page("what: " + path, "text/plain");
}

HttpReply Fetched(HttpRequest request, const HttpOptions& options = {}) {
  CompletionQueue done;  // outlives the thread that delivers into it
  auto transport = HttpTransport::Open(options);
  REQUIRE(transport);
  (*transport)->Send(1, std::move(request), done);
  return std::get<HttpReply>(done.Take().reply);
}

HttpRequest PageAt(std::string url, std::uint32_t redirects_max) {
  HttpRequest request;
  request.method = "GET";
  request.url = std::move(url);
  request.redirects_max = redirects_max;
  return request;
}

}  // namespace

TEST_CASE("redirects are followed as often as the request allows, and the reply says where they led") {
  const PageServer server(Answers);
  const HttpReply page = Fetched(PageAt(server.Url("/a"), 5));
  REQUIRE(!page.error);
  CHECK(page.status == 200);
  CHECK(page.body == "the page");
  CHECK(page.content_type == "text/html; charset=utf-8");
  CHECK(page.final_url == server.Url("/c?x=1"));
  // None: a reply like any other.
  const HttpReply moved = Fetched(PageAt(server.Url("/a"), 0));
  REQUIRE(!moved.error);
  CHECK(moved.status == 302);
  CHECK(moved.body == "move");
  CHECK(moved.final_url.empty());
  const HttpReply direct = Fetched(PageAt(server.Url("/c?x=1"), 5));
  CHECK(direct.final_url.empty());
  CHECK(direct.body == "the page");
  const HttpReply lost = Fetched(PageAt(server.Url("/nowhere"), 5));
  CHECK(lost.status == 302);
}

TEST_CASE("a reply that breaks off keeps its status and what came of it") {
  const PageServer server(Answers);
  const HttpReply cut = Fetched(PageAt(server.Url("/cut"), 0));
  REQUIRE(cut.error);
  CHECK(cut.status == 206);
  CHECK(cut.body == "half");
  const HttpReply packed = Fetched(PageAt(server.Url("/packed"), 0));
  REQUIRE(packed.error);
  CHECK(packed.status == 200);
  const HttpReply silent = Fetched(PageAt(server.Url("/silent"), 0));
  REQUIRE(silent.error);
  CHECK(silent.status == 0);
}

TEST_CASE("circles, too many redirects and places that are no pages end with what was found") {
  const PageServer server(Answers);
  struct Row {
    std::string_view path;
    ErrorCode code;
    std::string_view words;
  };
  const Row rows[] = {
      {"/loop", ErrorCode::kInvalidInput, "circle"}, {"/self", ErrorCode::kInvalidInput, "circle"},
      {"/far/1", ErrorCode::kLimit, "3 redirects"},  {"/file", ErrorCode::kInvalidInput, "no http"},
      {"/broken", ErrorCode::kInvalidInput, "http"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.path);
    const HttpReply reply = Fetched(PageAt(server.Url(row.path), 3));
    REQUIRE(reply.error);
    CAPTURE(reply.error->message);
    CHECK(reply.error->code == row.code);
    CHECK(reply.error->message.find(row.words) != std::string::npos);
    CHECK(reply.body.empty());
  }
}

TEST_CASE("each redirect is held to what the request may reach") {
  const PageServer server(Answers);
  HttpRequest request = PageAt(server.Url("/a"), 5);
  request.reach = Reach::kPublic;
  CHECK(Fetched(request).error->code == ErrorCode::kRefused);
  // Whoever was granted this host was not granted another.
  HttpOptions granted;
  granted.private_hosts = {"127.0.0.1"};
  CHECK(Fetched(PageAt(server.Url("/a"), 5), granted).body == "the page");
  const HttpReply strayed = Fetched(PageAt(server.Url("/other"), 5), granted);
  REQUIRE(strayed.error);
  CHECK(strayed.error->code == ErrorCode::kRefused);
  HttpOptions both;
  both.private_hosts = {"127.0.0.1", "localhost"};
  const HttpReply led = Fetched(PageAt(server.Url("/other"), 5), both);
  CHECK(led.body == "the page");
  CHECK(led.final_url == server.Url("/c?x=1", "localhost"));
}

TEST_CASE("what is meant for one server does not follow a redirect to another") {
  PageServer server(Answers);
  HttpRequest request = PageAt(server.Url("/other"), 2);
  request.headers = {{"accept", "text/html"}, {"authorization", "Bearer k"}, {"x-key", "k"}};
  CHECK(Fetched(request).body == "the page");
  request.url = server.Url("/a");
  CHECK(Fetched(request).body == "the page");
  REQUIRE(server.heads().size() == 5);
  const auto sends = [&server](std::size_t i, std::string_view words) {
    return server.heads()[i].find(words) != std::string::npos;
  };
  CHECK(sends(0, "x-key: k"));
  CHECK(!sends(1, "x-key: k"));
  CHECK(!sends(1, "Bearer"));
  CHECK(sends(1, "accept: text/html"));
  CHECK(sends(3, "x-key: k"));
  CHECK(sends(4, "Bearer"));
}

TEST_CASE("a posted body is posted again only where the server says so") {
  const PageServer server([](const std::string& head) {
    if (head.find(" /see ") != std::string::npos) return MovedTo("/end", 303);
    if (head.find(" /keep ") != std::string::npos) return MovedTo("/end", 308);
    return Page(head.substr(0, head.find(' ')));
  });
  HttpRequest request = PageAt(server.Url("/see"), 2);
  request.method = "POST";
  request.body = "x";
  CHECK(Fetched(request).body == "GET");
  request.url = server.Url("/keep");
  CHECK(Fetched(request).body == "POST");
}

TEST_CASE("a page that is larger than the request allows is an error") {
  const PageServer server(Answers);
  HttpRequest request = PageAt(server.Url("/big"), 1);
  request.reply_bytes_max = 4'999;
  const HttpReply reply = Fetched(request);
  REQUIRE(reply.error);
  CHECK(reply.error->code == ErrorCode::kLimit);
  CHECK(reply.error->message.find("4999 bytes") != std::string::npos);
  request.reply_bytes_max = 5'000;
  CHECK(Fetched(request).body.size() == 5'000);
  // No request allows itself more than the transport does.
  HttpOptions small;
  small.reply_bytes_max = 100;
  CHECK(Fetched(request, small).error->code == ErrorCode::kLimit);
}

}  // namespace assay
