// Tests that several processes which work on one run come to the report of one that works alone, whoever of
// them dies when, and that each request is answered once.
#include <doctest/doctest.h>
#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <random>
#include <set>

#include "report/aggregate.h"
#include "run/executor/executor.h"
#include "run/limits/cost/shared_budget.h"
#include "run/limits/pace/seated_pace.h"
#include "spec/suite/suite.h"
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
  MortalSeat(Coordinator& seat, std::function<bool()> is_dead) : seat_(seat), is_dead_(std::move(is_dead)) {}
  Result<SeatId> Sit(const SeatRequest& request) override { return seat_.Sit(request); }
  Result<Standing> Beat(const SeatNews& news) override { return seat_.Beat(news); }
  Result<RangesClaimed> ClaimRanges(const RangesWish& wish) override { return seat_.ClaimRanges(wish); }
  Result<std::vector<CellSpan>> FinishedRanges(CellSpan span) override { return seat_.FinishedRanges(span); }
  Status FinishRanges(std::span<const std::int64_t> numbers) override {
    return is_dead_() ? Ok() : seat_.FinishRanges(numbers);
  }
  Result<RateBlock> Draw(const RateWish& wish) override { return seat_.Draw(wish); }
  Result<BudgetDraw> Draw(const BudgetWish& wish) override { return seat_.Draw(wish); }
  Status Leave() override { return is_dead_() ? Ok() : seat_.Leave(); }

 private:
  Coordinator& seat_;
  const std::function<bool()> is_dead_;
};

// Claims of a process that is killed right after its n-th; 0: it is not.
class MortalClaims final : public CallClaims {
 public:
  MortalClaims(CallClaims& claims, std::uint64_t die_after) : claims_(claims), left_(die_after) {}
  bool dead() const { return dead_; }
  Result<std::vector<bool>> Claim(std::span<const Digest> keys, std::uint32_t epoch) override {
    Result<std::vector<bool>> mine = claims_.Claim(keys, epoch);
    dead_ = dead_ || (left_ > 0 && --left_ == 0);
    if (dead_) return Error{ErrorCode::kCancelled, "the process was killed"};
    return mine;
  }
  Status Free(std::span<const Digest> keys, std::uint32_t epoch) override {
    return dead_ ? Ok() : claims_.Free(keys, epoch);
  }
  Result<std::vector<ClaimHolder>> HoldersOf(std::span<const Digest> keys, std::uint32_t epoch) override {
    return claims_.HoldersOf(keys, epoch);
  }

 private:
  CallClaims& claims_;
  std::uint64_t left_;
  bool dead_ = false;
};

// One process's way to the server, which is cut for a while: what is to be done there waits, in its order,
// and the process runs on.
class CutLink {
 public:
  CutLink(SharedTime& time, std::size_t self, TimePoint from, TimePoint until)
      : view_(time, self), from_(from), until_(until), waiting_(std::make_shared<Waiting>()) {}
  ~CutLink() { waiting_->clear(); }  // whoever was to do it is gone
  CutLink(const CutLink&) = delete;
  CutLink& operator=(const CutLink&) = delete;

  bool IsCut() const { return view_.Now() >= from_ && view_.Now() < until_; }
  void Do(std::function<void()> job) {
    if (!IsCut() && waiting_->empty()) return job();
    if (waiting_->empty()) {
      view_.At(until_, [waiting = waiting_] {
        for (; !waiting->empty(); waiting->pop_front()) waiting->front()();
      });
    }
    waiting_->push_back(std::move(job));
  }

 private:
  using Waiting = std::deque<std::function<void()>>;
  SharedTime::View view_;
  const TimePoint from_;
  const TimePoint until_;
  std::shared_ptr<Waiting> waiting_;
};

