// Tests that a run which may end early looks at closed beginnings of its order alone: slow answers, a narrow
// or a wide network, and kills after any commit change nothing of what it decides.
#include <doctest/doctest.h>
#include <fmt/core.h>

#include "base/hash.h"
#include "engine/run/shared_until_cells.h"
#include "report/aggregate.h"
#include "report/decide/run_statistics.h"
#include "report/decide/until/until_run.h"
#include "report/fold/stored_summary.h"
#include "run/executor/cells/cells_left.h"
#include "spec/suite/suite.h"
#include "tests/sim/sim_coordinator.h"
#include "tests/sim/town.h"

namespace assay::sim {

namespace {

constexpr std::size_t kCases = 200;
constexpr std::chrono::milliseconds kQuick{100};
constexpr int kSlower = 10;  // wrong answers

// Each variant is right in its share of the cases, whatever the others do.
bool IsRight(const std::string& body) {
  const bool is_first = body.find("model\":\"a\"") != std::string::npos;
  const Digest digest = Sha256Of(body);
  return digest[0] < (is_first ? 200 : 140);
}

Suite RaceSuite() {
  Suite suite = QuestionSuite(kCases);
  suite.variants.clear();
  for (const char* model : {"a", "b", "c"}) {
    Variant variant;
    variant.id = variant.model_id = fmt::format("openai-compatible:{}", model);
    variant.provider = "openai-compatible";
    variant.model = model;
    variant.base_url = "http://127.0.0.1:1/v1";
    suite.variants.push_back(variant);
  }
  for (Case& the_case : suite.cases) {
    Check check;
    check.id = "c0";
    check.kind = check.text = "contains";
    check.args = Value("right");
    the_case.checks = {check};
    the_case.tree.children = {{.op = CheckNode::Op::kLeaf, .children = {}, .check = 0, .label = {}}};
  }
  return suite;
}

// Wrong answers take ten times longer.
class SlowWhereWrong final : public Transport {
 public:
  explicit SlowWhereWrong(EventClock& clock) : clock_(clock) {}
  void Send(Ticket ticket, HttpRequest request, CompletionSink& sink) override {
    ++sent;
    const bool is_right = IsRight(request.body);
    clock_.At(clock_.Now() + (is_right ? 1 : kSlower) * kQuick, [ticket, is_right, &sink] {
      HttpReply reply;
      reply.status = 200;
      reply.body = fmt::format(R"({{"choices":[{{"message":{{"content":"{}"}},"finish_reason":"stop"}}]}})",
                               is_right ? "right" : "wrong");
      sink.Deliver({.ticket = ticket, .reply = std::move(reply)});
    });
  }
  void CancelAll() override { clock_.ForgetAll(); }

  std::uint64_t sent = 0;

