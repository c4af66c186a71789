// Tests of how much of a dataset is read, and of rows that are counted alone.
#include <doctest/doctest.h>

#include <map>

#include "base/hash.h"
#include "dataset/load.h"
#include "text/json/json.h"

namespace assay::dataset {

namespace {

class OneTable final : public FileReader {
 public:
  std::map<std::string, std::string, std::less<>> files;
  Result<std::string> Read(std::string_view path) override {
    const auto found = files.find(path);
    if (found == files.end()) return Error{ErrorCode::kNotFound, std::string(path)};
    return found->second;
  }
  bool Exists(std::string_view path) override { return files.contains(path); }
  Result<std::vector<std::string>> List(std::string_view) override {
    std::vector<std::string> names;
    for (const auto& [name, text] : files) names.push_back(name);
    return names;
  }
};

struct PartReading {
  OneTable files;
  SourceFiles sources;
  Problems problems;

  // `all_rows`: wants them before any is left out, so that all are kept.
  std::optional<Table> Load(std::string_view json, const RowReading& reading,
                            std::vector<Row>* all_rows = nullptr) {
    const std::optional<Options> options = ReadOptions(*ParseJson(json), problems);
    if (!options) return std::nullopt;
    return dataset::Load(*options, {}, {"", files, sources, problems}, all_rows, reading);
  }
  std::string Told() const {
    std::string told;
    for (const Problem& problem : problems.All())
      told += problem.code + ":" + std::to_string(sources.Locate(problem.where).line) + " ";
    return told;
  }
};

bool Never(const std::vector<std::string>&, const Row&) { return false; }

}  // namespace

TEST_CASE("dataset: where nothing chooses among rows, reading ends with the last that is wanted") {
  const std::string csv = "q,a\none,1\ntwo,2\nthree\n";
  PartReading reading;
  reading.files.files = {
      {"t.csv", csv}, {"u.csv", "q,a\nmore,9\n"}, {"t.jsonl", "{\"q\": 1}\n{\"q\": 2}\n{"}};
  const auto two = reading.Load("\"t.csv\"", {.rows_max = 2});
  REQUIRE(two);
  CHECK(two->rows.size() == 2);
  CHECK(two->is_part);
  REQUIRE(two->files.size() == 1);
  CHECK(two->files[0].is_part);
  CHECK(two->files[0].sha256 == Hex(Sha256Of("q,a\none,1\ntwo,2\n")));
  CHECK(reading.Load("[\"t.csv\", \"u.csv\"]", {.rows_max = 1})->files.size() == 1);
  const auto lines = reading.Load("\"t.jsonl\"", {.rows_max = 2});
  REQUIRE(lines);
  CHECK(lines->rows.size() == 2);
  CHECK(lines->is_part);
  CHECK(reading.Told() == "");
  // All of it is no part, and whoever chooses has to know all.
  const auto whole = reading.Load("\"u.csv\"", {.rows_max = 1});
  REQUIRE(whole);
  CHECK_FALSE(whole->is_part);
  for (const std::string_view chosen :
       {R"({"path": "t.csv", "where": {"a": 1}})", R"({"path": "t.csv", "sample": 1})",
        R"({"path": "t.csv", "shuffle": 1})", R"({"path": "t.csv", "duplicates": "drop"})"}) {
    PartReading again;
    again.files.files = reading.files.files;
    CHECK_FALSE(again.Load(chosen, {.rows_max = 1}));
    CHECK(again.Told() == "dataset.ragged:4 ");
  }
}

TEST_CASE("dataset: rows get the same ids and problems where they are not kept") {
  const std::string csv =
      "id,q,s\na,1,x\n,2,x\n,2,x\nb,3,y\na,4,x\n,2,x\n\n,,\nc,5,y\n\"row-9\",2,x\n,6,\n,6,\n";
  for (const std::string_view json :
       {R"("t.csv")",
        R"({"path": "t.csv", "id": "{{q}}-{{s}}"})",
        R"({"path": "t.csv", "where": {"s": "x"}})",
        R"({"path": "t.csv", "limit": 3})",
        R"({"path": "t.csv", "id": "{{s}}"})",
        R"({"path": "t.csv", "where": {"s": "z"}})",
        R"({"path": "t.csv", "columns": {"Q": "q"}})",
        R"({"path": "t.csv", "id": "{{_id}}!"})",
        R"({"path": "t.csv", "id": "{{r}}"})",
        R"({"path": "t.csv", "where": {"t": 1}})",
        R"({"path": "t.csv", "id": "{{_row}}"})",
        R"({"path": "t.csv", "duplicates": "drop"})",
        R"({"path": "t.csv", "duplicates": "drop", "id": "{{_id}}!"})",
        R"({"path": "t.csv", "duplicates": "drop", "id": "{{s}}"})",
        R"({"path": "t.csv", "sample": 4})",
        R"({"path": "t.csv", "sample": 0})",
        R"({"path": "t.csv", "sample": {"n": 2, "seed": 7, "per": "s"}, "shuffle": 2, "limit": 3})",
        R"({"path": "t.csv", "sample": {"n": 2, "per": "r"}})",
        R"({"path": "t.csv", "shuffle": 5})",
        R"({"path": "t.csv", "shuffle": 5, "limit": 4, "where": {"s": "x"}})",
        R"({"path": "t.csv", "where": {"s": "z", "q": {"above": 2}}})",
        R"({"path": "t.csv", "keep": ["s", "w"], "where": {"q": {"over": 2}}})"}) {
    CAPTURE(json);
    PartReading kept;
    PartReading streamed;
    kept.files.files = streamed.files.files = {{"t.csv", csv}};
    std::vector<Row> rows;
    const auto all = kept.Load(json, {}, &rows);
    const auto some = streamed.Load(json, {.is_alike = Never});
    CHECK(kept.Told() == streamed.Told());
    REQUIRE(all.has_value() == some.has_value());
    if (!all) continue;
    REQUIRE(all->rows.size() == some->rows.size());
    for (std::size_t i = 0; i < all->rows.size(); ++i) {
      CHECK(all->rows[i].id == some->rows[i].id);
      CHECK(all->rows[i].number == some->rows[i].number);
      CHECK(SameValue(Value(all->rows[i].cells), Value(some->rows[i].cells)));
    }
    CHECK(all->columns == some->columns);
    CHECK(all->unchosen == some->unchosen);
    CHECK(all->by_where == some->by_where);
    CHECK(all->blank_rows == some->blank_rows);
    CHECK(all->read_rows == some->read_rows);
    CHECK(all->dropped == some->dropped);
    CHECK(all->twice == some->twice);
    CHECK(all->files[0].sha256 == Hex(Sha256Of(csv)));
  }
}

TEST_CASE("dataset: many rows have ids of their own, and one that stands twice is found") {
  std::string csv = "id,q\n";
  constexpr int kRows = 20'000;
  for (int i = 0; i < kRows; ++i) csv += std::to_string(i) + ",x\n";
  csv += "77,y\n";
  PartReading reading;
  reading.files.files = {{"t.csv", csv}};
  CHECK_FALSE(reading.Load("\"t.csv\"", {.is_alike = [](const auto&, const Row&) { return true; }}));
  CHECK(reading.Told() == "dataset.id-twice:20002 ");
  CHECK(reading.problems.All()[0].first_line == 79);
}

TEST_CASE("dataset: where columns come late, rows are read again") {
  PartReading reading;
  reading.files.files = {{"t.jsonl", "{\"q\": 1}\n{\"q\": 2}\n{\"q\": 3, \"r\": 4}\n"}};
  int begun = 0;
  std::vector<std::size_t> seen;  // how many columns were known of each row
  const auto see = [&seen](const std::vector<std::string>& columns, const Row&) {
    seen.push_back(columns.size());
    return true;
  };
  const auto table = reading.Load("\"t.jsonl\"", {.is_alike = see, .begin = [&begun] { ++begun; }});
  REQUIRE(table);
  CHECK(table->rows.empty());
  CHECK(table->alike == 3);
  CHECK(seen == std::vector<std::size_t>{1, 1, 2, 2, 2});
  CHECK(begun == 2);
}

TEST_CASE("dataset: a byte that is no letter is told of with its place, if it is read") {
  PartReading reading;
  reading.files.files = {{"t.csv", "q\nok\n\xffno\n"}};
  CHECK(reading.Load("\"t.csv\"", {.rows_max = 1}));
  CHECK(reading.Told() == "");
  CHECK_FALSE(reading.Load("\"t.csv\"", {}));
  CHECK(reading.Told() == "dataset.encoding:3 ");
}

}  // namespace assay::dataset
