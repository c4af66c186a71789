// Tests that several processes which work on one run come to the report of one that works alone, whoever of
// them dies when, and that each request is answered once.
#include <doctest/doctest.h>
#include <fmt/core.h>

#include "report/aggregate.h"
#include "run/executor/executor.h"
#include "run/limits/pace/seated_pace.h"
#include "tests/sim/sim_coordinator.h"
#include "tests/sim/sim_run.h"

namespace assay::sim {

namespace {

// The store as one process sees it, which may die after any commit, and may have lost its seat.
class SeatedStore final : public DyingStore {
 public:
  SeatedStore(Store& store, SimCoordination& all, SeatId seat, std::uint64_t commits_left)
      : DyingStore(store, commits_left), all_(all), seat_(seat) {}
  Result<std::vector<Exchange>> Commit(SittingId sitting, std::uint64_t number, SittingWork work) override {
    if (dead()) return Error{ErrorCode::kCancelled, "the process was killed before"};
    const bool lives = all_.Lives(seat_);
    if (!lives) work.cells = {};
    const std::vector<Exchange> asked = work.exchanges;
    Result<std::vector<Exchange>> counting = DyingStore::Commit(sitting, number, std::move(work));
    all_.FreeClaims(seat_, asked);
    if (lives || !counting) return counting;
    return Error{ErrorCode::kRefused, "another process has this one's place"};
  }

 private:
  SimCoordination& all_;
  SeatId seat_;
};

// Whoever is killed says nothing any more.
class MortalSeat final : public Coordinator {
 public:
  MortalSeat(Coordinator& seat, const DyingStore& store) : seat_(seat), store_(store) {}
  Result<SeatId> Sit(const SeatRequest& request) override { return seat_.Sit(request); }
  Result<bool> Beat(const SeatNews& news) override { return seat_.Beat(news); }
  Result<RangesClaimed> ClaimRanges(std::size_t most) override { return seat_.ClaimRanges(most); }
  Status FinishRanges(std::span<const std::int64_t> numbers) override {
    return store_.dead() ? Ok() : seat_.FinishRanges(numbers);
  }
  Status Leave() override { return store_.dead() ? Ok() : seat_.Leave(); }

