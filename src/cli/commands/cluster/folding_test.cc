// Tests of how long a report waits for shards: those whose every pod had failed it waited for forever.
#include "cli/commands/cluster/folding.h"

#include <doctest/doctest.h>

namespace assay {

namespace {

RunWork Idle(std::int64_t open, std::int64_t done) {
  return {.living = {}, .ranges = {.open = open, .held = 0, .done = done}};
}

RunWork Busy() {
  RunWork work = Idle(2, 1);
  work.living.emplace_back();
  return work;
}

TimePoint After(std::chrono::minutes time) { return TimePoint{} + time; }

}  // namespace

TEST_CASE("shards that have begun are waited for as long as engines take to start them again") {
  using std::chrono::minutes;
  ShardPatience patience;
  CHECK(!patience.IsOver(Busy(), After(minutes(0))));
  CHECK(!patience.IsOver(Busy(), After(minutes(600))));
  CHECK(!patience.IsOver(Idle(2, 1), After(minutes(601))));
  CHECK(!patience.IsOver(Idle(2, 1), After(minutes(629))));
  CHECK(!patience.IsOver(Busy(), After(minutes(630))));      // one came again
  CHECK(!patience.IsOver(Idle(1, 2), After(minutes(659))));  // and did something
  CHECK(!patience.IsOver(Idle(1, 2), After(minutes(689))));
  CHECK(patience.IsOver(Idle(1, 2), After(minutes(690))));
}

TEST_CASE("shards that wait in a queue are waited for longer") {
  using std::chrono::minutes;
  ShardPatience patience;
  CHECK(!patience.IsOver(Idle(0, 0), After(minutes(0))));
  CHECK(!patience.IsOver(Idle(0, 0), After(minutes(24 * 60))));
  CHECK(patience.IsOver(Idle(0, 0), After(minutes(24 * 60 + 1))));
  // Those of a run that an earlier array left half done, too.
  ShardPatience again;
  CHECK(!again.IsOver(Idle(2, 1), After(minutes(0))));
  CHECK(!again.IsOver(Idle(2, 1), After(minutes(120))));
}

}  // namespace assay
