// Tests of the tables of keys: what values fit, how errors name them, and the schemas that come of the rows.
#include "dialects/keys/key.h"

#include <doctest/doctest.h>

#include <limits>
#include <set>

#include "dialects/keys/schema.h"
#include "text/json/json.h"
#include "text/object.h"

namespace assay {

namespace {

constexpr ValueShape kItem{.kinds = ValueShape::kText};
constexpr KeyRow kRows[] = {
    {.name = "weight", .help = "The weight.", .aliases = kWords<"importance">},
    {.name = "hidden"},
    {.name = "gone", .shape = {.kinds = ValueShape::kNever}},
};
constexpr KeyPlace kShelf{.words = "a shelf", .parts = {kRows}};

}  // namespace

TEST_CASE("A value fits if it is of one of the kinds and in the range") {
  struct Row {
    ValueShape shape;
    Value value;
    bool fits;
  };
  const Row rows[] = {
      {{}, Value(Null{}), true},
      {{.kinds = ValueShape::kText}, Value("a"), true},
      {{.kinds = ValueShape::kText}, Value(1), false},
      {{.kinds = ValueShape::kText, .is_filled = true}, Value(""), false},
      {{.kinds = ValueShape::kText, .words = kWords<"a", "b">}, Value("b"), true},
      {{.kinds = ValueShape::kText, .words = kWords<"a", "b">}, Value("c"), false},
      {{.kinds = ValueShape::kNumber, .least = 0, .most = 1}, Value(0.5), true},
      {{.kinds = ValueShape::kNumber, .least = 0, .most = 1}, Value(1.5), false},
      {{.kinds = ValueShape::kNumber, .least = 0}, Value(std::numeric_limits<double>::quiet_NaN()), true},
      {{.kinds = ValueShape::kWhole}, Value(1.5), false},
      {{.kinds = ValueShape::kWhole}, Value(std::numeric_limits<double>::quiet_NaN()), false},
      {{.kinds = ValueShape::kBool | ValueShape::kNull}, Value(Null{}), true},
      {{.kinds = ValueShape::kList | ValueShape::kNothing}, Value(""), true},
      {{.kinds = ValueShape::kList | ValueShape::kNothing}, Value("a"), false},
      {{.kinds = ValueShape::kList, .items = &kItem}, Array("a", "b"), true},
      {{.kinds = ValueShape::kList, .items = &kItem}, Array("a", 1), false},
      {{.kinds = ValueShape::kTruth}, Value("false"), true},
  };
  for (const Row& row : rows) CHECK(Fits(row.shape, row.value) == row.fits);
}

TEST_CASE("An error names the kinds and the range") {
  struct Row {
    ValueShape shape;
    std::string_view words;
  };
  const Row rows[] = {
      {{.kinds = ValueShape::kNumber, .least = 0.1, .most = 10}, "a number from 0.1 to 10"},
      {{.kinds = ValueShape::kNumber, .least = 0}, "a number of at least 0"},
      {{.kinds = ValueShape::kWhole, .least = 1, .most = 10'000'000}, "a whole number from 1 to 10000000"},
      {{.kinds = ValueShape::kText, .words = kWords<"a">}, "a"},
      {{.kinds = ValueShape::kText, .words = kWords<"a", "b", "c">}, "a, b or c"},
      {{.kinds = ValueShape::kText, .words = kWords<"a", "b", "c", "d">}, "one of a, b, c, d"},
      {{.kinds = ValueShape::kText | ValueShape::kNull}, "a text"},
      {{.kinds = ValueShape::kList, .items = &kItem}, "a list of texts"},
      {{.kinds = ValueShape::kBool}, "true or false"},
  };
  for (const Row& row : rows) CHECK(ExpectedOf(row.shape) == row.words);
}

TEST_CASE("A key is found by each of its names, and hints offer those with a help") {
  CHECK(FindKey(kShelf, "importance")->name == "weight");
  CHECK(FindKey(kShelf, "hidden") != nullptr);
  CHECK(FindKey(kShelf, "gone") == nullptr);
  CHECK(NearKey(kShelf, "wieght") == "weight");
  CHECK(NearKey(kShelf, "hiden").empty());
}

TEST_CASE("A schema has each key with its help, and an alias with the name of its key") {
  const FormatSchema format{.name = "x", .title = "X", .description = "An x.", .calls = &kShelf};
  constexpr const KeyPlace* kPlaces[] = {&kShelf};
  FormatSchema whole = format;
  whole.document.members = kPlaces;
  const CheckHelp checks[] = {{.name = "contains", .help = "contains the text"},
                              {.name = "x", .is_offered = true}};
  const Value schema = SchemaOf(whole, checks);
  CHECK(WriteJson(*schema.Find("properties"), JsonStyle::kJavaScript) ==
        R"({"weight":{"description":"The weight."},)"
        R"("importance":{"description":"The same as weight."},"gone":false,)"
        R"("$contains":{"description":"contains the text"}})");
}

TEST_CASE("No place of a format has two keys with one name") {
  for (const FormatSchema& format : FormatSchemas()) {
    for (const KeyPlace* place : format.document.members) {
      for (const std::span<const KeyRow> part : place->parts) {
        std::set<std::string_view> names;
        for (const KeyRow& key : part) {
          CHECK_MESSAGE(names.insert(key.name).second, format.name, ": ", key.name);
          for (const std::string_view alias : key.aliases) CHECK(names.insert(alias).second);
        }
      }
    }
  }
}

}  // namespace assay
