// Replies as the providers send them (tests/data/cassettes, written by us after the types of their SDKs),
// read and priced: text, thoughts, end, tokens, and money to the last billionth of a dollar.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "base/files/file_reader.h"
#include "providers/facts/pace.h"
#include "run/limits/cost/call_cost.h"
#include "run/wire/wire_codec.h"
#include "text/json/json.h"

namespace assay {
namespace {

constexpr std::int64_t kNow = 1'795'300'000'000;  // 2026-11-21T21:46:40Z
constexpr const char* kCassettes[] = {"anthropic",  "google",           "groq",     "mistral", "openai",
                                      "openrouter", "openai_responses", "together", "xai"};

std::string TextOf(const Value& map, std::string_view name) {
  const Value* value = map.Find(name);
  return value != nullptr && value->is_string() ? value->AsString() : std::string();
}

HttpReply ReplyOf(const Value& row) {
  HttpReply reply;
  reply.status = static_cast<int>(row.Find("status")->AsNumber());
  if (const Value* events = row.Find("events")) {
    reply.headers.push_back({"content-type", "text/event-stream; charset=utf-8"});
    for (const Value& event : events->AsList()) reply.body += "data: " + event.AsString() + "\n\n";
  } else {
    reply.headers.push_back({"content-type", "application/json"});
    reply.body = WriteJson(*row.Find("body"), JsonStyle::kJavaScript);
  }
  return reply;
}

std::vector<std::int64_t> Counts(const Usage& usage) {
  return {usage.input_tokens, usage.output_tokens, usage.reasoning_tokens, usage.cached_read_tokens,
          usage.cached_write_tokens};
}

void CheckUsage(const Value& want, const Request& request, const Usage& usage) {
  const Value* counts = want.Find("usage");
  REQUIRE(usage.known == (counts != nullptr));
  if (counts == nullptr) return;
  std::vector<std::int64_t> wanted;
  for (const Value& count : counts->AsList()) wanted.push_back(static_cast<std::int64_t>(count.AsNumber()));
  CHECK(Counts(usage) == wanted);
  const std::optional<CallCost> cost = ActualCost(request, usage, ModelBook());
  REQUIRE(cost.has_value());
  CHECK(cost->nano_usd == static_cast<std::int64_t>(want.Find("nano_usd")->AsNumber()));
}

void CheckFailure(const Value& want, const PreparedRequest& prepared, const WireVerdict& verdict) {
  REQUIRE_FALSE(verdict.reply);
  CHECK(ErrorCodeName(verdict.reply.error().code) == TextOf(want, "error"));
  CHECK(verdict.reply.error().message.find(TextOf(want, "words")) != std::string::npos);
  CHECK(verdict.stated.finish == TextOf(want, "finish"));
  CheckUsage(want, prepared.request, verdict.stated.usage);
}

void CheckCassette(const Value& row) {
  ModelRequest request;
  request.provider = TextOf(row, "provider");
  request.model = TextOf(row, "model");
  PreparedRequest prepared;
  prepared.request = request;
  const HttpReply reply = ReplyOf(row);
  const Value& want = *row.Find("want");
  if (const Value* wait = want.Find("wait_ms")) {
    const Pace pace = PaceOf(reply, kNow);
    REQUIRE(pace.wait.has_value());
    CHECK(pace.wait->count() == static_cast<std::int64_t>(wait->AsNumber()));
  }
  WireVerdict verdict = DecodeFromWire(prepared, {}, reply);
  KeepThoughtsApart(prepared, verdict);
  if (want.Find("error") != nullptr) return CheckFailure(want, prepared, verdict);
  REQUIRE(verdict.reply);
  const auto& answer = std::get<ModelReply>(*verdict.reply);
  CHECK(answer.text == TextOf(want, "text"));
  CHECK(answer.reasoning == TextOf(want, "reasoning"));
  CHECK(answer.finish_reason == TextOf(want, "finish"));
  CheckUsage(want, prepared.request, answer.usage);
}

}  // namespace

TEST_CASE("replies of every provider are read and priced as the provider counts them") {
  DiskFileReader files;
  for (const char* name : kCassettes) {
    const std::string lines = files.Read(std::string("tests/data/cassettes/") + name + ".jsonl").value();
    std::size_t rows = 0;
    for (std::size_t at = 0; at < lines.size(); ++rows) {
      const std::size_t end = lines.find('\n', at);
      const Value row = ParseJson(std::string_view(lines).substr(at, end - at)).value();
      at = end + 1;
      CAPTURE(name);
      CAPTURE(TextOf(row, "name"));
      CheckCassette(row);
    }
    CHECK(rows > 0);
  }
}

}  // namespace assay
