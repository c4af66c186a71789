// Tests of reading waiting times and rate limits from headers.
#include "providers/facts/pace.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "base/limits.h"

namespace assay {
namespace {

constexpr std::int64_t kNow = 1'792'567'680'000;  // 2026-10-21T07:28:00Z

std::int64_t WaitOf(std::vector<HttpHeader> headers) {
  HttpReply reply;
  reply.status = 429;
  reply.headers = std::move(headers);
  const Pace pace = PaceOf(reply, kNow);
  CHECK(pace.too_fast);
  return pace.wait ? pace.wait->count() : -1;
}

TEST_CASE("a service may ask for a pause in many ways") {
  struct Row {
    const char* name;
    const char* value;
    std::int64_t want_ms;  // -1: nothing
  };
  constexpr Row kRows[] = {
      {"Retry-After", "2", 2'000},
      {"retry-after", "0.25", 250},
      {"RETRY-AFTER", "0", 0},
      {"retry-after", "Wed, 21 Oct 2026 07:28:30 GMT", 30'000},
      {"retry-after", "Wed, 21 Oct 2026 07:27:30 GMT", 0},
      {"retry-after", "Wed, 41 Oct 2026 07:28:30 GMT", -1},
      {"retry-after", "Wed, 21 Foo 2026 07:28:30 GMT", -1},
      {"retry-after", "soon", -1},
      {"retry-after", "-5", -1},
      {"retry-after", "nan", -1},
      {"retry-after", "", -1},
      {"retry-after", "999999999999999999999999", -1},
      {"retry-after", "1e18", -1},
      {"retry-after", "1000000000000000000", -1},
      {"retry-after", "Tue, 01 Jan 2999 00:00:00 GMT", -1},
      {"retry-after", "2600000", limits::kServiceWaitMax.count()},
      {"retry-after-ms", "1e18", -1},
      {"retry-after-ms", "-1000000000000000000", -1},
      {"retry-after-ms", "125", 125},
      {"retry-after-ms", "125x", -1},
      {"x-other", "2", -1},
  };
  for (const Row& row : kRows) {
    CAPTURE(row.value);
    CHECK(WaitOf({{row.name, row.value}}) == row.want_ms);
  }
  CHECK(WaitOf({{"retry-after", "3"}, {"retry-after-ms", "2100"}}) == 2'100);
}

TEST_CASE("an empty limit is waited for, any other is not") {
  CHECK(WaitOf({{"x-ratelimit-remaining-requests", "0"}, {"x-ratelimit-reset-requests", "6m0s"}}) == 360'000);
  CHECK(WaitOf({{"x-ratelimit-remaining-requests", "0"}, {"x-ratelimit-reset-requests", "17ms"}}) == 17);
  CHECK(WaitOf({{"x-ratelimit-remaining-tokens", "0"}, {"x-ratelimit-reset-tokens", "1.5"}}) == 1'500);
  CHECK(WaitOf({{"x-ratelimit-remaining-tokens", "7"}, {"x-ratelimit-reset-tokens", "1.5"}}) == -1);
  CHECK(WaitOf({{"x-ratelimit-remaining-tokens", "0"}, {"x-ratelimit-reset-tokens", "1 day"}}) == -1);
  CHECK(WaitOf({{"anthropic-ratelimit-tokens-remaining", "0"},
                {"anthropic-ratelimit-tokens-reset", "2026-10-21T07:28:10Z"}}) == 10'000);
  CHECK(WaitOf({{"x-ratelimit-remaining-requests", "0"},
                {"x-ratelimit-reset-requests", "1s"},
                {"x-ratelimit-remaining-tokens", "0"},
                {"x-ratelimit-reset-tokens", "2s"}}) == 2'000);
}

TEST_CASE("a moment may be told to a fraction of a second, and in any zone") {
  const auto wait_of = [](const char* moment) {
    return WaitOf(
        {{"anthropic-ratelimit-requests-remaining", "0"}, {"anthropic-ratelimit-requests-reset", moment}});
  };
  CHECK(wait_of("2026-10-21T07:28:01.250Z") == 1'250);
  CHECK(wait_of("2026-10-21T07:28:01.250000+00:00") == 1'250);
  CHECK(wait_of("2026-10-21T09:58:02+02:30") == 2'000);
  CHECK(wait_of("2026-10-21T06:28:02-0100") == 2'000);
  CHECK(wait_of("2026-10-21T07:28:01.Z") == -1);
  CHECK(wait_of("2026-10-21T07:28:01") == -1);
  CHECK(wait_of("2026-10-21T07:28:01+2") == -1);
}

TEST_CASE("of a moment that an answer names to the second, the middle is waited for; of a refusal, the end") {
  HttpReply reply;
  reply.headers = {{"anthropic-ratelimit-requests-remaining", "0"},
                   {"anthropic-ratelimit-requests-reset", "2026-10-21T07:28:03Z"}};
  reply.status = 200;
  Pace pace = PaceOf(reply, kNow);
  CHECK(pace.is_rounded);
  CHECK(pace.wait->count() == 2'500);
  reply.status = 429;
  pace = PaceOf(reply, kNow);
  CHECK_FALSE(pace.is_rounded);
  CHECK(pace.wait->count() == 3'000);
  reply.status = 200;
  reply.headers[1].value = "2026-10-21T07:28:03.0Z";
  pace = PaceOf(reply, kNow);
  CHECK_FALSE(pace.is_rounded);
  CHECK(pace.wait->count() == 3'000);
}

TEST_CASE("a limit without a name is filled again after a while or at a moment") {
  CHECK(WaitOf({{"X-RateLimit-Remaining", "0"}, {"X-RateLimit-Reset", "1792567686000"}}) == 6'000);
  CHECK(WaitOf({{"X-RateLimit-Remaining", "0"}, {"X-RateLimit-Reset", "1792567686"}}) == 6'000);
  CHECK(WaitOf({{"X-RateLimit-Remaining", "0"}, {"X-RateLimit-Reset", "6"}}) == 6'000);
  CHECK(WaitOf({{"X-RateLimit-Remaining", "0"}, {"X-RateLimit-Reset", "1792567000000"}}) == 0);
  CHECK(WaitOf({{"X-RateLimit-Reset", "1792567686000"}}) == 6'000);
  CHECK(WaitOf({{"X-RateLimit-Remaining", "3"}, {"X-RateLimit-Reset", "1792567686000"}}) == -1);
}

TEST_CASE("how many requests a limit leaves is read under every name, and not of tokens") {
  struct Row {
    std::vector<HttpHeader> headers;
    std::int64_t left;  // -1: nobody says
    bool says_until;
  };
  const Row rows[] = {
      {{{"x-ratelimit-remaining-requests", "9"}, {"x-ratelimit-reset-requests", "6s"}}, 9, true},
      {{{"llm_provider-x-ratelimit-remaining-requests", "9"}}, 9, false},
      {{{"anthropic-ratelimit-requests-remaining", "7"}, {"anthropic-ratelimit-tokens-remaining", "5"}},
       7,
       false},
      {{{"x-ratelimit-remaining-req-minute", "4"}, {"ratelimit-remaining", "3"}, {"ratelimit-reset", "1"}},
       3,
       true},
      {{{"x-ratelimit-remaining-requests-day", "2"}, {"x-ratelimit-reset-requests-day", "300"}}, 2, true},
      {{{"x-ratelimit-remaining-tokens", "100"}}, -1, false},
      {{{"x-ratelimit-remaining-requests", "many"}}, -1, false},
      {{{"x-ratelimit-remaining-requests", "-1"}}, -1, false},
  };
  for (const Row& row : rows) {
    HttpReply reply;
    reply.status = 200;
    reply.headers = row.headers;
    const Pace pace = PaceOf(reply, 0);
    CHECK(pace.requests_left.value_or(-1) == row.left);
    CHECK(pace.says_until == row.says_until);
  }
}

TEST_CASE("the body of an error may say how long to wait") {
  const auto wait_of = [](int status, std::string body) -> std::int64_t {
    HttpReply reply;
    reply.status = status;
    reply.body = std::move(body);
    const Pace pace = PaceOf(reply, kNow);
    CHECK(pace.overloaded == (!pace.wait && status != 400 && status != 200));
    return pace.wait ? pace.wait->count() : -1;
  };
  const std::string google =
      R"({"error":{"code":429,"status":"RESOURCE_EXHAUSTED","details":[)"
      R"({"@type":"type.googleapis.com/google.rpc.Help"},)"
      R"({"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"34.5s"}]}})";
  CHECK(wait_of(429, google) == 34'500);
  CHECK(wait_of(503, "[" + google + "]") == 34'500);
  CHECK(wait_of(200, google) == -1);
  CHECK(wait_of(429, R"({"error":{"details":[{"retryDelay":"soon"}]}})") == -1);
  CHECK(wait_of(429, R"({"error":{"details":"x"}})") == -1);
  CHECK(wait_of(429, "busy") == -1);
  CHECK(wait_of(429, R"({"error":{"code":429,"metadata":{"headers":{"X-RateLimit-Limit":"20",)"
                     R"("X-RateLimit-Remaining":"0","X-RateLimit-Reset":"1792567686000"}}}})") == 6'000);
}

TEST_CASE("waits are read under every name, and in words") {
  CHECK(WaitOf({{"llm_provider-retry-after", "2"}}) == 2'000);
  CHECK(WaitOf({{"llm_provider-x-ratelimit-remaining-requests", "0"},
                {"LLM_Provider-x-ratelimit-reset-requests", "3s"}}) == 3'000);
  CHECK(WaitOf({{"x-ratelimit-remaining-req-minute", "0"}, {"x-ratelimit-reset-req-minute", "4"}}) == 4'000);
  const struct {
    const char* words;
    std::int64_t want_ms;
  } rows[] = {
      {R"({"error":{"message":"Rate limit reached. Please try again in 3s."}})", 3'000},
      {R"({"error":{"message":"Please try again in 250ms. Visit …"}})", 250},
      {R"({"error":{"message":"try again in 1m2.5s"}})", 62'500},
      {R"({"message":"Please retry in 20 seconds"})", 20'000},
      {"Too many requests, try again in 2 minutes", 120'000},
      {R"({"error":{"message":"try again in a moment"}})", -1},
  };
  for (const auto& row : rows) {
    CAPTURE(row.words);
    HttpReply reply;
    reply.status = 429;
    reply.body = row.words;
    const Pace pace = PaceOf(reply, kNow);
    CHECK((pace.wait ? pace.wait->count() : -1) == row.want_ms);
  }
  // Nothing is left, and nobody says until when: a second, of an answer; a refusal is waited for ever longer.
  HttpReply answer;
  answer.status = 200;
  answer.headers = {{"x-ratelimit-remaining-req-minute", "0"}};
  CHECK(PaceOf(answer, kNow).wait->count() == 1'000);
  answer.status = 429;
  CHECK_FALSE(PaceOf(answer, kNow).wait);
  answer.headers = {{"retry-after", "86400"}};
  CHECK(PaceOf(answer, kNow).wait == limits::kServiceWaitMax);
  CHECK(PaceOf(answer, kNow).asked == std::chrono::hours(24));
}

TEST_CASE("the service's own word on trying again is read") {
  const auto word_of = [](const char* word) {
    HttpReply reply;
    reply.status = 400;
    reply.headers = {{"X-Should-Retry", word}};
    return PaceOf(reply, kNow).should_retry;
  };
  CHECK(word_of("true") == std::optional(true));
  CHECK(word_of("False") == std::optional(false));
  CHECK_FALSE(word_of("perhaps").has_value());
}

TEST_CASE("429, 498 and 529 say \"wait\"; 503 does with a hint or in words; nothing else does") {
  struct Row {
    int status;
    const char* hint;
    const char* body;
    bool says_wait;
  };
  const Row rows[] = {
      {429, "", "", true},
      {498, "", "", true},
      {529, "", "", true},
      {503, "3", "", true},
      {503, "", R"({"error":{"status":"UNAVAILABLE"}})", true},
      {503, "", R"({"error":{"message":"Overloaded"}})", true},
      {503, "", "<h1>503 Service Temporarily Unavailable</h1>", false},
      {503, "", "", false},
      {500, "3", "overloaded", false},
      {200, "3", "overloaded", false},
  };
  for (const Row& row : rows) {
    CAPTURE(row.status);
    CAPTURE(row.body);
    HttpReply reply;
    reply.status = row.status;
    reply.body = row.body;
    if (*row.hint != '\0') reply.headers = {{"retry-after", row.hint}};
    CHECK(PaceOf(reply, kNow).says_wait == row.says_wait);
  }
}

TEST_CASE("429, 529 and silence are too fast; other failures are not") {
  for (const int status : {200, 400, 500, 503}) {
    HttpReply reply;
    reply.status = status;
    CHECK_FALSE(PaceOf(reply, kNow).too_fast);
  }
  HttpReply overloaded;
  overloaded.status = 529;
  CHECK(PaceOf(overloaded, kNow).too_fast);
  HttpReply silent;
  silent.error = Error{ErrorCode::kTimeout, "no reply"};
  CHECK(PaceOf(silent, kNow).too_fast);
  silent.error = Error{ErrorCode::kNetwork, "reset"};
  CHECK_FALSE(PaceOf(silent, kNow).too_fast);
}

}  // namespace
}  // namespace assay
