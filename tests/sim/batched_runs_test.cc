// Tests that a run by batches ends in the report of a run that asked one by one, whatever the services lose,
// leave out or never end, and however often the program is killed while it waits.
#include <doctest/doctest.h>

#include "tests/sim/batch_service.h"
#include "tests/sim/sim_run.h"

namespace assay::sim {

namespace {

using std::chrono::hours;
using std::chrono::milliseconds;

constexpr milliseconds kDay = hours(24);
constexpr int kAttempts = 2;  // of the suite: each asks in the same words

// One sitting after the other until the run is finished. `die_after`: commits of each but the last.
struct Runs {
  BatchServices services;
  Endpoints keys = BatchKeys();
  TempFolder folder;
  std::uint64_t sittings = 0;
  std::int64_t wall_ms = 1'000'000'000'000;

  SittingResult Go(std::uint64_t die_after, milliseconds batch_wait, std::size_t width = 4) {
    SittingResult result;
    do {
      REQUIRE(++sittings < 500);
      wall_ms += 60'000;
      Sitting sitting{.seed = sittings, .width = width, .die_after = die_after, .wall_ms = wall_ms};
      sitting.suite = BatchedSuite;
      sitting.network = [this](FakeClock& clock) { return std::make_unique<BatchNetwork>(clock, services); };
      sitting.endpoints = keys;
      if (batch_wait.count() > 0) sitting.batch_wait = batch_wait;
      result = Sit(folder.Path("store.db"), sitting);
    } while (!result.finished);
    return result;
  }
};

std::string OneByOne() {
  Runs runs;
  const SittingResult result = runs.Go(0, milliseconds(0));
  REQUIRE(runs.services.batches.empty());
  return result.report;
}

int MostOften(const std::map<std::string, int>& answered) {
  int most = 0;
  for (const auto& [body, times] : answered) most = std::max(most, times);
  return most;
}

}  // namespace

TEST_CASE("batches in good weather: everything comes by them, once, and the report is the same") {
  Runs runs;
  const SittingResult result = runs.Go(0, kDay);
  CHECK(result.report == OneByOne());
  CHECK(runs.services.alone == 0);
  CHECK(MostOften(runs.services.answered) == kAttempts);
  CHECK(result.batches_left == 0);
}

TEST_CASE("killed while it waits, after every commit: nothing that a batch answers is asked twice") {
  const std::string expected = OneByOne();
  for (std::uint64_t die_after : {1, 3}) {
    CAPTURE(die_after);
    Runs runs;
    runs.services.polls_max = 6;
    const SittingResult result = runs.Go(die_after, kDay);
    CHECK(result.report == expected);
    CHECK(runs.sittings > 3);
    CHECK(runs.services.alone == 0);
    CHECK(MostOften(runs.services.answered) == kAttempts);
    CHECK(result.batches_left == 0);
  }
}

TEST_CASE("parts that are missing or were refused for a while are asked one by one") {
  const std::string expected = OneByOne();
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    CAPTURE(seed);
    Runs runs;
    runs.services.dice.seed(seed);
    runs.services.missing_rate = 0.3;
    runs.services.overload_rate = 0.2;
    const SittingResult result = runs.Go(0, kDay);
    CHECK(result.report == expected);
    CHECK(runs.services.alone > 0);
    CHECK(MostOften(runs.services.answered) == kAttempts);  // paid for once: in the batch, or alone
    CHECK(result.batches_left == 0);
  }
}

TEST_CASE("batches that never end are cancelled; what they answered by then counts") {
  const std::string expected = OneByOne();
  for (std::uint64_t seed = 1; seed <= 2; ++seed) {
    CAPTURE(seed);
    Runs runs;
    runs.services.dice.seed(seed);
    runs.services.stuck_rate = 0.7;
    const SittingResult result = runs.Go(0, hours(2));
    CHECK(result.report == expected);
    CHECK(runs.services.alone > 0);
    CHECK(MostOften(runs.services.answered) == kAttempts);
    CHECK(result.batches_left == 0);
  }
}

TEST_CASE("storm: requests are lost on both ways, parts are missing, and the program is killed") {
  const std::string expected = OneByOne();
  for (std::uint64_t seed = 1; seed <= 2; ++seed) {
    CAPTURE(seed);
    Runs runs;
    runs.services.dice.seed(seed);
    runs.services.failure_rate = 0.2;
    runs.services.missing_rate = 0.1;
    runs.services.overload_rate = 0.1;
    runs.services.stuck_rate = 0.2;
    const SittingResult result = runs.Go(2 + seed, hours(3), 1 + seed);
    CHECK(result.report == expected);
    CHECK(result.batches_left == 0);
  }
}

}  // namespace assay::sim
