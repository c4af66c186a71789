// Tests of downloads, over a transport that plays replies and a clock that jumps.
#include "cli/files/downloads.h"

#include <doctest/doctest.h>

#include "base/limits.h"

namespace assay {

namespace {

class JumpingClock final : public Clock {
 public:
  TimePoint Now() const override { return now_; }
  std::int64_t WallMs() const override { return 0; }
  void Wait(Inbox& inbox, TimePoint deadline) override {
    if (inbox.HasMessages()) return;
    REQUIRE(deadline != kNever);
    now_ = deadline;
  }

 private:
  TimePoint now_{};
};

struct Sent {
  HttpRequest request;
  TimePoint at;
};

// Answers at once, by the number of the request.
class PlayedTransport final : public Transport {
 public:
  PlayedTransport(const Clock& clock, std::vector<HttpReply> replies)
      : clock_(clock), replies_(std::move(replies)) {}
  void Send(Ticket ticket, HttpRequest request, CompletionSink& sink) override {
    REQUIRE(sent.size() < replies_.size());
    HttpReply reply = replies_[sent.size()];
    sent.push_back({std::move(request), clock_.Now()});
    sink.Deliver({.ticket = ticket, .reply = std::move(reply)});
  }
  void CancelAll() override {}

  std::vector<Sent> sent;

