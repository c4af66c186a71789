// Complaints as services write them.
#include "providers/adapt.h"

#include <doctest/doctest.h>

namespace assay {

namespace {

HttpReply Complaint(int status, std::string body) {
  HttpReply reply;
  reply.status = status;
  reply.body = std::move(body);
  return reply;
}

}  // namespace

TEST_CASE("what a service does not support is learned, what is merely wrong is not") {
  const struct {
    int status;
    const char* body;
    const char* learned;
  } rows[] = {
      {400, R"({"error":{"message":"Use the other","param":"max_tokens","code":"unsupported_parameter"}})",
       "with max_completion_tokens"},
      {400, R"({"error":{"message":"'temperature' does not support 0","param":"temperature","code":"x"}})",
       "without temperature"},
      {400, R"({"error":{"message":"temperature is not supported by this model"}})", "without temperature"},
      {400, R"({"error":{"message":"temperature must be at most 2","param":"temperature"}})", ""},
      {400, R"({"error":{"message":"unsupported file"}})", ""},
      {422, R"({"error":{"message":"unsupported","param":"temperature"}})", ""},
      {400, "temperature is not supported", ""},
      {400, R"({"error":{"message":"Unrecognized request argument supplied: stream_options"}})",
       "without stream_options"},
      {422, R"({"message":{"detail":[{"type":"extra_forbidden","loc":["body","stream_options"]}]}})",
       "without stream_options"},
      {500, "stream_options", ""},
      {400, R"({"error":{"message":"does not support true","param":"stream","code":"unsupported_value"}})",
       "without stream"},
      {400, R"({"error":{"message":"a stream is not supported by this file"}})", ""},
  };
  for (const auto& row : rows) {
    CAPTURE(row.body);
    CHECK(AdaptationText(LearnFrom(Complaint(row.status, row.body))) == row.learned);
  }
}

TEST_CASE("what is not known yet is lacking, and known once it was added") {
  Adaptation known{.without_temperature = true};
  CHECK_FALSE(known.Lacks({}));
  CHECK_FALSE(known.Lacks({.without_temperature = true}));
  CHECK(known.Lacks({.without_temperature = true, .without_stream_options = true}));
  known.Add({.without_stream_options = true});
  CHECK_FALSE(known.Lacks({.without_temperature = true, .without_stream_options = true}));
  CHECK(AdaptationText(known) == "without temperature, without stream_options");
  CHECK_FALSE(Adaptation().IsAny());
}

TEST_CASE("a stream is asked for without its options, or not at all") {
  HttpRequest request;
  request.body = R"({"model":"m","stream":true,"stream_options":{"include_usage":true}})";
  HttpRequest whole = request;
  Adapt({.without_stream_options = true}, request);
  CHECK(request.body == R"({"model":"m","stream":true})");
  Adapt({.without_stream = true}, whole);
  CHECK(whole.body == R"({"model":"m","stream":false})");
}

TEST_CASE("requests are changed where they have the parameter") {
  HttpRequest request;
  request.body = R"({"model":"m","temperature":0,"max_tokens":7,"stream":false})";
  Adapt({}, request);
  CHECK(request.body == R"({"model":"m","temperature":0,"max_tokens":7,"stream":false})");
  Adapt({.without_temperature = true, .completion_tokens = true}, request);
  CHECK(request.body == R"({"model":"m","stream":false,"max_completion_tokens":7})");
  Adapt({.without_temperature = true, .completion_tokens = true}, request);
  CHECK(request.body == R"({"model":"m","stream":false,"max_completion_tokens":7})");
}

}  // namespace assay
