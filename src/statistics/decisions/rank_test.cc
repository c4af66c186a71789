// Tests of ranking: the ranks that variants may have, Holm's correction, and the effect of one factor.
#include "statistics/decisions/rank.h"

#include <doctest/doctest.h>

#include "statistics/decisions/power.h"
#include "statistics/sample_test.h"

namespace assay {
namespace {

using testing::kUnit;
using testing::SampleOf;

TEST_CASE("equal variants may have any rank") {
  const std::vector<Sample> samples = {SampleOf({1, 0, 1}), SampleOf({1, 0, 1}), SampleOf({})};
  std::vector<Sample> aligned = samples;
  aligned[2].cases.resize(3);
  const Ranking ranking = Rank(aligned, kUnit);
  REQUIRE(ranking.places.size() == 2);
  for (const RankPlace& place : ranking.places) {
    CHECK(place.rank == 1);
    CHECK(place.rank_last == 2);
    CHECK_FALSE(place.can_rank);
  }
  CHECK(ranking.fewest() == 6);
  CHECK(ranking.unranked == std::vector<VariantNumber>{2});
}

TEST_CASE("Holm's correction counts down, and never lets a larger p come out smaller") {
  const double p[] = {0.01, 0.04, 0.03};
  CHECK(HolmAdjusted(p, 3) == std::vector<double>{0.03, 0.06, 0.06});
  const double one[] = {0.4};
  CHECK(HolmAdjusted(one, 4) == std::vector<double>{1});
  CHECK(HolmAdjusted({}, 5).empty());
}

TEST_CASE("who is clearly worse stands below all others") {
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
  CHECK(ranking.places[1].rank_last == 2);
  CHECK(ranking.places[2].variant == 0);
  CHECK(ranking.places[2].rank == 3);
  CHECK(ranking.places[2].rank_last == 3);
  CHECK(ranking.Test(0, 2).verdict == Verdict::kLeads);
  CHECK(ranking.Test(0, 1).verdict == Verdict::kTie);
}

// `right` of `cases` are right, the others wrong.
Sample PassesOf(std::size_t right, std::size_t cases) {
  Sample sample;
  for (std::size_t i = 0; i < cases; ++i) {
    const double score = i < right ? 1 : 0;
    sample.Add(std::span(&score, 1));
  }
  return sample;
}

TEST_CASE(
    "of very many variants the first ones are compared with all others, and the rest with these alone") {
  constexpr std::size_t kVariants = 1'000;
  std::vector<Sample> samples(kVariants - 1, PassesOf(0, 40));
  samples.push_back(PassesOf(40, 40));
  const Ranking ranking = Rank(samples, kUnit);
  CHECK_FALSE(ranking.AreAllCompared());
  CHECK(ranking.tests.size() <= kRankTestsMax);
  CHECK(ranking.tests.size() + kVariants > kRankTestsMax);
  CHECK(ranking.places[0].rank == 1);
  CHECK(ranking.places[0].rank_last == 1);
  CHECK(ranking.Test(0, kVariants - 1).verdict == Verdict::kLeads);
  CHECK(ranking.places.back().rank == 2);
  CHECK(ranking.places.back().rank_last == kVariants);
  CHECK(ranking.Test(kVariants - 2, kVariants - 1).paired.cases == 0);
  CHECK(Rank(std::span(samples).last(500), kUnit).AreAllCompared());
}

TEST_CASE("12 of 12 and 0 of 12 are ranked apart among 16 variants") {
  std::vector<Sample> samples = {PassesOf(12, 12)};
  for (std::size_t v = 1; v < 15; ++v) samples.push_back(PassesOf(6, 12));
  samples.push_back(PassesOf(0, 12));
  const Ranking ranking = Rank(samples, kUnit);
  CHECK(ranking.places.front().rank_last < 16);
  CHECK(ranking.places.back().rank > 1);
}

TEST_CASE("the fewest clusters that can rank are enough, and one fewer is not") {
  for (const std::size_t variants : {2, 3, 5, 8, 16, 33, 60}) {
    CAPTURE(variants);
    const std::uint64_t fewest = FewestClusters(variants);
    for (const std::uint64_t cases : {fewest - 1, fewest}) {
      std::vector<Sample> samples(variants - 1, PassesOf(0, cases));
      samples.push_back(PassesOf(cases, cases));
      const Ranking ranking = Rank(samples, kUnit);
      CHECK(ranking.places.front().rank_last == (cases == fewest ? 1 : variants));
      CHECK(ranking.places.front().can_rank == (cases == fewest));
    }
  }
}

// A stream of made-up scores, the same in every run.
class Draws {
 public:
  double Next() {
    state_ = state_ * 6364136223846793005ull + 1442695040888963407ull;
    return static_cast<double>(state_ >> 11) / 9007199254740992.0;
  }

 private:
  std::uint64_t state_ = 17;
};

TEST_CASE("a hopeless variant more takes no rank from the others") {
  Draws draws;
  std::size_t shown = 0;
  std::size_t lost = 0;
  for (int suite = 0; suite < 60; ++suite) {
    const std::size_t variants = 2 + static_cast<std::size_t>(draws.Next() * 10);
    const std::size_t cases = 20 + static_cast<std::size_t>(draws.Next() * 60);
    std::vector<Sample> samples(variants);
    for (std::size_t v = 0; v < variants; ++v) {
      const double ability = 0.9 - 0.5 * static_cast<double>(v) / static_cast<double>(variants);
      for (std::size_t i = 0; i < cases; ++i) {
        const double score = 0.5 * ability + 0.5 * draws.Next();
        samples[v].Add(std::span(&score, 1));
      }
    }
    const Ranking before = Rank(samples, kUnit);
    samples.push_back(PassesOf(0, cases));
    const Ranking after = Rank(samples, kUnit);
    for (std::size_t i = 0; i < variants; ++i) {
      REQUIRE(before.places[i].variant == after.places[i].variant);
      CHECK(after.places[i].rank <= before.places[i].rank);
      shown += before.places[i].rank - 1;
      lost += before.places[i].rank - after.places[i].rank;
    }
  }
  CHECK(shown > 300);
  CHECK(lost * 20 <= shown);  // at most 5 % of what was shown
}

TEST_CASE("those that are left of a race are corrected for all that began it") {
  std::vector<Sample> samples(4);
  for (int i = 0; i < 12; ++i) {
    const double high = 1;
    const double low = i % 6 == 0 ? 1 : i % 6 == 1 ? 0.5 : 0.2;
    samples[0].Add(std::span(&high, 1));
    samples[1].Add(std::span(&low, 1));
  }
  samples[2].cases.resize(12);  // dropped before
  samples[3].cases.resize(12);
  const Ranking alone = Rank(samples, kUnit);
  const Ranking among = RankAmong(samples, kUnit, samples.size());
  CHECK(alone.among == 2);
  CHECK(among.among == 4);
  CHECK(*among.tests.front().p_corrected ==
        doctest::Approx(std::min(1.0, 3 * *alone.tests.front().paired.p)));
  CHECK(*among.fewest() == FewestClusters(4));
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
