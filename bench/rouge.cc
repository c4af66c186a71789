// What an answer costs to compare with one reference by all four kinds of ROUGE (issue 6: at most 0.1 ms):
// 1,500 characters each, lines of code and of prose.
#include "checks/code/rouge.h"

#include <benchmark/benchmark.h>

#include <string>

namespace assay {
namespace {

// Some 260 words; the seed decides which.
std::string Text(std::uint32_t seed) {
  static constexpr const char* kWords[] = {"the", "value",    "of",    "this",  "list",  "returns", "a",
                                           "set", "function", "user",  "data",  "is",    "x",       "i",
                                           "for", "in",       "range", "print", "state", "widget",  "build"};
  std::string text;
  for (int word = 0; text.size() < 1500; ++word) {
    seed = seed * 1664525u + 1013904223u;
    text += kWords[(seed >> 16) % std::size(kWords)];
    if ((seed >> 24) % 6 != 0) text += static_cast<char>('a' + (seed >> 24) % 6);
    text += word % 11 == 10 ? "\n" : " ";
  }
  return text;
}

void AllFour(benchmark::State& state) {
  const RougeReference reference(Text(1));
  const std::string answer = Text(2);
  for (auto _ : state) benchmark::DoNotOptimize(reference.Score(RougeWords(answer)));
}
BENCHMARK(AllFour);

}  // namespace
}  // namespace assay
