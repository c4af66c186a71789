// Tests of means, deviations and similarities against values computed by hand and by JavaScript.
#include "spec/report/statistics.h"

#include <doctest/doctest.h>

#include <vector>

namespace assay {
namespace {

using Numbers = std::vector<double>;

TEST_CASE("means and standard deviations") {
  CHECK(Mean(Numbers{0.5, 1}) == 0.75);
  CHECK(SampleStandardDeviation(Numbers{}) == std::nullopt);
  CHECK(SampleStandardDeviation(Numbers{1}) == std::nullopt);
  CHECK(SampleStandardDeviation(Numbers{0, 1}) == 0.7071067811865476);
  CHECK(SampleStandardDeviation(Numbers{1, 2, 3, 4, 5}) == 1.5811388300841898);
  CHECK(PopulationStandardDeviation(Numbers{}) == 0);
  CHECK(PopulationStandardDeviation(Numbers{0, 1}) == 0.5);
}

TEST_CASE("cosine similarity") {
  struct Row {
    Numbers a, b;
    std::optional<double> want;
  };
  const Row rows[] = {
      {{1, 0}, {-1, 0}, -1},
      {{0, 0}, {1, 1}, 0},
      {{}, {}, 1},
      {{1}, {1, 2}, std::nullopt},
      {{3, 4}, {3, 4}, 1},
      {{0.1, 0.2}, {0.3, 0.4}, 0.9838699100999075},
      {{1e-200, 1}, {1, 1e-200}, 2e-200},
  };
  for (const Row& row : rows) CHECK(CosineSimilarity(row.a, row.b) == row.want);
}

}  // namespace
}  // namespace assay
