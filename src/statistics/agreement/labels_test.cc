// Tests of estimates from human labels: a few labels correct the judges, and invent nothing.
#include "statistics/agreement/labels.h"

#include <doctest/doctest.h>

namespace assay {
namespace {

TEST_CASE("labels that agree everywhere invent no bias") {
  // What differs by rounding alone is no bias.
  const double labels[] = {0.8, 0.3, 0.6};
  const double judged[] = {0.8, 0.1 + 0.2, 0.6};
  const LabelEstimate estimate = EstimateFromLabels({.labels = labels, .judged = judged, .unlabelled = {}});
  CHECK(estimate.bias == 0);
  CHECK_FALSE(estimate.bias_interval);
}

TEST_CASE("without further answers the estimate is the mean of the labels") {
  const double labels[] = {1, 0, 0.5, 1};
  const double judged[] = {0.9, 0.2, 0.5, 0.7};
  const LabelEstimate estimate = EstimateFromLabels({.labels = labels, .judged = judged, .unlabelled = {}});
  CHECK(*estimate.estimate == 0.625);
  CHECK(*estimate.judge_mean == doctest::Approx(0.575));
  CHECK(*estimate.bias == doctest::Approx(-0.05));
}

TEST_CASE("judges who are always right are believed: their scores of the others count") {
  const double labels[] = {1, 0, 1, 0};
  const double more[] = {1, 1, 1, 1, 1, 1, 1, 1};
  const LabelEstimate estimate = EstimateFromLabels({.labels = labels, .judged = labels, .unlabelled = more});
  CHECK(*estimate.lambda > 0.5);
  CHECK(*estimate.estimate > 0.5);  // the labels alone
  CHECK(estimate.unlabelled == 8);
}

TEST_CASE("no label, one label") {
  CHECK(EstimateFromLabels({}).why == Why::kNoLabel);
  const double one[] = {1};
  CHECK(EstimateFromLabels({.labels = one, .judged = one, .unlabelled = {}}).why == Why::kOneLabel);
}

}  // namespace
}  // namespace assay
