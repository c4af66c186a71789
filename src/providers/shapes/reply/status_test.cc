// Tests of errors inside replies with status 200: the status that each would have had by itself.
#include "providers/shapes/reply/status.h"

#include <doctest/doctest.h>

namespace assay {

TEST_CASE("an error inside a 200 is known by its name or number, in a body and in a stream") {
  const struct {
    const char* body;
    int status;
  } rows[] = {
      {R"({"type":"error","error":{"type":"overloaded_error","message":"busy"}})", 529},
      {R"({"error":{"code":"rate_limit_exceeded"}})", 429},
      {R"({"error":{"type":"rate_limit_error"}})", 429},
      {R"({"error":{"type":"server_error","code":null}})", 500},
      {R"({"error": {"code": 503, "status": "UNAVAILABLE"}})", 503},
      {R"({"error":{"code":"429"}})", 429},
      {R"({"object":"response","status":"failed","error":{"code":"server_error"}})", 500},
      {R"({"choices":[{"error":{"code":502},"message":{"content":"Half"}}]})", 502},
      {R"({"object":"response","error":null,"output":[{"type":"error","error" : null}]})", 0},
      {R"({"choices":[{"message":{"content":"the word \"error\": here"}}]})", 0},
      {R"({"error":{"code":"strange"}})", 0},
      {R"({"error":{"type":"invalid_request_error","code":"context_length_exceeded"}})", 400},
      {R"({"error":{"code":"image_too_small"}})", 400},
      {R"({"choices":[],"x_groq":{"error":"over capacity"}})", 498},
      {R"({"choices":[],"x_groq":{"error":"Rate limit reached for model x, try again in 2s"}})", 429},
      {"\"error\"", 0},
      {"", 0},
  };
  for (const auto& row : rows) {
    CAPTURE(row.body);
    HttpReply reply;
    reply.status = 200;
    reply.body = row.body;
    CHECK(StatusInside(reply) == row.status);
    reply.headers.push_back({"content-type", "text/event-stream"});
    reply.body = std::string("data: {\"choices\":[]}\n\ndata: ") + row.body + "\n\n";
    CHECK(StatusInside(reply) == row.status);
    reply.status = 400;
    CHECK(StatusInside(reply) == 0);
  }
  HttpReply responses;
  responses.status = 200;
  responses.headers.push_back({"content-type", "text/event-stream"});
  responses.body = "event: error\ndata: {\"type\":\"error\",\"code\":\"rate_limit_exceeded\"}\n\n";
  CHECK(StatusInside(responses) == 429);
}

}  // namespace assay