 private:
  Coordinator& seat_;
  const DyingStore& store_;
};

struct Crowd {
  std::uint64_t seed = 1;
  std::size_t shards = 3;
  std::size_t width = 4;
  double failure_rate = 0;
  std::uint64_t die_after = 0;  // commits, of each that dies; 0: nobody does
  std::size_t deaths = 0;       // of shard 1
  bool comes_back = true;       // whoever died
};

struct CrowdResult {
  std::string report;
  std::map<std::string, int> paid;  // by body
};

// What the processes share.
struct CrowdWorld {
  const Crowd& crowd;
  const Plan& plan;
  Store& store;
  const RunRecord& run;
  SimCoordination all;
  std::size_t deaths = 0;
  std::map<std::string, int> paid = {};
};

// One process from its start to its end or its death; true: it has ended.
bool Live(CrowdWorld& world, std::size_t shard, std::uint64_t life, SharedTime::View& clock) {
  const Crowd& crowd = world.crowd;
  const bool dies = shard == 0 && world.deaths < crowd.deaths;
  SimCoordination::Seat seat(world.all);
  const Result<SeatId> id = seat.Sit({.run_id = "run-0",
                                      .shard = static_cast<std::int64_t>(shard),
                                      .shards = static_cast<std::int64_t>(crowd.shards),
                                      .cells = world.plan.CellCount(),
                                      .cells_per_case = 1,
                                      .host = "",
                                      .process = 0,
                                      .task = ""});
  ASSAY_ASSERT(id.has_value());
  SeatedStore seen(world.store, world.all, *id, dies ? crowd.die_after : ~std::uint64_t{0});
  MortalSeat mortal(seat, seen);
  const std::uint64_t seed = crowd.seed * 1'000 + shard * 100 + life;
  FakeTransport network(clock, {.seed = seed, .failure_rate = crowd.failure_rate}, FakeAnswer);
  const Router router;
  ExecutorOptions options;
  options.workers = 0;
  options.store_threading = Threading::kInline;
  options.retry.max_retries = 60;
  SharedCells cells({.clock = clock,
                     .coordinator = mortal,
                     .reader = world.store,
                     .plan = world.plan,
                     .run = world.run,
                     .threading = Threading::kInline});
  LocalPace own(world.plan.pools(), options.limits, options.retry);
  SeatedPace pace(own, cells);
  Executor* running = nullptr;
  const auto stop_if_lost = [&](const Progress&) {
    if (cells.IsLost()) running->RequestStop();
  };
  Executor executor(world.plan, world.run,
                    {.clock = clock,
                     .store = seen,
                     .transport = network,
                     .router = router,
                     .pace = &pace,
                     .source = &cells,
                     .claims = &seat,
                     .columns_of = ColumnsIn(world.plan.suite()),
                     .on_progress = stop_if_lost},
                    options);
  running = &executor;
  const Result<RunEnd> end = executor.Run();
  if (seen.dead()) ++world.deaths;
  for (const auto& [body, times] : network.paid()) world.paid[body] += times;
  return end.has_value() || !crowd.comes_back;
}

CrowdResult RunCrowd(const Crowd& crowd) {
  const TempFolder folder;
  Diagnostics diagnostics;
  const std::shared_ptr<const Plan> plan =
      Plan::Build(MakeSuite(), {.max_in_flight = crowd.width}, diagnostics);
  REQUIRE(plan != nullptr);
  const std::unique_ptr<Store> store = OpenStore({.path = folder.Path("store.db")}).value();
  RunRecord run;
  run.context.run_id = "run-0";
  run.context.started_ms = 1'000'000'000'000;
  run.plan_digest = DigestOf(plan->suite());
  run.cells = plan->CellCount();
  REQUIRE(store->BeginRun(run).has_value());
  SharedTime time;
  CrowdWorld world{.crowd = crowd, .plan = *plan, .store = *store, .run = run, .all = SimCoordination(time)};
  time.Run(crowd.shards, [&world](std::size_t shard, SharedTime::View& clock) {
    for (std::uint64_t life = 0; !Live(world, shard, life, clock);) ++life;
  });
  run.state = RunState::kFinished;
  const Result<Report> report = Fold(*store, run, SuiteOf(plan), RetellingOf(run));
  REQUIRE(report.has_value());
  CrowdResult result{.report = {}, .paid = world.paid};
  REQUIRE(report
              ->for_each_cell(CellRange::All(), CellParts::kAll,
                              [&result](const Cell& cell) {
                                result.report += PrintCell(cell);
                                return Ok();
                              })
              .has_value());
  return result;
}

// Answers that were paid for; equal bodies of several attempts are several.
int Paid(const CrowdResult& result) {
  int sum = 0;
  for (const auto& [body, times] : result.paid) sum += times;
  return sum;
}

constexpr std::uint64_t kSeeds = 8;

}  // namespace

TEST_CASE("several processes come to the report of one, and each request is answered once") {
  const CrowdResult alone = RunCrowd({.shards = 1});
  CHECK(!alone.report.empty());
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    for (const std::size_t shards : {2, 3, 7}) {
      CAPTURE(seed);
      CAPTURE(shards);
      const CrowdResult crowd =
          RunCrowd({.seed = seed, .shards = shards, .width = 1 + seed % 5, .failure_rate = 0.3});
      CHECK(crowd.report == alone.report);
      CHECK(crowd.paid == alone.paid);
    }
  }
}

TEST_CASE("a process that dies after any commit is stood in for, and repeats no more than was under way") {
  const CrowdResult alone = RunCrowd({.shards = 1});
  for (const bool comes_back : {true, false}) {
    for (std::uint64_t commits = 1; commits <= 12; ++commits) {
      CAPTURE(comes_back);
      CAPTURE(commits);
      constexpr std::size_t kWidth = 3;
      constexpr std::size_t kPools = 4;
      const CrowdResult crowd = RunCrowd({.seed = commits,
                                          .width = kWidth,
                                          .failure_rate = 0.2,
                                          .die_after = commits,
                                          .deaths = comes_back ? 3u : 1u,
                                          .comes_back = comes_back});
      CHECK(crowd.report == alone.report);
      CHECK(Paid(crowd) - Paid(alone) <= static_cast<int>(kWidth * kPools * (comes_back ? 3 : 1)));
    }
  }
}

}  // namespace assay::sim
