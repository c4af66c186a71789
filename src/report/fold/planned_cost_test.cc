// A planned cost comes back from the store, or is none.
#include "report/fold/planned_cost.h"

#include <doctest/doctest.h>

namespace assay {

TEST_CASE("a planned cost comes back as it was stored") {
  const PlannedCost planned{.calls = 20,
                            .calls_most = 40,
                            .usd = 1.25,
                            .usd_most = 7.5,
                            .unpriced = {"openai:own"},
                            .assumed = {"openai:a", "openai:b"},
                            .cells_walked = 5};
  const std::optional<PlannedCost> back = DecodePlannedCost(EncodePlannedCost(planned));
  REQUIRE(back);
  CHECK(back->calls == 20);
  CHECK(back->calls_most == 40);
  CHECK(back->usd == 1.25);
  CHECK(back->usd_most == 7.5);
  CHECK(back->unpriced == planned.unpriced);
  CHECK(back->assumed == planned.assumed);
  CHECK(back->cells_walked == 5);
}

TEST_CASE("what a store says that no assay writes is no planned cost") {
  for (const char* text :
       {"", "[]", "{}", R"({"v":1})", R"({"v":2,"calls":1,"calls_most":1,"usd":1,"usd_most":1,"unpriced":[],
        "assumed":[],"cells":1})",
        R"({"v":1,"calls":-1,"calls_most":1,"usd":1,"usd_most":1,"unpriced":[],"assumed":[],"cells":1})",
        R"({"v":1,"calls":1,"calls_most":1,"usd":1e300,"usd_most":1,"unpriced":[],"assumed":[],"cells":1})",
        R"({"v":1,"calls":1,"calls_most":1,"usd":1,"usd_most":1,"unpriced":[3],"assumed":[],"cells":1})"}) {
    CAPTURE(text);
    CHECK(!DecodePlannedCost(text));
  }
}

}  // namespace assay
