// Tests of estimates from drawn labels: labels that were picked are found out. Golden rows hold the numbers
// (tests/conformance/label_rows.cc).
#include "statistics/agreement/drawn_labels.h"

#include <doctest/doctest.h>

#include <vector>

namespace assay {
namespace {

// 100 units in two strata: judges give 0 to the first 40 and 1 to the others; a place is the index.
std::vector<LabelledUnit> TwoStrata() {
  std::vector<LabelledUnit> units;
  for (std::uint32_t i = 0; i < 100; ++i)
    units.push_back(
        {.place = i, .stratum = i < 40 ? 0U : 1U, .judges = i < 40 ? 0.0 : 1.0, .cluster = i / 2});
  return units;
}

void Label(LabelledUnit& unit, double label) {
  unit.state = LabelState::kGiven;
  unit.label = label;
}

TEST_CASE("labels of the beginning of each stratum stand for all, in proportion to their strata") {
  std::vector<LabelledUnit> units = TwoStrata();
  for (const std::uint32_t i : {0U, 1U, 2U, 3U}) Label(units[i], i == 0 ? 0.5 : 0);
  for (const std::uint32_t i : {40U, 41U, 42U, 43U}) Label(units[i], i == 40 ? 0.5 : 1);
  const DrawnEstimate estimate = EstimateFromDraw(units);
  CHECK(estimate.mode == LabelMode::kDrawn);
  CHECK(estimate.drawn == 8);
  CHECK(*estimate.estimate == doctest::Approx(0.4 * 0.125 + 0.6 * 0.875));
  CHECK(estimate.interval);
  CHECK(estimate.interval_here);
  CHECK(*estimate.bias == doctest::Approx(0.6 - 0.575));
}

TEST_CASE("hand-picked failures get no estimate, whatever says that they were drawn") {
  std::vector<LabelledUnit> units = TwoStrata();
  for (std::uint32_t i = 0; i < 16; ++i) Label(units[2 * i], 0.5);
  for (const DrawnEstimate& estimate : {EstimateFromDraw(units), EstimateFromPicked(units)}) {
    CHECK(estimate.mode == LabelMode::kPicked);
    CHECK(estimate.why == Why::kNotLikeTheRest);
    CHECK(*estimate.p_like < 0.001);
    CHECK_FALSE(estimate.estimate);
    CHECK(estimate.labelled_judge_mean == 0);
    CHECK(*estimate.judge_mean == doctest::Approx(0.6));
  }
}

TEST_CASE("labels behind a gap are counted, and not used") {
  std::vector<LabelledUnit> units = TwoStrata();
  for (const std::uint32_t i : {0U, 1U, 2U, 40U, 41U, 42U}) Label(units[i], units[i].judges);
  Label(units[30], 1);
  const DrawnEstimate estimate = EstimateFromDraw(units);
  CHECK(estimate.mode == LabelMode::kDrawn);
  CHECK(estimate.not_drawn == 1);
  CHECK(estimate.given == 6);
}

TEST_CASE("without the strata of the draw thirty labels at its beginning are needed") {
  std::vector<LabelledUnit> units = TwoStrata();
  for (std::uint32_t i = 0; i < 29; ++i) Label(units[i], i % 2);
  CHECK(EstimateFromDraw(units, false).why == Why::kFewLabels);
  Label(units[29], 1);
  CHECK(EstimateFromDraw(units, false).mode == LabelMode::kEqual);
}

TEST_CASE("nothing, no label, labels that all were skipped") {
  CHECK(EstimateFromDraw({}).why == Why::kNoLabel);
  CHECK(EstimateFromPicked({}).why == Why::kNoLabel);
  std::vector<LabelledUnit> units = TwoStrata();
  CHECK(EstimateFromDraw(units).why == Why::kNoLabel);
  for (LabelledUnit& unit : units) unit.state = LabelState::kSkipped;
  const DrawnEstimate skipped = EstimateFromDraw(units);
  CHECK(skipped.why == Why::kNoLabel);
  CHECK(skipped.low_if == 0);
  CHECK(skipped.high_if == 1);
}

}  // namespace
}  // namespace assay
