// Unit tests of letters that some program read in a wrong encoding.
#include "dataset/read/mistaken_letters.h"

#include <doctest/doctest.h>

namespace assay::dataset {
namespace {

TEST_CASE("letters of UTF-8 that were taken for windows-1252") {
  struct Row {
    std::string_view text, word, meant;
  };
  const Row rows[] = {
      {"Nr;Thema\n1;MÃ¼ll und Maß\n", "MÃ¼ll", "Müll"},
      {"grÃ¶ÃŸer", "grÃ¶ÃŸer", "größer"},
      {"says â€œyesâ€\u009d", "â€œyesâ€\u009d", "“yes”"},
      {"â€¦ and CafÃ©", "â€¦", "…"},
      {"Ã„rger", "Ã„rger", "Ärger"},
      // What is written so is meant so.
      {"Müll, Ärger, größer", "", ""},
      {"SÃO PAULO, NÃO", "", ""},
      {"Ã alone, Ã, and âge", "", ""},
      {"\u0442\u0435\u043a\u0441\u0442 Ã¼", "Ã¼", "ü"},
      {"住宅Ã¼", "", ""},
      {"", "", ""},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text);
    const std::optional<MistakenLetters> found = FindMistakenLetters(row.text);
    CHECK((found ? std::string_view(found->word) : "") == row.word);
    CHECK((found ? std::string_view(found->meant) : "") == row.meant);
    if (found) CHECK(row.text.substr(found->offset).starts_with(row.word));
  }
}

}  // namespace
}  // namespace assay::dataset
