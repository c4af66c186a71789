// What a run of a million cells costs to decide by: its scores as CSV, its bodies as JSONL, two compared.
// Memory: run one row under /usr/bin/time -v.
#include <benchmark/benchmark.h>
#include <fmt/core.h>
#include <stdlib.h>

#include <filesystem>
#include <map>
#include <random>

#include "base/hash.h"
#include "history/retelling.h"
#include "report/decide/comparison.h"
#include "report/export.h"
#include "report/fold/fold.h"
#include "spec/suite/suite.h"
#include "store/store.h"

namespace assay {
namespace {

constexpr std::size_t kVariants = 100;
constexpr CellIndex kCellsPerCommit = 10'000;
constexpr std::size_t kAnswerBytes = 2'000;

// Counts what is written and keeps nothing.
class ByteCount final : public Sink {
 public:
  Status Open(std::string_view) override { return Ok(); }
  Status Write(std::string_view written) override {
    bytes += written.size();
    return Ok();
  }
  Status Close() override { return Ok(); }

  std::uint64_t bytes = 0;
};

Suite SuiteOf(std::size_t cases) {
  Suite suite;
  suite.id = suite.title = "numbers";
  suite.dialect = "blueprint";
  for (std::size_t i = 0; i < cases; ++i) {
    Case& the_case = suite.cases.emplace_back();
    the_case.id = "case-" + std::to_string(i);
    the_case.turns = {
        {.role = Role::kUser, .kind = TurnKind::kText, .text = "question " + the_case.id, .span = {}},
        {.role = Role::kAssistant, .kind = TurnKind::kGenerate, .text = {}, .span = {}}};
    for (const char* word : {"river", "lake"}) {
      Check& check = the_case.checks.emplace_back();
      check.id = word;
      check.kind = "contains";
      check.args = Value(word);
      check.text = word;
      the_case.tree.children.push_back({.op = CheckNode::Op::kLeaf,
                                        .children = {},
                                        .check = static_cast<CheckIndex>(the_case.checks.size() - 1),
                                        .label = {}});
    }
  }
  for (std::size_t v = 0; v < kVariants; ++v) {
    Variant& variant = suite.variants.emplace_back();
    variant.id = variant.model_id = "echo:m" + std::to_string(v);
    variant.provider = "echo";
    variant.model = "m" + std::to_string(v);
  }
  return suite;
}

// Two runs of one suite in a store; every case has one answer, which all of its cells share.
class TwoRuns {
 public:
  explicit TwoRuns(std::size_t cases) : suite(std::make_shared<Suite>(SuiteOf(cases))) {
    std::string name = (std::filesystem::temp_directory_path() / "assay-numbers-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) return;
    folder_ = name;
    auto opened = OpenStore({.path = folder_ + "/store.db"});
    if (!opened) return;
    store = std::move(*opened);
    is_made = Make("a", 7) && Make("b", 8);
  }
  ~TwoRuns() { std::filesystem::remove_all(folder_); }
  TwoRuns(const TwoRuns&) = delete;
  TwoRuns& operator=(const TwoRuns&) = delete;

  CellIndex cells() const { return suite->cases.size() * kVariants; }
  Result<Report> Open(const std::string& id) {
    RunRecord run;
    run.context.run_id = id;
    run.cells = cells();
    return Fold(*store, run, suite, RetellingOf(run));
  }

  std::shared_ptr<const Suite> suite;
  std::unique_ptr<Store> store;
  bool is_made = false;

 private:
  bool Make(const std::string& id, std::uint64_t seed) {
    RunRecord run;
    run.context.run_id = id;
    run.cells = cells();
    if (!store->BeginRun(run)) return false;
    std::vector<Exchange> answers(suite->cases.size());
    for (std::size_t i = 0; i < answers.size(); ++i) {
      answers[i].key = Sha256Of(id + std::to_string(i));
      ModelReply reply;
      while (reply.text.size() < kAnswerBytes) reply.text += "the river and the lake of " + id + "\n";
      answers[i].reply = std::move(reply);
    }
    const SittingId sitting = store->BeginSitting(id, RunPart::kRun, 1, "bench").value_or(0);
    std::uint64_t commits = 1;
    Result<std::vector<Exchange>> kept = store->Commit(sitting, commits, {.exchanges = std::move(answers)});
    if (!kept) return false;
    std::mt19937_64 dice(seed);
    std::vector<CellResult> batch;
    for (CellIndex cell = 0; cell < cells(); ++cell) {
      const double second = static_cast<double>(dice() % 5) / 4;
      const CellOutcome outcome{.state = CellState::kScored, .value = (1 + second) / 2};
      batch.push_back({.cell = cell,
                       .scores = fmt::format(R"({{"v":1,"s":[[0,1],[0,{}]]}})", second),
                       .steps = {{.kind = LinkKind::kAnswer, .exchanges = {(*kept)[cell / kVariants].id}}},
                       .columns = CellColumns{.variant = static_cast<VariantIndex>(cell % kVariants),
                                              .attempt = 0,
                                              .outcome = outcome,
                                              .weight = 1}});
      if (batch.size() < kCellsPerCommit && cell + 1 < cells()) continue;
      if (!store->Commit(sitting, ++commits, {.cells = batch})) return false;
      batch.clear();
    }
    return true;
  }

  std::string folder_;
};

TwoRuns& RunsOf(std::size_t cases) {
  static std::map<std::size_t, std::unique_ptr<TwoRuns>> runs;
  std::unique_ptr<TwoRuns>& found = runs[cases];
  if (found == nullptr) found = std::make_unique<TwoRuns>(cases);
  return *found;
}

using WriteFunction = Status (*)(const Report&, const ExportAsk&, Sink&);

template <WriteFunction kWrite>
void BM_Write(benchmark::State& state) {
  TwoRuns& runs = RunsOf(static_cast<std::size_t>(state.range(0)));
  if (!runs.is_made) return state.SkipWithError("the store could not be made");
  ByteCount sink;
  for (auto _ : state) {
    const Result<Report> report = runs.Open("a");
    if (!report || !kWrite(*report, {}, sink)) return state.SkipWithError("not written");
  }
  const double bytes = static_cast<double>(sink.bytes) / static_cast<double>(state.iterations());
  state.counters["MB"] = bytes / 1e6;
  state.counters["B/s"] = benchmark::Counter(bytes, benchmark::Counter::kIsIterationInvariantRate);
}

// Every variant of one run against itself in the other, as `assay compare A B` does.
void BM_Compare(benchmark::State& state) {
  TwoRuns& runs = RunsOf(static_cast<std::size_t>(state.range(0)));
  if (!runs.is_made) return state.SkipWithError("the store could not be made");
  for (auto _ : state) {
    const Result<Report> a = runs.Open("a");
    const Result<Report> b = runs.Open("b");
    if (!a || !b) return state.SkipWithError("not folded");
    const Result<CaseScores> scores_a = CaseScoresOf(*a);
    const Result<CaseScores> scores_b = CaseScoresOf(*b);
    if (!scores_a || !scores_b) return state.SkipWithError("no scores");
    const Suite& suite = *runs.suite;
    for (VariantIndex v = 0; v < kVariants; ++v) {
      const std::string& name = suite.variants[v].id;
      const Contender first{.name = name, .suite = &suite, .scores = &*scores_a, .variant = v};
      const Contender other{.name = name, .suite = &suite, .scores = &*scores_b, .variant = v};
      benchmark::DoNotOptimize(CompareWith(first, std::span(&other, 1), PairBy::kWholeCase));
    }
  }
}

BENCHMARK(BM_Write<ExportCsv>)->Arg(10'000)->Iterations(1)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_Compare)->Arg(10'000)->Iterations(1)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_Write<ExportJsonl>)->Arg(1'000)->Iterations(1)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_Write<ExportAnswersCsv>)->Arg(1'000)->Iterations(1)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace assay
