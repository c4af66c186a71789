// Tests of ranking: tiers below a leader, Holm's correction, and the effect of one factor.
#include "statistics/decisions/rank.h"

#include <doctest/doctest.h>

#include "statistics/sample_test.h"

namespace assay {
namespace {

using testing::kUnit;
using testing::SampleOf;

TEST_CASE("equal variants share a rank") {
  const std::vector<Sample> samples = {SampleOf({1, 0, 1}), SampleOf({1, 0, 1}), SampleOf({})};
  std::vector<Sample> aligned = samples;
  aligned[2].cases.resize(3);
  const Ranking ranking = Rank(aligned, kUnit);
  REQUIRE(ranking.places.size() == 2);
  CHECK(ranking.places[0].rank == 1);
  CHECK(ranking.places[1].rank == 1);
  CHECK(ranking.unranked == std::vector<VariantNumber>{2});
}

TEST_CASE("Holm's correction counts down, and never lets a larger p come out smaller") {
  const double p[] = {0.01, 0.04, 0.03};
  CHECK(HolmAdjusted(p, 3) == std::vector<double>{0.03, 0.06, 0.06});
  const double one[] = {0.4};
  CHECK(HolmAdjusted(one, 4) == std::vector<double>{1});
  CHECK(HolmAdjusted({}, 5).empty());
}

TEST_CASE("who is clearly worse stands a tier below") {
  Sample good;
  Sample bad;
  for (int i = 0; i < 20; ++i) {
    const double high = 0.9 + 0.005 * (i % 3);
    const double low = 0.2 + 0.005 * (i % 5);
    good.Add(std::span(&high, 1));
    bad.Add(std::span(&low, 1));
  }
  const std::vector<Sample> samples = {bad, good, good};
  const Ranking ranking = Rank(samples, kUnit);
  REQUIRE(ranking.places.size() == 3);
  CHECK(ranking.places[0].variant == 1);
  CHECK(ranking.places[1].rank == 1);
  CHECK(ranking.places[2].variant == 0);
  CHECK(ranking.places[2].rank == 3);
  CHECK(ranking.places[2].is_below_first);
}

TEST_CASE("a factor's effect is the mean over the pairs that are equal in the others") {
  const std::vector<Sample> samples = {SampleOf({1, 1, 0}), SampleOf({0, 1, 0}), SampleOf({1, 0, 1}),
                                       SampleOf({0, 0, 1})};
  const std::pair<VariantNumber, VariantNumber> pairs[] = {{0, 1}, {2, 3}};
  const PairedEstimate effect = CompareFactor(samples, pairs, kUnit);
  CHECK(*effect.difference == doctest::Approx(1.0 / 3));
  CHECK(effect.wins == 1);
  CHECK(effect.ties == 2);
}

}  // namespace
}  // namespace assay
