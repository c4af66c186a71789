// Tests of the executor's promises about programs: equal ones run once, at most one per core, and a program
// that timed out has a second chance with the machine to itself.
#include <doctest/doctest.h>

#include <algorithm>
#include <functional>

#include "base/wire/sandbox_words.h"
#include "plan/answers/retelling.h"
#include "report/fold/fold.h"
#include "run/executor/executor.h"
#include "spec/suite/suite.h"
#include "tests/sim/sim_run.h"

namespace assay::sim {

namespace {

// What becomes of programs that are slow.
// Late beside others, late by itself, left by its supervisor, never given a processor.
enum class Slow { kHeldUp, kLate, kLost, kStarved };

// Ends each program after a second, or at its time limit, as `is_slow` says.
class FakeLauncher final : public Launcher {
 public:
  using IsSlow = std::function<bool(const std::string& program, std::size_t neighbours)>;
  FakeLauncher(FakeClock& clock, IsSlow is_slow, Slow slow)
      : clock_(clock), is_slow_(std::move(is_slow)), slow_(slow) {}

  void Run(Ticket ticket, ProcessRequest request, CompletionSink& sink) override {
    ++running_;
    most_running = std::max(most_running, running_);
    started.push_back(request.files.front().bytes);
    neighbours_.emplace(ticket, running_ - 1);
    for (auto& [other, count] : neighbours_) count = std::max(count, running_ - 1);
    ProcessReply reply;
    const bool is_slow = is_slow_(request.files.front().bytes, running_ - 1);
    reply.timed_out = is_slow && slow_ != Slow::kLost;
    reply.held_up = is_slow && slow_ != Slow::kLate;
    reply.signal = is_slow && slow_ == Slow::kLost ? 9 : 0;
    reply.exit_code = 0;
    if (is_slow && slow_ == Slow::kStarved) reply.limit = kWaitLimit;
    const auto after = is_slow ? request.limits.wall : std::chrono::milliseconds(1000);
    clock_.At(clock_.Now() + after, [this, ticket, reply, is_slow, &sink] {
      --running_;
      if (is_slow) ran_beside.push_back(neighbours_[ticket]);
      neighbours_.erase(ticket);
      sink.Deliver({.ticket = ticket, .reply = reply});
    });
  }
  void CancelAll() override { clock_.ForgetAll(); }

  std::vector<std::string> started;
  std::size_t most_running = 0;
  std::vector<std::size_t> ran_beside;  // of runs that were slow: the most that ran beside them