struct Crowd {
  std::uint64_t seed = 1;
  std::size_t shards = 3;
  std::size_t width = 4;
  double failure_rate = 0;
  std::uint64_t die_after = 0;  // commits, of each that dies; 0: nobody does
  std::size_t deaths = 0;       // of shard 1
  bool comes_back = true;       // whoever died
  // The last shard stands still for so long, from then on: longer than it takes to be given up.
  std::chrono::seconds sleeps_at{0};
  std::chrono::seconds sleeps_for{0};
  // One runs on without the server for so long, from then on.
  std::size_t cut_shard = 0;
  std::chrono::seconds cut_at{0};
  std::chrono::seconds cut_for{0};
  bool cuts_store = true;  // false: only what keeps its seat
  RunLimits limits = {};
  std::optional<std::size_t> width_of_all = {};  // of each pool
  std::chrono::seconds apart{0};                 // each shard begins so much later than the one before
  std::chrono::seconds delay_max{2};             // of answers
  SharedBudgetLimits budget = {};                // of all
  // Another run of the same questions, worked on by one process, which is killed for good after so many
  // commits or claims; both 0: there is none.
  std::uint64_t other_dies_after = 0;
  std::uint64_t other_dies_after_claims = 0;
  std::size_t twins = 0;             // processes that are started for the first shard once more…
  std::chrono::seconds twins_at{0};  // …so much later each
};

struct CrowdResult {
  std::string report;
  std::map<std::string, int> paid;  // by body
  std::vector<TimePoint> sent;      // in order, tries too
  std::vector<TimePoint> sent_cut;  // of them, by the one without the server
  double keys_per_claim = 0;
  std::size_t ranges_missed = 0;
  std::size_t under_way_most = 0;  // of all processes, to judges
  TimePoint ended_at{};
  std::set<std::string> elsewhere = {};  // what was told of calls that others make
};

// What all processes send.
struct CrowdCalls {
  std::vector<TimePoint> sent = {};      // in order, tries too
  std::vector<TimePoint> sent_cut = {};  // of them, by the one without the server
  std::size_t under_way = 0;             // now, of judges
  std::size_t most = 0;
};

// Notes when what is sent, and what is under way.
class TimedTransport final : public Transport, public CompletionSink {
 public:
  TimedTransport(Transport& network, const Clock& clock, const CutLink& link, CrowdCalls& calls)
      : network_(network), clock_(clock), link_(link), calls_(calls) {}
  ~TimedTransport() override {
    calls_.under_way -= judging_.size();  // it was killed
  }
  void Send(Ticket ticket, HttpRequest request, CompletionSink& sink) override {
    sink_ = &sink;
    calls_.sent.push_back(clock_.Now());
    if (link_.IsCut()) calls_.sent_cut.push_back(clock_.Now());
    const bool is_judged = request.body.find("CLASS_") != std::string::npos;
    if (is_judged && judging_.insert(ticket).second) calls_.most = std::max(calls_.most, ++calls_.under_way);
    network_.Send(ticket, std::move(request), *this);
  }
  void CancelAll() override { network_.CancelAll(); }
  void Deliver(Completion completion) override {
    calls_.under_way -= judging_.erase(completion.ticket);
    sink_->Deliver(std::move(completion));
  }

 private:
  Transport& network_;
  const Clock& clock_;
  const CutLink& link_;
  CrowdCalls& calls_;
  std::set<Ticket> judging_;
  CompletionSink* sink_ = nullptr;
};

// What the processes share.
struct CrowdWorld {
  const Crowd& crowd;
  const Plan& plan;
  Store& store;
  const RunRecord& run;
  const RunRecord& other;  // of the same questions
  SharedTime& time;
  SimCoordination all;
  std::size_t deaths = 0;
  std::map<std::string, int> paid = {};
  CrowdCalls calls = {};
  std::set<std::string> elsewhere = {};
};

SeatRequest SeatOf(const Crowd& crowd, const Plan& plan, std::size_t shard, const RunRecord& run) {
  return {.run_id = run.context.run_id,
          .shard = static_cast<std::int64_t>(shard),
          .shards = static_cast<std::int64_t>(crowd.shards),
          .cells = plan.CellCount(),
          .cells_per_case = 1,
          .host = "",
          .process = 0,
          .task = "",
          .budget = crowd.budget};
}

