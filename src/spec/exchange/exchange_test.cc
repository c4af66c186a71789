// Tests of the stored form of replies.
#include "spec/exchange/exchange.h"

#include <doctest/doctest.h>

#include "spec/exchange/tool_calls.h"

namespace assay {
namespace {

TEST_CASE("a program's reply comes back with how it ended and what held it") {
  ProcessReply reply;
  reply.exit_code = 137;
  reply.signal = 9;
  reply.timed_out = true;
  reply.held_up = true;
  reply.stdout_text = "half a";
  reply.stderr_text = "line\n";
  reply.reached_end = false;
  reply.after_exit_code = 0;
  reply.sandbox = "landlock";
  reply.limit = "wall time";
  const Result<Reply> stored = DecodeReply(RequestKind::kProcess, EncodeReply(reply));
  REQUIRE(stored);
  const auto& back = std::get<ProcessReply>(*stored);
  CHECK(back.exit_code == 137);
  CHECK(back.signal == 9);
  CHECK(back.timed_out);
  CHECK(back.held_up);
  CHECK(back.stdout_text == "half a");
  CHECK(back.stderr_text == "line\n");
  CHECK(back.reached_end == false);
  CHECK(back.after_exit_code == 0);
  CHECK(back.sandbox == "landlock");
  CHECK(back.limit == "wall time");
}

TEST_CASE("a time-out that neighbours may have caused counts for no later run, nor if it came again") {
  ProcessReply late;
  late.timed_out = true;
  late.held_up = true;
  Exchange exchange;
  exchange.kind = RequestKind::kProcess;
  exchange.reply = late;
  CHECK(!exchange.Reusable());
  exchange.tries = 2;
  CHECK(!exchange.Reusable());
  late.timed_out = false;
  exchange.reply = late;
  CHECK(exchange.Reusable());
  late.timed_out = true;
  late.held_up = false;
  exchange.reply = late;
  exchange.tries = 1;
  CHECK(exchange.Reusable());
  exchange.error = Error{ErrorCode::kIo, "no sandbox"};
  CHECK(!exchange.Reusable());
}

TEST_CASE("that a page is not there is kept, that its server had trouble is not") {
  Exchange exchange;
  exchange.kind = RequestKind::kHttp;
  HttpReply gone;
  gone.status = 404;
  exchange.reply = gone;
  CHECK(!exchange.Reusable());
  exchange.role = RequestRole::kTool;
  CHECK(exchange.Reusable());
  gone.status = 503;
  exchange.reply = gone;
  CHECK(!exchange.Reusable());
  exchange.error = Error{ErrorCode::kLimit, "too many redirects"};
  CHECK(exchange.Reusable());
  for (const ErrorCode code : {ErrorCode::kTimeout, ErrorCode::kRefused, ErrorCode::kNetwork}) {
    exchange.error = Error{code, "not now"};
    CHECK(!exchange.Reusable());
  }
}

TEST_CASE("usage is stored in three numbers, and in five where a cache was used") {
  ModelReply reply{.text = "hi", .reasoning = {}, .tool_calls = {}, .finish_reason = "stop", .usage = {}};
  reply.usage = {.input_tokens = 30, .output_tokens = 5, .reasoning_tokens = 2, .known = true};
  CHECK(EncodeReply(reply) == R"({"v":1,"text":"hi","finish":"stop","usage":[30,5,2]})");
  reply.usage.cached_read_tokens = 20;
  reply.usage.cached_write_tokens = 4;
  const std::string stored = EncodeReply(reply);
  CHECK(stored == R"({"v":1,"text":"hi","finish":"stop","usage":[30,5,2,20,4]})");
  const Result<Reply> back = DecodeReply(RequestKind::kModel, stored);
  REQUIRE(back);
  const Usage& usage = std::get<ModelReply>(*back).usage;
  CHECK(usage.input_tokens == 30);
  CHECK(usage.cached_read_tokens == 20);
  CHECK(usage.cached_write_tokens == 4);
  const Result<Reply> older = DecodeReply(RequestKind::kModel, R"({"v":1,"text":"a","usage":[3,2,1]})");
  REQUIRE(older);
  CHECK(std::get<ModelReply>(*older).usage.known);
  CHECK(std::get<ModelReply>(*older).usage.reasoning_tokens == 1);
  CHECK(std::get<ModelReply>(*older).usage.cached_read_tokens == 0);
}

ModelReply ReadModel(std::string_view stored) {
  const Result<Reply> reply = DecodeReply(RequestKind::kModel, stored);
  REQUIRE(reply);
  return std::get<ModelReply>(*reply);
}

TEST_CASE(
    "calls are stored as they were written; older replies have them in their text, and show them once") {
  ModelReply reply{.text = "", .reasoning = {}, .tool_calls = {}, .finish_reason = "tool_calls", .usage = {}};
  reply.tool_calls = {{"a", "search", "{ \"q\": 1.0 }"}, {"b", "f", "{broken", "seal"}, {"c", "g", ""}};
  const std::string stored = EncodeReply(reply);
  CHECK(stored == R"({"v":2,"text":"","finish":"tool_calls","calls":[["a","search","{ \"q\": 1.0 }"],)"
                  R"(["b","f","{broken","seal"],["c","g",""]]})");
  CHECK(ReadModel(stored).tool_calls == reply.tool_calls);
  const std::string lines =
      "TOOL_CALL {\"name\":\"search\",\"arguments\":{\"q\":1}}\n"
      "TOOL_CALL {\"name\":\"f\",\"arguments\":\"{broken\"}\nTOOL_CALL {\"name\":\"g\"}";
  CHECK(TextWithCalls(reply) == lines);
  reply.text = "Hi";
  CHECK(TextWithCalls(reply) == lines + "\nHi");

  struct Row {
    std::string_view stored, shown, text;
    std::size_t calls;
  };
  const Row rows[] = {
      {R"({"v":1,"text":"TOOL_CALL {\"name\":\"f\",\"arguments\":{\"a\":1}}","tools":)"
       R"([{"name":"f","arguments":{"a":1}}]})",
       R"(TOOL_CALL {"name":"f","arguments":{"a":1}})", "", 1},
      {R"({"v":1,"text":"TOOL_CALL {\"name\":\"f\"}\nHi","tools":[{"name":"f"}]})",
       "TOOL_CALL {\"name\":\"f\"}\nHi", "Hi", 1},
      {R"({"v":1,"text":"TOOL_CALL {\"name\":\"f\"}\n\nHi","tools":[{"name":"f"}]})",
       "TOOL_CALL {\"name\":\"f\"}\n\nHi", "\nHi", 1},
      // Of a program: it told of calls that its answer does not show.
      {R"({"v":1,"text":"An answer","tools":[{"name":"f"}]})", "An answer", "An answer", 0},
      {R"({"v":1,"text":"TOOL_CALL {\"name\":\"f\"} x","tools":[{"name":"f"}]})",
       "TOOL_CALL {\"name\":\"f\"} x", "TOOL_CALL {\"name\":\"f\"} x", 0},
  };
  for (const Row& row : rows) {
    CAPTURE(row.stored);
    const ModelReply older = ReadModel(row.stored);
    CHECK(TextWithCalls(older) == row.shown);
    CHECK(older.text == row.text);
    CHECK(older.tool_calls.size() == row.calls);
  }
  for (const char* damaged : {R"({"v":2,"text":"","calls":[["a","b"]]})", R"({"v":2,"text":"","calls":{}})",
                              R"({"v":2,"text":"","calls":[["a","b",1]]})", R"({"v":3,"text":""})", "[]"}) {
    CHECK(DecodeReply(RequestKind::kModel, damaged).error().code == ErrorCode::kCorrupt);
  }
  CHECK(!DecodeReply(RequestKind::kHttp, R"({"v":2,"status":200})"));
}

