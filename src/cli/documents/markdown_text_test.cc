// Tests of documents on the terminal: what of Markdown they use, and how it folds.
#include "cli/documents/markdown_text.h"

#include <doctest/doctest.h>

namespace assay {

namespace {

std::string Shown(std::string_view markdown, std::size_t columns = 40) {
  return MarkdownAsText(markdown, {.columns = columns});
}

TEST_CASE("marks of emphasis and links are gone, those of code stay") {
  CHECK(PlainMarkdown("**One** *two* `a|b` [three](x.md), `-m MODEL`") == "One two `a|b` three, `-m MODEL`");
  CHECK(PlainMarkdown("fewer than N % of 2 * 3") == "fewer than N % of 2 * 3");
}

TEST_CASE("paragraphs and items fold, and code stays whole") {
  CHECK(Shown("# Title\n\nOne two three four five six seven eight nine.\n\n"
              "- a first item that is long enough to be folded\n- second\n\n```\nassay run\n```\n") ==
        "Title\n\nOne two three four five six seven eight\nnine.\n\n"
        "- a first item that is long enough to\n  be folded\n- second\n\n    assay run\n");
}

TEST_CASE("numbered lists, code within items, and lists within lists") {
  CHECK(Shown("3. Write it:\n   ```\n   assay init\n   ```\n4. Run it:\n   - at once\n   - or later\n") ==
        "3. Write it:\n       assay init\n4. Run it:\n   - at once\n   - or later\n");
}

TEST_CASE("comments and pictures are left out, and a bar in a cell is one") {
  CHECK(Shown("<!-- made by a script -->\n\nWords. ![A picture](a.png)\n\n| a | b |\n|---|---|\n| `x\\|y` | "
              "z |\n") == "Words.\n\na      b\n`x|y`  z\n");
}

}  // namespace
}  // namespace assay
