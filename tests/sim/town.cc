// The simulated service of a test, and a run against it.
#include "tests/sim/town.h"

#include <doctest/doctest.h>

#include "report/aggregate.h"
#include "spec/suite/suite.h"

namespace assay::sim {

Suite QuestionSuite(std::size_t cases) {
  Suite suite = MakeSuite();
  const Case first = suite.cases.front();
  suite.cases.clear();
  for (std::size_t i = 0; i < cases; ++i) {
    Case the_case = first;
    the_case.id = "case-" + std::to_string(i);
    the_case.turns.front().text = "Question " + std::to_string(i);
    the_case.checks.clear();
    the_case.tree = {};
    suite.cases.push_back(std::move(the_case));
  }
  suite.embedder.reset();
  suite.variants.resize(1);
  suite.attempts = 1;
  return suite;
}

void Service::Send(Ticket ticket, HttpRequest request, CompletionSink& sink) {
  asked.push_back(clock_.Now());
  requests.push_back(request);
  clock_.At(clock_.Now() + delay, [this, ticket, request = std::move(request), &sink] {
    HttpReply reply;
    reply.status = status;
    reply.body = status == 200 ? "An answer" : "no";
    if (answer) reply = answer(request);
    sink.Deliver({.ticket = ticket, .reply = std::move(reply)});
  });
}

Town::Town(Suite suite, std::size_t width, const MoreRows& more) {
  Diagnostics diagnostics;
  plan = Plan::Build(std::move(suite), {.max_in_flight = width, .more = more}, diagnostics);
  REQUIRE(plan != nullptr);
  Result<std::unique_ptr<Store>> opened = OpenStore({.path = folder.Path("store.db"), .read_only = false});
  REQUIRE(opened.has_value());
  store = std::move(*opened);
  options.workers = 0;
  options.store_threading = Threading::kInline;
}

RunEnding Town::Run(const std::string& id, Budget& budget) {
  RunRecord run;
  run.context.run_id = id;
  run.cells = plan->CellCount();
  run.dialect = plan->suite().dialect;
  REQUIRE(store->BeginRun(run).has_value());
  const Router router;
  const auto watch = [this](const Progress& now) {
    if (!now.waits_for.empty()) waits.insert(now.waits_for);
  };
  Alone alone(*plan, options);
  Executor executor(*plan, run,
                    {.clock = clock,
                     .store = *store,
                     .transport = service,
                     .router = router,
                     .models = models,
                     .budget = budget,
                     .pace = alone.pace,
                     .source = alone.cells,
                     .columns_of = ColumnsIn(plan->suite()),
                     .on_progress = watch},
                    options);
  const Result<RunEnding> end = executor.Run();
  REQUIRE(end.has_value());
  progress = executor.progress();
  notes = executor.findings().notes();
  return *end;
}

}  // namespace assay::sim