 private:
  const Clock& clock_;
  std::vector<HttpReply> replies_;
};

struct Ending {
  std::optional<Downloaded> done;
  std::optional<FailedDownload> failed;
  std::vector<Sent> sent;
};

Ending Download(DownloadJob job, std::vector<HttpReply> replies, const DownloadRules& rules = {}) {
  JumpingClock clock;
  PlayedTransport transport(clock, std::move(replies));
  Ending ending;
  const DownloadEvents events{
      .done = [&](std::size_t, Downloaded done) { ending.done = std::move(done); },
      .failed = [&](std::size_t, FailedDownload failed) { ending.failed = std::move(failed); }};
  std::vector<DownloadJob> jobs;
  jobs.push_back(std::move(job));
  DownloadAll(std::move(jobs), rules, transport, clock, events);
  ending.sent = std::move(transport.sent);
  return ending;
}

HttpReply Replied(int status, std::string body, std::vector<HttpHeader> headers = {}) {
  HttpReply reply;
  reply.status = status;
  reply.body = std::move(body);
  reply.headers = std::move(headers);
  return reply;
}

HttpReply Cut(std::string body, std::vector<HttpHeader> headers) {
  HttpReply reply = Replied(0, std::move(body), std::move(headers));
  reply.error = Error{ErrorCode::kNetwork, "cut off"};
  return reply;
}

std::string HeaderIn(const HttpRequest& request, std::string_view name) {
  for (const HttpHeader& header : request.headers) {
    if (header.name == name) return header.value;
  }
  return {};
}

}  // namespace

TEST_CASE("a pause that a server asks for is kept, up to a limit") {
  const DownloadJob job{.url = "https://e.example/a"};
  const Ending asked = Download(job, {Replied(503, "", {{"retry-after", "7"}}), Replied(200, "x")});
  REQUIRE(asked.done.has_value());
  CHECK(asked.done->bytes == "x");
  CHECK(asked.sent[1].at - asked.sent[0].at == std::chrono::seconds(7));
  const Ending forever = Download(job, {Replied(429, "", {{"retry-after", "999999999"}}), Replied(200, "x")});
  CHECK(forever.sent[1].at - forever.sent[0].at == limits::kServiceWaitMax);
}

TEST_CASE("faults that do not pass, and too many that do, end a download") {
  const DownloadJob job{.url = "https://e.example/a"};
  CHECK(Download(job, {Replied(404, "none")}).failed->error.message == "the server answered with status 404");
  const Ending often = Download(job, {Replied(500, ""), Replied(500, ""), Replied(500, "")});
  CHECK(often.failed->error.message == "the server answered with status 500");
  CHECK(often.sent[2].at - often.sent[1].at > often.sent[1].at - often.sent[0].at);
}

TEST_CASE("all requests of one document have one time") {
  const DownloadJob job{.url = "https://e.example/a"};
  const DownloadRules rules{.retries = 9, .time_max = std::chrono::seconds(10)};
  const HttpReply wait = Replied(503, "", {{"retry-after", "4"}});
  const Ending late = Download(job, {wait, wait, wait, wait}, rules);
  REQUIRE(late.sent.size() == 3);
  CHECK(late.sent[0].request.timeout == std::chrono::seconds(10));
  CHECK(late.sent[1].request.timeout == std::chrono::seconds(6));
  CHECK(late.sent[2].request.timeout == std::chrono::seconds(2));
  CHECK(late.failed->error.message == "the server answered with status 503");
}

TEST_CASE("only the rest of a known version is asked for") {
  const DownloadJob job{.url = "https://e.example/a"};
  const Ending whole = Download(
      job, {Cut("abc", {{"etag", "\"1\""}}), Replied(206, "def", {{"content-range", "bytes 3-5/6"}})});
  REQUIRE(whole.done.has_value());
  CHECK(whole.done->bytes == "abcdef");
  CHECK(whole.done->resumed_at == 3);
  CHECK(HeaderIn(whole.sent[1].request, "range") == "bytes=3-");
  CHECK(HeaderIn(whole.sent[1].request, "if-range") == "\"1\"");

  // Another version in the meantime; a version that is only nearly the same; another part than was asked for.
  CHECK(Download(job, {Cut("abc", {{"etag", "\"1\""}}), Replied(200, "new")}).done->bytes == "new");
  const Ending weak = Download(job, {Cut("abc", {{"etag", "W/\"1\""}}), Replied(200, "abcdef")});
  CHECK(HeaderIn(weak.sent[1].request, "range").empty());
  const Ending other =
      Download(job, {Cut("abc", {{"etag", "\"1\""}}), Replied(206, "abc", {{"content-range", "bytes 0-2/6"}}),
                     Replied(200, "abcdef")});
  CHECK(other.done->bytes == "abcdef");
  CHECK(HeaderIn(other.sent[2].request, "range").empty());
  // The rest of another version is none.
  const Ending newer =
      Download(job, {Cut("abc", {{"etag", "\"1\""}}),
                     Replied(206, "XYZ", {{"content-range", "bytes 3-5/6"}, {"etag", "\"2\""}}),
                     Replied(200, "defdef")});
  REQUIRE(newer.done.has_value());
  CHECK(newer.done->bytes == "defdef");
  const Ending unasked = Download(job, {Replied(206, "abc", {{"content-range", "bytes 0-2/6"}})});
  CHECK(unasked.failed->error.code == ErrorCode::kNetwork);
}

TEST_CASE("what an earlier command left is gone on from") {
  const DownloadJob job{.url = "https://e.example/a", .begun = {"abc", "\"1\""}};
  const Ending rest = Download(job, {Replied(206, "def", {{"content-range", "bytes 3-5/6"}})});
  CHECK(rest.done->bytes == "abcdef");
  CHECK(rest.done->resumed_at == 3);
  const Ending beyond = Download(job, {Replied(416, ""), Replied(200, "x")}, {.retries = 0});
  CHECK(beyond.done->bytes == "x");
  CHECK(beyond.done->resumed_at == 0);
  const Ending cut = Download(job, {Cut("de", {{"content-range", "bytes 3-5/6"}})}, {.retries = 0});
  CHECK(cut.failed->begun.bytes == "abcde");
  CHECK(cut.failed->begun.validator == "\"1\"");
}

TEST_CASE("redirects are followed hop by hop, each with its own right to private addresses") {
  const DownloadJob job{.url = "https://e.example/x/a?b"};
  const auto to = [](std::string target) { return Replied(302, "", {{"location", std::move(target)}}); };
  const Ending hops =
      Download(job, {to("c/d"), to("/e"), to("//f.example/g"), to("http://h.example"), Replied(200, "x")},
               {.hosts = {"f.example"}});
  REQUIRE(hops.sent.size() == 5);
  CHECK(hops.sent[1].request.url == "https://e.example/x/c/d");
  CHECK(hops.sent[2].request.url == "https://e.example/e");
  CHECK(hops.sent[3].request.url == "https://f.example/g");
  CHECK(hops.sent[4].request.url == "http://h.example");
  CHECK(hops.sent[2].request.reach == Reach::kPublic);
  CHECK(hops.sent[3].request.reach == Reach::kAnywhere);
  CHECK(hops.sent[4].request.reach == Reach::kPublic);
  for (const char* target : {"file:///etc/passwd", "gopher://x/y", ""}) {
    CAPTURE(target);
    CHECK(Download(job, {to(target)}).failed->error.code == ErrorCode::kInvalidInput);
  }
  const Ending circle = Download(job, {to("a"), to("a"), to("a")}, {.redirects = 2});
  CHECK(circle.failed->error.code == ErrorCode::kLimit);
}

}  // namespace assay
