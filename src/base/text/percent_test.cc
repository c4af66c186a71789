// What is a triple, and what only looks like one.
#include "base/text/percent.h"

#include <doctest/doctest.h>

namespace assay {

TEST_CASE("triples become bytes and everything else stays") {
  CHECK(PercentDecoded("a%2Fb%2fc%20d") == "a/b/c d");
  CHECK(PercentDecoded("%") == "%");
  CHECK(PercentDecoded("%4") == "%4");
  CHECK(PercentDecoded("%4g%+1% 1") == "%4g%+1% 1");
  CHECK(PercentDecoded("%%41") == "%A");
  CHECK(PercentDecoded("%2541") == "%41");
  CHECK(PercentDecoded("%00") == std::string(1, '\0'));
}

TEST_CASE("a text is encoded when each % begins a triple") {
  CHECK(IsPercentEncoded(""));
  CHECK(IsPercentEncoded("a%2Fb%41"));
  CHECK_FALSE(IsPercentEncoded("100%"));
  CHECK_FALSE(IsPercentEncoded("%2"));
  CHECK_FALSE(IsPercentEncoded("%%41"));
}

}  // namespace assay