 private:
  EventClock& clock_;
};

struct UntilSitting {
  std::size_t width = 4;
  std::uint64_t die_after = 0;       // commits; 0: lives
  std::string question = "decided";  // "": gates alone
  std::vector<StopGate> gates = {};
};

struct UntilResult {
  bool is_finished = false;
  bool is_decided = false;
  std::uint64_t sent = 0;
  std::string sentence;  // of a finished run
  std::vector<std::uint64_t> asked;
};

// What a finished run says of its question.
void Tell(Store& store, const std::shared_ptr<const Plan>& plan, RunRecord run, UntilResult& result) {
  run.state = RunState::kFinished;
  run.ending = result.is_decided ? RunEnding::kDecided : RunEnding::kWhole;
  const Result<Report> report = Fold(store, run, SuiteOf(plan), RetellingOf(run.generators));
  REQUIRE(report.has_value());
  const Result<Standings> standings = StandingsOf(*report);
  REQUIRE(standings.has_value());
  for (const QuestionCourse& course : report->until->course.questions())
    result.sentence += UntilSentence(*report->until, course, *standings);
  for (VariantIndex v = 0; v < plan->suite().variants.size(); ++v)
    result.asked.push_back(report->until->UnitsOf(v));
}

RunRecord BeginOnce(Store& store, const Plan& plan, const RunSpec& spec, std::span<const StopGate> gates) {
  RunRecord run;
  run.context.run_id = "run-1";
  run.cells = plan.CellCount();
  run.dialect = plan.suite().dialect;
  run.spec = EncodeRunSpec(spec);
  run.summary = SummaryOfBegun(gates);
  if (store.Runs()->empty()) REQUIRE(store.BeginRun(run).has_value());
  return run;
}

// One sitting of the run in the store at `path`.
UntilResult SitUntil(const std::string& path, const UntilSitting& sitting) {
  Diagnostics diagnostics;
  const auto plan = Plan::Build(RaceSuite(), {.max_in_flight = sitting.width}, diagnostics);
  REQUIRE(plan != nullptr);
  Result<std::unique_ptr<Store>> store = OpenStore({.path = path, .read_only = false});
  REQUIRE(store.has_value());
  DyingStore dying(**store, sitting.die_after == 0 ? ~std::uint64_t{0} : sitting.die_after);
  RunSpec spec;
  if (!sitting.question.empty()) spec.until = {sitting.question};
  const RunRecord run = BeginOnce(**store, *plan, spec, sitting.gates);
  Result<CellsLeft> left = CellsLeftOf(**store, *plan, run);
  REQUIRE(left.has_value());
  std::vector<std::pair<CellIndex, CellOutcome>> outcomes;
  REQUIRE((*store)
              ->VisitOutcomes("run-1", {0, plan->CellCount()},
                              [&outcomes](CellIndex cell, const CellOutcome& outcome) {
                                outcomes.emplace_back(cell, outcome);
                                return Ok();
                              })
              .has_value());
  const Result<std::optional<StopRule>> rule =
      StopRuleOf(plan->suite(), spec, std::span<const StopGate>(sitting.gates));
  REQUIRE((rule.has_value() && *rule));
  FakeClock clock(1'000'000);
  SlowWhereWrong network(clock);
  const Router router;
  ExecutorOptions options;
  options.workers = 0;
  options.store_threading = Threading::kInline;
  Alone alone(*plan, options);
  UntilCells cells({.plan = *plan,
                    .rule = **rule,
                    .ahead = [&sitting] { return sitting.width; },
                    .is_given_up = [](VariantIndex) { return false; }},
                   left->finished, outcomes);
  UntilResult result;
  Executor executor(*plan, run,
                    {.clock = clock,
                     .store = dying,
                     .transport = network,
                     .router = router,
                     .pace = alone.pace,
                     .source = cells,
                     .before = left->before,
                     .columns_of = ColumnsIn(plan->suite())},
                    options);
  const Result<RunEnding> end = executor.Run();
  result.sent = network.sent;
  result.is_finished = end.has_value() && *end == RunEnding::kWhole;
  REQUIRE(result.is_finished != dying.dead());
  if (!result.is_finished) return result;
  result.is_decided = cells.IsDecided();
  Tell(**store, plan, run, result);
  return result;
}

// Of the first variant. `base`: the score of each case there.
StopGate GateOf(StopGate::Kind kind, double limit, std::string text, double base) {
  StopGate gate{.kind = kind, .limit = limit, .text = std::move(text)};
  if (kind == StopGate::Kind::kLeast) return gate;
  gate.base = "run-0";
  for (CaseIndex index = 0; index < kCases; ++index) {
    gate.cases.push_back(index);
    if (kind != StopGate::Kind::kRegression) continue;
    gate.values.push_back(base);
    gate.scored.push_back(1);
  }
  return gate;
}

// Against a sitting that lives: the same answer at the same place, and nothing is asked twice but what was
// out. Returns how often a sitting was killed.
std::uint64_t KillAtEachStep(UntilSitting sitting, std::uint64_t steps) {
  const TempFolder calm;
  const UntilResult expected = SitUntil(calm.Path("store.db"), sitting);
  REQUIRE(expected.is_decided);
  std::uint64_t kills = 0;
  for (std::uint64_t step = 1; step <= steps; step += Stride(steps)) {
    CAPTURE(step);
    const TempFolder folder;
    UntilResult result;
    std::uint64_t sent = 0;
    std::uint64_t sittings = 0;
    sitting.die_after = step;
    do {
      REQUIRE(++sittings < 1000);
      result = SitUntil(folder.Path("store.db"), sitting);
      sent += result.sent;
    } while (!result.is_finished);
    kills += sittings - 1;
    CHECK(result.is_decided);
    CHECK(result.sentence == expected.sentence);
    CHECK(result.asked == expected.asked);
    CHECK(sent <= expected.sent + 8 * sittings);
  }
  return kills;
}

// Whoever is killed says nothing any more.
class SilentSeat final : public Coordinator {
 public:
  SilentSeat(Coordinator& seat, const DyingStore& store) : seat_(seat), store_(store) {}
  Result<SeatId> Sit(const SeatRequest& request) override { return seat_.Sit(request); }
  Result<Standing> Beat(const SeatNews& news) override { return seat_.Beat(news); }
  Result<RangesClaimed> ClaimRanges(const RangesWish& wish) override { return seat_.ClaimRanges(wish); }
  Status FinishRanges(std::span<const std::int64_t> numbers) override {
    return store_.dead() ? Ok() : seat_.FinishRanges(numbers);
  }
  Result<std::vector<CellSpan>> FinishedRanges(CellSpan span) override { return seat_.FinishedRanges(span); }
  Result<RateBlock> Draw(const RateWish& wish) override { return seat_.Draw(wish); }
  Result<BudgetDraw> Draw(const BudgetWish& wish) override { return seat_.Draw(wish); }
  Status Leave() override { return store_.dead() ? Ok() : seat_.Leave(); }

