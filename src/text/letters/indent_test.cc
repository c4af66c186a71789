// Tests of indented blocks.
#include "text/letters/indent.h"

#include <doctest/doctest.h>

#include "text/javascript/text.h"

namespace assay {
namespace {

TEST_CASE("a tab goes on to the next multiple of four columns") {
  CHECK(IndentOf("x") == 0);
  CHECK(IndentOf("   x") == 3);
  CHECK(IndentOf("\tx") == 4);
  CHECK(IndentOf("  \t x") == 5);
  CHECK(IndentOf("  ") == 2);
}

TEST_CASE("a trimmed text keeps the blanks of an indented block, and no others") {
  const auto kept = [](std::string_view text) { return WithIndent(text, JsTrim(text)); };
  CHECK(kept("\n\n    x = 1\n y \n") == "    x = 1\n y");
  CHECK(kept("\tx") == "\tx");
  CHECK(kept("   x ") == "x");
  CHECK(kept("\n  \n") == "");
  CHECK(kept("x    ") == "x");
  const std::string_view text = "a:    b";
  CHECK(WithIndent(text, text.substr(6)) == "b");
}

}  // namespace
}  // namespace assay
