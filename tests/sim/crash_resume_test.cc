// Tests that a run which is killed after any of its commits, however often, and resumed, at once or an hour
// later, ends in the same report as one that was left alone, and pays for nothing twice.
#include <doctest/doctest.h>

#include "tests/sim/sim_run.h"

namespace assay::sim {

namespace {

constexpr std::int64_t kHourMs = 3'600'000;

std::string Undisturbed() {
  const TempFolder folder;
  const SittingResult result = Sit(folder.Path("store.db"), {.seed = 1, .width = 4, .failure_rate = 0});
  REQUIRE(result.finished);
  return result.report;
}

}  // namespace

TEST_CASE("the report does not depend on the width, the seed or the weather") {
  const std::string expected = Undisturbed();
  for (std::size_t width = 1; width <= 16; width += Stride(16)) {
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      CAPTURE(width);
      CAPTURE(seed);
      const TempFolder folder;
      const SittingResult result =
          Sit(folder.Path("store.db"), {.seed = seed, .width = width, .failure_rate = 0.4});
      REQUIRE(result.finished);
      CHECK(result.report == expected);
    }
  }
}

TEST_CASE("killed after every commit in turn, resumed each time") {
  const std::string expected = Undisturbed();
  for (std::size_t width = 1; width <= 16; width += Stride(16)) {
    for (std::uint64_t seed = 1; seed <= 2; ++seed) {
      CAPTURE(width);
      CAPTURE(seed);
      const TempFolder folder;
      SittingResult result;
      std::uint64_t sittings = 0;
      do {
        REQUIRE(++sittings < 1000);
        result = Sit(folder.Path("store.db"), {.seed = seed * 1000 + sittings,
                                               .width = width,
                                               .die_after = 1 + sittings % Stride(kCommitsMost)});
      } while (!result.finished);
      CHECK(result.report == expected);
      CHECK(sittings > 10);
    }
  }
}

TEST_CASE("killed once after the n-th commit, resumed an hour later") {
  const std::string expected = Undisturbed();
  for (const std::size_t width : {1, 4, 16}) {
    for (std::uint64_t commits = 1;; commits += Stride()) {
      CAPTURE(width);
      CAPTURE(commits);
      const TempFolder folder;
      const Sitting first{.seed = commits, .width = width, .die_after = commits};
      SittingResult killed = Sit(folder.Path("store.db"), first);
      if (killed.finished) break;
      Sitting second{.seed = commits + 7, .width = width};
      second.wall_ms += kHourMs;
      const SittingResult resumed = Sit(folder.Path("store.db"), second);
      REQUIRE(resumed.finished);
      CHECK(resumed.report == expected);
    }
  }
}

namespace {

// A run that is killed after `commits` and resumed, while the wall clock jumps: how many requests are paid
// for twice.
int PaidTwice(std::int64_t jump, std::uint64_t commits, const std::string& expected) {
  CAPTURE(jump);
  CAPTURE(commits);
  const TempFolder folder;
  Sitting first{.seed = commits, .width = 1, .die_after = commits};
  first.failure_rate = 0;
  first.wall_jumps_ms = jump;
  const SittingResult killed = Sit(folder.Path("store.db"), first);
  Sitting second{.seed = commits + 7, .width = 1};
  second.failure_rate = 0;
  second.wall_ms -= jump;
  second.wall_jumps_ms = jump;
  const SittingResult resumed = Sit(folder.Path("store.db"), second);
  REQUIRE(resumed.finished);
  CHECK(resumed.report == expected);
  int twice = 0;
  for (const auto& [body, times] : resumed.paid) {
    const auto before = killed.paid.find(body);
    twice += before == killed.paid.end() ? 0 : std::min(before->second, times);
  }
  return twice;
}

}  // namespace

TEST_CASE("a wall clock that jumps back and forth changes no report, and no more is paid for twice") {
  constexpr std::int64_t kJumps[] = {1'000, kHourMs, 24 * 365 * 20 * kHourMs};
  const std::string expected = Undisturbed();
  for (std::uint64_t commits = 1; commits <= 40; commits += 3 * Stride(14)) {
    const int calm = PaidTwice(0, commits, expected);  // of what was under way
    for (const std::int64_t jump : kJumps) CHECK(PaidTwice(jump, commits, expected) == calm);
  }
}

TEST_CASE("what was committed is not asked again") {
  const TempFolder folder;
  const Sitting first{.seed = 5, .width = 1, .die_after = 20};
  const SittingResult killed = Sit(folder.Path("store.db"), first);
  REQUIRE(!killed.finished);
  const SittingResult resumed = Sit(folder.Path("store.db"), {.seed = 6, .width = 1});
  REQUIRE(resumed.finished);
  const auto replies = [](const SittingResult& result) {
    int sum = 0;
    for (const auto& [body, times] : result.paid) sum += times;
    return sum;
  };
  const TempFolder other;
  const SittingResult undisturbed = Sit(other.Path("store.db"), {.seed = 6, .width = 1});
  // At width 1 each reply is committed before the next request goes out, so at most the last one is paid for
  // twice.
  CHECK(replies(killed) + replies(resumed) <= replies(undisturbed) + 1);
  CHECK(replies(killed) >= 10);
}

TEST_CASE("a finished run sends nothing when it is run again") {
  const TempFolder folder;
  const SittingResult first = Sit(folder.Path("store.db"), {.seed = 1});
  REQUIRE(first.finished);
  const SittingResult again = Sit(folder.Path("store.db"), {.seed = 2});
  REQUIRE(again.finished);
  CHECK(again.sent == 0);
  CHECK(again.report == first.report);
}

TEST_CASE("threads change nothing") {
  const std::string expected = Undisturbed();
  for (const std::size_t workers : {1, 4}) {
    const TempFolder folder;
    const SittingResult result = Sit(folder.Path("store.db"), {.seed = 3, .width = 8, .workers = workers});
    REQUIRE(result.finished);
    CHECK(result.report == expected);
  }
}

}  // namespace assay::sim
