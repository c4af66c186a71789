// Tests that a run which may end early looks at closed beginnings of its order alone: slow answers, a narrow
// or a wide network, and kills after any commit change nothing of what it decides.
#include <doctest/doctest.h>
#include <fmt/core.h>

#include "base/hash.h"
#include "engine/run/until_cells.h"
#include "report/aggregate.h"
#include "report/decide/run_statistics.h"
#include "report/decide/until/until_run.h"
#include "run/executor/cells/cells_left.h"
#include "spec/suite/suite.h"
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
  explicit SlowWhereWrong(FakeClock& clock) : clock_(clock) {}
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
  FakeClock& clock_;
};

struct UntilSitting {
  std::size_t width = 4;
  std::uint64_t die_after = 0;  // commits; 0: lives
  std::string question = "decided";
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
  result.sentence = standings->verdict();
  for (VariantIndex v = 0; v < plan->suite().variants.size(); ++v)
    result.asked.push_back(report->until->UnitsOf(v));
}

RunRecord BeginOnce(Store& store, const Plan& plan, const RunSpec& spec) {
  RunRecord run;
  run.context.run_id = "run-1";
  run.cells = plan.CellCount();
  run.dialect = plan.suite().dialect;
  run.spec = EncodeRunSpec(spec);
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
  spec.until = {sitting.question};
  const RunRecord run = BeginOnce(**store, *plan, spec);
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
  const Result<std::optional<StopRule>> rule = StopRuleOf(plan->suite(), spec);
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
  const TempFolder calm;
  const UntilResult expected = SitUntil(calm.Path("store.db"), {});
  REQUIRE(expected.is_decided);
  std::uint64_t kills = 0;
  for (std::uint64_t step = 1; step <= 40; step += Stride(40)) {
    CAPTURE(step);
    const TempFolder folder;
    UntilResult result;
    std::uint64_t sent = 0;
    std::uint64_t sittings = 0;
    do {
      REQUIRE(++sittings < 1000);
      result = SitUntil(folder.Path("store.db"), {.die_after = step});
      sent += result.sent;
    } while (!result.is_finished);
    kills += sittings - 1;
    CHECK(result.is_decided);
    CHECK(result.sentence == expected.sentence);
    CHECK(result.asked == expected.asked);
    CHECK(sent <= expected.sent + 8 * sittings);
  }
  CHECK(kills >= 40 / Stride(40));
}

TEST_CASE("a question about two variants asks the third nothing") {
  const TempFolder folder;
  const UntilResult result = SitUntil(folder.Path("store.db"), {.question = "a>b"});
  REQUIRE(result.is_finished);
  CHECK(result.sentence.starts_with("a is ahead of b: "));
  CHECK(result.asked[2] == 0);
}

}  // namespace assay::sim
