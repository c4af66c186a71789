// Tests of examples: their options, and the laws by which they are drawn.
#include "dataset/shots/pick.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "text/json/json.h"

namespace assay::dataset {

namespace {

struct ShotReading {
  Problems problems;

  std::optional<ShotOptions> Read(std::string_view json) {
    return ReadShotOptions(*ParseJson(json), problems);
  }
  std::string Told() const {
    std::string told;
    for (const Problem& problem : problems.All()) told += problem.code + ": " + problem.message + "\n";
    return told;
  }
};

ShotRow ShotAt(int number) {
  const std::string text = std::to_string(number);
  return {.id = "r" + text,
          .content = "{\"q\":" + text + "}",
          .words = "Question " + text,
          .per = "p" + std::to_string(number % 3),
          .spread = "s" + std::to_string(number % 4)};
}

std::vector<ShotRow> ShotRows(int count, int without = -1) {
  std::vector<ShotRow> rows;
  for (int i = 0; i < count; ++i) {
    if (i != without) rows.push_back(ShotAt(i));
  }
  return rows;
}

std::vector<std::string> Drawn(const std::vector<ShotRow>& rows, const ShotOptions& options,
                               const ShotRow& question, const std::string& seed) {
  ShotPool pool(rows, options);
  std::vector<std::string> ids;
  for (const std::size_t place : pool.Pick(question, seed)) ids.push_back(rows[place].id);
  return ids;
}

constexpr std::string_view kWays[] = {
    R"({"n":5,"assistant":"x","seed":3})",
    R"({"n":5,"assistant":"x","seed":3,"per":"p"})",
    R"({"n":5,"assistant":"x","seed":3,"spread":"s"})",
    R"({"n":5,"assistant":"x","pick":"first"})",
    R"({"n":5,"assistant":"x","pick":"each","seed":3,"spread":"s"})",
};

}  // namespace

TEST_CASE("shots: what is missing or of the wrong kind is told at once") {
  ShotReading reading;
  CHECK_FALSE(reading.Read(R"({"assitant":"{{a}}","pick":"random","seed":1.5,"format":"csv"})").has_value());
  CHECK(reading.Told() ==
        "shots.key: shots: unknown key \"assitant\"\n"
        "shots.value: shots: pick: expected seeded, first or each, found \"random\"\n"
        "shots.value: shots: seed: expected a whole number, or a list of them, found a number\n"
        "shots.value: shots: expected n, found none\n"
        "shots.value: shots: expected assistant, found none\n"
        "shots.value: shots: format says how to read a table of its own\n");
  ShotReading text;
  CHECK_FALSE(text.Read(R"({"n":1,"as":"text","assistant":"{{a}}","shown":false})").has_value());
  CHECK(text.Told() ==
        "shots.value: shots: expected text, found none\n"
        "shots.value: shots: assistant belongs to as: turns\n"
        "shots.value: shots: shown belongs to as: turns\n");
  CHECK_FALSE(ShotReading().Read(R"({"n":1,"assistant":"x","pick":"first","seed":2})").has_value());
  const auto several = ShotReading().Read(R"({"n":1,"assistant":"x","seed":[1,2]})");
  REQUIRE(several.has_value());
  CHECK(several->seeds == std::vector<std::string>{"1", "2"});
}

TEST_CASE("shots: a row is never an example of itself, by its id, its content or its words") {
  for (const std::string_view way : kWays) {
    const std::optional<ShotOptions> options = ShotReading().Read(way);
    REQUIRE(options.has_value());
    const std::vector<ShotRow> rows = ShotRows(40);
    for (const ShotRow& row : rows) {
      for (ShotRow question : {ShotRow{row.id, "-", "-", row.per, row.spread},
                               ShotRow{"-", row.content, "-", row.per, row.spread},
                               ShotRow{"-", "-", row.words, row.per, row.spread}}) {
        const std::vector<std::string> ids = Drawn(rows, *options, question, "3");
        CHECK(std::count(ids.begin(), ids.end(), row.id) == 0);
        CHECK(std::set<std::string>(ids.begin(), ids.end()).size() == 5);
      }
    }
  }
}

TEST_CASE("shots: rows of the pool that were not drawn change nothing when they go") {
  for (const std::string_view way : kWays) {
    const std::optional<ShotOptions> options = ShotReading().Read(way);
    REQUIRE(options.has_value());
    const ShotRow question = ShotAt(1000);
    const std::vector<std::string> all = Drawn(ShotRows(60), *options, question, "3");
    for (int gone = 0; gone < 60; ++gone) {
      const std::string id = "r" + std::to_string(gone);
      if (std::count(all.begin(), all.end(), id) > 0) continue;
      CHECK(Drawn(ShotRows(60, gone), *options, question, "3") == all);
    }
  }
}

TEST_CASE("shots: seeded ones are the same for every row, and each row has its own with each") {
  const auto seeded = ShotReading().Read(kWays[0]);
  const auto each = ShotReading().Read(R"({"n":5,"assistant":"x","pick":"each","seed":3})");
  const std::vector<ShotRow> rows = ShotRows(60);
  std::set<std::vector<std::string>> of_seeded;
  std::set<std::vector<std::string>> of_each;
  for (int i = 100; i < 120; ++i) {
    of_seeded.insert(Drawn(rows, *seeded, ShotAt(i), "3"));
    of_each.insert(Drawn(rows, *each, ShotAt(i), "3"));
  }
  CHECK(of_seeded.size() == 1);
  CHECK(of_each.size() == 20);
  CHECK(Drawn(rows, *seeded, ShotAt(100), "3") != Drawn(rows, *seeded, ShotAt(100), "4"));
}

TEST_CASE("shots: white space is squeezed before words are compared") {
  CHECK(SqueezedWords("  What\n\tis\u00a0 it? ") == "What is it?");
  CHECK(SqueezedWords(" \n ").empty());
}

}  // namespace assay::dataset
