// The SQLite store: what is committed comes back, by key and epoch; what cannot be used is refused in words.
#include "store/store.h"

#include <doctest/doctest.h>
#include <sqlite3.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>

#include "store/schema.h"
#include "store/step_links.h"

namespace assay {

namespace {

class TempFolder {
 public:
  TempFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "assay-store-XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    path_ = name;
  }
  ~TempFolder() { std::filesystem::remove_all(path_); }
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;
  std::string Path(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

std::unique_ptr<Store> Open(const std::string& path) {
  auto store = OpenStore({.path = path, .read_only = false});
  REQUIRE(store.has_value());
  return std::move(store).value();
}

Exchange Answered(std::string_view question, std::string text, std::uint32_t epoch) {
  Exchange exchange;
  exchange.key = Sha256Of(question);
  exchange.epoch = epoch;
  exchange.request = question;
  exchange.reply =
      ModelReply{.text = std::move(text),
                 .reasoning = {},
                 .tool_calls = {},
                 .finish_reason = "stop",
                 .usage = {.input_tokens = 3, .output_tokens = 5, .reasoning_tokens = 1, .known = true}};
  exchange.usage = std::get<ModelReply>(exchange.reply).usage;
  exchange.finish_reason = "stop";
  exchange.tries = 2;
  return exchange;
}

RunRecord MakeRun(std::string id) {
  RunRecord run;
  run.context.run_id = std::move(id);
  run.context.started_ms = 1'700'000'000'123;
  run.context.seed = 0xfedcba9876543210u;
  run.title = "A title";
  run.plan_digest = Sha256Of("plan");
  run.cells = 7;
  return run;
}

std::string TextOf(const std::optional<Exchange>& exchange) {
  return exchange ? std::get<ModelReply>(exchange->reply).text : "-";
}

std::string FindText(Store& store, std::string_view question, EpochRange epochs) {
  const Digest key = Sha256Of(question);
  auto found = store.Find(std::span(&key, 1), epochs);
  REQUIRE(found.has_value());
  return TextOf(found->front());
}

}  // namespace

TEST_CASE("exchanges come back as they went in") {
  const TempFolder folder;
  std::vector<Exchange> exchanges{Answered("q", "an answer \xf0\x9f\x98\x80", 4)};
  {
    const auto store = Open(folder.Path("deep/er/store.db"));
    REQUIRE(store->Commit("", exchanges, {}, 0).has_value());
  }
  const auto store = Open(folder.Path("deep/er/store.db"));
  const auto got = store->Get(std::vector<ExchangeId>{exchanges[0].id});
  REQUIRE(got.has_value());
  const Exchange& exchange = got->front();
  CHECK(exchange.key == exchanges[0].key);
  CHECK(exchange.epoch == 4);
  CHECK(TextOf(exchange) == "an answer \xf0\x9f\x98\x80");
  CHECK(exchange.usage.output_tokens == 5);
  CHECK(exchange.usage.reasoning_tokens == 1);
  CHECK(exchange.finish_reason == "stop");
  CHECK(exchange.tries == 2);
  CHECK(store->NewestEpoch().value() == 4);
}

// A store as an older version made it, with one exchange and one run in it.
void MakeStoreOfVersion(int version, const std::string& path) {
  sqlite3* database = nullptr;
  REQUIRE(sqlite3_open(path.c_str(), &database) == SQLITE_OK);
  const std::string rows = R"sql(
    INSERT INTO exchange VALUES(7, zeroblob(32), 0, 1, 0, 0, NULL, NULL, 3, 5, 1, 11, 12, 13, 'length', 2,
                                '{"v":1,"text":"old","finish":"length","usage":[3,5,1]}', 'q', 'raw');
    INSERT INTO run VALUES(1, 'r1', 't', 'blueprint', 's', zeroblob(32), 0, 0, 1, 1, 1, 10, 20, 0.5, 0, '',
                           '.', '0', 1);
    INSERT INTO run_step VALUES(1, 0, x'00010e');
    INSERT INTO score VALUES(1, 0, '{"v":1,"s":[[0,1]]}');
    PRAGMA application_id = 0x41535359;)sql";
  std::string sql = kSchemaSteps[0] + rows;
  for (int i = 1; i < version; ++i) sql += kSchemaSteps[i];
  sql += "PRAGMA user_version = " + std::to_string(version);
  REQUIRE(sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK);
  sqlite3_close(database);
}

void CheckOlderContent(Store& store) {
  const auto got = store.Get(std::vector<ExchangeId>{7});
  REQUIRE(got.has_value());
  CHECK(TextOf(got->front()) == "old");
  CHECK(got->front().usage.output_tokens == 5);
  CHECK(got->front().usage.cached_read_tokens == 0);
  CHECK(got->front().room == 0);
  CHECK(got->front().first_token_us == 12'000);
  CHECK(got->front().duration_us == 13'000);
  CHECK(store.RecentUsage(10)->size() == 1);
  CHECK(store.RecentUsage(10)->front().duration_us == 13'000);
  CHECK(store.Batches()->empty());
  REQUIRE(store.Runs()->size() == 1);
  CHECK(!store.Runs()->front().suite);
  CHECK(!store.Runs()->front().has_outcomes);
  CHECK(store.Runs()->front().summary.empty());
  CHECK(store.CountRequests("r1", 1)->requests == 1);
  std::string seen;
  CHECK(store
            .VisitCells("r1", 0, 1,
                        [&seen](const CellResult& cell) {
                          seen += cell.scores + std::to_string(cell.steps.at(0).exchanges.at(0));
                          CHECK(!cell.outcome);
                          return Ok();
                        })
            .has_value());
  CHECK(seen == R"({"v":1,"s":[[0,1]]}7)");
  const Digest key{};
  CHECK(TextOf(store.Find(std::span(&key, 1), {0, 0})->front()) == "old");
}

TEST_CASE("a store of an older version is read as it is, and brought up to date by who writes") {
  for (int version = 1; version < kSchemaVersion; ++version) {
    CAPTURE(version);
    const TempFolder folder;
    const std::string path = folder.Path("store.db");
    MakeStoreOfVersion(version, path);
    for (int i = 0; i < 2; ++i) CheckOlderContent(**OpenStore({.path = path, .read_only = true}));
    {
      const auto store = Open(path);
      CheckOlderContent(*store);
      std::vector<Exchange> exchanges{Answered("q", "new", 0)};
      exchanges[0].usage.cached_read_tokens = 2;
      exchanges[0].usage.cached_write_tokens = 1;
      exchanges[0].room = kNoLimit;
      exchanges[0].first_token_us = 1'234;
      exchanges[0].duration_us = 56'789;
      REQUIRE(store->Commit("", exchanges, {}, 0).has_value());
      const auto got = store->Get(std::vector<ExchangeId>{exchanges[0].id});
      CHECK(got->front().usage.cached_read_tokens == 2);
      CHECK(got->front().usage.cached_write_tokens == 1);
      CHECK(got->front().room == kNoLimit);
      CHECK(got->front().first_token_us == 1'234);
      CHECK(got->front().duration_us == 56'789);
      CHECK(store->RecentUsage(1)->front().usage.cached_read_tokens == 2);
      CHECK(store->RecentUsage(1)->front().duration_us == 56'789);
      REQUIRE(store->BeginRun(MakeRun("r2")).has_value());
      CHECK(store->Runs()->back().has_outcomes);
    }
    CHECK((*OpenStore({.path = path, .read_only = true}))->RecentUsage(10)->size() == 2);
  }
}

// It ended in an assertion where the store was one version older than the program.
TEST_CASE("outcomes of a store of an older version are read as they are") {
  const TempFolder folder;
  const std::string path = folder.Path("store.db");
  MakeStoreOfVersion(kOutcomesVersion, path);
  sqlite3* database = nullptr;
  REQUIRE(sqlite3_open(path.c_str(), &database) == SQLITE_OK);
  const char* outcome =
      "UPDATE cell SET variant = 0, attempt = 0, state = 0, score = 0.25, weight = 1; "
      "UPDATE run SET has_outcomes = 1";
  REQUIRE(sqlite3_exec(database, outcome, nullptr, nullptr, nullptr) == SQLITE_OK);
  sqlite3_close(database);
  const auto store = *OpenStore({.path = path, .read_only = true});
  CHECK(store->Runs()->front().has_outcomes);
  std::vector<double> scores;
  const auto add = [&scores](CellIndex, const CellOutcome& each) {
    scores.push_back(each.value);
    return Ok();
  };
  REQUIRE(store->VisitOutcomes("r1", {0, 1}, add).has_value());
  REQUIRE(store->FindCells("r1", {0, 1}, {.limit = 10}, add).has_value());
  CHECK(scores == std::vector{0.25, 0.25});
}

TEST_CASE("of the exchanges of a run those that failed are counted, each once") {
  const TempFolder folder;
  const auto store = Open(folder.Path("store.db"));
  REQUIRE(store->BeginRun(MakeRun("r1")).has_value());
  REQUIRE(store->BeginRun(MakeRun("r2")).has_value());
  std::vector<Exchange> exchanges;
  for (int i = 0; i < 40; ++i) {
    exchanges.push_back(Answered(std::to_string(i), "a", 0));
    if (i % 3 == 0) exchanges.back().error = Error{ErrorCode::kTimeout, "late"};
  }
  REQUIRE(store->Commit("", exchanges, {}, 0).has_value());
  const auto cell = [&](CellIndex index, std::vector<std::size_t> used) {
    CellResult result{.cell = index, .scores = {}, .steps = {{.slot = 0, .exchanges = {}}}};
    for (const std::size_t i : used) result.steps[0].exchanges.push_back(exchanges[i].id);
    return result;
  };
  const std::vector<CellResult> first{cell(0, {0, 1, 3}), cell(1, {3, 38, 39}), cell(2, {6})};
  const std::vector<CellResult> second{cell(0, {2, 4, 5})};
  REQUIRE(store->Commit("r1", {}, first, 0).has_value());
  REQUIRE(store->Commit("r2", {}, second, 0).has_value());
  CHECK(store->CountRequests("r1", 2)->requests == 5);
  CHECK(store->CountRequests("r1", 2)->errors == 3);
  CHECK(store->CountRequests("r1", 7)->errors == 4);
  CHECK(store->CountRequests("r2", 7)->requests == 3);
  CHECK(store->CountRequests("r2", 7)->errors == 0);
}

TEST_CASE("open batches are kept until they are read") {
  const TempFolder folder;
  BatchRecord batch;
  batch.provider = "openai";
  batch.endpoint = "http://h/v1";
  batch.created_ms = 5;
  batch.keys = {Sha256Of("a"), Sha256Of("b")};
  {
    const auto store = Open(folder.Path("store.db"));
    REQUIRE(store->SaveBatch(batch).has_value());
    CHECK(batch.number > 0);
    batch.id = "batch_1";
    batch.state = BatchState::kOpen;
    batch.details = R"({"input_file":"f"})";
    REQUIRE(store->SaveBatch(batch).has_value());
  }
  const auto store = Open(folder.Path("store.db"));
  const auto batches = store->Batches();
  REQUIRE(batches.has_value());
  REQUIRE(batches->size() == 1);
  const BatchRecord& back = batches->front();
  CHECK(back.number == batch.number);
  CHECK(back.id == "batch_1");
  CHECK(back.provider == "openai");
  CHECK(back.endpoint == "http://h/v1");
  CHECK(back.created_ms == 5);
  CHECK(back.state == BatchState::kOpen);
  CHECK(back.keys == batch.keys);
  CHECK(back.details == batch.details);
  REQUIRE(store->RemoveBatch(batch.number).has_value());
  CHECK(store->Batches()->empty());
}

TEST_CASE("among the answers of an epoch a cut one gives way to one that had more room") {
  const TempFolder folder;
  const auto store = Open(folder.Path("store.db"));
  const auto cut_at = [](std::int64_t room, std::string text, const char* finish) {
    Exchange exchange = Answered("q", std::move(text), 0);
    std::get<ModelReply>(exchange.reply).finish_reason = finish;
    exchange.room = room;
    return exchange;
  };
  std::vector<Exchange> exchanges{cut_at(0, "short", "length"), cut_at(16'000, "longer", "length")};
  REQUIRE(store->Commit("", exchanges, {}, 0).has_value());
  CHECK(FindText(*store, "q", {0, 0}) == "longer");
  exchanges = {cut_at(32'000, "whole", "stop"), cut_at(64'000, "again", "stop")};
  REQUIRE(store->Commit("", exchanges, {}, 0).has_value());
  CHECK(FindText(*store, "q", {0, 0}) == "whole");
}

TEST_CASE("the newest epoch in the range answers, and in it the first reply") {
  const TempFolder folder;
  const auto store = Open(folder.Path("store.db"));
  std::vector<Exchange> exchanges{Answered("q", "old", 0), Answered("q", "second of old", 0),
                                  Answered("q", "new", 2)};
  REQUIRE(store->Commit("", exchanges, {}, 0).has_value());
  CHECK(FindText(*store, "q", {0, 1}) == "old");
  CHECK(FindText(*store, "q", {0, 2}) == "new");
  CHECK(FindText(*store, "q", {1, 1}) == "-");
  CHECK(FindText(*store, "other", {0, 9}) == "-");
}

TEST_CASE("errors and empty replies are kept but never served") {
  const TempFolder folder;
  const auto store = Open(folder.Path("store.db"));
  Exchange failed = Answered("q", "", 0);
  failed.error = Error{ErrorCode::kRateLimited, "slow down"};
  std::vector<Exchange> exchanges{failed, Answered("q", "", 0)};
  REQUIRE(store->Commit("", exchanges, {}, 0).has_value());
  CHECK(FindText(*store, "q", {0, 0}) == "-");
  const auto got = store->Get(std::vector<ExchangeId>{exchanges[0].id});
  REQUIRE(got.has_value());
  REQUIRE(got->front().error.has_value());
  CHECK(got->front().error->code == ErrorCode::kRateLimited);
  CHECK(got->front().error->message == "slow down");
}

TEST_CASE("what was set aside answers no request any more, and stays with its run") {
  const TempFolder folder;
  const auto store = Open(folder.Path("store.db"));
  std::vector<Exchange> exchanges{Answered("q", "unreadable", 0), Answered("p", "fine", 0)};
  REQUIRE(store->Commit("", exchanges, {}, 0).has_value());
  const std::vector<ExchangeId> ids{exchanges[0].id};
  REQUIRE(store->SetAside(ids).has_value());
  CHECK(FindText(*store, "q", {.first = 0, .last = 0}) == "-");
  CHECK(FindText(*store, "p", {.first = 0, .last = 0}) == "fine");
  CHECK(TextOf(store->Get(ids).value().front()) == "unreadable");
  std::vector<Exchange> again{Answered("q", "readable", 0)};
  REQUIRE(store->Commit("", again, {}, 0).has_value());
  CHECK(FindText(*store, "q", {.first = 0, .last = 0}) == "readable");
}

TEST_CASE("runs and their cells") {
  const TempFolder folder;
  const auto store = Open(folder.Path("store.db"));
  RunRecord run = MakeRun("r1");
  REQUIRE(store->BeginRun(run).has_value());
  std::vector<CellResult> cells{{.cell = 5, .scores = "five", .steps = {{.slot = 0, .exchanges = {9, 7}}}},
                                {.cell = 2, .scores = "two", .steps = {}}};
  REQUIRE(store->Commit("r1", {}, cells, 0).has_value());
  cells[1].scores = "two again";
  REQUIRE(store->Commit("r1", {}, cells, 0).has_value());
  std::string seen;
  REQUIRE(store
              ->VisitCells("r1", 0, 6,
                           [&seen](const CellResult& cell) {
                             seen += std::to_string(cell.cell) + cell.scores +
                                     std::to_string(cell.steps.size()) + ";";
                             return Ok();
                           })
              .has_value());
  CHECK(seen == "2two again0;5five1;");
  run.state = RunState::kFinished;
  run.mean_score = 0.5;
  REQUIRE(store->UpdateRun(run).has_value());
  const auto runs = store->Runs();
  REQUIRE(runs.has_value());
  REQUIRE(runs->size() == 1);
  CHECK(runs->front().state == RunState::kFinished);
  CHECK(runs->front().mean_score == 0.5);
  CHECK(runs->front().context.seed == run.context.seed);
  CHECK(runs->front().plan_digest == run.plan_digest);
}

TEST_CASE("a commit that fails leaves nothing behind") {
  const TempFolder folder;
  const auto store = Open(folder.Path("store.db"));
  std::vector<Exchange> exchanges{Answered("q", "lost", 0)};
  const std::vector<CellResult> cells{{.cell = 0, .scores = "s", .steps = {}}};
  CHECK(!store->Commit("no such run", exchanges, cells, 0).has_value());
  CHECK(FindText(*store, "q", {0, 0}) == "-");
  REQUIRE(store->Commit("", exchanges, {}, 0).has_value());
  CHECK(FindText(*store, "q", {0, 0}) == "lost");
}

TEST_CASE("requests that were sent are counted by the commit that keeps their answers") {
  const TempFolder folder;
  const auto store = Open(folder.Path("store.db"));
  RunRecord run = MakeRun("r1");
  run.requests_sent = 0;
  REQUIRE(store->BeginRun(run).has_value());
  std::vector<Exchange> exchanges{Answered("q", "one", 0), Answered("p", "two", 0)};
  REQUIRE(store->Commit("r1", exchanges, {}, 2).has_value());
  exchanges = {Answered("o", "three", 0)};
  REQUIRE(store->Commit("r1", exchanges, {}, 1).has_value());
  CHECK(store->Runs()->front().requests_sent == 3);
  REQUIRE(store->UpdateRun(run).has_value());
  CHECK(store->Runs()->front().requests_sent == 3);
}

TEST_CASE("pruning removes old runs, and old exchanges that nobody needs") {
  const TempFolder folder;
  const auto store = Open(folder.Path("store.db"));
  const auto begin = [&](const char* id, std::int64_t started_ms, std::int64_t finished_ms) {
    RunRecord run = MakeRun(id);
    run.context.started_ms = started_ms;
    REQUIRE(store->BeginRun(run).has_value());
    run.finished_ms = finished_ms;
    REQUIRE(store->UpdateRun(run).has_value());
  };
  begin("old", 100, 200);
  begin("long", 100, 900);  // began long ago, ended lately
  begin("new", 800, 0);
  const auto asked_at = [](const char* key, std::int64_t started_ms) {
    Exchange exchange = Answered(key, key, 0);
    exchange.started_ms = started_ms;
    return exchange;
  };
  std::vector<Exchange> exchanges{asked_at("of old", 100), asked_at("shared", 100),
                                  asked_at("of nobody", 150), asked_at("young", 800)};
  REQUIRE(store->Commit("", exchanges, {}, 0).has_value());
  const auto cell = [](std::vector<ExchangeId> ids) {
    return CellResult{.cell = 0, .scores = "s", .steps = {{.slot = 0, .exchanges = std::move(ids)}}};
  };
  const std::vector<CellResult> of_old{cell({exchanges[0].id, exchanges[1].id})};
  const std::vector<CellResult> of_new{cell({exchanges[1].id})};
  REQUIRE(store->Commit("old", {}, of_old, 0).has_value());
  REQUIRE(store->Commit("new", {}, of_new, 0).has_value());

  const auto summary = store->Prune(500);
  REQUIRE(summary.has_value());
  CHECK(summary->runs == std::vector<std::string>{"old"});
  CHECK(summary->exchanges == 2);
  CHECK(summary->exchanges_kept == 2);
  CHECK(FindText(*store, "of old", {0, 0}) == "-");
  CHECK(FindText(*store, "of nobody", {0, 0}) == "-");
  CHECK(FindText(*store, "shared", {0, 0}) == "shared");
  CHECK(FindText(*store, "young", {0, 0}) == "young");
  CHECK(store->Runs()->size() == 2);
  CHECK(!store->VisitCells("old", 0, 1, [](const CellResult&) { return Ok(); }).has_value());
  CHECK(store->Prune(500)->exchanges == 0);
}

TEST_CASE("what cannot be used is refused in words") {
  const TempFolder folder;
  const auto code_of = [](const std::string& path, bool read_only = false) {
    const auto store = OpenStore({.path = path, .read_only = read_only});
    REQUIRE(!store.has_value());
    CHECK(store.error().message.find(path) != std::string::npos);
    return store.error().code;
  };
  CHECK(code_of(folder.Path("absent.db"), true) == ErrorCode::kNotFound);
  CHECK(code_of("postgresql://host/runs") == ErrorCode::kUnsupported);

  std::ofstream(folder.Path("text.db")) << std::string(4096, 'x');
  CHECK(code_of(folder.Path("text.db")) == ErrorCode::kCorrupt);

  sqlite3* other = nullptr;
  REQUIRE(sqlite3_open(folder.Path("other.db").c_str(), &other) == SQLITE_OK);
  REQUIRE(sqlite3_exec(other, "CREATE TABLE t(x)", nullptr, nullptr, nullptr) == SQLITE_OK);
  CHECK(code_of(folder.Path("other.db")) == ErrorCode::kCorrupt);
  REQUIRE(sqlite3_exec(other, "PRAGMA application_id = 0x41535359; PRAGMA user_version = 99", nullptr,
                       nullptr, nullptr) == SQLITE_OK);
  sqlite3_close(other);
  CHECK(code_of(folder.Path("other.db")) == ErrorCode::kUnsupported);

  const auto holder = Open(folder.Path("store.db"));
  CHECK(code_of(folder.Path("store.db")) == ErrorCode::kTimeout);
  CHECK(OpenStore({.path = folder.Path("store.db"), .read_only = true}).has_value());
}

TEST_CASE("links of steps survive their encoding; torn bytes are an error") {
  const std::vector<std::vector<StepExchanges>> all{
      {},
      {{.slot = 0, .exchanges = {1}}},
      {{.slot = 0, .exchanges = {5, 3, 1'000'000'007}},
       {.slot = 300, .exchanges = {}},
       {.slot = 301, .exchanges = {2}}},
      {{.slot = 0xffffffffu, .exchanges = {~std::uint64_t{0} >> 1}}}};
  for (const auto& steps : all) {
    const std::string bytes = EncodeStepLinks(steps);
    const auto back = DecodeStepLinks(bytes);
    REQUIRE(back.has_value());
    REQUIRE(back->size() == steps.size());
    for (std::size_t i = 0; i < steps.size(); ++i) {
      CHECK((*back)[i].slot == steps[i].slot);
      CHECK((*back)[i].exchanges == steps[i].exchanges);
    }
    if (!bytes.empty()) CHECK(!DecodeStepLinks(bytes.substr(0, bytes.size() - 1)).has_value());
  }
  CHECK(!DecodeStepLinks("\x01\x7f").has_value());
}

}  // namespace assay
