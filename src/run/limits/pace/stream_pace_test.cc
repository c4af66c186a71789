// Tests of quantiles of many numbers, and of which tokens of a stream its rate counts.
#include "run/limits/pace/stream_pace.h"

#include <doctest/doctest.h>

namespace assay {

TEST_CASE("quantiles are exact to one per cent, whatever the order") {
  Quantiles none;
  CHECK(none.At(0.5) == 0);
  Quantiles numbers;
  for (int i = 1; i <= 1000; ++i) numbers.Add((i * 3) % 1001);
  CHECK(numbers.count() == 1000);
  CHECK(numbers.At(0) == doctest::Approx(1).epsilon(0.011));
  CHECK(numbers.At(0.5) == doctest::Approx(500).epsilon(0.011));
  CHECK(numbers.At(0.95) == doctest::Approx(950).epsilon(0.011));
  CHECK(numbers.At(1) == doctest::Approx(1000).epsilon(0.011));
  Quantiles one;
  one.Add(42);
  CHECK(one.At(0.95) == doctest::Approx(42).epsilon(0.011));
  one.Add(0);
  CHECK(one.At(0) > 0);
}

TEST_CASE("a rate counts the tokens that came after the first") {
  using std::chrono::milliseconds;
  const struct {
    const char* what;
    milliseconds first, whole;
    Usage usage;
    const char* reasoning;
    double rate;  // 0: none
  } rows[] = {
      {"plain", milliseconds(500), milliseconds(1500), {.output_tokens = 101, .known = true}, "", 100},
      {"thoughts that are hidden",
       milliseconds(500),
       milliseconds(1500),
       {.output_tokens = 101, .reasoning_tokens = 50, .known = true},
       "",
       50},
      {"thoughts that are shown",
       milliseconds(500),
       milliseconds(1500),
       {.output_tokens = 101, .reasoning_tokens = 50, .known = true},
       "hm",
       100},
      {"one token", milliseconds(500), milliseconds(1500), {.output_tokens = 1, .known = true}, "", 0},
      {"no count", milliseconds(500), milliseconds(1500), {}, "", 0},
      {"all at once", milliseconds(500), milliseconds(500), {.output_tokens = 101, .known = true}, "", 0},
  };
  for (const auto& row : rows) {
    CAPTURE(row.what);
    StreamPace pace;
    ModelReply reply;
    reply.usage = row.usage;
    reply.reasoning = row.reasoning;
    pace.Add(row.first, row.whole, reply);
    CHECK(pace.first_token_ms.At(0.5) == doctest::Approx(500).epsilon(0.011));
    CHECK(pace.tokens_per_s.count() == (row.rate > 0 ? 1 : 0));
    CHECK(pace.tokens_per_s.At(0.5) == doctest::Approx(row.rate).epsilon(0.011));
  }
}

}  // namespace assay
