// A suite of promptfoo's assertions by hand: cases, prompts, graders and embeddings through the real plan,
// run, store and report.
#include <doctest/doctest.h>
#include <fmt/core.h>

#include "plan/models_of.h"
#include "report/aggregate.h"
#include "report/fold/fold.h"
#include "run/executor/executor.h"
#include "spec/suite/suite.h"
#include "tests/sim/sim_run.h"
#include "text/json/json.h"
#include "text/object.h"

namespace assay::sim {

namespace {

// One service for all: models answer, judges judge, and vectors are of two numbers.
std::string Served(const std::string& body) {
  const auto says = [&body](std::string_view part) { return body.find(part) != std::string::npos; };
  if (says("\"embedder\"")) {
    // Oslo and its twin point one way, all else the other.
    const std::string_view vector = says("Oslo") || says("twin") ? "[1,0]" : "[0,1]";
    return fmt::format(R"({{"data":[{{"index":0,"embedding":{}}}],"usage":{{"prompt_tokens":3}}}})", vector);
  }
  const std::string_view text =
      says("\"grader\"")
          ? (says("<Output>\\nOslo") ? R"({\"pass\":true,\"score\":0.9,\"reason\":\"it does\"})"
                                     : R"({\"pass\":false,\"score\":0.1,\"reason\":\"it does not\"})")
          : (says("Norway") ? "Oslo" : "Bern");
  return fmt::format(R"({{"choices":[{{"message":{{"content":"{}"}},"finish_reason":"stop"}}],)"
                     R"("usage":{{"prompt_tokens":10,"completion_tokens":5}}}})",
                     text);
}

template <class Model>
Model Named(std::string model) {
  Model named;
  named.id = named.model_id = "openai:" + model;
  named.provider = "openai-compatible";
  named.base_url = "http://service.test/v1";
  named.model = std::move(model);
  return named;
}

void AddAssertion(Case& the_case, std::string_view assertion, std::string_view graders = "[]") {
  const auto index = static_cast<CheckIndex>(the_case.checks.size());
  the_case.tree.children.push_back({.op = CheckNode::Op::kLeaf, .children = {}, .check = index, .label = {}});
  Check& check = the_case.checks.emplace_back();
  check.id = fmt::format("c{}", index);
  check.text = check.kind = "assertion";
  check.args = *ParseJson(fmt::format(R"({{"assertion": {}, "graders": {}}})", assertion, graders));
  check.weight = check.args.Find("assertion")->NumberAt("weight").value_or(1);
  if (graders != "[]") check.judges.edit() = {0, 1};
}

Case CountryCase(std::string_view country, std::string_view city) {
  Case the_case;
  the_case.id = country;
  the_case.turns = {{.role = Role::kUser, .text = "unused", .span = {}},
                    {.role = Role::kAssistant, .kind = TurnKind::kGenerate, .text = {}, .span = {}}};
  the_case.askings.edit() = {{.name = "short", .text = fmt::format("Capital of {}?", country)},
                             {.name = "long", .text = fmt::format("Name the capital of {}.", country)}};
  the_case.row.edit() = Object{{"vars", Object{{"city", city}}}, {"test", Object{{"description", country}}}};
  AddAssertion(the_case, R"({"type": "contains", "value": "{{ city }}"})");
  AddAssertion(the_case, R"({"type": "javascript", "value": "context.prompt.endsWith('?') ? 1 : 0.5"})");
  AddAssertion(the_case,
               R"({"type": "assert-set", "assert": [{"type": "equals", "value": "{{ city }}"},
                   {"type": "llm-rubric", "value": "names {{ city }}", "threshold": 0.5}]})",
               R"([{}, {"text": 0}])");
  AddAssertion(the_case, R"({"type": "similar", "value": "twin", "threshold": 0.8})",
               R"([{"embedding": 1}])");
  AddAssertion(the_case, R"({"type": "contains", "value": "never", "weight": 0})");
  AddAssertion(the_case, R"({"type": "finish-reason", "value": "stop"})");
  return the_case;
}

// The tests of two countries, and two prompts of one provider. The second country's city is expected wrongly.
Suite AssertionSuite() {
  Suite suite;
  suite.id = "assertions";
  suite.dialect = "promptfoo";
  suite.refuses_unusable = true;
  suite.offered_checks = {"assertion"};
  suite.aggregation.formula = "assertions";
  suite.cases = {CountryCase("Norway", "Oslo"), CountryCase("Switzerland", "Oslo")};
  for (const char* prompt : {"short", "long"}) {
    Variant& variant = suite.variants.emplace_back(Named<Variant>("m"));
    variant.id += fmt::format("[{}]", prompt);
    variant.asking = prompt;
  }
  suite.named_judges = {Named<Judge>("grader"), Named<Judge>("embedder")};
  return suite;
}

struct AssertionRun {
  TempFolder folder;
  std::shared_ptr<const Plan> plan;
  std::unique_ptr<Store> store;
  RunRecord run;
  std::map<std::string, int> paid;

