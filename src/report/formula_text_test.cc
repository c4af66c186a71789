// What a spreadsheet would run, with a mark in front.
#include "report/formula_text.h"

#include <doctest/doctest.h>

namespace assay {

TEST_CASE("a formula gets an apostrophe wherever a spreadsheet may begin a cell") {
  struct Row {
    std::string_view text;
    std::string_view marked;
  };
  constexpr Row kRows[] = {
      {"", ""},
      {"plain", "plain"},
      {"a=b; c", "a=b; c"},
      {"=1+1", "'=1+1"},
      {"＠x", "'＠x"},
      {"\t=1", "'\t=1"},
      // Spreadsheets cut blanks, and some cut more than ASCII ones.
      {" =1", "' =1"},
      {"   @x", "'   @x"},
      {"\u00A0=1", "'\u00A0=1"},
      {"\u3000＝1", "'\u3000＝1"},
      {"\uFEFF=1", "'\uFEFF=1"},
      // With ";" between cells, as in many countries, one cell becomes two.
      {"a;=1", "a;'=1"},
      {"a; =1;b;-2", "a;' =1;b;'-2"},
      {";=1", ";'=1"},
      {"=1;=2", "'=1;'=2"},
      // What has the mark already comes back as it was.
      {"'=1", "''=1"},
      {"''=1", "'''=1"},
      {"'a", "'a"},
  };
  for (const Row& row : kRows) {
    CAPTURE(row.text);
    CHECK(WithApostrophes(row.text) == row.marked);
    CHECK(WithoutApostrophes(row.marked) == row.text);
  }
}

}  // namespace assay
