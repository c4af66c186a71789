// Tests of the executor's promises, one promise a test: one call per key, retries, offline, epochs,
// recordings, stopping.
#include "run/executor/executor.h"

#include <doctest/doctest.h>

#include "spec/suite/suite.h"
#include "tests/sim/sim_run.h"

namespace assay::sim {

namespace {

// One question to two variants of one model; graded by nothing.
Suite TwinSuite() {
  Suite suite = MakeSuite();
  suite.cases.resize(1);
  suite.cases[0].checks.clear();
  suite.cases[0].tree = {};
  suite.embedder.reset();
  suite.variants[1].model = suite.variants[0].model;
  suite.variants[1].system = suite.variants[0].system;
  suite.attempts = 1;
  return suite;
}

struct World {
  TempFolder folder;
  FakeClock clock{0};
  std::unique_ptr<Store> store;
  std::shared_ptr<const Plan> plan;
  ExecutorOptions options;
  Progress progress;

  explicit World(Suite suite) {
    Diagnostics diagnostics;
    plan = Plan::Build(std::move(suite), {}, diagnostics);
    REQUIRE(plan != nullptr);
    Result<std::unique_ptr<Store>> opened = OpenStore({.path = folder.Path("store.db"), .read_only = false});
    REQUIRE(opened.has_value());
    store = std::move(*opened);
    options.workers = 0;
    options.store_threading = Threading::kInline;
  }

  RunRecord Begin(std::string id, EpochRange epochs = {}) {
    RunRecord run;
    run.context.run_id = std::move(id);
    run.first_epoch = epochs.first;
    run.epoch = epochs.last;
    run.cells = plan->CellCount();
    run.dialect = plan->suite().dialect;
    REQUIRE(store->BeginRun(run).has_value());
    return run;
  }

  Result<RunEnding> Run(const RunRecord& run, Transport& transport, const Router& router = Router()) {
    Alone alone(*plan, options);
    Executor executor(*plan, run, alone.Deps(clock, *store, transport, router), options);
    Result<RunEnding> end = executor.Run();
    progress = executor.progress();
    return end;
  }

