// Tests of the order of units and the places of looks, and of the table of units that they make.
#include "statistics/sequential/order.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "statistics/sample_test.h"
#include "statistics/sequential/units.h"

namespace assay {
namespace {

std::vector<std::string> InOrder(const std::vector<std::string>& names, std::string_view seed) {
  std::vector<std::string> sorted;
  for (const std::size_t i : OrderOfUnits(names, seed)) sorted.push_back(names[i]);
  return sorted;
}

TEST_CASE("the order depends on names and seed, not on how the suite lists the names") {
  std::vector<std::string> names = {"plum", "pear", "fig", "sloe", "quince", "medlar"};
  const std::vector<std::string> order = InOrder(names, "0");
  std::reverse(names.begin(), names.end());
  CHECK(InOrder(names, "0") == order);
  CHECK(InOrder(names, "1") != order);
  CHECK(InOrder(names, "a run's id") != InOrder(names, "0"));
}

TEST_CASE("units that come or go leave the order of the others as it is") {
  const std::vector<std::string> few = {"a", "b", "c", "d", "e"};
  const std::vector<std::string> many = {"x", "a", "b", "y", "c", "d", "e", "z"};
  std::vector<std::string> order = InOrder(many, "0");
  std::erase_if(order, [](const std::string& name) { return name >= "x"; });
  CHECK(order == InOrder(few, "0"));
}

TEST_CASE("looks begin with the tenth unit and end before the last") {
  CHECK(LookPlaces(10).empty());
  CHECK(LookPlaces(31) == std::vector<std::uint64_t>{10, 20, 30});
  CHECK(LookPlaces(30) == std::vector<std::uint64_t>{10, 20});
  CHECK(LookPlaces(16, 3) == std::vector<std::uint64_t>{12, 15});
  CHECK(LookPlaces(0).empty());
  CHECK(UnitsPerLook(1'001) == 11);
  CHECK(LookPlaces(5'000).size() == 99);
}

TEST_CASE("a unit is a cluster, in the order in which its first case stands; cases without weight are none") {
  const double weights[] = {1, 2, 0, 1, 4};
  const std::uint32_t clusters[] = {7, 3, 3, 7, 5};
  const Design design = {.weights = weights, .clusters = clusters, .range = ScoreRange{0, 1}};
  const UnitTable table(5, design);
  CHECK(table.units() == 3);
  CHECK(table.cases() == 4);
  CHECK(std::vector<std::uint32_t>(table.order().begin(), table.order().end()) ==
        std::vector<std::uint32_t>{0, 3, 1, 4});
  CHECK(table.CasesBefore(1) == 2);
  CHECK(table.CasesBefore(3) == 4);
  CHECK(table.largest_unit() == doctest::Approx(3.0 / 8 * 4));
  const std::uint32_t order[] = {4, 2, 1, 0, 3};
  const UnitTable turned(5, design, order);
  CHECK(std::vector<std::uint32_t>(turned.order().begin(), turned.order().end()) ==
        std::vector<std::uint32_t>{4, 1, 0, 3});
}

TEST_CASE("the mean of units is the weighted mean of cases, and what has no score is no difference") {
  const double weights[] = {1, 2, 3, 1};
  const std::uint32_t clusters[] = {0, 1, 0, 1};
  const UnitTable table(4, {.weights = weights, .clusters = clusters, .range = ScoreRange{0, 1}});
  const Sample a = testing::SampleOf({1, 0.5, 0.25, 1});
  Sample b = testing::SampleOf({0, 0.5, 1, 0.5});
  const UnitValues all = DifferencesOf(table, a.cases, b.cases, 0, 2);
  CHECK(MeanOf(all.values) == doctest::Approx((1 - 3 * 0.75 + 0.5) / 7));
  CHECK(all.left_out == 0);
  CHECK(*MeanOfUnits(table, a.cases, 2) == doctest::Approx((1 + 1 + 0.75 + 1) / 7));
  b.cases[2] = {};
  const UnitValues some = DifferencesOf(table, a.cases, b.cases, 0.25, 2);
  CHECK(some.left_out == 1);
  CHECK(some.values[0] == doctest::Approx(2.0 / 7 * 1.25));
  CHECK(MeanOf(LevelsOf(table, b.cases, 1, 2).values) == doctest::Approx((1 + 3 + 0.5) / 7));
  CHECK_FALSE(MeanOfUnits(table, std::vector<CaseValue>(4), 2));
}

}  // namespace
}  // namespace assay
