// Tests of reading token counts in every protocol; shapes of the official SDKs' types.
#include "providers/shapes/reply/usage.h"

#include <doctest/doctest.h>

#include "providers/shapes/reply/reply_json.h"
#include "text/json/json.h"

namespace assay {
namespace {

using Reader = Usage (*)(const Value&);

struct UsageRow {
  Reader read;
  const char* json;
  Usage want;
};

TEST_CASE("usage is read with its thoughts and its cache") {
  const UsageRow rows[] = {
      {ChatUsage,
       R"({"prompt_tokens":100,"completion_tokens":50,"total_tokens":150,)"
       R"("prompt_tokens_details":{"cached_tokens":64,"cache_write_tokens":16},)"
       R"("completion_tokens_details":{"reasoning_tokens":40}})",
       {.input_tokens = 100,
        .output_tokens = 50,
        .reasoning_tokens = 40,
        .known = true,
        .cached_read_tokens = 64,
        .cached_write_tokens = 16}},
      // xAI counts thoughts beside the completion.
      {ChatUsage,
       R"({"prompt_tokens":32,"completion_tokens":9,"total_tokens":135,)"
       R"("completion_tokens_details":{"reasoning_tokens":94}})",
       {.input_tokens = 32, .output_tokens = 103, .reasoning_tokens = 94, .known = true}},
      // Services that say the total alone, and those whose total is none.
      {ChatUsage,
       R"({"prompt_tokens":10,"completion_tokens":5,"total_tokens":45})",
       {.input_tokens = 10, .output_tokens = 35, .reasoning_tokens = 30, .known = true}},
      {ChatUsage,
       R"({"prompt_tokens":10,"completion_tokens":5,"total_tokens":0})",
       {.input_tokens = 10, .output_tokens = 5, .known = true}},
      {ChatUsage,
       R"({"prompt_tokens":10,"completion_tokens":5,"total_tokens":15,"num_cached_tokens":8})",
       {.input_tokens = 10, .output_tokens = 5, .known = true, .cached_read_tokens = 8}},
      {AnthropicUsage,
       R"({"input_tokens":20,"cache_creation_input_tokens":100,"cache_read_input_tokens":300,)"
       R"("output_tokens":70,"output_tokens_details":{"thinking_tokens":60},"service_tier":"standard"})",
       {.input_tokens = 420,
        .output_tokens = 70,
        .reasoning_tokens = 60,
        .known = true,
        .cached_read_tokens = 300,
        .cached_write_tokens = 100}},
      {ResponsesUsage,
       R"({"input_tokens":90,"input_tokens_details":{"cached_tokens":80},"output_tokens":30,)"
       R"("output_tokens_details":{"reasoning_tokens":20},"total_tokens":120})",
       {.input_tokens = 90,
        .output_tokens = 30,
        .reasoning_tokens = 20,
        .known = true,
        .cached_read_tokens = 80}},
      {GoogleUsage,
       R"({"promptTokenCount":50,"cachedContentTokenCount":30,"candidatesTokenCount":7,)"
       R"("thoughtsTokenCount":200,"toolUsePromptTokenCount":5,"totalTokenCount":262})",
       {.input_tokens = 55,
        .output_tokens = 207,
        .reasoning_tokens = 200,
        .known = true,
        .cached_read_tokens = 30}},
      {ChatUsage, "null", {}},
  };
  for (const UsageRow& row : rows) {
    CAPTURE(row.json);
    const Usage usage = row.read(ParseJson(row.json).value());
    CHECK(usage.input_tokens == row.want.input_tokens);
    CHECK(usage.output_tokens == row.want.output_tokens);
    CHECK(usage.reasoning_tokens == row.want.reasoning_tokens);
    CHECK(usage.cached_read_tokens == row.want.cached_read_tokens);
    CHECK(usage.cached_write_tokens == row.want.cached_write_tokens);
    CHECK(usage.known == row.want.known);
  }
}

Billing Cost(std::int64_t nano_usd) {
  Billing billing;
  billing.cost_nano_usd = nano_usd;
  return billing;
}

TEST_CASE("what a call cost beside its tokens is read where services say it") {
  const auto billing = [](Reader read, const char* json) { return read(ParseJson(json).value()).billing; };
  CHECK(billing(ChatUsage, R"({"prompt_tokens":1,"cost":0.000123})") == Cost(123'000));
  CHECK(billing(ChatUsage, R"({"prompt_tokens":1,"cost":{"input_tokens_cost":0.1,"total_cost":0.5}})") ==
        Cost(500'000'000));
  CHECK(billing(ResponsesUsage, R"({"input_tokens":1,"cost_in_usd_ticks":2500000000})") == Cost(250'000'000));
  for (const char* none : {"-1", "1e99", "null", "\"2\""})
    CHECK(billing(ChatUsage, (R"({"prompt_tokens":1,"cost":)" + std::string(none) + "}").c_str()) ==
          Billing());
  Billing beside;
  beside.hour_write_tokens = 7;
  beside.tools_nano_usd = 30'000'000;
  beside.tool_uses = {{.seller = "anthropic", .tool = "web_search", .calls = 3}};
  CHECK(billing(AnthropicUsage, R"({"input_tokens":1,"cache_creation_input_tokens":9,"cache_creation":)"
                                R"({"ephemeral_5m_input_tokens":2,"ephemeral_1h_input_tokens":7},)"
                                R"("server_tool_use":{"web_search_requests":3}})") == beside);
  HttpReply reply;
  CHECK(CostInHeaders(reply) == std::nullopt);
  reply.headers.push_back({"x-litellm-response-cost", "1.5e-3"});
  CHECK(CostInHeaders(reply) == 1'500'000);
  reply.headers.front().value = "free";
  CHECK(CostInHeaders(reply) == std::nullopt);
}

TEST_CASE("calls of a service's own tools have their price") {
  Usage usage{.known = true};
  constexpr auto kListed = R"({"output":[{"type":"web_search_call","action":{"type":"search"}},)"
                           R"({"type":"web_search_call","action":{"type":"open_page"}},)"
                           R"({"type":"web_search_call"},{"type":"file_search_call"},{"type":"message"}]})";
  AddListedToolCosts(ParseJson(kListed).value(), usage);
  CHECK(usage.billing.tools_nano_usd == 22'500'000);
  usage = {.known = true};
  AddGroundingCosts(ParseJson(R"({"groundingMetadata":{"webSearchQueries":["a","b"]}})").value(), usage);
  CHECK(usage.billing.tools_nano_usd == 28'000'000);
  usage = {};
  AddGroundingCosts(ParseJson(R"({"groundingMetadata":{"webSearchQueries":["a"]}})").value(), usage);
  AddListedToolCosts(ParseJson(R"({"output":[{"type":"file_search_call"}]})").value(), usage);
  CHECK(usage.billing.tools_nano_usd == 0);
}

TEST_CASE("numbers that are none are written as such that no call can have, outside of texts alone") {
  const struct {
    std::string body, spelled;
  } rows[] = {
      {R"({"a":NaN,"b":[-Infinity, Infinity,NaN]})", R"({"a":1e999,"b":[-1e999, 1e999,1e999]})"},
      {R"({"a":"NaN: NaN, \"NaN","b": NaN})", R"({"a":"NaN: NaN, \"NaN","b": 1e999})"},
      {"data: {\"t\":\"x: NaN\"}\n\ndata: {\"u\":NaN}\n",
       "data: {\"t\":\"x: NaN\"}\n\ndata: {\"u\":1e999}\n"},
      {"an odd \" here\n{\"a\":\nNaN}", "an odd \" here\n{\"a\":\n1e999}"},
      {"NaN", "NaN"},
      {"{\"NaN\":1}", "{\"NaN\":1}"},
      {"Infinity is no end", "Infinity is no end"},
      {"{\"a\":\"NaN\\", "{\"a\":\"NaN\\"},
  };
  for (const auto& row : rows) {
    std::string body = row.body;
    SpellNumbers(body);
    CHECK(body == row.spelled);
  }
  for (const char* count : {"NaN", "Infinity", "-Infinity", "1e400", "-1e400", "1e30", "-3"}) {
    CAPTURE(count);
    std::string body =
        std::string(R"({"prompt_tokens":)") + count + R"(,"completion_tokens":2,"cost":)" + count + "}";
    SpellNumbers(body);
    CHECK(ChatUsage(ParseJson(body).value()) == Usage());
  }
}

TEST_CASE("a count that is no whole number is as if nothing were said of the usage") {
  const struct {
    Reader read;
    std::string before, after;
  } rows[] = {
      {ChatUsage, R"({"completion_tokens":2,"prompt_tokens":)", "}"},
      {ChatUsage,
       R"({"prompt_tokens":3,"completion_tokens":2,"completion_tokens_details":{"reasoning_tokens":)", "}}"},
      {AnthropicUsage, R"({"output_tokens":2,"input_tokens":)", "}"},
      {AnthropicUsage, R"({"input_tokens":3,"output_tokens":2,"cache_read_input_tokens":)", "}"},
      {ResponsesUsage, R"({"input_tokens":3,"output_tokens":)", "}"},
      {GoogleUsage, R"({"promptTokenCount":3,"thoughtsTokenCount":)", "}"},
      {CohereUsage, R"({"tokens":{"input_tokens":3,"output_tokens":)", "}}"},
      {BedrockUsage, R"({"outputTokens":3,"inputTokens":)", "}"},
  };
  for (const auto& row : rows) {
    for (const char* count : {R"("12")", "1.5", "-1", "true", R"([12])", R"({"n":12})"}) {
      CAPTURE(row.before + count);
      CHECK(row.read(ParseJson(row.before + count + row.after).value()) == Usage());
    }
    for (const char* count : {"12", "12.0", "null"}) {
      CAPTURE(row.before + count);
      CHECK(row.read(ParseJson(row.before + count + row.after).value()).known);
    }
    CHECK_FALSE(row.read(ParseJson(R"({"tokens":{},"service_tier":"standard"})").value()).known);
  }
}

TEST_CASE("a reply without an answer says what it took all the same") {
  struct Row {
    const char* body;
    std::int64_t input, output;
    const char* finish;
  };
  const Row rows[] = {
      {R"({"choices":[{"finish_reason":"length","message":{"content":""}}],)"
       R"("usage":{"prompt_tokens":3,"completion_tokens":1500,"total_tokens":1503}})",
       3, 1500, "length"},
      {R"({"content":[],"stop_reason":"refusal","usage":{"input_tokens":3,"output_tokens":4}})", 3, 4,
       "refusal"},
      {R"({"promptFeedback":{"blockReason":"SAFETY"},"usageMetadata":{"promptTokenCount":8}})", 8, 0, ""},
      {R"({"candidates":[{"finishReason":"SPII"}],)"
       R"("usageMetadata":{"promptTokenCount":8,"candidatesTokenCount":2}})",
       8, 2, "personal_data"},
      {R"({"object":"response","output":[],"usage":{"input_tokens":5,"output_tokens":6,"total_tokens":11}})",
       5, 6, ""},
      // Streams that break off in the middle.
      {"event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"usage\":"
       "{\"input_tokens\":9,\"output_tokens\":1}}}\n\n"
       "data: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"refusal\"},\"usage\":"
       "{\"output_tokens\":7}}\n\ndata: {\"type\":\"mess",
       9, 7, "refusal"},
      {"data: {\"choices\":[{\"delta\":{\"content\":\"Ha\"}}]}\n\n", 0, 0, ""},
      {"", 0, 0, ""},
      {"<html>", 0, 0, ""},
  };
  for (const Row& row : rows) {
    CAPTURE(row.body);
    HttpReply reply;
    reply.status = 200;
    reply.body = row.body;
    const Stated stated = StatedBy(reply);
    CHECK(stated.usage.known == (row.input > 0));
    CHECK(stated.usage.input_tokens == row.input);
    CHECK(stated.usage.output_tokens == row.output);
    CHECK(stated.finish == row.finish);
  }
}

}  // namespace
}  // namespace assay
