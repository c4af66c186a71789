// What an answer costs to align with a template: a template of 400 characters, an answer of 1,500.
#include "checks/code/alignment.h"

#include <benchmark/benchmark.h>

#include <string>

namespace assay {
namespace {

std::u32string Text(std::size_t size, std::uint32_t seed) {
  std::u32string text;
  while (text.size() < size) {
    seed = seed * 1664525u + 1013904223u;
    text += static_cast<char32_t>(U"etaoinshrdlu (){}.;="[(seed >> 16) % 20]);
  }
  return text;
}

void Alignments(benchmark::State& state) {
  const std::u32string pattern = Text(400, 1);
  const std::u32string answer = Text(static_cast<std::size_t>(state.range(0)), 2);
  for (auto _ : state) benchmark::DoNotOptimize(Align(pattern, answer));
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(pattern.size() * answer.size()));
}
BENCHMARK(Alignments)->Arg(1'500)->Arg(100'000);

}  // namespace
}  // namespace assay