// One process from its start to its end or its death; true: it has ended.
bool Live(CrowdWorld& world, std::size_t shard, std::uint64_t life, SharedTime::View& clock) {
  const Crowd& crowd = world.crowd;
  const bool is_other = shard == crowd.shards + crowd.twins;
  const RunRecord& run = is_other ? world.other : world.run;
  const bool dies = shard == 0 && world.deaths < crowd.deaths;
  SimCoordination::Seat seat(world.all);
  const Result<SeatId> id = seat.Sit(SeatOf(crowd, world.plan, shard, run));
  ASSAY_ASSERT(id.has_value());
  const std::uint64_t die_after = is_other ? crowd.other_dies_after : dies ? crowd.die_after : 0;
  SeatedStore seen(world.store, world.all, *id, die_after == 0 ? ~std::uint64_t{0} : die_after);
  MortalClaims claims(seat, is_other ? crowd.other_dies_after_claims : 0);
  MortalSeat mortal(seat, [&] { return seen.dead() || claims.dead(); });
  const std::uint64_t seed = crowd.seed * 1'000 + shard * 100 + life;
  FakeTransport network(
      clock, {.seed = seed, .failure_rate = crowd.failure_rate, .delay_max = crowd.delay_max}, FakeAnswer);
  const bool is_cut = shard == crowd.cut_shard && life == 0 && crowd.cut_for.count() > 0;
  const TimePoint cut_from = is_cut ? TimePoint{} + crowd.cut_at : kNever;
  CutLink link(world.time, crowd.shards + shard, cut_from, is_cut ? cut_from + crowd.cut_for : kNever);
  const JobLink do_linked = [&link](std::function<void()> job) { link.Do(std::move(job)); };
  TimedTransport timed(network, clock, link, world.calls);
  const Router router;
  ExecutorOptions options;
  options.limits = crowd.limits;
  if (shard + 1 == crowd.shards && life == 0 && crowd.sleeps_for.count() > 0) {
    const TimePoint from = TimePoint{} + crowd.sleeps_at;
    clock.Sleep(from, from + crowd.sleeps_for);
  }
  options.workers = 0;
  options.store_threading = Threading::kInline;
  if (crowd.cuts_store) options.store_link = do_linked;
  options.retry.max_retries = 60;
  SharedCells cells({.clock = clock,
                     .coordinator = mortal,
                     .reader = world.store,
                     .plan = world.plan,
                     .run = run,
                     .threading = Threading::kInline,
                     .link = do_linked});
  const BudgetLimits spend{.nano_usd = crowd.budget.nano_usd, .tokens = crowd.budget.tokens};
  SharedBudget budget(spend, clock, cells);
  LocalPace own(world.plan.pools(), {}, options.retry);
  SeatedPace pace(own, cells, SharedRates(world.plan.pools(), options.limits, cells),
                  std::vector(world.plan.pools().size(), crowd.width_of_all));
  Executor* running = nullptr;
  const auto on_progress = [&](const Progress& progress) {
    if (!progress.elsewhere.empty()) world.elsewhere.insert(progress.elsewhere);
    pace.MakeRoom();
    if (cells.IsLost()) running->RequestStop();
  };
  Executor executor(world.plan, run,
                    {.clock = clock,
                     .store = seen,
                     .transport = timed,
                     .router = router,
                     .budget = budget,
                     .pace = pace,
                     .source = cells,
                     .claims = claims,
                     .columns_of = ColumnsIn(world.plan.suite()),
                     .on_progress = on_progress},
                    options);
  running = &executor;
  const Result<RunEnding> end = executor.Run();
  if (seen.dead()) ++world.deaths;
  if (crowd.budget.IsSet() && !seen.dead()) budget.Tidy(true);
  for (const auto& [body, times] : network.paid()) world.paid[body] += times;
  const bool is_displaced = crowd.twins > 0 && cells.IsLost();
  return end.has_value() || !crowd.comes_back || is_displaced || is_other;
}

// Of several ranges.
Suite CrowdSuite() {
  Suite suite = MakeSuite();
  suite.attempts = 8;
  return suite;
}

