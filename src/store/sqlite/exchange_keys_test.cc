// Tests of finding exchanges whose keys stand in the table or not yet: after a kill, many at once, by readers
// beside the writer.
#include "store/sqlite/exchange_keys.h"

#include <fmt/core.h>

#include <fstream>

#include "tests/support/test_store.h"

namespace assay {

namespace {

using testing::Answered;
using testing::MakeRun;
using testing::Open;
using testing::TempFolder;
using testing::TestSitting;
using testing::TextOf;

constexpr std::size_t kMany = 40'000;  // more than are remembered

std::string FindOf(Store& store, std::string_view question, EpochRange epochs = {0, 0}) {
  const Digest key = Sha256Of(question);
  const auto found = store.Find(std::span(&key, 1), epochs);
  REQUIRE(found.has_value());
  return TextOf(found->front());
}

// "4/4": keys in the table, and up to which exchange it has them.
std::string KeyedOf(const std::string& path) {
  auto database = SqliteDatabase::Open(path, SQLITE_OPEN_READONLY);
  REQUIRE(database.has_value());
  auto select = database->Prepare("SELECT (SELECT count(*) FROM exchange_key), up_to FROM keyed");
  REQUIRE(select.has_value());
  REQUIRE(select->Step().value_or(false));
  return fmt::format("{}/{}", select->Int(0), select->Int(1));
}

// The files as a kill leaves them.
void CopyFiles(const TempFolder& folder, const std::string& from, const std::string& to) {
  for (const char* beside : {"", "-wal"})
    std::filesystem::copy_file(folder.Path(from) + beside, folder.Path(to) + beside);
}

}  // namespace

TEST_CASE("what a killed writer left is found, and goes into the table with what comes next") {
  const TempFolder folder;
  const auto store = Open(folder.Path("store.db"));
  REQUIRE(store->BeginRun(MakeRun("r1")).has_value());
  Exchange silent = Answered("silent", "", 0);
  TestSitting(*store, "r1").Keep({Answered("a", "1", 0), silent, Answered("b", "2", 0)});
  CHECK(FindOf(*store, "a") == "1");
  CopyFiles(folder, "store.db", "copy.db");
  const std::string copy = folder.Path("copy.db");
  CHECK(KeyedOf(copy) == "0/0");
  CHECK(FindOf(*Open(copy, true), "b") == "2");
  {
    const auto next = Open(copy);
    TestSitting(*next, "r1").Keep({Answered("c", "3", 0)});
    for (const auto& [question, text] : {std::pair{"a", "1"}, {"b", "2"}, {"c", "3"}, {"silent", "-"}})
      CHECK(FindOf(*next, question) == text);
  }
  CHECK(KeyedOf(copy) == "3/4");
  for (const bool read_only : {true, false}) {
    const auto later = Open(copy, read_only);
    for (const auto& [question, text] : {std::pair{"a", "1"}, {"b", "2"}, {"c", "3"}, {"silent", "-"}})
      CHECK(FindOf(*later, question) == text);
  }
}

TEST_CASE("many keys go into the table before the writer ends, and all are found") {
  const TempFolder folder;
  const std::string path = folder.Path("store.db");
  const auto store = Open(path);
  REQUIRE(store->BeginRun(MakeRun("r1")).has_value());
  TestSitting sitting(*store, "r1");
  for (std::size_t first = 0; first < kMany; first += 5'000) {
    std::vector<Exchange> some;
    for (std::size_t i = first; i < first + 5'000; ++i)
      some.push_back(Answered(fmt::format("q{}", i), fmt::format("{}", i), 0));
    sitting.Keep(std::move(some));
  }
  CHECK(KeyedOf(path) == "35000/35000");
  const auto reader = Open(path, true);
  for (std::size_t i = 0; i < kMany; i += 997) {
    CHECK(FindOf(*store, fmt::format("q{}", i)) == fmt::format("{}", i));
    CHECK(FindOf(*reader, fmt::format("q{}", i)) == fmt::format("{}", i));
  }
}

TEST_CASE("a reader finds what was written since it looked last, in the table or not") {
  const TempFolder folder;
  const std::string path = folder.Path("store.db");
  auto writer = Open(path);
  REQUIRE(writer->BeginRun(MakeRun("r1")).has_value());
  const auto reader = Open(path, true);
  CHECK(FindOf(*reader, "a") == "-");
  TestSitting(*writer, "r1").Keep({Answered("a", "1", 0)});
  CHECK(FindOf(*reader, "a") == "1");
  writer.reset();
  CHECK(KeyedOf(path) == "1/1");
  CHECK(FindOf(*reader, "a") == "1");
  writer = Open(path);
  TestSitting(*writer, "r1").Keep({Answered("b", "2", 0)});
  CHECK(FindOf(*reader, "b") == "2");
  CHECK(FindOf(*reader, "a") == "1");
}

TEST_CASE("the newest epoch counts, wherever its key stands") {
  const TempFolder folder;
  const std::string path = folder.Path("store.db");
  auto store = Open(path);
  REQUIRE(store->BeginRun(MakeRun("r1")).has_value());
  TestSitting(*store, "r1").Keep({Answered("a", "new", 2), Answered("b", "old", 0)});
  store.reset();
  store = Open(path);
  TestSitting(*store, "r1").Keep({Answered("a", "old", 1), Answered("b", "new", 1)});
  for (const std::string question : {"a", "b"}) {
    CHECK(FindOf(*store, question, {0, 2}) == "new");
    CHECK(FindOf(*Open(path, true), question, {0, 2}) == "new");
  }
  CHECK(FindOf(*store, "a", {0, 1}) == "old");
  CHECK(FindOf(*store, "b", {0, 0}) == "old");
}

TEST_CASE("pruned exchanges leave no key, and ids that are given again have their own") {
  const TempFolder folder;
  const std::string path = folder.Path("store.db");
  const auto store = Open(path);
  REQUIRE(store->BeginRun(MakeRun("r1")).has_value());
  TestSitting sitting(*store, "r1");
  Exchange kept = Answered("kept", "1", 0);
  kept.started_ms = 900;
  Exchange old = Answered("old", "2", 0);
  old.started_ms = 100;
  sitting.Keep({kept, old});
  REQUIRE(store->Prune(500).has_value());
  CHECK(KeyedOf(path) == "1/1");
  sitting.Keep({Answered("next", "3", 0)});
  CHECK(FindOf(*store, "kept") == "1");
  CHECK(FindOf(*store, "old") == "-");
  CHECK(FindOf(*store, "next") == "3");
  CHECK(FindOf(*Open(path, true), "next") == "3");
}

TEST_CASE("a reader that stays open sees ids that are given again") {
  const TempFolder folder;
  const std::string path = folder.Path("store.db");
  const auto store = Open(path);
  REQUIRE(store->BeginRun(MakeRun("r1")).has_value());
  TestSitting sitting(*store, "r1");
  sitting.Keep({Answered("a", "1", 0), Answered("b", "2", 0)});
  const auto reader = Open(path, true);
  CHECK(FindOf(*reader, "b") == "2");
  REQUIRE(store->Prune(500).has_value());
  sitting.Keep({Answered("c", "3", 0), Answered("d", "4", 0), Answered("e", "5", 0)});
  for (const auto& [question, text] : {std::pair{"b", "-"}, {"c", "3"}, {"d", "4"}, {"e", "5"}})
    CHECK(FindOf(*reader, question) == text);
}

TEST_CASE("what answers nobody is no key, and yet behind no longer") {
  const TempFolder folder;
  const std::string path = folder.Path("store.db");
  auto store = Open(path);
  REQUIRE(store->BeginRun(MakeRun("r1")).has_value());
  TestSitting(*store, "r1").Keep({Answered("a", "1", 0), Answered("b", "", 0), Answered("c", "", 0)});
  store.reset();
  CHECK(KeyedOf(path) == "1/3");
}

TEST_CASE("an answer that is set aside before its key is in the table answers nobody") {
  const TempFolder folder;
  const auto store = Open(folder.Path("store.db"));
  REQUIRE(store->BeginRun(MakeRun("r1")).has_value());
  const std::vector<Exchange> kept = TestSitting(*store, "r1").Keep({Answered("a", "1", 0)});
  REQUIRE(store->SetAside(std::vector{kept.front().id}).has_value());
  CHECK(FindOf(*store, "a") == "-");
}

// The first ones were taken for all, and the rest was never looked for again.
TEST_CASE("keys that could be read in part alone are read again") {
  const TempFolder folder;
  const std::string path = folder.Path("store.db");
  const auto whole = Open(path);
  REQUIRE(whole->BeginRun(MakeRun("r1")).has_value());
  std::vector<Exchange> all;
  for (std::size_t i = 0; i < 500; ++i)
    all.push_back(Answered(fmt::format("q{}", i), std::string(200, 'x'), 0));
  TestSitting(*whole, "r1").Keep(std::move(all));
  CopyFiles(folder, "store.db", "copy.db");
  const std::string copy = folder.Path("copy.db");
  std::string intact;
  {
    auto database = SqliteDatabase::Open(copy, SQLITE_OPEN_READWRITE);
    REQUIRE(database.has_value());
    REQUIRE(database->Execute("PRAGMA wal_checkpoint(TRUNCATE)").has_value());
    std::ifstream file(copy, std::ios::binary);
    intact.assign(std::istreambuf_iterator<char>(file), {});
  }
  // The page of an exchange in the middle.
  const std::size_t page = intact.find("q250") / 8192 * 8192;
  std::string damaged = intact;
  damaged.replace(page, 64, 64, '\xee');
  std::ofstream(copy, std::ios::binary) << damaged;
  CHECK(OpenStore({.path = copy}).error().code == ErrorCode::kCorrupt);  // that of somebody else
  {
    const auto store = OpenStore({.path = copy, .is_own = true});
    REQUIRE(store.has_value());
    const Digest key = Sha256Of("q1");
    for (int i = 0; i < 2; ++i) CHECK(!(*store)->Find(std::span(&key, 1), {0, 0}).has_value());
  }
  CHECK(KeyedOf(copy) == "0/0");
  std::ofstream(copy, std::ios::binary) << intact;
  const auto store = Open(copy);
  for (const char* question : {"q1", "q250", "q499"}) CHECK(FindOf(*store, question) != "-");
}

TEST_CASE("keys of a commit that failed are forgotten, and those before it are not") {
  const TempFolder folder;
  const std::string path = folder.Path("store.db");
  auto store = Open(path);
  REQUIRE(store->BeginRun(MakeRun("r1")).has_value());
  TestSitting sitting(*store, "r1");
  sitting.Keep({Answered("a", "1", 0)});
  auto other = SqliteDatabase::Open(path, SQLITE_OPEN_READWRITE);
  REQUIRE(other->Execute("ALTER TABLE change RENAME TO away").has_value());
  const auto failed =
      store->Commit(sitting.id(), sitting.commits() + 1, {.exchanges = {Answered("b", "2", 0)}});
  CHECK(!failed.has_value());
  CHECK(FindOf(*store, "b") == "-");
  REQUIRE(other->Execute("ALTER TABLE away RENAME TO change").has_value());
  TestSitting(*store, "r1").Keep({Answered("c", "3", 0)});
  store.reset();
  CHECK(KeyedOf(path) == "2/2");
  store = Open(path);
  for (const auto& [question, text] : {std::pair{"a", "1"}, {"b", "-"}, {"c", "3"}})
    CHECK(FindOf(*store, question) == text);
}

TEST_CASE("the epoch of an exchange is its own, whatever the table says") {
  const TempFolder folder;
  const std::string path = folder.Path("store.db");
  {
    const auto store = Open(path);
    REQUIRE(store->BeginRun(MakeRun("r1")).has_value());
    TestSitting(*store, "r1").Keep({Answered("a", "old", 0)});
  }
  auto database = SqliteDatabase::Open(path, SQLITE_OPEN_READWRITE);
  REQUIRE(database->Execute("UPDATE exchange_key SET of_epoch = 7").has_value());
  const auto store = Open(path);
  CHECK(FindOf(*store, "a", {7, 7}) == "-");
  TestSitting(*store, "r1").Keep({Answered("a", "new", 7)});
  CHECK(FindOf(*store, "a", {0, 7}) == "new");
  // Pruning makes the table anew.
  REQUIRE(store->Prune(0).has_value());
  CHECK(FindOf(*store, "a", {0, 0}) == "old");
}

TEST_CASE("what a damaged store says of its keys hides no exchange that comes") {
  for (const std::string damage :
       {"DELETE FROM keyed", "UPDATE keyed SET up_to = 9223372036854775807", "UPDATE keyed SET up_to = -7",
        "UPDATE keyed SET up_to = 'many'", "INSERT INTO keyed VALUES(0, 0)"}) {
    CAPTURE(damage);
    const TempFolder folder;
    const std::string path = folder.Path("store.db");
    {
      const auto store = Open(path);
      REQUIRE(store->BeginRun(MakeRun("r1")).has_value());
      TestSitting(*store, "r1").Keep({Answered("a", "1", 0)});
    }
    auto database = SqliteDatabase::Open(path, SQLITE_OPEN_READWRITE);
    REQUIRE(database.has_value());
    REQUIRE(database->Execute(damage.c_str()).has_value());
    const auto reader = Open(path, true);
    CHECK(FindOf(*reader, "a") == "1");
    auto store = Open(path);
    TestSitting(*store, "r1").Keep({Answered("b", "2", 0)});
    CHECK(FindOf(*store, "b") == "2");
    CHECK(FindOf(*reader, "b") == "2");
    store.reset();
    CHECK(KeyedOf(path) == "2/2");
  }
}

}  // namespace assay
