// Tests of ranges of rows.
#include "store/records/row_ranges.h"

#include <doctest/doctest.h>

#include <limits>

namespace assay {

TEST_CASE("ranges that meet or touch are one, in whatever order they come") {
  RowRanges ranges;
  for (const RowRange& each : {RowRange{10, 12}, {1, 2}, {20, 20}, {4, 5}, {13, 13}, {3, 3}, {19, 30}})
    ranges.Add(each);
  CHECK(ranges.all() == std::vector<RowRange>{{1, 5}, {10, 13}, {19, 30}});
  CHECK(ranges.last() == 30);
  for (const std::int64_t number : {1, 5, 10, 13, 19, 30}) CHECK(ranges.Contains(number));
  for (const std::int64_t number : {0, 6, 9, 14, 18, 31}) CHECK_FALSE(ranges.Contains(number));
  ranges.Add({0, 100});
  CHECK(ranges.all() == std::vector<RowRange>{{0, 100}});
}

TEST_CASE("ranges without an end are cut to what there is") {
  constexpr std::int64_t kHighest = std::numeric_limits<std::int64_t>::max();
  RowRanges ranges = RowRanges::UpTo(3);
  CHECK(ranges.Contains(-7));
  ranges.Add({8, kHighest});
  ranges.Add({9, 10});
  CHECK(ranges.Contains(kHighest));
  ranges.CutTo(9);
  CHECK(ranges.last() == 9);
  ranges.CutTo(5);
  CHECK(ranges == RowRanges::UpTo(3));
  ranges.CutTo(0);
  CHECK(ranges.empty());
  CHECK(RowRanges::UpTo(0).empty());
}

}  // namespace assay