CrowdResult RunCrowd(const Crowd& crowd) {
  const TempFolder folder;
  Diagnostics diagnostics;
  const std::shared_ptr<const Plan> plan =
      Plan::Build(CrowdSuite(), {.max_in_flight = crowd.width}, diagnostics);
  REQUIRE(plan != nullptr);
  const std::unique_ptr<Store> store = OpenStore({.path = folder.Path("store.db")}).value();
  RunRecord run;
  run.context.run_id = "run-0";
  run.context.started_ms = 1'000'000'000'000;
  run.plan_digest = DigestOf(plan->suite());
  run.cells = plan->CellCount();
  run.dialect = plan->suite().dialect;
  REQUIRE(store->BeginRun(run).has_value());
  RunRecord other = run;
  other.context.run_id = "run-1";
  const bool has_other = crowd.other_dies_after + crowd.other_dies_after_claims > 0;
  if (has_other) REQUIRE(store->BeginRun(other).has_value());
  SharedTime time;
  CrowdWorld world{.crowd = crowd,
                   .plan = *plan,
                   .store = *store,
                   .run = run,
                   .other = other,
                   .time = time,
                   .all = SimCoordination(time)};
  time.Run(crowd.shards + crowd.twins + (has_other ? 1 : 0),
           [&world, &crowd](std::size_t self, SharedTime::View& clock) {
             if (self == crowd.shards + crowd.twins) {
               static_cast<void>(Live(world, self, 0, clock));
               return;
             }
             BoundedQueue<bool> nothing(1);
             const bool is_twin = self >= crowd.shards;
             const std::size_t shard = is_twin ? 0 : self;
             const std::size_t twin = is_twin ? self - crowd.shards + 1 : 0;
             if (is_twin) clock.Wait(nothing, clock.Now() + crowd.twins_at * static_cast<int>(twin));
             if (crowd.apart.count() > 0)
               clock.Wait(nothing, clock.Now() + crowd.apart * static_cast<int>(shard));
             for (std::uint64_t life = 10 * twin; !Live(world, shard, life, clock);) ++life;
           });
  run.state = RunState::kFinished;
  const Result<Report> report = Fold(*store, run, SuiteOf(plan), RetellingOf(run.generators));
  REQUIRE(report.has_value());
  CrowdResult result{.report = {},
                     .paid = world.paid,
                     .sent = world.calls.sent,
                     .sent_cut = world.calls.sent_cut,
                     .keys_per_claim = world.all.KeysPerClaim(),
                     .ranges_missed = world.all.RangesMissed(),
                     .under_way_most = world.calls.most,
                     .ended_at = time.Now(),
                     .elsewhere = world.elsewhere};
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

// How many seeds the simulation of everything at once takes; `./dev test --all` asks for thousands.
std::uint64_t ManySeeds() {
  constexpr std::uint64_t kFew = 200;
  const char* said = std::getenv("ASSAY_SIM_SEEDS");
  return said == nullptr ? kFew : std::strtoull(said, nullptr, 10);
}

}  // namespace

TEST_CASE("shards that die after any commit, stand still or are cut off make one report, keys asked once") {
  constexpr std::optional<std::int64_t> kAmple = 1'000'000'000;
  const CrowdResult alone = RunCrowd({.shards = 1});
  std::size_t sent_cut = 0;
  for (std::uint64_t seed = 1; seed <= ManySeeds(); ++seed) {
    CAPTURE(seed);
    std::mt19937_64 dice(seed);
    const auto below = [&dice](std::uint64_t end) { return dice() % end; };
    const std::size_t width = 1 + below(6);
    const std::size_t deaths = below(3);
    const bool sleeps = below(2) == 0;
    const bool comes_back = below(2) == 0;
    // Somebody stays.
    const bool is_cut = below(2) == 0;
    const std::size_t gone = (deaths > 0 && !comes_back ? 1u : 0u) + (sleeps ? 1u : 0u) + (is_cut ? 1u : 0u);
    const std::size_t shards = std::max<std::size_t>(2, gone + 1) + below(4);
    const std::chrono::seconds cut_at(1 + below(20));
    const CrowdResult crowd =
        RunCrowd({.seed = seed,
                  .shards = shards,
                  .width = width,
                  .failure_rate = static_cast<double>(below(4)) / 10,
                  .die_after = 1 + below(12),
                  .deaths = deaths,
                  .comes_back = comes_back,
                  .sleeps_at = std::chrono::seconds(below(20)),
                  .sleeps_for = std::chrono::seconds(sleeps ? 30 + below(90) : 0),
                  .cut_shard = below(shards),
                  .cut_at = cut_at,
                  .cut_for = std::chrono::seconds(is_cut ? 5 + below(120) : 0),
                  .cuts_store = below(2) == 0,
                  .budget = {.nano_usd = {}, .tokens = below(2) == 0 ? kAmple : std::nullopt}});
    // Whoever is not acknowledged sends nothing more before others may take over.
    for (const TimePoint at : crowd.sent_cut) CHECK(at < TimePoint{} + cut_at + kSilentAfter);
    sent_cut += crowd.sent_cut.size();
    const bool is_same = crowd.report == alone.report;  // both are long
    CHECK(is_same);
    constexpr std::size_t kPools = 4;
    const std::size_t lost = width * kPools * (deaths + (sleeps ? 1 : 0) + (is_cut ? 1 : 0));
    CHECK(Paid(crowd) - Paid(alone) <= static_cast<int>(lost));
  }
  CHECK(sent_cut > 0);
}

