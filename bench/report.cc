// Writers over runs of growing size: time per cell must stay flat, and so must memory (run under
// /usr/bin/time -v).
#include <benchmark/benchmark.h>

#include "dialects/blueprint/blueprint.h"
#include "report/export.h"
#include "tests/support/generated_report.h"

namespace assay {
namespace {

// Ten variants and ten attempts; the argument is the number of cases.
testing::ReportShape ShapeOf(const benchmark::State& state) {
  return {.cases = static_cast<std::size_t>(state.range(0)),
          .variants = 10,
          .attempts = 10,
          .checks = 2,
          .judges = 0,
          .answer_bytes = 100};
}

template <Status (*kWrite)(const Report&, Sink&)>
void BM_Write(benchmark::State& state) {
  const testing::GeneratedReport generated(ShapeOf(state));
  testing::CountingSink sink;
  for (auto _ : state) {
    if (!kWrite(generated.report, sink)) state.SkipWithError("not written");
  }
  const auto cells = static_cast<double>(state.range(0) * 100);
  state.counters["cells/s"] = benchmark::Counter(cells, benchmark::Counter::kIsIterationInvariantRate);
  state.counters["MB"] = static_cast<double>(sink.bytes) / 1e6 / static_cast<double>(state.iterations());
}

Status WritePage(const Report& report, Sink& sink) { return ExportHtml(report, {}, sink); }

BENCHMARK(BM_Write<WriteBlueprint>)->Arg(100)->Arg(1'000)->Arg(10'000)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_Write<WritePage>)->Arg(100)->Arg(1'000)->Arg(10'000)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace assay
