// Tests of datasets: what is read, and the laws of selection.
#include <doctest/doctest.h>

#include <map>
#include <set>

#include "dataset/load.h"
#include "dataset/read/paths.h"
#include "text/json/json.h"
#include "text/packed/base64.h"
#include "text/packed/compress.h"

namespace assay::dataset {

namespace {

class TableFiles final : public FileReader {
 public:
  std::map<std::string, std::string> files;

  Result<std::string> Read(std::string_view path) override {
    const auto found = files.find(std::string(path));
    if (found == files.end()) return Error{ErrorCode::kNotFound, std::string(path) + " does not exist"};
    return found->second;
  }
  bool Exists(std::string_view path) override { return files.count(std::string(path)) > 0; }
  Result<std::vector<std::string>> List(std::string_view path) override {
    std::string folder = path == "." ? "" : std::string(path);
    if (!folder.empty() && !folder.ends_with('/')) folder += '/';
    std::set<std::string> names;
    for (const auto& [name, text] : files) {
      if (name.starts_with(folder))
        names.insert(name.substr(folder.size(), name.find('/', folder.size()) - folder.size()));
    }
    if (names.empty()) return Error{ErrorCode::kNotFound, "no such folder"};
    return std::vector<std::string>(names.begin(), names.end());
  }
};

struct Reading {
  TableFiles files;
  SourceFiles sources;
  Problems problems;

