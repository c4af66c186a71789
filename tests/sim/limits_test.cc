// Tests of what bounds a run, over a clock that jumps: budgets, limits a minute, breakers, --max-errors.
// Nothing that was cut is an error of a model, and the same command asks exactly that.
#include <doctest/doctest.h>

#include <algorithm>

#include "run/limits/cost/ledger.h"
#include "run/limits/cost/run_cost.h"
#include "spec/suite/suite.h"
#include "tests/sim/town.h"

namespace assay::sim {

namespace {

std::size_t MostInAMinute(const std::vector<TimePoint>& times) {
  std::size_t most = 0;
  for (std::size_t i = 0; i < times.size(); ++i) {
    const auto end = std::lower_bound(times.begin(), times.end(), times[i] + std::chrono::minutes(1));
    most = std::max(most, static_cast<std::size_t>(end - times.begin()) - i);
  }
  return most;
}

}  // namespace

// Of 4,000 letters each.
Suite LongQuestions(std::size_t cases) {
  Suite suite = QuestionSuite(cases);
  for (Case& the_case : suite.cases) the_case.turns.front().text.resize(4'000, '.');
  return suite;
}

TEST_CASE("a limit of requests a minute holds, and the run ends") {
  Town town(QuestionSuite(100), 50);
  town.options.limits.each.requests_per_min = 30;
  CHECK(town.Run("r") == RunEnding::kWhole);
  CHECK(town.service.asked.size() == 100);
  CHECK(MostInAMinute(town.service.asked) <= 30);
  CHECK(town.service.asked.back() - town.service.asked.front() < std::chrono::seconds(200));
}

TEST_CASE("a provider's own limit comes before everybody's") {
  Town town(QuestionSuite(100), 50);
  town.options.limits.each.requests_per_min = 1;
  town.options.limits.providers["echo"].requests_per_min = 60;
  CHECK(town.Run("r") == RunEnding::kWhole);
  CHECK(town.service.asked.back() - town.service.asked.front() < std::chrono::seconds(101));
}

TEST_CASE("judges share their provider's limit, and get their turn") {
  Suite suite = MakeSuite();
  suite.embedder.reset();
  Town town(std::move(suite), 50);
  town.service.status = 200;
  town.options.limits.each.requests_per_min = 60;
  CHECK(town.Run("r") == RunEnding::kWhole);
  CHECK(town.service.asked.size() > 60);
  CHECK(MostInAMinute(town.service.asked) <= 60);
}

TEST_CASE(
    "a budget of tokens is never exceeded; what did not fit is skipped, and asked by the same command") {
  Town town(LongQuestions(40), 8);
  Ledger ledger({.nano_usd = {}, .tokens = 20'000});
  CHECK(town.Run("r1", ledger) == RunEnding::kBudget);
  CHECK(ledger.spent_tokens() <= 20'000);
  // Echo says nothing of its usage: each answer is taken for what its question and text are, 1,004 tokens; at
  // worst it is 3,500.
  CHECK(ledger.spent_tokens() == 17 * 1'004);
  CHECK(town.service.asked.size() == 17);
  CHECK(town.progress.cut == 23);
  CHECK(town.progress.cells_skipped == 23);
  CHECK(town.progress.errors == 0);
  CHECK(town.progress.cells_errors == 0);

  RunRecord record = town.store->Runs()->front();
  const Result<Report> report = Fold(*town.store, record, SuiteOf(town.plan), RetellingOf(record.generators));
  REQUIRE(report.has_value());
  CHECK(report->variants[0].skipped == 23);
  CHECK(report->variants[0].errors == 0);

  CHECK(town.Run("r2") == RunEnding::kWhole);
  CHECK(town.service.asked.size() == 40);
  CHECK(town.progress.reused == 17);
}

TEST_CASE("a budget of money counts what calls cost; without a price nothing is asked") {
  Town town(LongQuestions(10), 8);
  town.models = ModelBook({{.model = "echo:a", .price = Price{.input_usd = 1'000, .output_usd = 0}}});
  Ledger ledger({.nano_usd = 4'000'000'000, .tokens = {}});
  CHECK(town.Run("r1", ledger) == RunEnding::kBudget);
  CHECK(town.service.asked.size() == 2);
  CHECK(ledger.spent_nano_usd() == 2'004'000'000);
  // What nobody said is told apart, of this sitting and of the run.
  CHECK(town.progress.cost_nano_usd == 0);
  CHECK(town.progress.cost_estimated_nano_usd == 2'004'000'000);
  CHECK(town.progress.unpriced == 2);
  CHECK(town.progress.without_usage == 2);
  const Result<RunCost> cost = CostOfRun(*town.store, town.store->Runs()->front(), town.models);
  REQUIRE(cost);
  CHECK(cost->nano_usd == 0);
  CHECK(cost->estimated_nano_usd == 2'004'000'000);
  CHECK(cost->unpriced == 2);

  Suite unknown = QuestionSuite(3);
  unknown.variants[0].provider = "nobody";
  Town other(std::move(unknown));
  Ledger rich({.nano_usd = 1'000'000'000'000, .tokens = {}});
  CHECK(other.Run("r1", rich) == RunEnding::kWhole);
  CHECK(other.service.asked.empty());
  CHECK(other.progress.cut == 3);
}

TEST_CASE("a judge that the budget does not reach leaves no score to the others") {
  // A long answer makes the dear judge too dear: the cheap one must not decide alone.
  Suite suite = MakeSuite();
  suite.cases.resize(1);
  suite.cases[0].checks = {suite.cases[0].checks[1]};
  suite.cases[0].tree = {};
  suite.cases[0].tree.children.resize(1);
  suite.cases[0].tree.children[0].op = CheckNode::Op::kLeaf;
  suite.variants.resize(1);
  suite.judges[0].model = "cheap";
  suite.judges[1].model = "dear";
  suite.backup_judge = std::nullopt;
  suite.embedder = std::nullopt;
  suite.attempts = 1;
  Town town(std::move(suite), 8);
  town.service.answer = [](const HttpRequest& request) {
    HttpReply reply;
    reply.status = 200;
    reply.body = "An answer.";
    constexpr std::string_view kAsks = "write the code ";
    const std::size_t asks = request.body.find(kAsks);
    const std::string code =
        asks == std::string::npos ? "" : " " + request.body.substr(asks + kAsks.size(), 16);
    if (request.body.find("CLASS_") != std::string::npos)
      reply.body = "<reflection>Good.</reflection><classification>CLASS_EXACT" + code + "</classification>";
    return reply;
  };
  town.models =
      ModelBook({{.model = "echo:a", .price = Price{.input_usd = 1, .output_usd = 1}},
                 {.model = "echo:cheap", .price = Price{.input_usd = 1, .output_usd = 1}},
                 {.model = "echo:dear", .price = Price{.input_usd = 100'000, .output_usd = 100'000}}});
  Ledger ledger({.nano_usd = 1'000'000'000, .tokens = {}});
  CHECK(town.Run("r1", ledger) == RunEnding::kBudget);
  CHECK(town.service.asked.size() == 2);
  const auto scored = [&town](std::string_view id) {
    const RunRecord record = *town.store->FindRun(id);
    const Result<Report> report =
        Fold(*town.store, record, SuiteOf(town.plan), RetellingOf(record.generators));
    REQUIRE(report.has_value());
    return report->variants[0].scored;
  };
  CHECK(scored("r1") == 0);

  CHECK(town.Run("r2") == RunEnding::kWhole);
  CHECK(town.service.asked.size() == 3);
  CHECK(scored("r2") == 1);
}

TEST_CASE("a model that fails again and again is not asked any more") {
  Town town(QuestionSuite(50), 1);
  town.options.retry.max_retries = 0;
  town.service.status = 401;
  CHECK(town.Run("r1") == RunEnding::kWhole);
  CHECK(town.service.asked.size() == Breakers::kHopelessMax);
  CHECK(town.progress.errors == Breakers::kHopelessMax);
  CHECK(town.progress.cut == 50 - Breakers::kHopelessMax);

  town.service.status = 200;
  CHECK(town.Run("r2") == RunEnding::kWhole);
  CHECK(town.progress.cells_skipped == 0);
  CHECK(town.service.asked.size() == 50 + Breakers::kHopelessMax);
}

TEST_CASE("too many errors end a run, and only what was asked counts as one") {
  Town town(QuestionSuite(50), 1);
  town.options.retry.max_retries = 0;
  town.service.status = 400;
  town.options.limits.max_errors = ErrorLimit{.value = 10, .is_percent = true};
  CHECK(town.Run("r1") == RunEnding::kTooManyErrors);
  // What is under way when the sixth error is known still comes.
  CHECK(town.service.asked.size() >= 6);
  CHECK(town.service.asked.size() <= 8);
  CHECK(town.progress.cells_errors == town.service.asked.size());
  CHECK(town.progress.cells_skipped == 50 - town.service.asked.size());
}

TEST_CASE("after its time a run asks nothing more, whatever waits, and a later one goes on") {
  struct Row {
    int status;
    std::size_t asked;  // four at once, one second each; failures wait for their next try
  };
  const Row rows[] = {{200, 12}, {503, 0}};
  for (const Row& row : rows) {
    CAPTURE(row.status);
    Town town(QuestionSuite(50), 4);
    town.options.limits.max_time = std::chrono::milliseconds(2'500);
    town.options.retry.base = std::chrono::hours(1);
    town.service.status = row.status;
    const TimePoint start = town.clock.Now();
    CHECK(town.Run("r1") == RunEnding::kOutOfTime);
    CHECK(town.clock.Now() - start <= std::chrono::milliseconds(3'500));
    CHECK(town.progress.cells_skipped + town.progress.cells_errors + row.asked == 50);
    if (row.status == 200) CHECK(town.service.asked.size() == row.asked);
    town.service.status = 200;
    town.options.limits.max_time.reset();
    CHECK(town.Run("r2") == RunEnding::kWhole);
    CHECK(town.progress.cells_skipped == 0);
  }
}

TEST_CASE("a share of errors counts all cells") {
  CHECK_FALSE(ErrorLimit{.value = 10, .is_percent = true}.IsExceeded(5, 50));
  CHECK(ErrorLimit{.value = 10, .is_percent = true}.IsExceeded(6, 50));
  CHECK_FALSE(ErrorLimit{.value = 3}.IsExceeded(3, 1));
  CHECK(ErrorLimit{.value = 0}.IsExceeded(1, 1));
}

}  // namespace assay::sim
