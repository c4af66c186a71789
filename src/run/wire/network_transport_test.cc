// Tests that the route of a request decides where it goes, and its URL does not.
#include "run/wire/network_transport.h"

#include <doctest/doctest.h>

namespace assay {

namespace {

// What came back at once.
class ReplyBox final : public CompletionSink {
 public:
  void Deliver(Completion completion) override { reply = std::get<HttpReply>(std::move(completion.reply)); }
  HttpReply reply;
};

HttpReply Sent(HttpRequest request) {
  NetworkTransport transport({});
  ReplyBox kept;
  transport.Send(1, std::move(request), kept);
  return kept.reply;
}

}  // namespace

TEST_CASE("a request over the network goes to http and https, and nowhere else") {
  for (const char* url :
       {"exec:true", "echo:", "recorded:x", "replay:x", "file:///etc/passwd", "ftp://127.0.0.1/x",
        " exec:true", "ex\tec:true", "HTTP:exec", "data:,x", "", "true"}) {
    CAPTURE(url);
    HttpRequest request;
    request.url = url;
    request.body = "the body";
    const HttpReply reply = Sent(request);
    REQUIRE(reply.error.has_value());
    CHECK(reply.error->code == ErrorCode::kUnsupported);
    CHECK(reply.error->message.find("http://") != std::string::npos);
    CHECK(reply.body.empty());
  }
}

TEST_CASE("a local request comes back, whatever its URL says") {
  HttpRequest request;
  request.url = "http://127.0.0.1:1/";
  request.body = "the body";
  request.route = Route::kLocal;
  const HttpReply reply = Sent(request);
  CHECK(reply.status == 200);
  CHECK(reply.body == "the body");
}

TEST_CASE("offline, what is not local is refused") {
  for (const Route route : {Route::kHttp, Route::kProgram}) {
    LocalTransport transport;
    ReplyBox kept;
    HttpRequest request;
    request.url = "echo:";
    request.route = route;
    transport.Send(1, std::move(request), kept);
    CHECK(kept.reply.error.has_value());
  }
}

}  // namespace assay
