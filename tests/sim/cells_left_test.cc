// Tests that a stopped run goes on with what is left: finished cells are not asked, looked up or graded
// again.
#include "run/executor/cells/cells_left.h"

#include <doctest/doctest.h>

#include <set>

#include "report/aggregate.h"
#include "spec/suite/suite.h"
#include "tests/sim/town.h"

namespace assay::sim {

namespace {

// Counts what is looked up and written.
class CountingStore final : public DyingStore {
 public:
  using DyingStore::DyingStore;
  Result<std::vector<std::optional<Exchange>>> Find(std::span<const Digest> keys,
                                                    EpochRange epochs) override {
    looked_up += keys.size();
    return DyingStore::Find(keys, epochs);
  }
  std::size_t looked_up = 0;
};

// One sitting of run "r"; stops after so many answers (0: never).
struct Sat {
  std::size_t asked = 0;
  std::size_t looked_up = 0;
  Progress progress;
};
Sat SitDown(Town& town, const RunRecord& run, CellsLeft left, std::size_t answers_max = 0) {
  CountingStore store(*town.store, ~std::uint64_t{0});
  const Router router;
  PlanCells source(town.plan->grid(), town.plan->suite(), std::move(left.finished));
  LocalPace pace(town.plan->pools(), town.options.limits, town.options.retry);
  Executor* sitting = nullptr;
  std::size_t answers = 0;
  const std::size_t before = town.service.asked.size();
  town.service.answer = [&](const HttpRequest&) {
    if (++answers == answers_max) sitting->RequestStop();
    HttpReply reply;
    reply.status = 200;
    reply.body = "An answer";
    return reply;
  };
  Executor executor(*town.plan, run,
                    {.clock = town.clock,
                     .store = store,
                     .transport = town.service,
                     .router = router,
                     .models = town.models,
                     .pace = pace,
                     .source = source,
                     .before = left.before,
                     .columns_of = ColumnsIn(town.plan->suite())},
                    town.options);
  sitting = &executor;
  REQUIRE(executor.Run().has_value());
  return {.asked = town.service.asked.size() - before,
          .looked_up = store.looked_up,
          .progress = executor.progress()};
}

}  // namespace

TEST_CASE("a stopped run goes on with what is left") {
  constexpr std::size_t kCells = 40;
  Town town(QuestionSuite(kCells), 4);
  RunRecord run;
  run.context.run_id = "r";
  run.cells = town.plan->CellCount();
  run.dialect = town.plan->suite().dialect;
  REQUIRE(town.store->BeginRun(run).has_value());
  const Sat first = SitDown(town, run, {}, 15);
  CHECK(first.progress.cells_done < kCells);

  Result<CellsLeft> left = CellsLeftOf(*town.store, *town.plan, run);
  REQUIRE(left.has_value());
  const std::size_t finished = left->before.cells_done;
  CHECK(finished > 0);
  CHECK(finished <= 15);
  CHECK(left->before.reused == finished);
  const Sat second = SitDown(town, run, *std::move(left));
  // Nothing of a finished cell is looked up; of the others what was answered already is found.
  CHECK(second.looked_up == kCells - finished);
  CHECK(second.asked + second.progress.reused == kCells);
  CHECK(second.progress.cells_done == kCells);
  CHECK(second.progress.cells_total == kCells);
  for (const Tally& tally : second.progress.work) CHECK(tally.done == tally.total);

  const Result<Report> report = Fold(*town.store, run, SuiteOf(town.plan), RetellingOf(run.generators));
  REQUIRE(report.has_value());
  CHECK(report->variants[0].cells == kCells);
  CHECK(report->variants[0].skipped == 0);
  CHECK(report->totals.requests == kCells);

  left = CellsLeftOf(*town.store, *town.plan, run);
  REQUIRE(left.has_value());
  const Sat third = SitDown(town, run, *std::move(left));
  CHECK(third.asked == 0);
  CHECK(third.looked_up == 0);
  CHECK(third.progress.cells_done == kCells);
}

TEST_CASE("cells that failed or lack a verdict are left") {
  Town town(QuestionSuite(6), 1);
  town.options.retry.max_retries = 0;
  int count = 0;
  town.service.answer = [&count](const HttpRequest&) {
    HttpReply reply;
    reply.status = ++count % 2 == 0 ? 400 : 200;
    reply.body = "An answer";
    return reply;
  };
  CHECK(town.Run("r") == RunEnding::kWhole);
  const Result<CellsLeft> left = CellsLeftOf(*town.store, *town.plan, town.store->Runs()->front());
  REQUIRE(left.has_value());
  CHECK(left->before.cells_done == 3);
}

TEST_CASE("a source that says later is asked again") {
  struct Slow final : CellSource {
    SourcedCells Next(std::size_t) override {
      if (++questions % 3 != 0) return {.state = SourcedCells::State::kLater};
      if (next == 4) return {};
      return {.state = SourcedCells::State::kCells, .cells = {next++}};
    }
    void Done(std::span<const CellIndex> cells) override { done.insert(cells.begin(), cells.end()); }
    int questions = 0;
    CellIndex next = 0;
    std::set<CellIndex> done;
  };
  Town town(QuestionSuite(4), 4);
  RunRecord run;
  run.context.run_id = "r";
  run.cells = town.plan->CellCount();
  run.dialect = town.plan->suite().dialect;
  REQUIRE(town.store->BeginRun(run).has_value());
  const Router router;
  Slow source;
  LocalPace pace(town.plan->pools(), town.options.limits, town.options.retry);
  Executor executor(*town.plan, run,
                    {.clock = town.clock,
                     .store = *town.store,
                     .transport = town.service,
                     .router = router,
                     .models = town.models,
                     .pace = pace,
                     .source = source},
                    town.options);
  REQUIRE(executor.Run().has_value());
  CHECK(town.service.asked.size() == 4);
  CHECK(source.done == std::set<CellIndex>{0, 1, 2, 3});
}

}  // namespace assay::sim
