// Tests that bootstrap draws, and so the intervals made of them, are the same everywhere.
#include "statistics/estimates/bootstrap.h"

#include <doctest/doctest.h>

#include <cmath>

#include "statistics/sample_test.h"

namespace assay {
namespace {

TEST_CASE("the generator gives the same draws everywhere") {
  CHECK(CounterRandom("alpha", 0).key() == 0x7e5a5026a94b5389U);
  CHECK(CounterRandom("alpha", 0).At(0) == 0x2aa2f80e278c5551U);
  CHECK(CounterRandom("mean", 3).Below(7, 5) < 7);
}

TEST_CASE("draws below a count fall everywhere about equally often") {
  const CounterRandom draws("test", 1);
  std::vector<int> hits(7);
  for (std::uint64_t i = 0; i < 7'000; ++i) ++hits[draws.Below(7, i)];
  for (const int each : hits) CHECK(std::abs(each - 1'000) < 150);
}

TEST_CASE("the same seed gives the same interval, and another one nearly the same") {
  const Sample sample = testing::SampleOf({1, 0, 1, 1, 0.5, 0.75, 0, 1});
  const BootstrapMean first = BootstrapOfMean(sample, testing::kUnit, 1);
  const BootstrapMean again = BootstrapOfMean(sample, testing::kUnit, 1);
  const BootstrapMean other = BootstrapOfMean(sample, testing::kUnit, 2);
  CHECK(first.percentile->low == again.percentile->low);
  CHECK(first.bca->high == again.bca->high);
  CHECK(first.percentile->low < *first.mean);
  CHECK(first.percentile->high > *first.mean);
  CHECK(std::abs(first.percentile->low - other.percentile->low) < 0.05);
}

TEST_CASE("one case has no bootstrap") {
  const BootstrapMean one = BootstrapOfMean(testing::SampleOf({1}), testing::kUnit, 1);
  CHECK_FALSE(one.percentile);
  CHECK(one.why == Why::kOneCase);
  CHECK(BootstrapOfAgreement({}, 1).why == Why::kNoPairs);
}

}  // namespace
}  // namespace assay
