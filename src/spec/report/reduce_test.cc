// Tests of reducers, with numpy's order of summation.
#include "spec/report/reduce.h"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "spec/report/statistics.h"

namespace assay {
namespace {

TEST_CASE("each reducer by its name") {
  const std::vector<double> attempts{0.25, 0.75, 0.5, 0.0, 1.0};
  struct Row {
    std::string_view name;
    double value, deviation;
  };
  for (const Row& row : {Row{"avg", 0.5, 0}, Row{"max", 1, 0}, Row{"min", 0, 0},
                         // Buckets of two: 0.75, 0.5 and the last, shorter one: 1.
                         Row{"avg_max_2", 0.75, 0.25}, Row{"avg_max_10", 1, 0}}) {
    CAPTURE(row.name);
    const std::optional<Reducer> reducer = FindReducer(row.name);
    REQUIRE(reducer.has_value());
    CHECK((*reducer)(attempts).value == row.value);
    CHECK((*reducer)(attempts).deviation == row.deviation);
  }
}

TEST_CASE("what is no reducer") {
  for (const std::string_view name :
       {"", "median", "avg_max_", "avg_max_0", "avg_max_-1", "avg_max_2x", "AVG"}) {
    CAPTURE(name);
    CHECK(!FindReducer(name).has_value());
  }
}

TEST_CASE("numpy adds in eight lanes, so its sums differ from left to right in the last bits") {
  std::vector<double> tenths(30, 0.1);
  // From left to right it is 3.0000000000000013.
  CHECK(PairwiseSum(tenths) == 3.000000000000001);
  tenths.resize(300, 0.1);
  CHECK(PairwiseSum(tenths) == 29.999999999999996);
  tenths.resize(7);
  CHECK(PairwiseSum(tenths) == 0.1 + 0.1 + 0.1 + 0.1 + 0.1 + 0.1 + 0.1);
  CHECK(PairwiseSum({}) == 0);
}

}  // namespace
}  // namespace assay