TEST_CASE("silence is kept for whoever takes it for an answer") {
  Exchange exchange;
  exchange.reply = ModelReply{};
  CHECK(SaysNothing(std::get<ModelReply>(exchange.reply)));
  CHECK(!exchange.Reusable());
  exchange.takes_silence = true;
  CHECK(exchange.Reusable());
  exchange.takes_silence = false;
  std::get<ModelReply>(exchange.reply).tool_calls = {{"a", "f", ""}};
  CHECK(!SaysNothing(std::get<ModelReply>(exchange.reply)));
  CHECK(exchange.Reusable());
}

TEST_CASE("pages come back byte for byte, with where they were found") {
  HttpReply page{.status = 200, .headers = {}, .body = "caf\xE9 %PDF\x00"};
  page.final_url = "https://b.example/x";
  page.content_type = "text/html; charset=latin-1";
  const Result<Reply> back = DecodeReply(RequestKind::kHttp, EncodeReply(page));
  REQUIRE(back);
  const auto& read = std::get<HttpReply>(*back);
  CHECK(read.body == page.body);
  CHECK(read.final_url == page.final_url);
  CHECK(read.content_type == page.content_type);
  CHECK(EncodeReply(HttpReply{.status = 200, .headers = {}, .body = "a"}) ==
        R"({"v":1,"status":200,"body":"a"})");
  CHECK(!DecodeReply(RequestKind::kHttp, R"({"v":1,"status":200,"bytes":"?"})"));
}

TEST_CASE("a text that was cut for want of room counts as cut below more room only") {
  Exchange exchange;
  exchange.reply =
      ModelReply{.text = "and th", .reasoning = {}, .tool_calls = {}, .finish_reason = "length", .usage = {}};
  CHECK(!exchange.IsCutBelow(0));
  CHECK(exchange.IsCutBelow(16'000));
  exchange.room = 16'000;
  CHECK(!exchange.IsCutBelow(16'000));
  CHECK(exchange.IsCutBelow(16'001));
  CHECK(exchange.Reusable());
  std::get<ModelReply>(exchange.reply).finish_reason = "stop";
  CHECK(!exchange.IsCutBelow(32'000));
}

TEST_CASE("what a program's reply lacks stays away") {
  const Result<Reply> stored = DecodeReply(RequestKind::kProcess, EncodeReply(ProcessReply{}));
  REQUIRE(stored);
  const auto& back = std::get<ProcessReply>(*stored);
  CHECK(!back.reached_end.has_value());
  CHECK(!back.after_exit_code.has_value());
  CHECK(back.sandbox.empty());
  CHECK(back.limit.empty());
}

}  // namespace
}  // namespace assay
