// Tests of Krippendorff's alpha: values worked out by hand, and votes that have none.
#include "statistics/agreement/agreement.h"

#include <doctest/doctest.h>

namespace assay {
namespace {

TEST_CASE("judges who always agree have 1, and who always differ are below chance") {
  const std::vector<VoteUnit> same = {{{1, 1}, 0}, {{0, 0}, 1}, {{1, 1}, 2}};
  CHECK(*EstimateAgreement(same).alpha == doctest::Approx(1));
  CHECK(*EstimateAgreement(same).equal_pairs == 1);
  // Within units every pair differs by 1; of all six pairs of the four votes four do: 1 - 1 / (4 / 6).
  const std::vector<VoteUnit> turned = {{{1, 0}, 0}, {{0, 1}, 1}};
  CHECK(*EstimateAgreement(turned).alpha == doctest::Approx(-0.5));
  CHECK(*EstimateAgreement(turned).equal_pairs == 0);
}

TEST_CASE("the worked example of docs/statistics.md") {
  const std::vector<VoteUnit> units = {
      {{0, .25, .25}, 0}, {{1, 1, .875}, 1}, {{.5, .75, .5}, 2}, {{1, 1, 1}, 3}, {{.125, 0, .25}, 4}};
  CHECK(*EstimateAgreement(units).alpha == doctest::Approx(0.921).epsilon(0.001));
}

TEST_CASE("one vote says nothing, and votes that never vary have no alpha") {
  const std::vector<VoteUnit> alone = {{{1}, 0}, {{0, 1}, 1}, {{}, 2}};
  const AgreementEstimate estimate = EstimateAgreement(alone);
  CHECK(estimate.units == 1);
  CHECK(estimate.units_left_out == 2);
  CHECK(estimate.votes == 2);
  const std::vector<VoteUnit> flat = {{{1, 1}, 0}, {{1, 1}, 1}};
  CHECK_FALSE(EstimateAgreement(flat).alpha);
  CHECK(EstimateAgreement(flat).why == Why::kNoVariation);
  CHECK(EstimateAgreement({}).why == Why::kNoPairs);
}

TEST_CASE("the sums of units add up, whatever the votes are measured from") {
  const VoteUnit a{{0.25, 0.5, 1}, 0};
  const VoteUnit b{{0, 0.75}, 1};
  for (const double center : {0.0, 0.5}) {
    AgreementSums sums = SumsOf(a, center);
    sums += SumsOf(b, center);
    CHECK(*sums.Alpha(0) == doctest::Approx(*EstimateAgreement(std::vector<VoteUnit>{a, b}).alpha));
    sums -= SumsOf(b, center);
    CHECK(sums.votes == 3);
  }
}

}  // namespace
}  // namespace assay