 private:
  FakeClock& clock_;
  IsSlow is_slow_;
  Slow slow_;
  std::size_t running_ = 0;
  std::map<Ticket, std::size_t> neighbours_;
};

// `attempts` answers to one question, each with one test.
Suite ProgramSuite(AttemptIndex attempts, ProgramRules rules) {
  Suite suite = MakeSuite();
  suite.cases.resize(1);
  Check check;
  check.id = "u";
  check.kind = "unit_test";
  Map args;
  args.Append("lang", "js");
  args.Append("tests", List{Value("check();")});
  check.args = std::move(args);
  suite.cases[0].checks = {std::move(check)};
  suite.cases[0].tree = {.op = CheckNode::Op::kLeaf, .children = {}, .check = 0, .label = {}};
  suite.variants.resize(1);
  suite.embedder.reset();
  suite.attempts = attempts;
  suite.offered_checks = {"unit_test"};
  suite.toolchains = {{.language = "javascript", .digest = "node", .missing = {}}};
  suite.programs = rules;
  return suite;
}

struct ProgramRun {
  std::vector<double> scores;
  std::vector<std::string> started;
  std::size_t most_running = 0;
  std::vector<std::size_t> ran_beside;
  std::size_t without_verdict = 0;
};

// The n-th answer is "```\nprogram n\n```", with equal numbers for what `number_of` makes equal.
ProgramRun RunPrograms(AttemptIndex attempts, ProgramRules rules, std::size_t cores, int (*number_of)(int),
                       FakeLauncher::IsSlow is_slow, Slow slow = Slow::kHeldUp) {
  TempFolder folder;
  FakeClock clock{0};
  Diagnostics diagnostics;
  const auto plan =
      Plan::Build(ProgramSuite(attempts, rules), {.max_in_flight = {}, .programs = cores}, diagnostics);
  REQUIRE(plan != nullptr);
  Result<std::unique_ptr<Store>> store = OpenStore({.path = folder.Path("store.db")});
  REQUIRE(store.has_value());
  int answers = 0;
  FakeTransport transport(clock, {}, [&](const std::string&) {
    return "```\nprogram " + std::to_string(number_of(answers++)) + "\n```";
  });
  FakeLauncher launcher(clock, std::move(is_slow), slow);
  RunRecord run;
  run.context.run_id = "r";
  run.cells = plan->CellCount();
  run.dialect = plan->suite().dialect;
  REQUIRE((*store)->BeginRun(run).has_value());
  const Router router;
  ExecutorOptions options;
  options.workers = 0;
  options.store_threading = Threading::kInline;
  Alone alone(*plan, options);
  Executor executor(*plan, run,
                    {.clock = clock,
                     .store = **store,
                     .transport = transport,
                     .launcher = launcher,
                     .router = router,
                     .pace = alone.pace,
                     .source = alone.cells},
                    options);
  CHECK(executor.Run().value() == RunEnding::kWhole);
  const Result<Report> report = Fold(**store, run, SuiteOf(plan), RetellingOf(run.generators));
  REQUIRE(report.has_value());
  ProgramRun result{.scores = {},
                    .started = launcher.started,
                    .most_running = launcher.most_running,
                    .ran_beside = launcher.ran_beside};
  REQUIRE(report
              ->for_each_cell(CellRange::All(), CellParts::kAll,
                              [&](const Cell& cell) {
                                REQUIRE(cell.record.scores.size() == 1);
                                if (cell.record.scores[0].state == ScoreState::kMissing) {
                                  ++result.without_verdict;
                                  return Ok();
                                }
                                CHECK(cell.record.scores[0].state == ScoreState::kScored);
                                result.scores.push_back(cell.record.scores[0].value);
                                return Ok();
                              })
              .has_value());
  return result;
}

int Alike(int answer) { return answer % 3; }
int Distinct(int answer) { return answer; }
bool Never(const std::string&, std::size_t) { return false; }

}  // namespace

TEST_CASE("equal programs run once; without memo each attempt runs its own") {
  const ProgramRun shared = RunPrograms(12, {}, 2, Alike, Never);
  CHECK(shared.started.size() == 3);
  CHECK(shared.scores == std::vector<double>(12, 1));
  const ProgramRun apart = RunPrograms(12, {.memo = false}, 2, Alike, Never);
  CHECK(apart.started.size() == 12);
  CHECK(apart.scores == std::vector<double>(12, 1));
}

TEST_CASE("no more programs at once than there are cores, and the result does not depend on them") {
  for (const std::size_t cores : {1, 2, 5}) {
    const ProgramRun run = RunPrograms(20, {}, cores, Distinct, Never);
    CHECK(run.most_running == cores);
    CHECK(run.scores == std::vector<double>(20, 1));
  }
}

TEST_CASE("a program that timed out while others held it up runs once more alone, and that run counts") {
  const ProgramRun run = RunPrograms(20, {}, 4, Distinct, [](const std::string& program, std::size_t beside) {
    return program.find("program 3\n") != std::string::npos && beside > 0;
  });
  CHECK(std::count(run.scores.begin(), run.scores.end(), 1.0) == 20);
  CHECK(run.started.size() == 21);
  CHECK(run.started.back().find("program 3\n") != std::string::npos);
}

TEST_CASE("a program that was late though nothing held it up is not run again") {
  const auto is_slow = [](const std::string& program, std::size_t) {
    return program.find("program 3\n") != std::string::npos;
  };
  const ProgramRun run = RunPrograms(20, {}, 4, Distinct, is_slow, Slow::kLate);
  CHECK(std::count(run.scores.begin(), run.scores.end(), 0.0) == 1);
  CHECK(run.started.size() == 20);
}

TEST_CASE("a program whose supervisor is lost runs once more alone, and has failed if that one is lost too") {
  for (const bool is_always : {false, true}) {
    const auto is_lost = [is_always](const std::string& program, std::size_t beside) {
      return program.find("program 3\n") != std::string::npos && (is_always || beside > 0);
    };
    const ProgramRun run = RunPrograms(20, {}, 4, Distinct, is_lost, Slow::kLost);
    CHECK(std::count(run.scores.begin(), run.scores.end(), 0.0) == (is_always ? 1 : 0));
    CHECK(run.started.size() == 21);
  }
}

TEST_CASE("a program that waited for processors twice has no verdict; one that gets room has one") {
  for (const bool is_always : {false, true}) {
    const auto is_starved = [is_always](const std::string& program, std::size_t beside) {
      return program.find("program 3\n") != std::string::npos && (is_always || beside > 0);
    };
    const ProgramRun run = RunPrograms(20, {}, 4, Distinct, is_starved, Slow::kStarved);
    CHECK(std::count(run.scores.begin(), run.scores.end(), 1.0) == (is_always ? 19 : 20));
    CHECK(run.without_verdict == (is_always ? 1 : 0));
    CHECK(run.started.size() == 21);
  }
}

TEST_CASE("programs that time out alone too have timed out; while one runs alone, nothing runs beside it") {
  const ProgramRun run = RunPrograms(20, {}, 4, Distinct, [](const std::string& program, std::size_t) {
    return program.find("program 3\n") != std::string::npos ||
           program.find("program 4\n") != std::string::npos;
  });
  CHECK(std::count(run.scores.begin(), run.scores.end(), 0.0) == 2);
  CHECK(run.started.size() == 22);
  REQUIRE(run.ran_beside.size() == 4);
  CHECK(run.ran_beside[2] == 0);
  CHECK(run.ran_beside[3] == 0);
}

}  // namespace assay::sim
