// Tests of sorting texts for people.
#include "text/letters/collate.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace assay {

TEST_CASE("root collation at every sensitivity") {
  struct Row {
    std::string_view a, b;
    Sensitivity sensitivity;
    int order;
  };
  const Row rows[] = {
      {"", "", Sensitivity::kVariant, 0},
      {"a", "B", Sensitivity::kVariant, -1},
      {"a", "A", Sensitivity::kVariant, -1},
      {"a", "A", Sensitivity::kAccent, 0},
      {"a", "A", Sensitivity::kCase, -1},
      {"a", "\xc3\xa1", Sensitivity::kCase, 0},
      {"a", "\xc3\xa1", Sensitivity::kAccent, -1},
      {"a", "\xc3\x81", Sensitivity::kBase, 0},
      {"\xc3\xa9", "e\xcc\x81", Sensitivity::kVariant, 0},
      {"z", "\xc3\xa9", Sensitivity::kVariant, 1},
      {"a b", "ab", Sensitivity::kVariant, -1},
      {"10", "9", Sensitivity::kVariant, -1},
  };
  for (const Row& row : rows) {
    CAPTURE(row.a);
    CAPTURE(row.b);
    const int order = LocaleCompare(row.a, row.b, {.sensitivity = row.sensitivity});
    CHECK((order > 0) - (order < 0) == row.order);
  }
  CHECK(LocaleCompare("10", "9", {.numeric = true}) > 0);
}

TEST_CASE("sort keys order as the texts do") {
  const std::vector<std::string> texts = {"",  "a b", "ab", "10",       "9", "_x",
                                          "a", "A",   "b",  "\xc3\xa9", "e", "f"};
  const std::vector<std::string> keys = LocaleSortKeys(texts);
  REQUIRE(keys.size() == texts.size());
  for (std::size_t i = 0; i < texts.size(); ++i) {
    for (std::size_t j = 0; j < texts.size(); ++j) {
      CAPTURE(texts[i]);
      CAPTURE(texts[j]);
      CHECK((LocaleCompare(texts[i], texts[j]) < 0) == (keys[i] < keys[j]));
    }
  }
}

}  // namespace assay