 private:
  Coordinator& seat_;
  const DyingStore& store_;
};

// What the shards of a run share.
struct UntilShards {
  const std::shared_ptr<const Plan>& plan;
  const StopRule& rule;
  const RunRecord& run;
  const UntilOrder& order;
  Store& store;
  SimCoordination& all;
};

// One of three; it dies after so many commits. Returns what it sent.
std::uint64_t SitAsShard(const UntilShards& world, std::size_t self, std::uint64_t die_after,
                         SharedTime::View& clock) {
  const Plan& plan = *world.plan;
  SimCoordination::Seat seat(world.all);
  const Result<SeatId> id = seat.Sit({.run_id = "run-1",
                                      .shard = static_cast<std::int64_t>(self),
                                      .shards = 3,
                                      .cells = plan.CellCount(),
                                      .cells_per_case = 3,
                                      .range_max = world.order.places.range_max,
                                      .host = "",
                                      .task = ""});
  ASSAY_ASSERT(id.has_value());
  DyingStore seen(world.store, die_after);
  SilentSeat silent(seat, seen);
  SharedCells cells({.clock = clock,
                     .coordinator = silent,
                     .reader = world.store,
                     .plan = plan,
                     .run = world.run,
                     .threading = Threading::kInline,
                     .order = &world.order.places});
  constexpr std::size_t kWidth = 4;
  SharedUntilCells until({.plan = plan,
                          .rule = world.rule,
                          .ahead = [] { return kWidth; },
                          .is_given_up = [](VariantIndex) { return false; }},
                         {.seat = cells, .order = world.order, .clock = clock}, {}, {});
  SlowWhereWrong network(clock);
  const Router router;
  ExecutorOptions options;
  options.workers = 0;
  options.store_threading = Threading::kInline;
  Alone alone(plan, options);
  Executor executor(plan, world.run,
                    {.clock = clock,
                     .store = seen,
                     .transport = network,
                     .router = router,
                     .pace = alone.pace,
                     .source = until,
                     .claims = seat,
                     .columns_of = ColumnsIn(plan.suite()),
                     .on_progress = [&cells](const Progress&) { cells.IsLost(); }},
                    options);
  const Result<RunEnding> end = executor.Run();
  ASSAY_ASSERT(end.has_value() != seen.dead());
  return network.sent;
}

// The first of three shards dies after so many commits of its own; 0: it lives.
UntilResult SitAsThree(const UntilSitting& sitting) {
  const TempFolder folder;
  Diagnostics diagnostics;
  const std::shared_ptr<const Plan> plan =
      Plan::Build(RaceSuite(), {.max_in_flight = sitting.width}, diagnostics);
  REQUIRE(plan != nullptr);
  const std::unique_ptr<Store> store = OpenStore({.path = folder.Path("store.db")}).value();
  RunSpec spec;
  if (!sitting.question.empty()) spec.until = {sitting.question};
  const RunRecord run = BeginOnce(*store, *plan, spec, sitting.gates);
  const StopRule rule =
      StopRuleOf(plan->suite(), spec, std::span<const StopGate>(sitting.gates)).value().value();
  const UntilOrder order = UntilOrderOf(*plan, rule, 3);
  SharedTime time;
  SimCoordination all(time);
  const UntilShards world{
      .plan = plan, .rule = rule, .run = run, .order = order, .store = *store, .all = all};
  UntilResult result;
  time.Run(3, [&](std::size_t self, SharedTime::View& clock) {
    const bool dies = self == 0 && sitting.die_after > 0;
    result.sent += SitAsShard(world, self, dies ? sitting.die_after : ~std::uint64_t{0}, clock);
  });
  const Result<bool> is_decided = IsDecidedByOthers(*store, *plan, rule, run);
  REQUIRE(is_decided.has_value());
  result.is_decided = *is_decided;
  Tell(*store, plan, run, result);
  return result;
}

}  // namespace

TEST_CASE("slow wrong answers make nobody the winner, and the width of the network changes nothing") {
  std::optional<UntilResult> first;
  for (const std::size_t width : {1, 4, 16, 64}) {
    CAPTURE(width);
    const TempFolder folder;
    const UntilResult result = SitUntil(folder.Path("store.db"), {.width = width});
    REQUIRE(result.is_finished);
    CAPTURE(result.sentence);
    CHECK(result.is_decided);
    CHECK(result.sentence.starts_with("a is first on this suite: "));
    if (!first) first = result;
    CHECK(result.sentence == first->sentence);
    CHECK(result.asked == first->asked);
    std::uint64_t looked_at = 0;
    for (const std::uint64_t units : result.asked) looked_at += units;
    CHECK(result.sent >= looked_at);
    if (width == 1) CHECK(result.sent <= looked_at + 1);
    CHECK(result.sent < 3 * kCases);
  }
}

TEST_CASE(
    "killed after any commit, a run ends with the same sentence and asks nothing twice but what was out") {
  CHECK(KillAtEachStep({}, 40) >= 40 / Stride(40));
}

TEST_CASE("killed after any commit, a run ends with the same word on its gates") {
  constexpr std::uint64_t kKills = 200;
  constexpr std::uint64_t kSteps = 10;
  const StopGate fallen = GateOf(StopGate::Kind::kRegression, 0.05, "0.05", 1);
  const StopGate risen = GateOf(StopGate::Kind::kRegression, 0.05, "0.05", 0);
  const StopGate least = GateOf(StopGate::Kind::kLeast, 0.6, "0.6", 0);
  const StopGate flips = GateOf(StopGate::Kind::kFlips, 12, "12", 1);
  std::uint64_t kills = 0;
  for (const auto& [question, gates] : {std::pair{"gate", std::vector{fallen}},
                                        {"gate", std::vector{risen}},
                                        {"", std::vector{least}},
                                        {"", std::vector{flips}},
                                        {"", std::vector{flips, least}},
                                        {"decided", std::vector{risen, least}}}) {
    CAPTURE(question);
    CAPTURE(gates.size());
    CAPTURE(static_cast<int>(gates.front().kind));
    kills += KillAtEachStep({.question = question, .gates = gates}, kSteps);
  }
  CHECK(kills >= kKills / Stride(kSteps));
}

TEST_CASE("three shards end as one process does, whenever one of them dies") {
  const StopGate risen = GateOf(StopGate::Kind::kRegression, 0.05, "0.05", 0);
  const StopGate least = GateOf(StopGate::Kind::kLeast, 0.6, "0.6", 0);
  const StopGate flips = GateOf(StopGate::Kind::kFlips, 12, "12", 1);
  for (const auto& [question, gates] : {std::pair{"decided", std::vector<StopGate>()},
                                        {"a>b", {}},
                                        {"±1", {}},
                                        {"gate", {risen}},
                                        {"", {flips, least}},
                                        {"decided", {risen, least}}}) {
    CAPTURE(question);
    CAPTURE(gates.size());
    const TempFolder folder;
    const UntilSitting sitting{.question = question, .gates = gates};
    const UntilResult alone = SitUntil(folder.Path("store.db"), sitting);
    for (std::uint64_t step = 0; step <= 8; step += Stride(8)) {
      CAPTURE(step);
      UntilSitting dying = sitting;
      dying.die_after = step;
      const UntilResult shards = SitAsThree(dying);
      CHECK(shards.is_decided == alone.is_decided);
      CHECK(shards.sentence == alone.sentence);
      CHECK(shards.asked == alone.asked);
    }
  }
}

TEST_CASE("a question about two variants asks the third nothing") {
  const TempFolder folder;
  const UntilResult result = SitUntil(folder.Path("store.db"), {.question = "a>b"});
  REQUIRE(result.is_finished);
  CHECK(result.sentence.starts_with("a is ahead of b: "));
  CHECK(result.asked[2] == 0);
}

}  // namespace assay::sim