  std::vector<std::string> Answers(const RunRecord& run) {
    const Result<Report> report = Fold(*store, run, SuiteOf(plan), RetellingOf(run.generators));
    REQUIRE(report.has_value());
    std::vector<std::string> answers;
    REQUIRE(report
                ->for_each_cell(CellRange::All(), CellParts::kAll,
                                [&answers](const Cell& cell) {
                                  const std::string& error = cell.record.transcript.error;
                                  answers.push_back(error.empty() ? cell.record.transcript.answer
                                                                  : "error: " + error);
                                  return Ok();
                                })
                .has_value());
    return answers;
  }
};

Recording Fixed(std::string reply, bool strict) {
  return {.source = "fixtures:0123456789ab",
          .path = "fixtures.yml",
          .strict = strict,
          .find = [reply](const Suite&, const ModelRequest& request,
                          const RequestTag&) -> std::optional<ModelReply> {
            if (reply.empty() || request.model != "a") return std::nullopt;
            ModelReply recorded;
            recorded.text = reply;
            recorded.finish_reason = "stop";
            return recorded;
          }};
}

}  // namespace

TEST_CASE("equal requests in flight are sent once, and all who wait are answered") {
  World world(TwinSuite());
  FakeTransport transport(world.clock, {}, FakeAnswer);
  const RunRecord run = world.Begin("r");
  CHECK(world.Run(run, transport).value() == RunEnding::kWhole);
  CHECK(world.progress.sent == 1);
  const auto answers = world.Answers(run);
  REQUIRE(answers.size() == 2);
  CHECK(answers[0] == answers[1]);
  CHECK(answers[0].starts_with("An answer"));
}

TEST_CASE(
    "a failing request is tried max_retries times more, then its cell is an error and the run goes on") {
  for (const int retries : {0, 1, 3}) {
    World world(TwinSuite());
    FakeTransport transport(world.clock, {.seed = 1, .failure_rate = 1}, FakeAnswer);
    world.options.retry.max_retries = retries;
    world.options.retry.waits_are_tries = true;
    const RunRecord run = world.Begin("r");
    CHECK(world.Run(run, transport).value() == RunEnding::kWhole);
    CHECK(world.progress.retries == static_cast<std::uint64_t>(retries));
    CHECK(world.progress.errors == 1);
    CHECK(world.progress.cells_failed == 2);
    CHECK(world.Answers(run)[0].starts_with("error: "));
  }
}

TEST_CASE("offline asks nothing and stores nothing, but serves what is there") {
  World world(TwinSuite());
  FakeTransport transport(world.clock, {}, FakeAnswer);
  world.options.offline = true;
  const RunRecord before = world.Begin("before");
  CHECK(world.Run(before, transport).value() == RunEnding::kWhole);
  CHECK(world.progress.sent == 0);
  CHECK(world.progress.cells_failed == 2);
  CHECK(transport.paid().empty());
  CHECK(world.Answers(before)[0].find("--offline") != std::string::npos);

  world.options.offline = false;
  CHECK(world.Run(world.Begin("live"), transport).value() == RunEnding::kWhole);
  world.options.offline = true;
  const RunRecord after = world.Begin("after");
  CHECK(world.Run(after, transport).value() == RunEnding::kWhole);
  CHECK(world.progress.reused == 1);
  CHECK(world.Answers(after)[0].starts_with("An answer"));
}

TEST_CASE("a fresh epoch asks again and leaves earlier runs as they are") {
  World world(TwinSuite());
  int version = 1;
  FakeTransport transport(world.clock, {},
                          [&version](const std::string&) { return std::to_string(version); });
  const RunRecord first = world.Begin("first");
  CHECK(world.Run(first, transport).value() == RunEnding::kWhole);
  version = 2;
  const RunRecord fresh = world.Begin("fresh", {.first = 1, .last = 1});
  CHECK(world.Run(fresh, transport).value() == RunEnding::kWhole);
  CHECK(world.progress.sent == 1);
  const RunRecord later = world.Begin("later", {.first = 0, .last = 1});
  CHECK(world.Run(later, transport).value() == RunEnding::kWhole);
  CHECK(world.progress.sent == 0);
  CHECK(world.Answers(first)[0] == "1");
  CHECK(world.Answers(fresh)[0] == "2");
  CHECK(world.Answers(later)[0] == "2");
}

TEST_CASE("a recorded reply answers instead of the model, and never poses as the model's own later") {
  World world(TwinSuite());
  FakeTransport network(world.clock, {}, FakeAnswer);
  FakeTransport recorded(world.clock, {}, [](const std::string& body) { return body; });
  const RunRecord run = world.Begin("recorded");
  CHECK(world.Run(run, recorded, Router({Fixed("from the file", false)})).value() == RunEnding::kWhole);
  CHECK(world.progress.recorded == 1);
  CHECK(world.progress.sent == 0);
  CHECK(world.Answers(run)[0] == "from the file");
  const RunRecord live = world.Begin("live");
  CHECK(world.Run(live, network).value() == RunEnding::kWhole);
  CHECK(world.progress.sent == 1);
  CHECK(world.Answers(live)[0].starts_with("An answer"));
}

TEST_CASE("cases that ask the same have their own recorded answers") {
  Suite suite = TwinSuite();
  suite.variants.resize(1);
  suite.cases.push_back(suite.cases[0]);
  suite.cases[1].id = "another";
  World world(std::move(suite));
  FakeTransport recorded(world.clock, {}, [](const std::string& body) { return body; });
  Recording by_case = Fixed("", false);
  by_case.find = [](const Suite& asked, const ModelRequest&, const RequestTag& tag) {
    ModelReply reply;
    reply.text = "answer to " + asked.cases[tag.case_index].id;
    return std::optional<ModelReply>(reply);
  };
  const RunRecord run = world.Begin("r");
  CHECK(world.Run(run, recorded, Router({by_case})).value() == RunEnding::kWhole);
  CHECK(world.Answers(run) == std::vector<std::string>{"answer to case-0", "answer to another"});
}

TEST_CASE("a strict recording turns what it lacks into an error") {
  World world(TwinSuite());
  FakeTransport transport(world.clock, {}, FakeAnswer);
  const RunRecord run = world.Begin("r");
  CHECK(world.Run(run, transport, Router({Fixed("", true)})).value() == RunEnding::kWhole);
  CHECK(transport.paid().empty());
  CHECK(world.Answers(run)[0].find("fixtures.yml") != std::string::npos);
}

// A service that takes so many calls at once and answers the others at once with 429.
class NarrowService final : public Transport {
 public:
  NarrowService(FakeClock& clock, std::size_t width, std::vector<HttpHeader> headers)
      : clock_(clock), width_(width), headers_(std::move(headers)) {}
  void Send(Ticket ticket, HttpRequest, CompletionSink& sink) override {
    sent_at.push_back(clock_.Now());
    HttpReply reply;
    if (in_flight_ == width_) {
      ++refused;
      reply.status = 429;
      reply.headers = headers_;
      sink.Deliver({.ticket = ticket, .reply = std::move(reply)});
      return;
    }
    ++in_flight_;
    reply.status = 200;
    reply.body = "fine";
    clock_.At(clock_.Now() + std::chrono::milliseconds(100), [this, ticket, reply, &sink] {
      --in_flight_;
      sink.Deliver({.ticket = ticket, .reply = reply});
    });
  }
  void CancelAll() override { clock_.ForgetAll(); }