TEST_CASE("calls are claimed many at a time, though replies come one by one") {
  CHECK(RunCrowd({.shards = 1, .width = 16}).keys_per_claim >= 4);
}

TEST_CASE("while no range is open, a shard looks for one once a second, and when its own are done") {
  constexpr std::size_t kShards = 3;
  for (const std::chrono::seconds delay_max : {std::chrono::seconds(2), std::chrono::seconds(20)}) {
    CAPTURE(delay_max.count());
    const CrowdResult crowd = RunCrowd({.shards = kShards, .width = 16, .delay_max = delay_max});
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(crowd.ended_at.time_since_epoch());
    CHECK(crowd.ranges_missed <= kShards * static_cast<std::size_t>(seconds.count() + 2));
  }
}

TEST_CASE("no more calls are under way than all shards may have, whenever one joins; it gets its part") {
  const CrowdResult alone = RunCrowd({.shards = 1});
  constexpr std::uint64_t kStrideMost = 3;  // of fewer seeds, no share could be told
  int used = 0;
  int tried = 0;
  for (std::uint64_t seed = 1; seed <= 20; seed += std::min(Stride(20), kStrideMost)) {
    CAPTURE(seed);
    const std::size_t width = 3 + seed % 5;
    const CrowdResult crowd = RunCrowd({.seed = seed,
                                        .shards = 3,
                                        .width = width,
                                        .die_after = seed % 4,
                                        .deaths = seed % 2,
                                        .width_of_all = width,
                                        .apart = std::chrono::seconds(seed % 3 * 40),
                                        .delay_max = std::chrono::seconds(10)});
    CHECK(crowd.under_way_most <= width);
    used += crowd.under_way_most == width ? 1 : 0;
    ++tried;
    CHECK(crowd.report == alone.report);
  }
  CHECK(2 * used >= tried);
}

TEST_CASE("calls of a process whose place another one took count until they have ended") {
  const CrowdResult alone = RunCrowd({.shards = 1});
  for (std::uint64_t seed = 1; seed <= 20; seed += Stride(20)) {
    CAPTURE(seed);
    const std::size_t width = 3 + seed % 5;
    const CrowdResult crowd = RunCrowd({.seed = seed,
                                        .shards = 1 + seed % 3,
                                        .width = width,
                                        .width_of_all = width,
                                        .delay_max = std::chrono::seconds(30),
                                        .twins = 1 + seed % 2,
                                        .twins_at = std::chrono::seconds(5 + seed)});
    CHECK(crowd.under_way_most <= width);
    CHECK(crowd.report == alone.report);
  }
}

namespace {

// One that has a seat, and a pace of five calls in all.
struct Paced {
  Paced(SimCoordination& of, std::int64_t shard, const SharedCellsWorld& parts)
      : seat(of),
        cells([&] {
          REQUIRE(
              seat.Sit({.run_id = "run-0", .shard = shard, .shards = 2, .cells = 16, .host = "", .task = ""})
                  .has_value());
          return SharedCellsWorld{.clock = parts.clock,
                                  .coordinator = seat,
                                  .reader = parts.reader,
                                  .plan = parts.plan,
                                  .run = parts.run,
                                  .threading = Threading::kInline,
                                  .takes_ranges = false};
        }()),
        own(parts.plan.pools(), {}, {}),
        pace(own, cells, {}, {std::size_t{5}}) {}
  SimCoordination::Seat seat;
  SharedCells cells;
  LocalPace own;
  SeatedPace pace;
};

}  // namespace

