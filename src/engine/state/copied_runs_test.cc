// Tests of copies between stores of two makers: whose the copied rows are, and which runs stay as they are.
#include "engine/state/copied_runs.h"

#include <doctest/doctest.h>

#include <filesystem>

#include "tests/support/test_store.h"

namespace assay {
namespace {

using testing::Answered;
using testing::MakeRun;
using testing::TempFolder;
using testing::TestSitting;

// A folder with a state folder in it, so that no store of the machine counts.
class CopyWorld {
 public:
  CopyWorld() { setenv("XDG_STATE_HOME", folder_.Path("state").c_str(), 1); }
  ~CopyWorld() { unsetenv("XDG_STATE_HOME"); }
  std::string Path(const std::string& name) const { return folder_.Path(name); }

 private:
  TempFolder folder_;
};

// A run of one cell, whose answer is to a question of its own.
void AddRun(Store& store, const std::string& id, RunState state = RunState::kFinished) {
  RunRecord run = MakeRun(id);
  run.epoch = 1;
  REQUIRE(store.BeginRun(run));
  TestSitting sitting(store, id);
  const std::vector<Exchange> kept = sitting.Keep({Answered("asked by " + id, "yes", 1)});
  sitting.Grade({{.cell = 0,
                  .scores = R"({"v":1,"scores":[]})",
                  .steps = {{.kind = LinkKind::kAnswer, .exchanges = {kept[0].id}}},
                  .columns = CellColumns{
                      .variant = 0, .attempt = 0, .outcome = {CellState::kScored, 0.5}, .weight = 1}}});
  run.state = state;
  REQUIRE(store.UpdateRun(run));
}

std::unique_ptr<OwnStore> OwnStoreWith(const std::string& path, const std::string& id, RunState state) {
  auto own = OwnStore::Open({.path = path});
  REQUIRE(own);
  AddRun((*own)->store(), id, state);
  return *std::move(own);
}

// The store at `from` copied to another, with what a reader says of it.
CopiedRuns CopyFrom(const std::string& from, OwnStore& to) {
  const auto store = OpenForReading({.path = from});
  REQUIRE(store);
  const auto origin = OriginOf(**store, from);
  REQUIRE(origin);
  const auto runs = (*store)->Runs();
  REQUIRE(runs);
  const auto copied = CopyRunsOf(**store, *origin, *runs, to, 1'000);
  REQUIRE(copied);
  return *copied;
}

StoreOrigin OriginIn(const std::string& path) {
  const auto store = OpenForReading({.path = path});
  REQUIRE(store);
  const auto origin = OriginOf(**store, path);
  REQUIRE(origin);
  return *origin;
}

RunRecord RunIn(const std::string& path, const std::string& id) {
  const auto store = OpenForReading({.path = path});
  REQUIRE(store);
  const auto run = (*store)->FindRun(id);
  REQUIRE(run);
  return *run;
}

// Makes a store in the folder `name`, and a copy of it beside, which is nobody's here.
std::string StoreOfOthers(const CopyWorld& world, const std::string& id,
                          RunState state = RunState::kFinished) {
  OwnStoreWith(world.Path("made/store.db"), id, state).reset();
  std::filesystem::copy(world.Path("made"), world.Path("others"));
  return world.Path("others/store.db");
}

TEST_CASE("what somebody else made is marked in the other store, row for row") {
  const CopyWorld world;
  const std::string from = StoreOfOthers(world, "theirs");
  auto to = OwnStoreWith(world.Path("own/store.db"), "mine", RunState::kFinished);
  const CopiedRuns copied = CopyFrom(from, *to);
  CHECK(copied.counts.runs == 1);
  CHECK(copied.counts.exchanges == 1);
  CHECK(copied.kept.empty());
  AddRun(to->store(), "mine-later");
  to.reset();
  const StoreOrigin origin = OriginIn(world.Path("own/store.db"));
  CHECK(origin.IsForeignRun(RunIn(world.Path("own/store.db"), "theirs")));
  CHECK_FALSE(origin.IsForeignRun(RunIn(world.Path("own/store.db"), "mine")));
  CHECK_FALSE(origin.IsForeignRun(RunIn(world.Path("own/store.db"), "mine-later")));
  CHECK_FALSE(origin.exchanges.Contains(1));
  CHECK(origin.exchanges.Contains(2));
  CHECK_FALSE(origin.exchanges.Contains(3));
}

TEST_CASE("nothing of one's own store is marked in another one") {
  const CopyWorld world;
  OwnStoreWith(world.Path("own/store.db"), "mine", RunState::kFinished).reset();
  auto to = OwnStoreWith(world.Path("second/store.db"), "other", RunState::kFinished);
  CHECK(CopyFrom(world.Path("own/store.db"), *to).counts.runs == 1);
  to.reset();
  CHECK_FALSE(OriginIn(world.Path("second/store.db")).IsForeign());
}

TEST_CASE("a stranger's run adds nothing to an unfinished run of the user's, and the user hears of it") {
  const CopyWorld world;
  const std::string from = StoreOfOthers(world, "same");
  auto to = OwnStoreWith(world.Path("own/store.db"), "same", RunState::kUnfinished);
  const CopiedRuns copied = CopyFrom(from, *to);
  CHECK(copied.kept == std::vector<std::string>{"same"});
  CHECK(copied.counts.runs == 0);
  to.reset();
  CHECK(RunIn(world.Path("own/store.db"), "same").state == RunState::kUnfinished);
  CHECK_FALSE(OriginIn(world.Path("own/store.db")).IsForeign());
}

TEST_CASE("a finished run stays anyway, and the user hears of it only if the two differ") {
  const CopyWorld world;
  const std::string from = StoreOfOthers(world, "same");
  auto to = OwnStoreWith(world.Path("own/store.db"), "same", RunState::kFinished);
  CHECK(CopyFrom(from, *to).kept.empty());
  CHECK_FALSE(to->origin().IsForeign());
}

}  // namespace
}  // namespace assay