  // `json`: the value of `dataset:`.
  std::optional<Table> Loaded(std::string_view json, const Overrides& overrides = {}) {
    const std::optional<Options> options = ReadOptions(*ParseJson(json), problems);
    if (!options) return std::nullopt;
    return Load(*options, overrides, {"", files, sources, problems});
  }
  // "code" of each problem.
  std::string Told() const {
    std::string told;
    for (const Problem& problem : problems.All()) told += problem.code + " ";
    return told;
  }
};

std::vector<std::string> IdsOf(const std::optional<Table>& table) {
  std::vector<std::string> ids;
  if (!table) return ids;
  for (const Row& row : table->rows) ids.push_back(row.id);
  return ids;
}

std::string Csv(int rows, int skipped = -1) {
  std::string text = "id,subject,q\n";
  for (int i = 0; i < rows; ++i) {
    if (i != skipped)
      text +=
          "r" + std::to_string(i) + ",s" + std::to_string(i % 3) + ",Question " + std::to_string(i) + "\n";
  }
  return text;
}

// The table of the first test, packed with gzip.
constexpr std::string_view kGzipped = "H4sIAAAAAAACAyvUSeRSCinP11EoyShKTVXSqeAKz6i01+ECAHX5JuIZAAAA";

}  // namespace

TEST_CASE("dataset: one table in every form gives the same rows and ids") {
  Reading reading;
  const std::string csv = "q,a\n\"Two, three\",x\nWhy?,\n";
  Compressor zstd;
  zstd.Append(csv);
  reading.files.files = {
      {"t.csv", csv},
      {"t.tsv", "q\ta\nTwo, three\tx\nWhy?\t\n"},
      {"t.jsonl", "{\"q\": \"Two, three\", \"a\": \"x\"}\n{\"q\": \"Why?\", \"a\": null}\n"},
      {"t.json", "{\"rows\": [{\"a\": \"x\", \"q\": \"Two, three\"}, {\"q\": \"Why?\"}]}"},
      {"t.csv.gz", DecodeBase64(kGzipped).value_or("")},
      {"t.csv.zst", zstd.Finish()}};
  const std::vector<std::string> ids = IdsOf(reading.Loaded("\"t.csv\""));
  REQUIRE(ids.size() == 2);
  for (const auto& [name, text] : reading.files.files) {
    CAPTURE(name);
    CHECK(IdsOf(reading.Loaded("\"" + name + "\"")) == ids);
  }
  CHECK(reading.Told() == "");
}

TEST_CASE("dataset: a selection changes no row, and a larger sample contains a smaller one") {
  Reading reading;
  reading.files.files = {{"t.csv", Csv(60)}, {"less.csv", Csv(60, 17)}};
  const auto all = reading.Loaded("\"t.csv\"");
  std::map<std::string, std::string> contents;
  for (const Row& row : all->rows) contents[row.id] = WriteJson(Value(row.cells), JsonStyle::kJavaScript);
  std::set<std::string> smaller;
  for (const int n : {5, 10, 20, 40}) {
    const auto sample = reading.Loaded("{\"path\": \"t.csv\", \"sample\": {\"n\": " + std::to_string(n) +
                                       ", \"seed\": 4}, \"shuffle\": 2}");
    REQUIRE(sample->rows.size() == static_cast<std::size_t>(n));
    std::set<std::string> ids;
    for (const Row& row : sample->rows) {
      CHECK(contents.at(row.id) == WriteJson(Value(row.cells), JsonStyle::kJavaScript));
      ids.insert(row.id);
    }
    for (const std::string& id : smaller) CHECK(ids.count(id) == 1);
    smaller = ids;
  }
  // A row that is taken out lets at most one other in.
  const auto ids = [&](std::string_view path) {
    const auto chosen = IdsOf(reading.Loaded("{\"path\": \"" + std::string(path) + "\", \"sample\": 20}"));
    return std::set<std::string>(chosen.begin(), chosen.end());
  };
  const std::set<std::string> with = ids("t.csv");
  std::size_t lost = 0;
  for (const std::string& id : ids("less.csv")) lost += with.count(id) == 0 ? 1 : 0;
  CHECK(lost <= 1);
}

TEST_CASE("dataset: a shuffle keeps all rows, a sample keeps the order of the file") {
  Reading reading;
  reading.files.files = {{"t.csv", Csv(30)}};
  std::vector<std::string> shuffled = IdsOf(reading.Loaded(R"({"path": "t.csv", "shuffle": 3})"));
  const std::vector<std::string> all = IdsOf(reading.Loaded("\"t.csv\""));
  CHECK(shuffled != all);
  CHECK(std::set<std::string>(shuffled.begin(), shuffled.end()) ==
        std::set<std::string>(all.begin(), all.end()));
  const std::vector<std::string> per =
      IdsOf(reading.Loaded(R"({"path": "t.csv", "sample": {"n": 2, "per": "subject"}})"));
  CHECK(per.size() == 6);
}

TEST_CASE("dataset: the command line wins over the file") {
  Reading reading;
  reading.files.files = {{"t.csv", Csv(30)}};
  const auto table = reading.Loaded(R"({"path": "t.csv", "where": {"subject": "s0"}, "sample": 1})",
                                    {.where = {"subject=s1"}, .sample = 3, .sample_seed = "9"});
  REQUIRE(table->rows.size() == 3);
  for (const Row& row : table->rows) CHECK(row.cells.TextAt("subject") == "s1");
}

TEST_CASE("dataset: what is wrong is said, the first ten of a kind") {
  struct Case {
    std::string_view json;
    std::string_view told;
  };
  constexpr Case kCases[] = {
      {R"({"path": "t.csv", "wher": {}})", "dataset.key "},
      {R"({"path": "t.csv", "rows": []})", "dataset.value "},
      {R"({"path": "no.csv"})", "dataset.file "},
      {R"("https://example.org/t.csv")", "dataset.address "},
      {R"("*.xlsx")", "dataset.file "},
      {R"({"path": "t.csv", "where": {"subjekt": "s0"}})", "dataset.column "},
      {R"({"path": "t.csv", "where": {"subject": "none"}})", "dataset.none-left "},
      {R"({"path": "t.csv", "sample": {"n": 0}})", "dataset.value "},
      {R"({"path": "t.csv", "columns": {"id": "q", "q": "id"}, "id": "{{q}}-{{_row}}"})",
       "dataset.position-id "},
      {R"({"path": "t.csv", "file_column": "q"})", "dataset.header-twice "},
      {R"([{"q": 1}, {"q": 1}])", "dataset.row-twice "},
  };
  for (const Case& row : kCases) {
    Reading reading;
    reading.files.files = {{"t.csv", Csv(3)}};
    reading.Loaded(row.json);
    CAPTURE(row.json);
    CHECK(reading.Told() == row.told);
  }
  Reading reading;
  std::string ragged = "a,b\n";
  for (int i = 0; i < 50; ++i) ragged += "1\n";
  reading.files.files = {{"t.csv", ragged}};
  CHECK_FALSE(reading.Loaded("\"t.csv\"").has_value());
  CHECK(reading.problems.All().size() == 10);
  CHECK(reading.problems.ErrorCount() == 50);
  Diagnostics diagnostics;
  reading.problems.TellTo(diagnostics);
  CHECK(diagnostics.All().back().message == "and 40 more problems of this kind");
}

TEST_CASE("dataset: duplicates are dropped where their content is the same") {
  Reading reading;
  const auto table = reading.Loaded(
      R"({"rows": [{"id": "a", "q": 1}, {"id": "a", "q": 1}, {"id": "b", "q": 1}], "duplicates": "drop"})");
  CHECK(IdsOf(table) == std::vector<std::string>{"a", "b"});
  CHECK(table->dropped == 1);
}

TEST_CASE("dataset: patterns of names") {
  CHECK(CoversName("*.csv", "a.csv"));
  CHECK(CoversName("a?c*", "abcd"));
  CHECK(CoversName("?.csv", "ü.csv"));
  CHECK_FALSE(CoversName("*.csv", "a.csvx"));
  Reading reading;
  reading.files.files = {
      {"d/b.csv", "q\n1\n"}, {"d/a.csv", "q\n2\n"}, {"d/e/c.csv", "q\n3\n"}, {"d/x.txt", ""}};
  const auto firsts = [&](std::string_view pattern) {
    std::string text;
    const auto table = reading.Loaded("\"" + std::string(pattern) + "\"");
    for (const TableFile& file : table->files) text += file.path + " ";
    return text;
  };
  CHECK(firsts("d/*.csv") == "d/a.csv d/b.csv ");
  CHECK(firsts("d/**/*.csv") == "d/a.csv d/b.csv d/e/c.csv ");
}

}  // namespace assay::dataset
