// All statistics of a run of 100 variants over 10,000 cases: ranking, effects of factors, gates,
// comparison of two runs, pass@k with flaky cases. The ranking of 200 variants over 5,000 cases stands apart,
// and so does a race of ten variants.
#include <benchmark/benchmark.h>

#include <random>

#include "report/decide/comparison.h"
#include "report/decide/factors.h"
#include "report/decide/gates.h"
#include "report/decide/standings.h"
#include "spec/suite/suite.h"
#include "statistics/estimates/pass_k.h"
#include "statistics/sequential/order.h"
#include "statistics/sequential/race.h"

namespace assay {
namespace {

constexpr std::size_t kVariants = 100;
constexpr std::size_t kCases = 10'000;

// Variants of ten models at ten temperatures, each a little worse than the one before.
struct LargeRun {
  Suite suite;
  CaseScores scores;

  LargeRun() {
    std::mt19937_64 dice(11);
    for (std::size_t i = 0; i < kCases; ++i) {
      Case& the_case = suite.cases.emplace_back();
      the_case.id = "case-" + std::to_string(i);
      the_case.turns = {{.role = Role::kUser, .kind = TurnKind::kText, .text = the_case.id, .span = {}}};
    }
    for (std::size_t v = 0; v < kVariants; ++v) {
      Variant& variant = suite.variants.emplace_back();
      variant.id = "v" + std::to_string(v);
      variant.model = "m" + std::to_string(v / 10);
      variant.params.temperature = static_cast<double>(v % 10) / 10;
      Sample& sample = scores.samples.emplace_back();
      for (std::size_t i = 0; i < kCases; ++i) {
        const double score = static_cast<double>(dice() % 101) / 100 * (1 - static_cast<double>(v) / 300);
        sample.Add(std::span(&score, 1));
      }
    }
    scores.weights.assign(kCases, 1);
    scores.clusters = ClustersOf(suite.cases);
    scores.range = ScoreRange{};
  }
};

const LargeRun& Large() {
  static const LargeRun run;
  return run;
}

void BM_Ranking(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(Rank(Large().scores.samples, Large().scores.design()));
}

// Every pair of 200 variants over 5,000 cases; the argument says whether scores are 0 and 1.
void BM_RankingOf200(benchmark::State& state) {
  const bool is_binary = state.range(0) != 0;
  std::mt19937_64 dice(11);
  std::vector<Sample> samples(200);
  for (std::size_t v = 0; v < samples.size(); ++v) {
    for (std::size_t i = 0; i < 5'000; ++i) {
      const double drawn = static_cast<double>(dice() % 101) / 100 * (1 - static_cast<double>(v) / 300);
      const double score = is_binary ? (drawn > 0.3 ? 1 : 0) : drawn;
      samples[v].Add(std::span(&score, 1));
    }
  }
  for (auto _ : state) benchmark::DoNotOptimize(Rank(samples, {.range = ScoreRange{}}));
}

void BM_Factors(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(FactorEffects(Large().suite, Large().scores));
}

Contender ContenderAt(VariantIndex variant, const PassCounts* passes = nullptr) {
  return {.name = Large().suite.variants[variant].id,
          .suite = &Large().suite,
          .scores = &Large().scores,
          .passes = passes,
          .variant = variant};
}

// Each variant against itself of another run.
void BM_Compare(benchmark::State& state) {
  for (auto _ : state) {
    for (VariantIndex v = 0; v < kVariants; ++v) {
      const Contender other = ContenderAt((v + 1) % kVariants);
      benchmark::DoNotOptimize(CompareWith(ContenderAt(v), std::span(&other, 1), PairBy::kWholeCase));
    }
  }
}

void BM_Gates(benchmark::State& state) {
  const PassCounts all(kVariants, std::vector<PassCount>(kCases, {.scored = 1, .passed = 1}));
  std::vector<GatePair> pairs;
  for (VariantIndex v = 0; v < kVariants; ++v)
    pairs.push_back({.fresh = ContenderAt(v, &all), .base = ContenderAt((v + 1) % kVariants, &all)});
  for (auto _ : state) benchmark::DoNotOptimize(TestRegressions(pairs, {.margin = 0.01}));
}

void BM_PassK(benchmark::State& state) {
  std::vector<PassCount> counts;
  for (std::size_t i = 0; i < kCases; ++i) counts.push_back({.scored = 5, .passed = i % 6});
  for (auto _ : state) {
    for (std::size_t v = 0; v < kVariants; ++v)
      benchmark::DoNotOptimize(EstimatePasses(counts, 5, Large().scores.design()));
  }
}

// Ten equal variants over 5,000 cases: a race that looks 99 times and is not decided before the end. The
// argument says whether its promise is about cases of this kind as well.
void BM_RaceToTheEnd(benchmark::State& state) {
  std::mt19937_64 dice(11);
  std::vector<Sample> samples(10);
  for (std::size_t i = 0; i < 5'000; ++i) {
    const double ease = static_cast<double>(dice() % 1'001) / 1'000;
    for (Sample& sample : samples) {
      const double score = static_cast<double>(dice() % 1'001) / 1'000 < 0.5 + ease / 2 ? 1 : 0;
      sample.Add(std::span(&score, 1));
    }
  }
  const UnitTable table(5'000, {.range = ScoreRange{}});
  const RaceQuestion question = {.promise = state.range(0) != 0 ? Promise::kWorld : Promise::kSuite};
  const std::vector<std::uint64_t> places = LookPlaces(table.units());
  for (auto _ : state) benchmark::DoNotOptimize(FollowRace(table, samples, question, places));
}

BENCHMARK(BM_Ranking)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_RankingOf200)->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_RaceToTheEnd)->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_Factors)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_Compare)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_Gates)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_PassK)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace assay
