// Tests of waiting (it ends with a message or at the deadline) and of Secret.
#include "base/clock.h"

#include <doctest/doctest.h>

#include <thread>

#include "base/bounded_queue.h"
#include "base/wire/secret.h"

namespace assay {
namespace {

TEST_CASE("a wait ends at once when a message is there") {
  SystemClock clock;
  BoundedQueue<int> queue(1);
  REQUIRE(queue.Push(7));
  clock.Wait(queue, kNever);
  CHECK(queue.Drain() == std::vector<int>{7});
}

TEST_CASE("a wait ends at a deadline that has passed, and when the queue is closed") {
  SystemClock clock;
  BoundedQueue<int> queue(1);
  clock.Wait(queue, clock.Now());
  CHECK_FALSE(queue.HasMessages());
  queue.Close();
  clock.Wait(queue, kNever);
  CHECK_FALSE(queue.Push(1));
  CHECK_FALSE(queue.Pop().has_value());
}

TEST_CASE("a wait wakes for a message from another thread") {
  SystemClock clock;
  BoundedQueue<int> queue(1);
  std::jthread sender([&queue] { queue.Push(3); });
  clock.Wait(queue, kNever);
  CHECK(queue.Drain() == std::vector<int>{3});
}

TEST_CASE("time goes forward, and wall time is of this century") {
  const SystemClock clock;
  const TimePoint first = clock.Now();
  CHECK(clock.Now() >= first);
  CHECK(clock.WallMs() > 1'600'000'000'000);
}

TEST_CASE("a secret reveals itself only when asked, and survives copies and moves") {
  Secret key("k-123");
  Secret copy = key;
  const Secret moved = std::move(key);
  CHECK(moved.Reveal() == "k-123");
  copy = Secret();
  CHECK(copy.empty());
  CHECK(moved.Reveal() == "k-123");
}

}  // namespace
}  // namespace assay
