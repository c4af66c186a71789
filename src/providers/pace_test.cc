// What headers say about waiting.
#include "providers/pace.h"

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
      {"retry-after", "999999999999999999999999", limits::kServiceWaitMax.count()},
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
