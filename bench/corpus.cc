// What documents cost: cut, indexed and embedded, and searched (issue 16: 500 pages 0.5 s, 100,000 chunks 8 s
// and 300 MB, a search in them 20 ms, with 384 dimensions 60 ms; CPU).
#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include <string>

#include "corpus/ask/relevant_content.h"
#include "corpus/ask/search.h"

namespace assay {
namespace {

// Prose of some 12,000 different words in sentences of 8 to 30; the seed decides which. Common words are
// common.
std::string Prose(std::size_t size_bytes, std::uint32_t seed) {
  static constexpr const char* kCommon[] = {"the", "of", "and", "a", "is", "in", "to", "each", "for", "that"};
  static constexpr const char* kParts[] = {"wa",  "ter",  "val", "ve",   "pres", "sure",  "in",  "spect",
                                           "re",  "cord", "li",  "mit",  "or",   "chard", "sto", "rage",
                                           "tem", "per",  "a",   "ture", "no",   "tice"};
  std::string text;
  text.reserve(size_bytes + 64);
  const auto next = [&seed] { return (seed = seed * 1664525u + 1013904223u) >> 8; };
  while (text.size() < size_bytes) {
    const std::uint32_t words = 8 + next() % 23;
    for (std::uint32_t word = 0; word < words; ++word) {
      if (next() % 5 < 2) {
        text += kCommon[next() % std::size(kCommon)];
      } else {
        for (std::uint32_t part = 2 + next() % 2; part > 0; --part)
          text += kParts[next() % std::size(kParts)];
      }
      text += word + 1 < words ? " " : next() % 4 == 0 ? ".\n" : ". ";
    }
  }
  return text;
}

CorpusDocument Document(std::size_t number, std::size_t size_bytes) {
  CorpusDocument document;
  document.id = "d" + std::to_string(number);
  document.title = document.id + ".txt";
  document.content.text = Prose(size_bytes, static_cast<std::uint32_t>(number) + 1);
  return document;
}

double PeakMegabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

constexpr std::size_t kPageBytes = 2'600;
constexpr std::size_t kChunkBytes = 1'215;  // that a chunk adds: 256 tokens without the overlap

void FiveHundredPages(benchmark::State& state) {
  const CorpusDocument document = Document(0, 500 * kPageBytes);
  for (auto _ : state) {
    CorpusBuilder builder({});
    benchmark::DoNotOptimize(builder.Add(document));
    benchmark::DoNotOptimize(std::move(builder).Build());
  }
}
BENCHMARK(FiveHundredPages)->Unit(benchmark::kMillisecond);

std::shared_ptr<const Corpus> ManyChunks(std::size_t chunks, std::size_t dimensions) {
  constexpr std::size_t kDocumentBytes = 10u << 20;
  const bool is_hash = dimensions == 64;
  CorpusBuilder builder({.embedder = is_hash ? "hash" : "vectors", .dimensions = dimensions});
  for (std::size_t number = 0; number * kDocumentBytes < chunks * kChunkBytes; ++number) {
    if (!builder.Add(Document(number, kDocumentBytes))) return nullptr;
  }
  if (!is_hash) {
    std::uint32_t seed = 1;
    std::size_t texts = builder.chunks();
    std::vector<Vector> vectors(1, Vector(dimensions));
    for (; texts > 0; --texts) {
      for (float& value : vectors[0]) {
        seed = seed * 1664525u + 1013904223u;
        value = static_cast<float>(seed >> 8) / 1e7f - 0.8f;
      }
      if (!builder.AddVectors(vectors)) return nullptr;
    }
  }
  return std::move(builder).Build().value_or(nullptr);
}

void BuiltChunks(benchmark::State& state) {
  for (auto _ : state) {
    const std::shared_ptr<const Corpus> corpus = ManyChunks(static_cast<std::size_t>(state.range(0)), 64);
    state.counters["chunks"] = static_cast<double>(corpus->chunks());
  }
  state.counters["peak_MB"] = PeakMegabytes();
}
BENCHMARK(BuiltChunks)->Arg(100'000)->Iterations(1)->Unit(benchmark::kMillisecond);

void Searched(benchmark::State& state, std::size_t dimensions, const char* text) {
  static std::shared_ptr<const Corpus>
      corpus;  // the last that was built: rows of one size follow one another
  if (corpus == nullptr || corpus->vectors().dimensions() != dimensions) {
    corpus = nullptr;
    corpus = ManyChunks(100'000, dimensions);
  }
  const Vector vector(dimensions, 0.25f);
  for (auto _ : state) {
    const SearchQuery query = dimensions == 64 ? MakeQuery(*corpus, text)
                                               : MakeQuery(*corpus, text, vector).value_or(SearchQuery());
    const std::vector<FoundChunk> ranked = RankCorpus(*corpus, query, {});
    benchmark::DoNotOptimize(WithoutRepeats(*corpus, ranked, 5));
  }
  state.counters["peak_MB"] = PeakMegabytes();
}
BENCHMARK_CAPTURE(Searched, words_64, 64, "water valve inspect")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(Searched, question_64, 64,
                  "How often is the pressure of each valve in the orchard inspected?")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(Searched, words_384, 384, "water valve inspect")->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace assay