  std::vector<TimePoint> sent_at;
  int refused = 0;

 private:
  FakeClock& clock_;
  std::size_t width_;
  std::vector<HttpHeader> headers_;
  std::size_t in_flight_ = 0;
};

// 400 questions to one model, 64 at once.
Suite ManyQuestions() {
  Suite suite = TwinSuite();
  suite.variants.resize(1);
  suite.attempts = 400;
  suite.concurrency = 64;
  return suite;
}

TEST_CASE("a pool narrows to what its service takes, and every question is answered") {
  World world(ManyQuestions());
  world.options.retry.max_retries = 20;
  NarrowService service(world.clock, 8, {});
  const RunRecord run = world.Begin("one");
  REQUIRE(world.Run(run, service).has_value());
  CHECK(world.progress.errors == 0);
  CHECK(world.Answers(run) == std::vector<std::string>(400, "fine"));
  // At full width, every round of retries would be refused in its most part.
  CAPTURE(service.refused);
  CHECK(service.refused < 400);
}

TEST_CASE("a pause that the service asks for is kept by all calls of the pool") {
  World world(ManyQuestions());
  world.options.retry.max_retries = 20;
  NarrowService service(world.clock, 8, {{"Retry-After", "5"}});
  REQUIRE(world.Run(world.Begin("one"), service).has_value());
  CHECK(world.progress.errors == 0);
  std::vector<TimePoint> times = service.sent_at;
  bool has_pause = false;
  for (std::size_t i = 1; i < times.size(); ++i) {
    const auto gap = times[i] - times[i - 1];
    CHECK((gap <= std::chrono::milliseconds(200) || gap >= std::chrono::milliseconds(4'800)));
    has_pause = has_pause || gap >= std::chrono::milliseconds(4'800);
  }
  CHECK(has_pause);
}

TEST_CASE("a stopped run keeps what was answered and goes on from there") {
  World world(MakeSuite());
  const RunRecord run = world.Begin("r");
  std::uint64_t sent_first = 0;
  {
    const Router router;
    Executor* running = nullptr;
    int answers = 0;
    FakeTransport stopping(world.clock, {}, [&](const std::string& body) {
      if (++answers == 5) running->RequestStop();
      return FakeAnswer(body);
    });
    Alone alone(*world.plan, world.options);
    Executor executor(*world.plan, run, alone.Deps(world.clock, *world.store, stopping, router),
                      world.options);
    running = &executor;
    CHECK(executor.Run().value() == RunEnding::kInterrupted);
    sent_first = executor.progress().sent;
    CHECK(sent_first >= 4);
    CHECK(executor.progress().cells_done < executor.progress().cells_total);
  }
  FakeTransport transport(world.clock, {}, FakeAnswer);
  CHECK(world.Run(run, transport).value() == RunEnding::kWhole);
  CHECK(world.progress.reused >= sent_first);
  CHECK(world.progress.cells_done == world.progress.cells_total);
}

}  // namespace assay::sim
