// Tests of the SQLite file: stores of older versions, and the messages about files that cannot be used.
#include <doctest/doctest.h>
#include <sqlite3.h>

#include <filesystem>
#include <fstream>

#include "store/sqlite/schema.h"
#include "store/sqlite/sqlite.h"
#include "tests/support/test_store.h"

namespace assay {

namespace {

using testing::Answered;
using testing::MakeRun;
using testing::Open;
using testing::TempFolder;
using testing::TestSitting;
using testing::TextOf;

void Execute(const std::string& path, const std::string& sql) {
  sqlite3* database = nullptr;
  REQUIRE(sqlite3_open(path.c_str(), &database) == SQLITE_OK);
  REQUIRE(sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK);
  sqlite3_close(database);
}

// A store as an older version made it: an exchange and a run of three cells, of which one is graded.
void MakeStoreOfVersion(int version, const std::string& path) {
  std::string sql;
  for (const char* step : SchemaSteps(0, kOldestSchema)) sql += step;
  sql += R"sql(
    INSERT INTO exchange(id, key, epoch, reusable, kind, role, input_tokens, output_tokens, reasoning_tokens,
        started_ms, first_token_ms, duration_ms, finish_reason, tries, reply, request, raw, first_token_us,
        duration_us)
      VALUES(7, zeroblob(32), 0, 1, 0, 0, 3, 5, 1, 11, 0, 0, 'length', 2,
        '{"v":1,"text":"old","finish":"length","usage":[3,5,1]}', 'q', 'raw', 12000, 13000);
    INSERT INTO run(number, id, title, dialect, source, plan_digest, first_epoch, epoch, state, cells,
        requests_sent, started_ms, finished_ms, mean_score, utc_offset_min, run_label, suite_root,
        assay_version, seed, has_outcomes)
      VALUES(1, 'r1', 't', 'blueprint', 's', zeroblob(32), 0, 0, 1, 3, 0, 10, 20, 0.25, 0, '', '.', '0.3.0',
        1, 1);
    INSERT INTO sitting VALUES(1, 1, 1, 10, 20, 1, 4, '0.3.0');
    INSERT INTO cell VALUES(1, 1, 0, x'8000000000010e', 0, 0, 0, 0.25, 1);
    INSERT INTO cell VALUES(1, 1, 1, x'', 0, 0, 0, 0.5, 1), (1, 1, 2, x'', 0, 0, 2, NULL, 1);
    INSERT INTO score VALUES(1, 0, '{"v":1,"s":[[0,1]]}', NULL, NULL);
    PRAGMA application_id = 0x41535359;)sql";
  for (const char* step : SchemaSteps(kOldestSchema, version)) sql += step;
  sql += "PRAGMA user_version = " + std::to_string(version);
  Execute(path, sql);
}

std::vector<double> ScoresOf(Store& store, CellQuery::Order order) {
  std::vector<double> scores;
  CellQuery query{.limit = 10};
  query.order = order;
  query.states = {CellState::kScored};
  REQUIRE(store
              .FindCells("r1", {0, 3}, query,
                         [&scores](CellIndex, const CellOutcome& each) {
                           scores.push_back(each.value);
                           return Ok();
                         })
              .has_value());
  return scores;
}

void CheckOlderContent(Store& store) {
  const auto got = store.Get(std::vector<ExchangeId>{7});
  REQUIRE(got.has_value());
  CHECK(TextOf(got->front()) == "old");
  CHECK(got->front().usage.output_tokens == 5);
  CHECK(got->front().first_token_us == 12'000);
  CHECK(got->front().duration_us == 13'000);
  const RunRecord run = store.FindRun("r1").value();
  CHECK(run.requests_sent == 4);
  CHECK(run.cells == 3);
  CHECK(store.FindRun("latest")->context.run_id == "r1");
  CHECK(store.ExchangesOf("r1", RunPart::kRun).value() == std::vector<ExchangeId>{7});
  const Digest key{};
  CHECK(TextOf(store.Find(std::span(&key, 1), {0, 0})->front()) == "old");
  CHECK(ScoresOf(store, CellQuery::Order::kPlan) == std::vector{0.25, 0.5});
  CHECK(ScoresOf(store, CellQuery::Order::kHighestFirst) == std::vector{0.5, 0.25});
}

}  // namespace

TEST_CASE("a store of an older version is read as it is, and brought up to date by who writes") {
  for (int version = kOldestSchema; version < kSchemaVersion; ++version) {
    CAPTURE(version);
    const TempFolder folder;
    const std::string path = folder.Path("store.db");
    MakeStoreOfVersion(version, path);
    for (int i = 0; i < 2; ++i) CheckOlderContent(*Open(path, true));
    {
      const auto store = Open(path);
      CheckOlderContent(*store);
      REQUIRE(store->BeginRun(MakeRun("r2")).has_value());
      TestSitting(*store, "r1").Keep({Answered("q", "new", 0)}, 1);
      CHECK(store->FindRun("r1")->requests_sent == 5);
    }
    CHECK(Open(path, true)->RecentUsage(10)->size() == 2);
  }
}

TEST_CASE("a store from before 0.3.0 is refused, and stays as it is") {
  const TempFolder folder;
  const std::string path = folder.Path("store.db");
  Execute(path,
          "CREATE TABLE run(number INTEGER PRIMARY KEY); PRAGMA application_id = 0x41535359; PRAGMA "
          "user_version = 12");
  const auto bytes = std::filesystem::file_size(path);
  for (const bool read_only : {true, false}) {
    const auto store = OpenStore({.path = path, .read_only = read_only});
    REQUIRE_FALSE(store.has_value());
    CHECK(store.error().code == ErrorCode::kUnsupported);
    CHECK(store.error().message.find("older than 0.3.0 (store version 12") != std::string::npos);
  }
  CHECK(std::filesystem::file_size(path) == bytes);
}

TEST_CASE("equal texts of documents are one, and go with the last run that has them") {
  const TempFolder folder;
  const std::string path = folder.Path("store.db");
  const auto store = Open(path);
  const auto count = [&path] {
    auto database = SqliteDatabase::Open(path, SQLITE_OPEN_READONLY);
    REQUIRE(database.has_value());
    auto select =
        database->Prepare("SELECT (SELECT count(*) FROM document) * 10 + count(*) FROM document_use");
    REQUIRE(select.has_value());
    REQUIRE(select->Step().has_value());
    return select->Int(0);
  };
  const std::vector<RunDocument> documents{{.id = "a", .text = "words"}, {.id = "b", .text = "more words"}};
  std::int64_t started_ms = 100;
  for (const char* id : {"r1", "r2"}) {
    RunRecord run = MakeRun(id);
    run.context.started_ms = started_ms;
    started_ms += 800;
    REQUIRE(store->BeginRun(run).has_value());
    REQUIRE(store->SaveDocuments(id, documents).has_value());
  }
  CHECK(count() == 24);
  REQUIRE(store->Prune(500).has_value());
  CHECK(count() == 22);
  REQUIRE(store->Prune(1'000).has_value());
  CHECK(count() == 0);
}

TEST_CASE("a store with other tables than its version has is damaged, and computes nothing") {
  const std::string statements[] = {
      "ALTER TABLE run ADD COLUMN more TEXT GENERATED ALWAYS AS (printf('%.*c', 900000000, 'x')) VIRTUAL",
      "ALTER TABLE run ADD COLUMN more TEXT CHECK (length(more) > 1)",
      "ALTER TABLE run ADD COLUMN more",
      "CREATE TABLE more(x)",
      "CREATE INDEX more ON run(length(title))",
      "CREATE INDEX more ON run(title) WHERE number < 0",
      "CREATE VIEW more AS SELECT 1",
      "CREATE TRIGGER more AFTER INSERT ON run BEGIN DELETE FROM run; END",
      "DROP INDEX sitting_of_run",
      "ALTER TABLE run RENAME TO more; CREATE VIEW run AS SELECT * FROM more",
      "PRAGMA user_version = 13",
  };
  const TempFolder folder;
  for (int i = 0; i < static_cast<int>(std::size(statements)); ++i) {
    CAPTURE(statements[i]);
    const std::string path = folder.Path(std::to_string(i) + ".db");
    Open(path);
    Execute(path, statements[i]);
    for (const bool read_only : {true, false}) {
      const auto store = OpenStore({.path = path, .read_only = read_only});
      REQUIRE_FALSE(store.has_value());
      CHECK(store.error().code == ErrorCode::kCorrupt);
      CHECK(store.error().message.find("damaged") != std::string::npos);
    }
  }
  Open(folder.Path("analyzed.db"));
  Execute(folder.Path("analyzed.db"), "ANALYZE");
  Open(folder.Path("analyzed.db"));
}

TEST_CASE("cells of a run that never was here do not become those of the next run") {
  const TempFolder folder;
  const std::string path = folder.Path("s.db");
  Open(path);
  Execute(path, "INSERT INTO cell VALUES(1, 1, 0, x'', 0, 0, 0, 1.0, 1.0)");
  const auto store = Open(path);
  REQUIRE(store->BeginRun(MakeRun("next")).has_value());
  const auto none = [](CellIndex, const CellOutcome&) {
    return Status(Error{ErrorCode::kCorrupt, "a cell"});
  };
  CHECK(store->VisitOutcomes("next", kEveryCell, none).has_value());
}

TEST_CASE("a stranger's index that lacks a run is damage") {
  const TempFolder folder;
  const std::string path = folder.Path("s.db");
  REQUIRE(Open(path)->BeginRun(MakeRun("r")).has_value());
  std::int64_t root = 0;
  sqlite3* database = nullptr;
  REQUIRE(sqlite3_open(path.c_str(), &database) == SQLITE_OK);
  const auto keep = [](void* number, int, char** values, char**) {
    *static_cast<std::int64_t*>(number) = std::stoll(values[0]);
    return 0;
  };
  REQUIRE(sqlite3_exec(database, "SELECT rootpage FROM sqlite_schema WHERE name = 'sqlite_autoindex_run_1'",
                       keep, &root, nullptr) == SQLITE_OK);
  sqlite3_close(database);
  constexpr std::int64_t kPageBytes = 8'192;
  std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
  file.seekp((root - 1) * kPageBytes);
  const char empty_leaf[] = {0x0a, 0, 0, 0, 0, kPageBytes >> 8, 0, 0};
  file.write(empty_leaf, sizeof empty_leaf);
  file.close();
  const auto store = OpenStore({.path = path, .read_only = true});
  REQUIRE_FALSE(store.has_value());
  CHECK(store.error().code == ErrorCode::kCorrupt);
}

TEST_CASE("a journal that names another file deletes nothing") {
  const TempFolder folder;
  Open(folder.Path("store.db"));
  const std::string precious = folder.Path("precious.txt");
  std::ofstream(precious) << "precious";
  const auto number = [](std::size_t value) {
    std::string bytes;
    for (const int shift : {24, 16, 8, 0}) bytes += static_cast<char>(value >> shift & 0xff);
    return bytes;
  };
  // One header without records, then what ends the journal of a transaction over several databases
  // (sqlite.org/fileformat2, 3.1 and 3.2).
  const std::string mark = "\xd9\xd5\x05\xf9\x20\xa1\x63\xd7";
  const std::size_t page = 4096;
  std::string journal = mark + number(0) + number(1) + number(1) + number(512) + number(page);
  journal.resize(512);
  std::size_t sum = 0;
  for (const char c : precious) sum += static_cast<unsigned char>(c);
  journal += number(0x40000000 / page + 1) + precious + number(precious.size()) + number(sum) + mark;
  std::ofstream(folder.Path("store.db-journal")) << journal;
  for (const bool read_only : {false, true}) {
    const auto store = OpenStore({.path = folder.Path("store.db"), .read_only = read_only});
    REQUIRE(!store.has_value());
    CHECK(store.error().code == ErrorCode::kRefused);
  }
  CHECK(std::filesystem::exists(precious));
}

TEST_CASE("what cannot be used is refused in words") {
  const TempFolder folder;
  const auto code_of = [](const std::string& path, bool read_only = false) {
    const auto store = OpenStore({.path = path, .read_only = read_only});
    REQUIRE(!store.has_value());
    // Of an address only the scheme is shown: the rest may hold a password.
    const std::size_t scheme = path.find("://");
    CHECK(store.error().message.find(path.substr(0, scheme)) != std::string::npos);
    return store.error().code;
  };
  CHECK(code_of(folder.Path("absent.db"), true) == ErrorCode::kNotFound);
  CHECK(code_of("mysql://host/runs") == ErrorCode::kUnsupported);

  std::ofstream(folder.Path("text.db")) << std::string(4096, 'x');
  CHECK(code_of(folder.Path("text.db")) == ErrorCode::kCorrupt);

  Execute(folder.Path("other.db"), "CREATE TABLE t(x)");
  CHECK(code_of(folder.Path("other.db")) == ErrorCode::kCorrupt);
  Execute(folder.Path("other.db"), "PRAGMA application_id = 0x41535359; PRAGMA user_version = 99");
  CHECK(code_of(folder.Path("other.db")) == ErrorCode::kUnsupported);

  const auto holder = Open(folder.Path("store.db"));
  CHECK(code_of(folder.Path("store.db")) == ErrorCode::kTimeout);
  Open(folder.Path("store.db"), true);
}

}  // namespace assay
