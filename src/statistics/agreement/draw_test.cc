// Tests of the draw: it can be made again, does not depend on the order of its input, and asks for every
// stratum. Golden rows hold the numbers (tests/conformance/label_rows.cc).
#include "statistics/agreement/draw.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace assay {
namespace {

// `count` units whose judges give 0, 0.5 and 1 in turn; every fourth time they are apart.
std::vector<DrawUnit> SomeUnits(std::uint32_t count, std::uint64_t seed) {
  std::vector<DrawUnit> units;
  for (std::uint32_t i = 0; i < count; ++i) {
    units.push_back({.place = PlaceOfUnit(LabelUnit::kAnswer, seed, {"", "q", std::to_string(i)}),
                     .judges = 0.5 * (i % 3),
                     .range = i % 4 == 0 ? 0.5 : 0});
  }
  return units;
}

std::vector<std::string> TextsOf(const std::vector<DrawUnit>& units,
                                 const std::vector<std::uint32_t>& queue) {
  std::vector<std::string> texts;
  for (const std::uint32_t unit : queue) texts.push_back(units[unit].place.text);
  return texts;
}

TEST_CASE("the order of the input does not matter, the seed does") {
  std::vector<DrawUnit> units = SomeUnits(200, 0);
  const std::vector<std::string> drawn = TextsOf(units, DrawUnits(units, 40).queue);
  CHECK(drawn.size() == 40);
  std::reverse(units.begin(), units.end());
  CHECK(TextsOf(units, DrawUnits(units, 40).queue) == drawn);
  const std::vector<DrawUnit> others = SomeUnits(200, 1);
  CHECK(TextsOf(others, DrawUnits(others, 40).queue) != drawn);
}

TEST_CASE("a longer draw begins in each stratum as a shorter one does") {
  const std::vector<DrawUnit> units = SomeUnits(300, 7);
  const Draw few = DrawUnits(units, 12);
  const Draw many = DrawUnits(units, 90);
  REQUIRE(few.strata.size() == 6);
  for (std::size_t h = 0; h < few.strata.size(); ++h) CHECK(few.strata[h].order == many.strata[h].order);
}

TEST_CASE("no stratum has fewer than eight units while there are two, and each gives two at least") {
  for (std::uint32_t count = 0; count <= 120; ++count) {
    const std::vector<DrawUnit> units = SomeUnits(count, count);
    const Draw draw = DrawUnits(units, 1);
    std::size_t all = 0;
    for (const DrawStratum& stratum : draw.strata) {
      all += stratum.order.size();
      if (draw.strata.size() > 1) CHECK(stratum.order.size() >= 8);
      CHECK(stratum.room <= stratum.order.size());
    }
    CHECK(all == count);
    CHECK(draw.queue.size() ==
          std::min<std::size_t>(count, std::max<std::size_t>(1, 2 * draw.strata.size())));
  }
}

TEST_CASE("a judge's value is the mean of its votes, and each judge counts once") {
  UnitVotes votes;
  votes.Add("a", 0);
  votes.Add("a", 0.5);
  votes.Add("b", 1);
  CHECK(votes.Mean() == 0.625);
  CHECK(votes.Range() == 0.75);
}

TEST_CASE("the sides of a pair do not depend on the order of its answers") {
  CHECK(LeftOfPair(0, "q", "a1", "b2", "Anna") == LeftOfPair(0, "q", "b2", "a1", "Anna"));
  CHECK(PairDigests("b", "a") == "a+b");
  CHECK(LabelUnitOf("pair") == LabelUnit::kPair);
  CHECK_FALSE(LabelUnitOf("case"));
}

}  // namespace
}  // namespace assay