  explicit AssertionRun(Suite suite) {
    Diagnostics diagnostics;
    plan = Plan::Build(std::move(suite), {}, diagnostics);
    for (const Diagnostic& said : diagnostics.All()) MESSAGE(said.message);
    REQUIRE(plan != nullptr);
    Result<std::unique_ptr<Store>> opened = OpenStore({.path = folder.Path("store"), .read_only = false});
    REQUIRE(opened.has_value());
    store = std::move(*opened);
    FakeClock clock(1'000'000'000'000);
    FakeTransport transport(clock, {.seed = 1, .failure_rate = 0}, Served);
    run.context.run_id = "run-0";
    run.context.started_ms = clock.WallMs();
    run.plan_digest = DigestOf(plan->suite());
    run.cells = plan->CellCount();
    run.dialect = plan->suite().dialect;
    REQUIRE(store->BeginRun(run).has_value());
    ExecutorOptions options;
    options.workers = 0;
    options.store_threading = Threading::kInline;
    const Router router;
    const ModelBook models;
    Alone alone(*plan, options);
    Executor executor(*plan, run,
                      {.clock = clock,
                       .store = *store,
                       .transport = transport,
                       .router = router,
                       .models = models,
                       .pace = alone.pace,
                       .source = alone.cells,
                       .columns_of = ColumnsIn(plan->suite())},
                      options);
    REQUIRE(executor.Run().value() == RunEnding::kWhole);
    paid = transport.paid();
  }

  std::vector<Cell> Cells() const {
    std::vector<Cell> cells;
    const Report report = Fold(*store, run, SuiteOf(plan), RetellingOf(run.generators)).value();
    const Status read = report.for_each_cell(CellRange::All(), CellParts::kScores, [&](const Cell& cell) {
      cells.push_back(cell);
      return Ok();
    });
    REQUIRE(read.has_value());
    return cells;
  }
};

}  // namespace

TEST_CASE("assertions, sets, graders and vectors of a config go through a whole run") {
  const AssertionRun run(AssertionSuite());
  std::string told;
  for (const Cell& cell : run.Cells()) {
    REQUIRE(cell.state == CellState::kScored);
    told += fmt::format("{} {}: {:g}", cell.case_index, cell.variant, cell.score);
    for (const Score& score : cell.record.scores) {
      REQUIRE(score.state == ScoreState::kScored);
      told += fmt::format(" | {:g} {}", score.value, *score.verdict ? "holds" : "fails");
    }
    told += "\n";
  }
  // The set of two comes to the mean of 1 and 0.9, or of 0 and 0.1. What has no weight holds, whatever its
  // number is.
  CHECK(told ==
        "0 0: 1 | 1 holds | 1 holds | 0.95 holds | 1 holds | 0 holds | 1 holds\n"
        "0 1: 1 | 1 holds | 0.5 holds | 0.95 holds | 1 holds | 0 holds | 1 holds\n"
        "1 0: 0 | 0 fails | 1 holds | 0.05 fails | 0 fails | 0 holds | 1 holds\n"
        "1 1: 0 | 0 fails | 0.5 holds | 0.05 fails | 0 fails | 0 holds | 1 holds\n");
}

TEST_CASE("equal texts are embedded once, and whom assertions ask is planned in its role") {
  const AssertionRun run(AssertionSuite());
  int embedded = 0;
  for (const auto& [body, times] : run.paid)
    embedded += body.find("\"embedder\"") == std::string::npos ? 0 : times;
  CHECK(embedded == 3);  // Oslo, Bern and the twin
  std::string asked;
  for (const PlannedModel& model : ModelsOf(*run.plan))
    asked += fmt::format("{} {} {}\n", RequestRoleName(model.role), model.id, model.requests);
  CHECK(asked ==
        "candidate openai:m[short] 2\ncandidate openai:m[long] 2\njudge openai:grader 4\n"
        "embedding openai:embedder 8\n");
  std::string pools;
  for (const Pool& pool : run.plan->pools()) pools += pool.name + " ";
  CHECK(pools == "embed:openai-compatible judge:openai-compatible openai-compatible ");
}

TEST_CASE("a threshold of a test alone decides, and broken assertions stop the suite") {
  Suite lenient = AssertionSuite();
  for (Case& the_case : lenient.cases) the_case.details = Object{{"threshold", 0.35}};
  // Of the second country (0 + 1 + 0.05 + 0 + 1) / 5 = 0.41, and with the long prompt 0.31.
  std::string told;
  for (const Cell& cell : AssertionRun(lenient).Cells()) told += fmt::format("{:g} ", cell.score);
  CHECK(told == "1 1 1 0 ");
  Suite broken = AssertionSuite();
  AddAssertion(broken.cases[0], R"({"type": "containz"})");
  AddAssertion(broken.cases[1], R"({"type": "llm-rubric", "value": "x"})");
  Diagnostics diagnostics;
  CHECK(Plan::Build(broken, {}, diagnostics) == nullptr);
  CHECK(diagnostics.ErrorCount() == 2);
}

}  // namespace assay::sim
