// Replies as the store keeps them.
#include "spec/exchange.h"

#include <doctest/doctest.h>

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

TEST_CASE("a time-out that neighbours may have caused counts for later runs only if it came again") {
  ProcessReply late;
  late.timed_out = true;
  late.held_up = true;
  Exchange exchange;
  exchange.kind = RequestKind::kProcess;
  exchange.reply = late;
  CHECK(!exchange.Reusable());
  exchange.tries = 2;
  CHECK(exchange.Reusable());
  late.held_up = false;
  exchange.reply = late;
  exchange.tries = 1;
  CHECK(exchange.Reusable());
  exchange.error = Error{ErrorCode::kIo, "no sandbox"};
  CHECK(!exchange.Reusable());
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