TEST_CASE("a shard that joins waits for its part until it is free, and has it soon after") {
  const TempFolder folder;
  Diagnostics diagnostics;
  const std::shared_ptr<const Plan> plan = Plan::Build(MakeSuite(), {}, diagnostics);
  REQUIRE(plan != nullptr);
  const std::unique_ptr<Store> store = OpenStore({.path = folder.Path("store.db")}).value();
  const RunRecord run;
  SharedTime time;
  SimCoordination all(time);
  time.Run(1, [&](std::size_t, SharedTime::View& clock) {
    SimCoordination::Seat nobody(all);
    const SharedCellsWorld parts{
        .clock = clock, .coordinator = nobody, .reader = *store, .plan = *plan, .run = run};
    BoundedQueue<bool> nothing(1);
    std::vector<std::unique_ptr<Paced>> processes;
    const auto pass = [&](std::chrono::seconds seconds) {
      for (int i = 0; i < 10 * seconds.count(); ++i) {
        clock.Wait(nothing, clock.Now() + std::chrono::milliseconds(100));
        for (const auto& each : processes) {
          REQUIRE(each->cells.MaySend());
          each->pace.MakeRoom();
        }
      }
    };
    processes.push_back(std::make_unique<Paced>(all, 1, parts));
    SeatedPace& first = processes[0]->pace;
    pass(std::chrono::seconds(30));
    CHECK(first.Of(0).width == 5);
    first.OnUnderWay(0, 5);
    processes.push_back(std::make_unique<Paced>(all, 2, parts));
    SeatedPace& joined = processes[1]->pace;
    pass(std::chrono::seconds(30));
    CHECK(first.Of(0).width == 3);
    CHECK(joined.Of(0).width == 0);
    first.OnUnderWay(0, 3);
    pass(std::chrono::seconds(11));
    CHECK(first.Of(0).width == 3);
    CHECK(joined.Of(0).width == 2);
    // The first shard is started a second time: who sat there has calls under way, for longer than a minute.
    processes.push_back(std::make_unique<Paced>(all, 1, parts));
    SeatedPace& second = processes[2]->pace;
    const auto look = [&](std::chrono::seconds seconds) {
      for (int i = 0; i < 10 * seconds.count(); ++i) {
        clock.Wait(nothing, clock.Now() + std::chrono::milliseconds(100));
        for (const auto& each : processes) {
          if (each->cells.MaySend()) each->pace.MakeRoom();
        }
      }
    };
    look(std::chrono::seconds(90));
    CHECK(first.Of(0).width == 0);
    CHECK(second.Of(0).width == 0);
    CHECK(joined.Of(0).width == 2);
    processes.erase(processes.begin());
    look(std::chrono::seconds(11));
    CHECK(joined.Of(0).width == 3);
    CHECK(second.Of(0).width == 2);
  });
}

TEST_CASE("a limit a minute holds for all shards together, and is used") {
  for (const std::size_t shards : {1, 3}) {
    for (const double per_minute : {20.0, 120.0}) {
      CAPTURE(shards);
      CAPTURE(per_minute);
      RunLimits limits;
      limits.each.requests_per_min = per_minute;
      std::vector<TimePoint> sent = RunCrowd({.shards = shards, .width = 8, .limits = limits}).sent;
      std::sort(sent.begin(), sent.end());
      for (std::size_t i = 0; i < sent.size(); ++i) {
        const auto end = std::lower_bound(sent.begin(), sent.end(), sent[i] + std::chrono::seconds(60));
        CHECK(static_cast<double>(end - sent.begin()) - static_cast<double>(i) <= per_minute);
      }
      const std::chrono::duration<double, std::ratio<60>> took = sent.back() - sent.front();
      CHECK(static_cast<double>(sent.size()) >= 0.9 * per_minute * took.count());
    }
  }
}

