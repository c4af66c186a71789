// Tests of counts of passes and of the number of tries that they are told of.
#include "report/decide/gate/passes.h"

#include <doctest/doctest.h>

#include "spec/suite/suite.h"

namespace assay {
namespace {

Suite SuiteOf(CaseIndex cases, VariantIndex variants, AttemptIndex attempts) {
  Suite suite;
  suite.attempts = attempts;
  for (CaseIndex i = 0; i < cases; ++i) suite.cases.emplace_back().id = "c" + std::to_string(i);
  for (VariantIndex v = 0; v < variants; ++v) suite.variants.emplace_back().id = "v" + std::to_string(v);
  return suite;
}

PassCounts Scored(std::initializer_list<std::vector<std::uint64_t>> rows) {
  PassCounts counts;
  for (const std::vector<std::uint64_t>& row : rows) {
    std::vector<PassCount>& of = counts.emplace_back();
    for (const std::uint64_t scored : row) of.push_back({.scored = scored, .passed = scored / 2});
  }
  return counts;
}

TEST_CASE("one poor case does not decide for how many tries passes are told") {
  const Suite suite = SuiteOf(4, 1, 8);
  struct Row {
    std::vector<std::uint64_t> scored;
    std::uint64_t used;
  };
  for (const Row& row :
       {Row{{8, 8, 8, 1}, 8}, Row{{8, 8, 1, 1}, 8}, Row{{8, 3, 2, 1}, 3}, Row{{8, 3, 0, 0}, 3},
        Row{{8, 0, 0, 0}, 8}}) {  // the last: less than half has any score
    CAPTURE(row.scored);
    const Tries tries = TriesOf(suite, Scored({row.scored}));
    CHECK(tries.asked == 8);
    CHECK(tries.used == row.used);
    CHECK(tries.scarce.has_value() == (row.used < 8));
  }
}

TEST_CASE("all variants have one number of tries: that of the poorest by halves") {
  const Suite suite = SuiteOf(4, 3, 8);
  const Tries tries = TriesOf(suite, Scored({{8, 8, 8, 8}, {8, 5, 4, 4}, {7, 7, 7, 0}}));
  CHECK(tries.used == 5);
  CHECK(tries.scarce == 1);
}

TEST_CASE("the most attempts of a case are what was asked for; cases that weigh nothing do not count") {
  Suite suite = SuiteOf(3, 1, 2);
  suite.cases[0].attempts = 6;
  suite.cases[1].attempts = 6;
  CHECK(TriesOf(suite, Scored({{6, 6, 2}})).used == 6);
  suite.cases[0].weight = 0;
  const Tries tries = TriesOf(suite, Scored({{6, 6, 2}}));
  CHECK(tries.asked == 6);
  CHECK(tries.used == 6);  // one of two is half
}

TEST_CASE("cases with fewer tries than k are left out and counted") {
  const Suite suite = SuiteOf(3, 1, 4);
  const PassCounts counts = {
      {{.scored = 4, .passed = 2}, {.scored = 1, .passed = 1}, {.scored = 4, .passed = 0}}};
  const std::vector<std::uint64_t> ks = {1, 2, 9};
  const std::vector<PassesAtK> each = PassesAtEach(suite, counts, ks);
  REQUIRE(each.size() == 3);
  CHECK(*each[0].passes.any.mean == doctest::Approx((0.5 + 1 + 0) / 3));
  CHECK(each[0].left_out == 0);
  CHECK(*each[1].passes.any.mean == doctest::Approx((5.0 / 6 + 0) / 2));
  CHECK(each[1].left_out == 1);
  CHECK_FALSE(each[2].passes.any.mean);
  CHECK(each[2].left_out == 3);
  CHECK(PassesAtEach(suite, counts, {}).empty());
}

}  // namespace
}  // namespace assay
