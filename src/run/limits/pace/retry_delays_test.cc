// Tests of how long a call waits before its next try.
#include "run/limits/pace/retry_delays.h"

#include <doctest/doctest.h>

namespace assay {

using std::chrono::microseconds;
using std::chrono::seconds;

TEST_CASE("delays grow to the cap at random; each sitting has its own") {
  RetryDelays delays({}, 7);
  RetryDelays same({}, 7);
  RetryDelays other({}, 8);
  bool differ = false;
  for (int tries = 1; tries <= 12; ++tries) {
    const microseconds delay = delays.Next(tries, {}, {}, {});
    CHECK(delay > microseconds(0));
    CHECK(delay <= std::min<microseconds>(seconds(30), seconds(1) * (1 << (tries - 1))));
    CHECK(same.Next(tries, {}, {}, {}) == delay);
    differ = differ || other.Next(tries, {}, {}, {}) != delay;
  }
  CHECK(differ);
}

TEST_CASE("what the service, the request and the user say comes first") {
  RetryDelays delays({.max_retries = 5}, 1);
  Pace pace;
  pace.wait = seconds(10);
  const microseconds told = delays.Next(1, pace, {}, {});
  CHECK(told >= seconds(10));
  CHECK(told <= seconds(11));
  CHECK(delays.Next(3, {}, RetryRule{.max_retries = 9, .backoff = seconds(2)}, {}) == seconds(6));
  Pace overloaded;
  overloaded.overloaded = true;
  CHECK(delays.Next(1, overloaded, {}, {}) >= seconds(20));
  CHECK(delays.Next(1, overloaded, {}, {.backoff = std::chrono::milliseconds(5)}) < seconds(1));
  CHECK(delays.RetriesMax({}, {}) == 5);
  CHECK(delays.RetriesMax({}, {.max_retries = 2}) == 2);
  CHECK(delays.RetriesMax(RetryRule{.max_retries = 9}, {}) == 9);
  RetryDelays chosen({.max_retries = 5, .is_chosen = true}, 1);
  CHECK(chosen.RetriesMax(RetryRule{.max_retries = 9}, {}) == 5);
}

}  // namespace assay
