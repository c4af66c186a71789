// Makes a suite and a simulated world, and runs one sitting in it.
#include "tests/sim/sim_run.h"

#include <doctest/doctest.h>
#include <fmt/core.h>
#include <stdlib.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "report/aggregate.h"
#include "run/executor/executor.h"
#include "spec/suite/stored_suite.h"
#include "spec/suite/suite.h"
#include "text/json/json.h"

namespace assay::sim {

namespace {

Turn User(std::string text) {
  return {.role = Role::kUser, .kind = TurnKind::kText, .text = std::move(text), .span = {}};
}
Turn Generated() { return {.role = Role::kAssistant, .kind = TurnKind::kGenerate, .text = {}, .span = {}}; }

Check MakeCheck(std::string id, std::string kind, Value args) {
  Check check;
  check.id = std::move(id);
  check.kind = std::move(kind);
  check.text = check.kind == "judge" ? args.AsString() : check.kind;
  check.args = std::move(args);
  return check;
}

CheckNode Leaf(CheckIndex check) {
  return {.op = CheckNode::Op::kLeaf, .children = {}, .check = check, .label = {}};
}

Case MakeCase(int number) {
  Case the_case;
  the_case.id = fmt::format("case-{}", number);
  the_case.turns = {User(fmt::format("Question {}", number)), Generated()};
  if (number % 2 == 1) {
    the_case.turns.push_back(User("And then?"));
    the_case.turns.push_back(Generated());
  }
  the_case.checks = {MakeCheck("c0", "contains", "answer"),
                     MakeCheck("c1", "judge", fmt::format("covers {}", number)),
                     MakeCheck("c2", "judge", "is polite"), MakeCheck("c3", "match", "[0-9]+")};
  the_case.checks[2].invert = true;
  CheckNode any{.op = CheckNode::Op::kAny, .children = {}, .check = 0, .label = {}};
  any.children = {{.op = CheckNode::Op::kAll, .children = {Leaf(2)}, .check = 0, .label = "path_0"},
                  {.op = CheckNode::Op::kAll, .children = {Leaf(3)}, .check = 0, .label = "path_1"}};
  the_case.tree.children = {Leaf(0), Leaf(1), any};
  return the_case;
}

// Without checks: its key points come from the ideal.
Case MakeIdealCase() {
  Case the_case;
  the_case.id = "case-ideal";
  the_case.turns = {User("What would you say?"), Generated()};
  the_case.ideal = "The best that could be said.";
  the_case.extracts_key_points = true;
  return the_case;
}

Judge MakeJudge(std::string name) {
  Judge judge;
  judge.id = name;
  judge.provider = "echo";
  judge.model = name;
  judge.model_id = "echo:" + name;
  judge.label = fmt::format("{}(echo:{})", name, name);
  judge.approach = "holistic";
  judge.params.temperature = 0;
  return judge;
}

RunRecord BeginOrResume(Store& store, const Plan& plan, const FakeClock& clock) {
  Result<std::vector<RunRecord>> runs = store.Runs();
  REQUIRE(runs.has_value());
  for (const RunRecord& run : *runs) {
    if (run.state == RunState::kUnfinished && run.plan_digest == DigestOf(plan.suite())) return run;
  }
  RunRecord run;
  run.context = {.run_id = fmt::format("run-{}", runs->size()),
                 .started_ms = clock.WallMs(),
                 .utc_offset_min = 0,
                 .run_label = "sim",
                 .suite_root = {},
                 .assay_version = "sim",
                 .seed = 1};
  run.plan_digest = DigestOf(plan.suite());
  run.cells = plan.CellCount();
  run.dialect = plan.suite().dialect;
  REQUIRE(store.BeginRun(run).has_value());
  return run;
}

}  // namespace

std::uint64_t Stride(std::uint64_t steps) {
  constexpr std::uint64_t kTriedLeast = 2;
  const char* said = std::getenv("ASSAY_SIM_STRIDE");
  const std::uint64_t stride = said == nullptr ? 1 : std::strtoull(said, nullptr, 10);
  return std::clamp<std::uint64_t>(stride, 1, std::max<std::uint64_t>(1, steps / kTriedLeast));
}

std::string PrintCell(const Cell& cell) {
  std::string text =
      fmt::format("{}/{}/{} state {} score {}\n  error: {}\n", cell.case_index, cell.variant, cell.attempt,
                  static_cast<int>(cell.state), cell.score, cell.record.transcript.error);
  for (const Message& message : cell.record.transcript.history) {
    text += fmt::format("  {}: {}\n", RoleName(message.role), message.text);
  }
  return text + "  " + EncodeScores(cell.record) + "\n";
}

Suite MakeSuite() {
  Suite suite;
  suite.id = "sim";
  suite.title = "A simulated suite";
  suite.dialect = "blueprint";
  for (int i = 0; i < 3; ++i) suite.cases.push_back(MakeCase(i));
  suite.cases.push_back(MakeIdealCase());
  for (const char* model : {"a", "b"}) {
    Variant variant;
    variant.id = variant.model_id = fmt::format("echo:{}", model);
    variant.provider = "echo";
    variant.model = model;
    variant.system = fmt::format("You are {}.", model);
    suite.variants.push_back(variant);
  }
  suite.judges = {MakeJudge("strict"), MakeJudge("kind")};
  suite.backup_judge = MakeJudge("backup");
  suite.extractors = {MakeJudge("extractor"), MakeJudge("second-extractor")};
  suite.embedder =
      Embedder{{.provider = "echo", .model = "words", .base_url = {}, .custom = {}}, "echo:words"};
  suite.attempts = 2;
  return suite;
}

std::string FakeAnswer(const std::string& body) {
  const Digest digest = Sha256Of(body);
  if (body.starts_with("{\"v\":1,\"vectors\"")) return body;
  if (body.find("<key_point>") != std::string::npos) {
    return "<key_point>It is good.</key_point> and <KEY_POINT> It is said. </KEY_POINT>";
  }
  if (body.find("CLASS_") == std::string::npos) {
    return fmt::format("An answer of {} words to <{}>", digest[0], HexPrefix(digest, 8));
  }
  if (digest[1] < 60) return "I would rather not say.";
  constexpr const char* kClasses[] = {"CLASS_UNMET", "CLASS_PARTIAL", "CLASS_MAJOR", "CLASS_EXACT"};
  return fmt::format("<reflection>Because {}.</reflection><classification>{}</classification>", digest[2],
                     kClasses[digest[3] % 4]);
}

SittingResult Sit(const std::string& path, const Sitting& sitting) {
  Diagnostics diagnostics;
  const auto plan = Plan::Build(sitting.suite(), {.max_in_flight = sitting.width}, diagnostics);
  REQUIRE(plan != nullptr);
  Result<std::unique_ptr<Store>> store = OpenStore({.path = path, .read_only = false});
  REQUIRE(store.has_value());
  DyingStore dying(**store, sitting.die_after == 0 ? ~std::uint64_t{0} : sitting.die_after);
  FakeClock clock(sitting.wall_ms);
  clock.JumpBy(sitting.wall_jumps_ms);
  FakeTransport plain(clock, {.seed = sitting.seed, .failure_rate = sitting.failure_rate}, FakeAnswer);
  const std::unique_ptr<Transport> network = sitting.network ? sitting.network(clock) : nullptr;
  const Router router;
  RunRecord run = BeginOrResume(dying, *plan, clock);
  ExecutorOptions options;
  options.workers = sitting.workers;
  options.store_threading = sitting.workers == 0 ? Threading::kInline : Threading::kThread;
  options.retry.max_retries = 60;
  if (sitting.batch_wait) {
    const EpochRange epochs{.first = run.first_epoch, .last = run.epoch};
    constexpr std::int64_t kNoneForeign = 0;
    Result<BatchesOfStore> stored = OpenBatches(**store, epochs, clock.WallMs(), kNoneForeign);
    REQUIRE(stored.has_value());
    options.batches = BatchOptions{.wait_max = *sitting.batch_wait, .open = std::move(stored->open)};
  }
  SittingResult result;
  {
    Alone alone(*plan, options);
    Executor executor(*plan, run,
                      {.clock = clock,
                       .store = dying,
                       .transport = network ? *network : plain,
                       .router = router,
                       .endpoints = sitting.endpoints,
                       .pace = alone.pace,
                       .source = alone.cells,
                       .columns_of = ColumnsIn(plan->suite())},
                      options);
    const Result<RunEnding> end = executor.Run();
    result.sent = executor.progress().sent;
    result.finished = end.has_value() && *end == RunEnding::kWhole;
    REQUIRE(result.finished != dying.dead());
  }
  result.paid = plain.paid();
  if (!result.finished) return result;
  result.batches_left = (*store)->Batches().value().size();
  run.state = RunState::kFinished;
  REQUIRE((*store)->UpdateRun(run).has_value());
  Result<Report> report = Fold(**store, run, SuiteOf(plan), RetellingOf(run.generators));
  REQUIRE(report.has_value());
  REQUIRE(report
              ->for_each_cell(CellRange::All(), CellParts::kAll,
                              [&result](const Cell& cell) {
                                result.report += PrintCell(cell);
                                return Ok();
                              })
              .has_value());
  for (CaseIndex i = 0; i < plan->suite().cases.size(); ++i) {
    const Result<CaseEmbeddings> embeddings = report->embeddings_of(i);
    REQUIRE(embeddings.has_value());
    Reply vectors = EmbedReply{.vectors = embeddings->answers, .usage = {}};
    std::get<EmbedReply>(vectors).vectors.push_back(embeddings->ideal);
    result.report += EncodeReply(vectors) + "\n";
  }
  for (const VariantSummary& summary : report->variants) {
    result.report += fmt::format("variant {} mean {} scored {} errors {}\n", summary.variant, summary.mean,
                                 summary.scored, summary.errors);
  }
  return result;
}

TempFolder::TempFolder() {
  // In memory where that is to be had: thousands of stores are made, and none needs to outlive its test.
  const std::filesystem::path memory = "/dev/shm";
  const std::filesystem::path base =
      std::filesystem::exists(memory) ? memory : std::filesystem::temp_directory_path();
  std::string name = (base / "assay-sim-XXXXXX").string();
  REQUIRE(mkdtemp(name.data()) != nullptr);
  path_ = name;
}

TempFolder::~TempFolder() { std::filesystem::remove_all(path_); }

}  // namespace assay::sim
