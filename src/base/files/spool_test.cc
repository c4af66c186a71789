// Tests that a spool gives back what was written, small or large, also twice.
#include "base/files/spool.h"

#include <doctest/doctest.h>

#include "base/limits.h"

namespace assay {

TEST_CASE("a spool gives back what it was given") {
  for (const std::size_t pieces : {std::size_t{0}, std::size_t{3}, 3 * limits::kSpoolBytesMax / 1000}) {
    CAPTURE(pieces);
    Spool spool;
    std::string written;
    CHECK(spool.empty());
    const auto read = [&spool] {
      std::string text;
      CHECK(spool.Read([&text](std::string_view piece) {
                   text += piece;
                   return Ok();
                 }).has_value());
      return text;
    };
    for (std::size_t i = 0; i < pieces; ++i) {
      const std::string piece(1000, static_cast<char>('a' + i % 26));
      written += piece;
      REQUIRE(spool.Write(piece).has_value());
    }
    CHECK(read() == written);
    CHECK(spool.empty() == written.empty());
    REQUIRE(spool.Write("more").has_value());
    CHECK(read() == written + "more");
  }
}

}  // namespace assay