TEST_CASE("several processes come to the report of one, and each request is answered once") {
  const CrowdResult alone = RunCrowd({.shards = 1});
  CHECK(!alone.report.empty());
  for (std::uint64_t seed = 1; seed <= kSeeds; seed += Stride(kSeeds)) {
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
    for (std::uint64_t commits = 1; commits <= 12; commits += Stride(12)) {
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

TEST_CASE("a run goes on soon where another one of the same questions is killed after any step") {
  constexpr std::size_t kWidth = 3;
  constexpr std::size_t kPools = 4;
  const CrowdResult alone = RunCrowd({.shards = 2, .width = kWidth});
  std::size_t told = 0;
  for (const bool in_claims : {true, false}) {
    for (std::uint64_t step = 1; step <= 25; step += Stride(25)) {
      CAPTURE(in_claims);
      CAPTURE(step);
      const CrowdResult crowd = RunCrowd({.seed = step,
                                          .shards = 1 + step % 3,
                                          .width = kWidth,
                                          .other_dies_after = in_claims ? 0 : step,
                                          .other_dies_after_claims = in_claims ? step : 0});
      CHECK(crowd.report == alone.report);
      // Of who was killed what was under way, and nothing else.
      CHECK(Paid(crowd) - Paid(alone) <= static_cast<int>(kWidth * kPools));
      const CrowdResult calm = RunCrowd({.seed = step, .shards = 1 + step % 3, .width = kWidth});
      CHECK(crowd.ended_at - calm.ended_at < std::chrono::seconds(90));
      for (const std::string& text : crowd.elsewhere)
        CHECK(text.find("by run run-1 on") != std::string::npos);
      told += crowd.elsewhere.size();
    }
  }
  CHECK(told > 0);
}

namespace {

struct Spenders {
  std::uint64_t seed = 1;
  std::size_t processes = 3;
  std::int64_t tokens = 20'000;
  bool dies = false;  // the first, in the middle: it says nothing any more
};

// Asks one thing after the other until nothing fits; returns what it spent.
std::int64_t Spend(const Spenders& all, std::size_t self, SimCoordination& coordination, Store& store,
                   const Plan& plan, SharedTime::View& clock) {
  SimCoordination::Seat seat(coordination);
  REQUIRE(seat.Sit({.run_id = "run-0",
                    .shard = static_cast<std::int64_t>(self),
                    .shards = 3,
                    .cells = 16,
                    .host = "",
                    .task = "",
                    .budget = {.nano_usd = {}, .tokens = all.tokens}})
              .has_value());
  const RunRecord run;
  SharedCells cells({.clock = clock,
                     .coordinator = seat,
                     .reader = store,
                     .plan = plan,
                     .run = run,
                     .threading = Threading::kInline,
                     .takes_ranges = false});
  SharedBudget budget({.nano_usd = {}, .tokens = all.tokens}, clock, cells);
  std::mt19937_64 dice(all.seed * 100 + self);
  BoundedQueue<bool> nothing(1);
  const auto wait = [&](std::chrono::milliseconds time) { clock.Wait(nothing, clock.Now() + time); };
  std::int64_t spent = 0;
  while (true) {
    const CallCost worst{.tokens = 50 + static_cast<std::int64_t>(dice() % 250), .nano_usd = {}};
    Budget::Grant grant = budget.Reserve(worst);
    while (grant == Budget::Grant::kLater) {
      wait(std::chrono::milliseconds(100));
      REQUIRE(cells.MaySend());
      grant = budget.Reserve(worst);
    }
    if (grant != Budget::Grant::kGiven) break;
    wait(std::chrono::milliseconds(dice() % 500));
    const std::int64_t actual =
        std::min(static_cast<std::int64_t>(dice() % 50) + worst.tokens / 2, worst.tokens);
    spent += actual;
    budget.Settle(worst, {.tokens = actual, .nano_usd = {}});
    if (all.dies && self == 0 && spent > all.tokens / 8) return spent;
  }
  budget.Tidy(true);
  return spent;
}

std::int64_t SpendTogether(const Spenders& all) {
  const TempFolder folder;
  Diagnostics diagnostics;
  const std::shared_ptr<const Plan> plan = Plan::Build(MakeSuite(), {}, diagnostics);
  REQUIRE(plan != nullptr);
  const std::unique_ptr<Store> store = OpenStore({.path = folder.Path("store.db")}).value();
  SharedTime time;
  SimCoordination coordination(time);
  std::int64_t spent = 0;
  time.Run(all.processes, [&](std::size_t self, SharedTime::View& clock) {
    spent += Spend(all, self, coordination, *store, *plan, clock);
  });
  return spent;
}

}  // namespace

TEST_CASE("a budget of several processes is never exceeded, and nearly all of it is used") {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    for (const std::size_t processes : {1, 3, 7}) {
      CAPTURE(seed);
      CAPTURE(processes);
      const Spenders all{.seed = seed, .processes = processes};
      const std::int64_t spent = SpendTogether(all);
      CHECK(spent <= all.tokens);
      CHECK(spent * 10 >= all.tokens * 9);
    }
  }
}

TEST_CASE("what a process drew of a budget that died is spent") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    CAPTURE(seed);
    const Spenders all{.seed = seed, .dies = true};
    const std::int64_t spent = SpendTogether(all);
    CHECK(spent <= all.tokens);
    CHECK(spent * 10 >= all.tokens * 7);
  }
}

}  // namespace assay::sim
