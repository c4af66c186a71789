// Tests of what every kind of store does, over a list of them: what is committed comes back, by key and
// epoch, by runs and their parts. What only one kind is asked: sqlite_store_test.cc, postgres_store_test.cc.
#include "store/store.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "tests/support/postgres_server.h"
#include "tests/support/test_store.h"

namespace assay {

namespace {

using testing::Answered;
using testing::MakeRun;
using testing::PostgresServer;
using testing::TempFolder;
using testing::TestSitting;
using testing::TextOf;

struct Opener {
  const char* name;
  std::optional<std::string> (*location)(const TempFolder& folder);  // absent: there is none here
};

// A store that somebody writes, and those who only read it: of each kind.
constexpr Opener kOpeners[] = {
    {"an SQLite file", [](const TempFolder& folder) { return std::optional(folder.Path("deep/er/s.db")); }},
    {"a PostgreSQL database",
     [](const TempFolder&) {
       PostgresServer* server = PostgresServer::Get();
       return server == nullptr ? std::optional<std::string>() : server->NewDatabase();
     }},
};

class World {
 public:
  explicit World(const Opener& opener) {
    const std::optional<std::string> location = opener.location(folder_);
    if (!location) return;
    options_.path = *location;
    Open();
  }
  bool IsThere() const { return store_ != nullptr; }
  Store& store() { return *store_; }
  // As another process finds it.
  void Reopen() {
    store_.reset();
    Open();
  }
  // Once as who writes sees it, and once as who only reads.
  void Read(const std::function<void(Store&)>& check) {
    check(*store_);
    auto reader = OpenStore({.path = options_.path, .read_only = true});
    REQUIRE(reader.has_value());
    check(**reader);
  }
  TestSitting Sit(const std::string& run_id, RunPart part = RunPart::kRun) { return {*store_, run_id, part}; }
  // A sitting of a new run, with the exchanges 1 to 9 of a new store.
  TestSitting BeginAsked(const std::string& run_id) {
    TestSitting sitting = Begin(run_id);
    std::vector<Exchange> asked;
    for (int i = 0; i < 9; ++i) asked.push_back(Answered("asked " + std::to_string(i), "a", 0));
    sitting.Keep(std::move(asked));
    return sitting;
  }
  TestSitting Begin(const std::string& run_id) {
    REQUIRE(store_->BeginRun(MakeRun(run_id)).has_value());
    return Sit(run_id);
  }

 private:
  void Open() {
    auto opened = OpenStore(options_);
    REQUIRE(opened.has_value());
    store_ = *std::move(opened);
  }

