// Tests of the words about money.
#include "report/values/pages/cost_page.h"

#include <doctest/doctest.h>

namespace assay {
namespace {

TEST_CASE("variants without a price are one condition") {
  const std::vector<std::string_view> names = {"a", "b", "c", "d", "e"};
  const std::span<const std::string_view> all(names);
  CHECK(UnpricedText(all.first(1)) == "a has no price, and is in no sum of money");
  CHECK(UnpricedText(all.first(3)) == "3 variants have no price, and are in no sum of money: a, b, c");
  CHECK(UnpricedText(all) == "5 variants have no price, and are in no sum of money: a, b, c and 2 more");
}

}  // namespace
}  // namespace assay
