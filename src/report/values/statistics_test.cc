// Tests how ranks are told where chance cannot be.
#include "report/values/statistics.h"

#include <doctest/doctest.h>

#include "text/json/json.h"

namespace assay {

TEST_CASE("a difference without an interval excludes nothing") {
  // "excludes_0" was true where all cases differ by the same: an interval was spoken of that is none.
  std::vector<Sample> samples(2);
  for (int i = 0; i < 3; ++i) {
    samples[0].Add(std::vector<double>{0.9});
    samples[1].Add(std::vector<double>{0.4});
  }
  const std::vector<std::string> names = {"a", "b"};
  const Value second = PlaceMap(Rank(samples, Design()), 1, "variant", names);
  const Value& behind = *second.Find("to_leader");
  CHECK(WriteJson(*behind.Find("interval"), JsonStyle::kJavaScript) == "null");
  CHECK(WriteJson(*behind.Find("why"), JsonStyle::kJavaScript) == "\"no_spread\"");
  CHECK(WriteJson(*behind.Find("is_worse"), JsonStyle::kJavaScript) == "false");
  CHECK(WriteJson(*behind.Find("excludes_0"), JsonStyle::kJavaScript) == "false");
}

}  // namespace assay
