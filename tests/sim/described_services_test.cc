// Tests that answers of a service which the suite describes go through plan, run, store and report: each
// attempt is asked by itself, once, whatever the network loses.
#include <doctest/doctest.h>
#include <fmt/core.h>

#include "plan/answers/retelling.h"
#include "report/fold/fold.h"
#include "run/executor/executor.h"
#include "spec/suite/stored_suite.h"
#include "spec/suite/suite.h"
#include "tests/sim/sim_run.h"
#include "text/object.h"

namespace assay::sim {

namespace {

// Two cases, each of two attempts, of two variants: a described service, and an echo beside it.
Suite SuiteOfServices() {
  Suite suite;
  suite.id = "services";
  suite.dialect = "blueprint";
  suite.attempts = 2;
  for (const std::string_view word : {"one", "two"}) {
    Case& the_case = suite.cases.emplace_back();
    the_case.id = word;
    the_case.row = Value(Object{{"vars", Object{{"word", word}}}});
    the_case.turns = {
        {.role = Role::kUser, .kind = TurnKind::kText, .text = fmt::format("say {}", word), .span = {}},
        {.role = Role::kAssistant, .kind = TurnKind::kGenerate, .text = {}, .span = {}}};
  }
  Variant& service = suite.variants.emplace_back();
  service.id = service.model_id = "http://h/chat";
  service.provider = "http";
  service.generator = "http-template";
  service.details = Value(
      Object{{"provider", Object{{"config", Object{{"url", "http://h/chat"},
                                                   {"body", Object{{"q", "{{prompt}}"}, {"w", "{{word}}"}}},
                                                   {"transformResponse", "json.said.toUpperCase()"},
                                                   {"maxRetries", 5}}}}}});
  Variant& echo = suite.variants.emplace_back();
  echo.id = echo.model_id = "echo:m";
  echo.provider = "echo";
  echo.model = "m";
  return suite;
}

std::string SaidOf(const std::string& body) {
  return fmt::format(R"({{"said":"{}"}})",
                     body.find("\"w\":\"one\"") != std::string::npos ? "first" : "second");
}

}  // namespace

TEST_CASE("a service that a variant describes answers each attempt once") {
  Diagnostics diagnostics;
  const auto plan = Plan::Build(SuiteOfServices(), {}, diagnostics);
  REQUIRE(plan != nullptr);
  CHECK(diagnostics.All().empty());
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    CAPTURE(seed);
    const TempFolder folder;
    Result<std::unique_ptr<Store>> store = OpenStore({.path = folder.Path("store"), .read_only = false});
    REQUIRE(store.has_value());
    FakeClock clock(1'000'000'000'000);
    FakeTransport transport(clock, {.seed = seed, .failure_rate = 0.3}, [](const std::string& body) {
      return body.find("\"q\"") != std::string::npos ? SaidOf(body) : FakeAnswer(body);
    });
    const Router router;
    RunRecord run;
    run.context.run_id = "run-0";
    run.context.started_ms = clock.WallMs();
    run.plan_digest = DigestOf(plan->suite());
    run.cells = plan->CellCount();
    run.dialect = plan->suite().dialect;
    REQUIRE((*store)->BeginRun(run).has_value());
    ExecutorOptions options;
    options.workers = 0;
    options.store_threading = Threading::kInline;
    options.retry.max_retries = 10;
    {
      Alone alone(*plan, options);
      Executor executor(*plan, run, alone.Deps(clock, **store, transport, router), options);
      const Result<RunEnding> end = executor.Run();
      REQUIRE(end.has_value());
      CHECK(*end == RunEnding::kWhole);
    }
    const Result<Report> report = Fold(**store, run, SuiteOf(plan), RetellingOf(run.generators));
    REQUIRE(report.has_value());
    std::string answers;
    REQUIRE(report
                ->for_each_cell(CellRange::OfVariant(0), CellParts::kAll,
                                [&](const Cell& cell) {
                                  const Transcript& said = cell.record.transcript;
                                  answers += said.answer + said.error + " ";
                                  return Ok();
                                })
                .has_value());
    CHECK(answers == "FIRST FIRST SECOND SECOND ");
    for (const auto& [body, times] : transport.paid()) {
      if (body.find("\"q\"") != std::string::npos) CHECK(times == 2);  // one body, two attempts
    }
  }
}

}  // namespace assay::sim
