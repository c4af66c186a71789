// What a dialect adds to a report comes back from the store, or is none of it.
#include "report/fold/stored_tables.h"

#include <doctest/doctest.h>

namespace assay {

namespace {

RunRecord FinishedWith(std::string tables) {
  RunRecord run;
  run.state = RunState::kFinished;
  run.tables = std::move(tables);
  return run;
}

}  // namespace

TEST_CASE("tables and what was said of a run come back as they were stored") {
  Report report;
  report.tables = {
      {.title = "Profiles", .head = {"profile", "rate"}, .rows = {{"a", "50 %"}, {"b", "\"1\""}}},
      {.title = "Empty", .head = {}, .rows = {}}};
  report.closing = ClosingSummary{.model_id = "m",
                                  .text = "all\nof it",
                                  .parts = {{.title = "Findings", .items = {"one", ""}}},
                                  .document = {}};
  Report back;
  REQUIRE(AddStoredTables(FinishedWith(EncodeTables(report)), back));
  REQUIRE(back.tables.size() == 2);
  CHECK(back.tables[0].title == "Profiles");
  CHECK(back.tables[0].head == report.tables[0].head);
  CHECK(back.tables[0].rows == report.tables[0].rows);
  CHECK(back.tables[1].rows.empty());
  REQUIRE(back.closing);
  CHECK(back.closing->model_id == "m");
  CHECK(back.closing->text == "all\nof it");
  REQUIRE(back.closing->parts.size() == 1);
  CHECK(back.closing->parts[0].items == std::vector<std::string>{"one", ""});
}

TEST_CASE("a run without tables says so, and takes the place of others") {
  Report back;
  back.tables = {{.title = "computed", .head = {}, .rows = {}}};
  REQUIRE(AddStoredTables(FinishedWith(EncodeTables(Report())), back));
  CHECK(back.tables.empty());
  CHECK(!back.closing);
}

TEST_CASE("what no assay stored changes nothing") {
  RunRecord unfinished = FinishedWith(EncodeTables(Report()));
  unfinished.state = RunState::kUnfinished;
  Report report;
  report.tables = {{.title = "computed", .head = {}, .rows = {}}};
  CHECK(!AddStoredTables(unfinished, report));
  for (const char* text :
       {"", "{", "[]", "{}", R"({"v":2})", R"({"v":"1"})", R"({"v":1,"tables":{}})",
        R"({"v":1,"tables":[1]})",
        R"({"v":1,"tables":[{"title":"t","head":[1],"rows":[]}]})",
        R"({"v":1,"tables":[{"title":"t","head":[],"rows":["r"]}]})", R"({"v":1,"closing":"said"})",
        R"({"v":1,"closing":{"model":"m","text":"t","parts":[{"title":"p"}]}})"}) {
    CAPTURE(text);
    CHECK(!AddStoredTables(FinishedWith(text), report));
    CHECK(report.tables.size() == 1);
    CHECK(!report.closing);
  }
}

}  // namespace assay
