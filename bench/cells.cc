// Pages of cells out of a run of a million: sorted by score, filtered, deep inside; and a walk over what all
// of them come to.
#include <benchmark/benchmark.h>
#include <stdlib.h>

#include <filesystem>
#include <random>

#include "store/store.h"

namespace assay {
namespace {

constexpr CellIndex kCells = 1'000'000;
constexpr VariantIndex kVariants = 100;
constexpr CellIndex kCellsPerCommit = 10'000;

// One run of as many cells, a twentieth of them errors, scores rounded as blueprints round them.
class MillionCells {
 public:
  MillionCells() {
    std::string name = (std::filesystem::temp_directory_path() / "assay-cells-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) return;
    folder_ = name;
    auto opened = OpenStore({.path = folder_ + "/store.db"});
    if (!opened) return;
    store = std::move(*opened);
    RunRecord run;
    run.context.run_id = "r";
    run.cells = kCells;
    is_made = store->BeginRun(run).has_value();
    const SittingId sitting = store->BeginSitting("r", RunPart::kRun, 1, "bench").value_or(0);
    std::uint64_t commits = 0;
    std::mt19937_64 dice(7);
    std::vector<CellResult> cells;
    for (CellIndex i = 0; i < kCells && is_made; ++i) {
      CellOutcome outcome{.state = dice() % 20 == 0 ? CellState::kError : CellState::kScored};
      if (outcome.state == CellState::kScored) outcome.value = static_cast<double>(dice() % 101) / 100;
      cells.push_back({.cell = i,
                       .scores = R"({"v":1,"s":[[0,1],[0,0.5]]})",
                       .steps = {{.kind = LinkKind::kAnswer, .exchanges = {i + 1}}},
                       .columns = CellColumns{.variant = static_cast<VariantIndex>(i % kVariants),
                                              .attempt = 0,
                                              .outcome = outcome,
                                              .weight = 1}});
      if (cells.size() < kCellsPerCommit && i + 1 < kCells) continue;
      is_made = store->Commit(sitting, ++commits, {.cells = cells}).has_value();
      cells.clear();
    }
  }
  ~MillionCells() { std::filesystem::remove_all(folder_); }
  MillionCells(const MillionCells&) = delete;
  MillionCells& operator=(const MillionCells&) = delete;

  std::unique_ptr<Store> store;
  bool is_made = false;

 private:
  std::string folder_;
};

MillionCells& Million() {
  static MillionCells million;
  return million;
}

void Find(benchmark::State& state, const CellQuery& query, CellSpan span = {0, kCells}) {
  MillionCells& million = Million();
  std::uint64_t rows = 0;
  for (auto _ : state) {
    rows = 0;
    const Status found = million.is_made ? million.store->FindCells("r", span, query,
                                                                    [&rows](CellIndex, const CellOutcome&) {
                                                                      ++rows;
                                                                      return Ok();
                                                                    })
                                         : Status(Error{ErrorCode::kIo, "the store could not be made"});
    if (!found) state.SkipWithError(found.error().message.c_str());
  }
  state.counters["rows"] = static_cast<double>(rows);
}

constexpr std::uint64_t kPage = 100;

void BM_LowestFirst(benchmark::State& state) {
  Find(state, {.order = CellQuery::Order::kLowestFirst, .limit = kPage});
}
void BM_HighestFirst(benchmark::State& state) {
  Find(state, {.order = CellQuery::Order::kHighestFirst, .limit = kPage});
}
// The page behind a cell in the middle.
void BM_DeepPage(benchmark::State& state) {
  Find(state, {.order = CellQuery::Order::kLowestFirst, .limit = kPage, .after = kCells / 2});
}
void BM_ErrorsOnly(benchmark::State& state) {
  Find(state, {.states = {CellState::kError}, .order = CellQuery::Order::kLowestFirst, .limit = kPage});
}
void BM_OneVariant(benchmark::State& state) {
  Find(state, {.cells = CellRange::OfVariant(3), .order = CellQuery::Order::kLowestFirst, .limit = kPage});
}
void BM_OneCase(benchmark::State& state) {
  Find(state, {.order = CellQuery::Order::kLowestFirst, .limit = kPage},
       {5'000 * CellIndex{kVariants}, 5'001 * CellIndex{kVariants}});
}
void BM_AllThatFail(benchmark::State& state) {
  Find(state, {.states = {CellState::kScored, CellState::kError}, .below = 0.5});
}

void BM_WalkOutcomes(benchmark::State& state) {
  MillionCells& million = Million();
  double sum = 0;
  for (auto _ : state) {
    sum = 0;
    const Status walked =
        million.store->VisitOutcomes("r", {0, kCells}, [&sum](CellIndex, const CellOutcome& outcome) {
          sum += outcome.value;
          return Ok();
        });
    if (!walked) state.SkipWithError(walked.error().message.c_str());
  }
  benchmark::DoNotOptimize(sum);
}

BENCHMARK(BM_LowestFirst)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_HighestFirst)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_DeepPage)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_ErrorsOnly)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_OneVariant)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_OneCase)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_AllThatFail)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_WalkOutcomes)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace assay