  TempFolder folder_;
  StoreOptions options_;
  std::unique_ptr<Store> store_;
};

void InEveryStore(const std::function<void(World&)>& test) {
  for (const Opener& opener : kOpeners) {
    CAPTURE(opener.name);
    World world(opener);
    if (world.IsThere()) test(world);
  }
}

std::string FindText(Store& store, std::string_view question, EpochRange epochs) {
  const Digest key = Sha256Of(question);
  auto found = store.Find(std::span(&key, 1), epochs);
  REQUIRE(found.has_value());
  return TextOf(found->front());
}

Exchange Refused(std::string_view question, ErrorCode code) {
  Exchange exchange = Answered(question, "", 0);
  exchange.error = Error{code, "slow down"};
  return exchange;
}

CellResult GradedCell(CellIndex cell, std::vector<ExchangeId> ids) {
  return {.cell = cell,
          .scores = "s" + std::to_string(cell),
          .steps = {{.kind = LinkKind::kAnswer, .exchanges = std::move(ids)}}};
}

// "2:two;5:five;": cells with their scores.
std::string ScoresOf(Store& store, const std::string& run_id, RunPart part, CellSpan span = kEveryCell) {
  std::string seen;
  const Status visited = store.VisitCells(run_id, part, span, [&seen](const CellResult& cell) {
    seen += std::to_string(cell.cell) + ":" + cell.scores + ";";
    return Ok();
  });
  return visited ? seen : visited.error().message;
}

}  // namespace

TEST_CASE("exchanges come back as they went in") {
  InEveryStore([](World& world) {
    Exchange asked = Answered("q", "an answer \xf0\x9f\x98\x80", 4);
    asked.usage.cached_read_tokens = 2;
    asked.usage.cached_write_tokens = 1;
    asked.usage.billing = {
        .cost_nano_usd = 0, .hour_write_tokens = 1, .tools_nano_usd = 30, .estimated_nano_usd = 4};
    asked.room = kNoLimit;
    asked.first_token_us = 1'234;
    asked.duration_us = 56'789;
    asked.price_factor = 0.5;
    const ExchangeId id = world.Begin("r").Keep({asked}).front().id;
    world.Reopen();
    world.Read([&](Store& store) {
      const auto got = store.Get(std::vector<ExchangeId>{id});
      REQUIRE(got.has_value());
      const Exchange& exchange = got->front();
      CHECK(exchange.id == id);
      CHECK(exchange.key == asked.key);
      CHECK(exchange.epoch == 4);
      CHECK(TextOf(exchange) == "an answer \xf0\x9f\x98\x80");
      CHECK(exchange.usage.output_tokens == 5);
      CHECK(exchange.usage.reasoning_tokens == 1);
      CHECK(exchange.usage.cached_read_tokens == 2);
      CHECK(exchange.usage.cached_write_tokens == 1);
      CHECK(exchange.usage.billing == asked.usage.billing);
      CHECK(store.UsageOf(std::vector<ExchangeId>{id})->front().usage.billing == asked.usage.billing);
      CHECK(exchange.room == kNoLimit);
      CHECK(exchange.first_token_us == 1'234);
      CHECK(exchange.duration_us == 56'789);
      CHECK(exchange.price_factor == 0.5);
      CHECK(exchange.finish_reason == "stop");
      CHECK(exchange.tries == 2);
      CHECK(store.RequestOf(id).value() == "q");
      CHECK(store.RecentUsage(10)->front().duration_us == 56'789);
      CHECK(store.NewestEpoch().value() == 4);
      CHECK(store.NewEpoch().value() == 5);
    });
  });
}

TEST_CASE("a long request comes back, and tells who answered it") {
  InEveryStore([](World& world) {
    const std::string source = R"(,"source":"replay:0011223344556677#1"})";
    const std::string asked = R"({"v":1,"texts":[")" + std::string(100'000, 'x') + "\"]" + source;
    TestSitting sitting = world.Begin("r");
    const ExchangeId id = sitting.Keep({Answered(asked, "a", 0)}).front().id;
    const ExchangeId shorter = sitting.Keep({Answered(R"({"v":1)" + source, "a", 0)}).front().id;
    sitting.Grade({GradedCell(0, {id, shorter})});
    world.Read([&](Store& store) {
      CHECK(store.RequestOf(id).value() == asked);
      CHECK(store.UsageOf(std::vector<ExchangeId>{id})->front().request == asked);
      const auto recorded = store.CountRecorded("r", RunPart::kRun);
      REQUIRE(recorded.has_value());
      CHECK(*recorded == std::map<std::string, std::uint64_t>{{"replay:0011223344556677", 2}});
    });
  });
}

TEST_CASE("of the exchanges of a run those that failed are counted, each once") {
  InEveryStore([](World& world) {
    std::vector<Exchange> asked;
    for (int i = 0; i < 40; ++i)
      asked.push_back(i % 3 == 0 ? Refused(std::to_string(i), ErrorCode::kTimeout)
                                 : Answered(std::to_string(i), "a", 0));
    TestSitting first = world.Begin("r1");
    const std::vector<Exchange> kept = first.Keep(asked);
    const auto cell = [&](CellIndex index, std::vector<std::size_t> used) {
      std::vector<ExchangeId> ids;
      for (const std::size_t i : used) ids.push_back(kept[i].id);
      return GradedCell(index, ids);
    };
    first.Grade({cell(0, {0, 1, 3}), cell(1, {3, 38, 39}), cell(2, {6})});
    world.Begin("r2").Grade({cell(0, {2, 4, 5})});
    world.Sit("r2", RunPart::kClosing).Grade({cell(0, {9})});
    world.Read([](Store& store) {
      CHECK(store.CountRequests("r1", RunPart::kRun)->requests == 6);
      CHECK(store.CountRequests("r1", RunPart::kRun)->errors == 4);
      CHECK(store.CountRequests("r2", RunPart::kRun)->requests == 3);
      CHECK(store.CountRequests("r2", RunPart::kRun)->errors == 0);
      CHECK(store.CountRequests("r2", RunPart::kClosing)->errors == 1);
      CHECK(store.CountRequests("r2", RunPart::kOpening)->requests == 0);
    });
  });
}

TEST_CASE("open batches are kept until they are read") {
  InEveryStore([](World& world) {
    BatchRecord batch;
    batch.provider = "openai";
    batch.endpoint = "http://h/v1";
    batch.created_ms = 5;
    batch.keys = {Sha256Of("a"), Sha256Of("b")};
    REQUIRE(world.store().SaveBatch(batch).has_value());
    CHECK(batch.number > 0);
    batch.id = "batch_1";
    batch.state = BatchState::kOpen;
    batch.details = R"({"input_file":"f"})";
    REQUIRE(world.store().SaveBatch(batch).has_value());
    world.Reopen();
    world.Read([&batch](Store& store) {
      const auto batches = store.Batches();
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
    });
    REQUIRE(world.store().RemoveBatch(batch.number).has_value());
    CHECK(world.store().Batches()->empty());
  });
}

TEST_CASE("among the answers of an epoch a cut one gives way to one that had more room") {
  InEveryStore([](World& world) {
    const auto cut_at = [](std::int64_t room, std::string text, const char* finish) {
      Exchange exchange = Answered("q", std::move(text), 0);
      std::get<ModelReply>(exchange.reply).finish_reason = finish;
      exchange.room = room;
      return exchange;
    };
    TestSitting sitting = world.Begin("r");
    sitting.Keep({cut_at(0, "short", "length"), cut_at(16'000, "longer", "length")});
    CHECK(FindText(world.store(), "q", {0, 0}) == "longer");
    const auto kept = sitting.Keep({cut_at(32'000, "whole", "stop"), cut_at(64'000, "again", "stop")});
    CHECK(FindText(world.store(), "q", {0, 0}) == "whole");
    CHECK(kept[1].id == kept[0].id);
  });
}

TEST_CASE("the newest epoch in the range answers, and in it the first reply") {
  InEveryStore([](World& world) {
    TestSitting sitting = world.Begin("r");
    const auto kept =
        sitting.Keep({Answered("q", "old", 0), Answered("q", "second of old", 0), Answered("q", "new", 2)});
    CHECK(FindText(world.store(), "q", {0, 1}) == "old");
    CHECK(FindText(world.store(), "q", {0, 2}) == "new");
    CHECK(FindText(world.store(), "q", {1, 1}) == "-");
    CHECK(FindText(world.store(), "other", {0, 9}) == "-");
    // A look-up in vain says so only until somebody answers.
    CHECK(FindText(world.store(), "p", {0, 0}) == "-");
    CHECK(FindText(world.store(), "p", {3, 3}) == "-");
    sitting.Keep({Answered("p", "first", 0)});
    CHECK(TextOf(sitting.Keep({Answered("p", "second", 0)}).front()) == "first");
    CHECK(FindText(world.store(), "p", {1, 2}) == "-");
    CHECK(TextOf(sitting.Keep({Answered("p", "third", 0)}).front()) == "first");
    // Whoever came second goes on with what counts.
    CHECK(TextOf(kept[1]) == "old");
    CHECK(kept[1].id == kept[0].id);
    CHECK(TextOf(kept[2]) == "new");
  });
}

TEST_CASE("keys that begin alike are different keys") {
  InEveryStore([](World& world) {
    TestSitting sitting = world.Begin("r");
    constexpr std::size_t kIndexed = 8;  // bytes of a key in the index of a file
    Exchange first = Answered("q", "first", 0);
    Exchange second = Answered("q", "second", 0);
    for (std::size_t i = kIndexed; i < second.key.size(); ++i) second.key[i] ^= 0xff;
    Digest third = first.key;
    third.back() ^= 1;
    sitting.Keep({first, second});
    const auto text_of = [&world](const Digest& key) {
      return TextOf(world.store().Find(std::span(&key, 1), {0, 0}).value().front());
    };
    CHECK(text_of(first.key) == "first");
    CHECK(text_of(second.key) == "second");
    CHECK(text_of(third) == "-");
  });
}

TEST_CASE("errors and empty replies are kept but never served, nor counted before an answer") {
  InEveryStore([](World& world) {
    TestSitting sitting = world.Begin("r");
    const auto kept = sitting.Keep({Refused("q", ErrorCode::kRateLimited), Answered("q", "", 0)});
    CHECK(FindText(world.store(), "q", {0, 0}) == "-");
    const auto got = world.store().Get(std::vector<ExchangeId>{kept[0].id});
    REQUIRE(got.has_value());
    REQUIRE(got->front().error.has_value());
    CHECK(got->front().error->code == ErrorCode::kRateLimited);
    CHECK(got->front().error->message == "slow down");
    CHECK(TextOf(sitting.Keep({Answered("q", "fine", 0)}).front()) == "fine");
    // Silence is an answer for who takes it, and for nobody else.
    Exchange silence = Answered("p", "", 0);
    silence.takes_silence = true;
    sitting.Keep({silence});
    CHECK(TextOf(sitting.Keep({Answered("p", "words", 0)}).front()) == "words");
  });
}

TEST_CASE("what was set aside answers no request any more, and stays with its run") {
  InEveryStore([](World& world) {
    TestSitting sitting = world.Begin("r");
    const auto kept = sitting.Keep({Answered("q", "unreadable", 0), Answered("p", "fine", 0)});
    const std::vector<ExchangeId> ids{kept[0].id};
    REQUIRE(world.store().SetAside(ids).has_value());
    CHECK(FindText(world.store(), "q", {.first = 0, .last = 0}) == "-");
    CHECK(FindText(world.store(), "p", {.first = 0, .last = 0}) == "fine");
    CHECK(TextOf(world.store().Get(ids).value().front()) == "unreadable");
    sitting.Keep({Answered("q", "readable", 0)});
    CHECK(FindText(world.store(), "q", {.first = 0, .last = 0}) == "readable");
  });
}

TEST_CASE("runs come back as they were begun and ended") {
  InEveryStore([](World& world) {
    RunRecord run = MakeRun("r1");
    run.dialect = "blueprint";
    run.source = "run a.yml";
    run.first_epoch = 1;
    run.epoch = 2;
    run.suite = Sha256Of("suite");
    run.toolchains = "go";
    run.spec = R"({"v":1})";
    run.generators = R"({"turn":2})";
    run.context.utc_offset_min = -90;
    run.context.run_label = "label";
    run.context.suite_root = "/s";
    run.context.assay_version = "9";
    run.context.prompts = {.ms = 7, .utc_offset_min = 60};
    REQUIRE(world.store().BeginRun(run).has_value());
    CHECK(std::isnan(world.store().Runs()->front().mean_score));
    run.state = RunState::kFinished;
    run.finished_ms = 1'700'000'000'999;
    run.mean_score = 0.5;
    run.summary = "{}";
    run.context.run_label = "other";
    run.generators = R"({"turn":3})";
    run.inputs = Sha256Of("inputs");
    run.tables = R"({"v":1})";
    run.cost = RunCost{.nano_usd = 12, .unpriced = 3, .estimated_nano_usd = 5};
    CHECK(!world.store().Runs()->front().cost);
    REQUIRE(world.store().UpdateRun(run).has_value());
    world.Reopen();
    world.Read([&run](Store& store) {
      const auto runs = store.Runs();
      REQUIRE(runs.has_value());
      REQUIRE(runs->size() == 1);
      const RunRecord& back = runs->front();
      CHECK(back.number == 1);
      CHECK(back.context.run_id == "r1");
      CHECK(back.title == run.title);
      CHECK(back.dialect == run.dialect);
      CHECK(back.source == run.source);
      CHECK(back.plan_digest == run.plan_digest);
      CHECK(back.first_epoch == 1);
      CHECK(back.epoch == 2);
      CHECK(back.state == RunState::kFinished);
      CHECK(back.cells == 7);
      CHECK(back.finished_ms == run.finished_ms);
      CHECK(back.mean_score == 0.5);
      CHECK(back.suite == run.suite);
      CHECK(back.toolchains == "go");
      CHECK(back.summary == "{}");
      CHECK(back.has_outcomes);
      CHECK(back.spec == run.spec);
      CHECK(back.generators == run.generators);
      CHECK(back.inputs == run.inputs);
      CHECK(back.cells_of == 0);
      CHECK(back.tables == run.tables);
      CHECK(back.cost == run.cost);
      CHECK(back.context.started_ms == run.context.started_ms);
      CHECK(back.context.utc_offset_min == -90);
      CHECK(back.context.run_label == "other");
      CHECK(back.context.suite_root == "/s");
      CHECK(back.context.assay_version == "9");
      CHECK(back.context.seed == run.context.seed);
      CHECK(back.context.prompts.ms == 7);
      CHECK(back.context.prompts.utc_offset_min == 60);
    });
  });
}

TEST_CASE("a run is found by its id, by what begins it alone, and as the latest") {
  InEveryStore([](World& world) {
    CHECK(world.store().FindRun("latest").error().message.find("has no runs yet") != std::string::npos);
    for (const char* id : {"ab", "abc", "x%"}) REQUIRE(world.store().BeginRun(MakeRun(id)).has_value());
    RunRecord first = MakeRun("ab");
    first.finished_ms = first.context.started_ms + 1;
    world.Read([](Store& store) { CHECK(store.FindRun("latest")->context.run_id == "x%"); });
    REQUIRE(world.store().UpdateRun(first).has_value());
    world.Read([](Store& store) {
      CHECK(store.FindRun("latest")->context.run_id == "ab");
      CHECK(store.FindRun("ab")->context.run_id == "ab");
      CHECK(store.FindRun("abc")->context.run_id == "abc");
      CHECK(store.FindRun("x")->context.run_id == "x%");
      CHECK(store.FindRun("%").error().code == ErrorCode::kNotFound);
      CHECK(store.FindRun("a").error().code == ErrorCode::kInvalidInput);
      CHECK(store.FindRun("a").error().message.find("ab and abc") != std::string::npos);
    });
  });
}

TEST_CASE("unfinished runs are found by their plan and what shaped them") {
  InEveryStore([](World& world) {
    const auto begin = [&world](const char* id, const char* plan, const char* spec) {
      RunRecord run = MakeRun(id);
      run.plan_digest = Sha256Of(plan);
      run.spec = spec;
      REQUIRE(world.store().BeginRun(run).has_value());
      return run;
    };
    begin("a", "plan", "s");
    begin("of another plan", "other", "s");
    begin("of another spec", "plan", "t");
    begin("of no spec", "plan", "");
    RunRecord done = begin("done", "plan", "s");
    done.state = RunState::kFinished;
    REQUIRE(world.store().UpdateRun(done).has_value());
    begin("b", "plan", "s");
    world.Read([](Store& store) {
      std::string found;
      const std::vector<RunRecord> unfinished = store.Unfinished(Sha256Of("plan"), "s").value();
      for (const RunRecord& run : unfinished) found += run.context.run_id + ";";
      CHECK(found == "b;of no spec;a;");
    });
  });
}

TEST_CASE("the cells of a run stand in parts, each counted from 0") {
  InEveryStore([](World& world) {
    TestSitting sitting = world.BeginAsked("r1");
    sitting.Grade({{.cell = 5, .scores = "five", .steps = {}}, {.cell = 2, .scores = "two", .steps = {}}});
    sitting.Grade({{.cell = 2, .scores = "two again", .steps = {}}});
    sitting.Grade({{.cell = 3, .scores = "", .steps = {{.exchanges = {1}}}}});
    world.Sit("r1", RunPart::kOpening).Grade({GradedCell(0, {4}), GradedCell(1, {5})});
    world.Sit("r1", RunPart::kClosing).Grade({GradedCell(0, {6})});
    world.Read([](Store& store) {
      CHECK(ScoresOf(store, "r1", RunPart::kRun) == "2:two again;5:five;");
      CHECK(ScoresOf(store, "r1", RunPart::kRun, {0, 5}) == "2:two again;");
      CHECK(ScoresOf(store, "r1", RunPart::kOpening) == "0:;1:;");
      CHECK(ScoresOf(store, "r1", RunPart::kOpening, {1, 2}) == "1:;");
      CHECK(ScoresOf(store, "r1", RunPart::kClosing) == "0:;");
      CHECK(store.ExchangesOf("r1", RunPart::kRun).value() == std::vector<ExchangeId>{1});
      CHECK(store.ExchangesOf("r1", RunPart::kOpening).value() == std::vector<ExchangeId>{4, 5});
      CHECK(store.ExchangesOf("r1", RunPart::kClosing).value() == std::vector<ExchangeId>{6});
    });
  });
}

TEST_CASE("a cell comes back with its links, its outcome and its stored transcript") {
  InEveryStore([](World& world) {
    const std::vector<StepLink> links{
        {.kind = LinkKind::kAnswer, .role = RequestRole::kCandidate, .exchanges = {7, 3}},
        {.kind = LinkKind::kAsk, .role = RequestRole::kJudge, .check = 2, .exchanges = {9}},
        {.kind = LinkKind::kEmbedIdeal, .role = RequestRole::kEmbedding, .exchanges = {}}};
    world.BeginAsked("r1").Grade(
        {{.cell = 0,
          .scores = "s",
          .steps = links,
          .columns = CellColumns{.outcome = {.state = CellState::kScored, .value = 0.25}},
          .transcript = std::string("t\0t", 3),
          .marks = R"({"m":[[0,1,2]]})"},
         {.cell = 1, .scores = "s", .steps = {}}});
    world.Read([&links](Store& store) {
      std::vector<CellResult> cells;
      REQUIRE(store
                  .VisitCells("r1", RunPart::kRun, kEveryCell,
                              [&cells](const CellResult& cell) {
                                cells.push_back(cell);
                                return Ok();
                              })
                  .has_value());
      REQUIRE(cells.size() == 2);
      CHECK(cells[0].transcript == std::string("t\0t", 3));
      CHECK(!cells[1].transcript);
      CHECK(cells[0].marks == R"({"m":[[0,1,2]]})");
      CHECK(cells[1].marks.empty());
      REQUIRE(cells[0].outcome.has_value());
      CHECK(cells[0].outcome->value == 0.25);
      CHECK(!cells[1].outcome);
      REQUIRE(cells[0].steps.size() == links.size());
      for (std::size_t i = 0; i < links.size(); ++i) {
        CHECK(cells[0].steps[i].kind == links[i].kind);
        CHECK(cells[0].steps[i].role == links[i].role);
        CHECK(cells[0].steps[i].check == links[i].check);
        CHECK(cells[0].steps[i].exchanges == links[i].exchanges);
      }
    });
  });
}

TEST_CASE("cells are visited with the exchanges of the links that are wanted") {
  InEveryStore([](World& world) {
    TestSitting sitting = world.Begin("r1");
    std::vector<CellResult> cells;
    // More than are read at once.
    for (CellIndex i = 0; i < 150; ++i) {
      const std::string name = std::to_string(i);
      const auto kept =
          sitting.Keep({Answered("a" + name, "answer " + name, 0), Answered("shared", "verdict", 0)});
      cells.push_back({.cell = i,
                       .scores = "s",
                       .steps = {{.kind = LinkKind::kAsk, .exchanges = {kept[1].id}},
                                 {.kind = LinkKind::kAnswer, .exchanges = {kept[0].id}}}});
    }
    sitting.Grade(cells);
    world.Read([](Store& store) {
      CellIndex next = 1;
      const auto check_answer = [&next](const CellResult& cell, std::vector<Exchange>& exchanges) {
        CHECK(cell.cell == next++);
        REQUIRE(exchanges.size() == 1);
        CHECK(TextOf(exchanges[0]) == "answer " + std::to_string(cell.cell));
        return Ok();
      };
      const auto is_answer = [](const CellResult& cell, const StepLink& link) {
        return cell.cell > 0 && link.kind == LinkKind::kAnswer;
      };
      REQUIRE(store.VisitAnswered("r1", RunPart::kRun, {1, 149}, is_answer, check_answer).has_value());
      CHECK(next == 149);
      std::size_t exchanges_seen = 0;
      const auto count = [&](const CellResult&, std::vector<Exchange>& exchanges) {
        CHECK(TextOf(exchanges.front()) == "verdict");
        exchanges_seen += exchanges.size();
        return Ok();
      };
      REQUIRE(store.VisitAnswered("r1", RunPart::kRun, kEveryCell, nullptr, count).has_value());
      CHECK(exchanges_seen == 300);
    });
  });
}

TEST_CASE("cells are visited one by one within a reading as they are at once") {
  InEveryStore([](World& world) {
    TestSitting sitting = world.Begin("r1");
    std::vector<CellResult> cells;
    for (CellIndex i = 0; i < 600; ++i) {
      const std::string name = std::to_string(i);
      cells.push_back(GradedCell(i, {sitting.Keep({Answered(name, "answer " + name, 0)}).front().id}));
    }
    sitting.Grade(cells);
    world.Read([](Store& store) {
      const auto reading = store.BeginReading();
      for (const CellIndex step : {1, 7, 300}) {
        CellIndex seen = 0;
        for (CellIndex first = 0; first < 600; first += step) {
          const auto check = [&](const CellResult& cell, std::vector<Exchange>& exchanges) {
            CHECK(cell.cell == seen++);
            CHECK(cell.scores == "s" + std::to_string(cell.cell));
            REQUIRE(exchanges.size() == 1);
            CHECK(TextOf(exchanges[0]) == "answer " + std::to_string(cell.cell));
            exchanges.clear();
            return Ok();
          };
          const CellSpan span{first, std::min<CellIndex>(first + step, 600)};
          REQUIRE(store.VisitAnswered("r1", RunPart::kRun, span, nullptr, check).has_value());
        }
        CHECK(seen == 600);
      }
    });
  });
}

TEST_CASE("a reading holds several reads, another one within it, and ends before what is written") {
  InEveryStore([](World& world) {
    TestSitting sitting = world.Begin("r");
    sitting.Keep({Answered("q", "first", 0)});
    {
      const auto reading = world.store().BeginReading();
      REQUIRE(reading.has_value());
      CHECK(FindText(world.store(), "q", {0, 0}) == "first");
      {
        const auto within = world.store().BeginReading();
        REQUIRE(within.has_value());
        CHECK(FindText(world.store(), "p", {0, 0}) == "-");
      }
      CHECK(FindText(world.store(), "q", {0, 0}) == "first");
    }
    sitting.Keep({Answered("p", "second", 0)});
    CHECK(FindText(world.store(), "p", {0, 0}) == "second");
  });
}

TEST_CASE("a commit that fails leaves nothing behind") {
  InEveryStore([](World& world) {
    TestSitting sitting = world.Begin("r");
    CHECK(!world.store().Commit(sitting.id() + 1, 1, {.exchanges = {Answered("q", "lost", 0)}}).has_value());
    CHECK(!world.store().BeginSitting("no such run", RunPart::kRun, 1, "t").has_value());
    CHECK(FindText(world.store(), "q", {0, 0}) == "-");
    sitting.Keep({Answered("q", "kept", 0)});
    CHECK(FindText(world.store(), "q", {0, 0}) == "kept");
  });
}

TEST_CASE("a commit that is there already changes nothing and returns the same") {
  InEveryStore([](World& world) {
    TestSitting sitting = world.Begin("r1");
    const auto kept = sitting.Keep({Answered("q", "one", 0), Refused("p", ErrorCode::kTimeout)}, 2);
    const std::vector<CellResult> cells{GradedCell(0, {kept[0].id})};
    for (int i = 0; i < 2; ++i) {
      const auto again = world.store().Commit(
          sitting.id(), sitting.commits(),
          {.exchanges = {Answered("q", "other", 0), Answered("r", "x", 0)}, .cells = cells, .sent = 2});
      REQUIRE(again.has_value());
      REQUIRE(again->size() == 2);
      CHECK((*again)[0].id == kept[0].id);
      CHECK(TextOf((*again)[0]) == "one");
      CHECK((*again)[1].id == kept[1].id);
      CHECK((*again)[1].error->code == ErrorCode::kTimeout);
      world.Reopen();
    }
    world.Read([](Store& store) {
      CHECK(store.FindRun("r1")->requests_sent == 2);
      CHECK(ScoresOf(store, "r1", RunPart::kRun).empty());
      CHECK(FindText(store, "r", {0, 0}) == "-");
      CHECK(store.Ends()->exchange == 2);
    });
  });
}

TEST_CASE("requests that were sent are counted by the sitting that keeps their answers") {
  InEveryStore([](World& world) {
    RunRecord run = MakeRun("r1");
    run.requests_sent = 5;  // of sittings before there were rows of them
    REQUIRE(world.store().BeginRun(run).has_value());
    TestSitting first = world.Sit("r1");
    first.Keep({Answered("q", "one", 0), Answered("p", "two", 0)}, 2);
    first.Keep({Answered("o", "three", 0)}, 1);
    world.Sit("r1", RunPart::kClosing).Keep({Answered("n", "four", 0)}, 1);
    world.Begin("r2").Keep({Answered("m", "five", 0)}, 7);
    REQUIRE(world.store().UpdateRun(run).has_value());
    world.Read([](Store& store) {
      CHECK(store.FindRun("r1")->requests_sent == 9);
      CHECK(store.FindRun("r2")->requests_sent == 7);
    });
  });
}

TEST_CASE("whoever shows a run that goes on is told which cells changed") {
  InEveryStore([](World& world) {
    TestSitting sitting = world.Begin("r1");
    world.Begin("r2").Grade({GradedCell(6, {})});
    world.Sit("r1", RunPart::kOpening).Grade({GradedCell(0, {})});
    sitting.Keep({Answered("q", "a", 0)});
    sitting.Grade({GradedCell(4, {}), GradedCell(1, {})});
    std::int64_t mark = 0;
    world.Read([&mark](Store& store) {
      const auto changes = store.ChangesSince("r1", 0);
      REQUIRE(changes.has_value());
      REQUIRE(changes->changed.size() == 2);
      CHECK(changes->changed[0].part == RunPart::kOpening);
      CHECK(changes->changed[0].cells == std::vector<CellIndex>{0});
      CHECK(changes->changed[1].part == RunPart::kRun);
      CHECK(changes->changed[1].cells == std::vector<CellIndex>{4, 1});
      mark = changes->mark;
      CHECK(store.ChangesSince("r1", mark)->changed.empty());
      CHECK(store.ChangesSince("r1", mark)->mark == mark);
    });
    world.Sit("r1").Grade({GradedCell(4, {})});
    const auto changes = world.store().ChangesSince("r1", mark);
    REQUIRE(changes->changed.size() == 1);
    CHECK(changes->changed[0].cells == std::vector<CellIndex>{4});
    CHECK(changes->mark > mark);
  });
}

TEST_CASE("a run may have the cells of another one") {
  InEveryStore([](World& world) {
    world.BeginAsked("r1").Grade({GradedCell(3, {8})});
    for (const std::int64_t of : {1, 2}) {
      RunRecord run = MakeRun("r" + std::to_string(of + 1));
      run.cells_of = of;
      REQUIRE(world.store().BeginRun(run).has_value());
    }
    RunRecord of_none = MakeRun("r9");
    of_none.cells_of = 9;
    CHECK(world.store().BeginRun(of_none).error().code == ErrorCode::kNotFound);
    world.Read([](Store& store) {
      CHECK(ScoresOf(store, "r3", RunPart::kRun) == "3:s3;");
      CHECK(store.CountRequests("r2", RunPart::kRun)->requests == 1);
      CHECK(store.FindRun("r3")->cells_of == 1);
      CHECK(store.FindRun("r1")->cells_of == 0);
    });
  });
}

namespace {

void BeginAt(Store& store, const char* id, std::int64_t started_ms, std::int64_t finished_ms,
             std::int64_t cells_of = 0) {
  RunRecord run = MakeRun(id);
  run.context.started_ms = started_ms;
  run.cells_of = cells_of;
  REQUIRE(store.BeginRun(run).has_value());
  run.finished_ms = finished_ms;
  REQUIRE(store.UpdateRun(run).has_value());
}

Exchange AskedAt(const char* key, std::int64_t started_ms) {
  Exchange exchange = Answered(key, key, 0);
  exchange.started_ms = started_ms;
  return exchange;
}

}  // namespace

TEST_CASE("pruning removes old runs, and old exchanges that nobody needs") {
  InEveryStore([](World& world) {
    Store& store = world.store();
    BeginAt(store, "old", 100, 200);
    BeginAt(store, "long", 100, 900);  // began long ago, ended lately
    BeginAt(store, "new", 800, 0);
    TestSitting of_old = world.Sit("old");
    TestSitting of_new = world.Sit("new", RunPart::kOpening);
    const auto kept = of_old.Keep(
        {AskedAt("of old", 100), AskedAt("shared", 100), AskedAt("of nobody", 150), AskedAt("young", 800)});
    of_old.Grade({GradedCell(0, {kept[0].id, kept[1].id})});
    of_new.Grade({GradedCell(0, {kept[1].id})});

    const auto summary = store.Prune(500);
    REQUIRE(summary.has_value());
    CHECK(summary->runs == std::vector<std::string>{"old"});
    CHECK(summary->exchanges == 2);
    CHECK(summary->exchanges_kept == 2);
    CHECK(FindText(store, "of old", {0, 0}) == "-");
    CHECK(FindText(store, "of nobody", {0, 0}) == "-");
    CHECK(FindText(store, "shared", {0, 0}) == "shared");
    CHECK(FindText(store, "young", {0, 0}) == "young");
    CHECK(store.Runs()->size() == 2);
    CHECK(ScoresOf(store, "old", RunPart::kRun) == "the store has no run old");
    CHECK(!store.Commit(of_old.id(), of_old.commits() + 1, {}).has_value());
    CHECK(store.Prune(500)->exchanges == 0);
  });
}

TEST_CASE("the cells of a run that is pruned become those of the oldest that has them too") {
  InEveryStore([](World& world) {
    Store& store = world.store();
    BeginAt(store, "a", 100, 200);
    BeginAt(store, "b", 300, 0, 1);  // goes as well
    BeginAt(store, "c", 800, 0, 1);
    BeginAt(store, "d", 900, 0, 1);
    TestSitting sitting = world.Sit("a");
    const ExchangeId id = sitting.Keep({AskedAt("q", 100)}).front().id;
    sitting.Grade({GradedCell(2, {id})});
    REQUIRE(store.Prune(500)->runs == std::vector<std::string>{"a", "b"});
    world.Read([](Store& reader) {
      CHECK(ScoresOf(reader, "c", RunPart::kRun) == "2:s2;");
      CHECK(ScoresOf(reader, "d", RunPart::kRun) == "2:s2;");
      CHECK(reader.FindRun("c")->cells_of == 0);
      CHECK(reader.FindRun("d")->cells_of == 3);
      CHECK(FindText(reader, "q", {0, 0}) == "q");
    });
  });
}

TEST_CASE("bytes that requests name are kept once, with the exchange, and go with their last user") {
  InEveryStore([](World& world) {
    MediaPart part = *MediaOf(MediaKind::kImage, "\x89PNG\r\n\x1A\n picture");
    MediaPart other = *MediaOf(MediaKind::kFile, "%PDF-1.4 other");
    const auto asked = [&](std::string_view question, std::vector<MediaPart> media, std::int64_t at_ms) {
      Exchange exchange = Answered(question, "an answer", 0);
      exchange.media = std::move(media);
      exchange.started_ms = at_ms;
      return exchange;
    };
    const auto bytes = [&](const MediaPart& of) {
      std::string seen;
      world.Read([&](Store& store) {
        const auto blob = store.BlobOf(of.sha256);
        REQUIRE(blob.has_value());
        seen = *blob == nullptr ? "none" : (*blob)->bytes;
      });
      return seen;
    };
    CHECK(bytes(part) == "none");
    TestSitting sitting = world.Begin("r");
    sitting.Keep({asked("old", {part, other}, 1'000), asked("new", {part, part}, 9'000)});
    CHECK(bytes(part) == part.blob->bytes);
    CHECK(bytes(other) == other.blob->bytes);
    world.Reopen();
    CHECK(bytes(part) == part.blob->bytes);
    REQUIRE(world.store().Prune(5'000).has_value());
    CHECK(bytes(part) == part.blob->bytes);  // the newer exchange names it
    CHECK(bytes(other) == "none");
    REQUIRE(world.store().Prune(10'000).has_value());
    CHECK(bytes(part) == "none");
    CHECK((*world.store().BlobOf("no digest")) == nullptr);
  });
}

TEST_CASE("texts of documents come back, and go on with a run that takes over the cells") {
  InEveryStore([](World& world) {
    Store& store = world.store();
    BeginAt(store, "old", 100, 200);
    BeginAt(store, "new", 800, 0);
    BeginAt(store, "heir", 900, 0, 1);
    const std::string text = "one page\nand another \xE2\x80\x94 page";
    const RunDocument whole{.id = "a", .text = text, .page_starts = {0, 9}};
    const RunDocument scan{.id = "b", .problem = "it has no text"};
    REQUIRE(store.SaveDocuments("old", std::vector{whole, scan}).has_value());
    REQUIRE(store.SaveDocuments("old", std::vector{RunDocument{.id = "a", .text = "later"}}).has_value());
    REQUIRE(store.SaveDocuments("new", std::vector{RunDocument{.id = "c", .text = "another"}}).has_value());
    const auto check_old = [&](Store& reader, const std::string& run) {
      const auto found = reader.DocumentOf(run, "a");
      REQUIRE(found.has_value());
      REQUIRE(found->has_value());
      CHECK((*found)->text == text);
      CHECK((*found)->page_starts == whole.page_starts);
      CHECK((*found)->problem.empty());
      CHECK((*reader.DocumentOf(run, "b"))->problem == "it has no text");
      CHECK((*reader.DocumentOf(run, "b"))->text.empty());
      CHECK(!*reader.DocumentOf(run, "c"));
    };
    world.Read([&](Store& reader) {
      check_old(reader, "old");
      check_old(reader, "heir");
      CHECK((*reader.DocumentOf("new", "c"))->text == "another");
      CHECK(!reader.DocumentOf("nobody", "a").has_value());
    });
    REQUIRE(store.Prune(500)->runs == std::vector<std::string>{"old"});
    world.Read([&](Store& reader) { check_old(reader, "heir"); });
  });
}

}  // namespace assay
