// Tests of what every kind of store does with runs: they come back with their parts and cells, are found and
// pruned. Of exchanges: store_test.cc.
#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>

#include "base/bounded_queue.h"
#include "base/clock.h"
#include "spec/suite/media.h"
#include "store/location.h"
#include "store/postgres/client/pg.h"
#include "store/sqlite/sqlite.h"
#include "tests/support/store_kinds.h"

namespace assay {

namespace {

using testing::Answered;
using testing::FindText;
using testing::GradedCell;
using testing::InEveryStore;
using testing::MakeRun;
using testing::ScoresOf;
using testing::TestSitting;
using testing::TextOf;
using testing::World;

// As another program of this user does.
void AddElsewhere(const std::string& location) {
  constexpr const char* kAdd = "UPDATE run SET given_up = given_up || '\nopenai:c'";
  if (IsServer(location)) {
    auto database = PgDatabase::Open(ParsePgUrl(location).value());
    REQUIRE(database.has_value());
    CHECK((*database)->Execute(kAdd).has_value());
    return;
  }
  auto database = SqliteDatabase::Open(location, SQLITE_OPEN_READWRITE);
  REQUIRE(database.has_value());
  REQUIRE(database->Execute("PRAGMA busy_timeout = 20000").has_value());
  CHECK(database->Execute(kAdd).has_value());
}

}  // namespace

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

TEST_CASE("a run keeps what it was to cost, and what stopped it") {
  InEveryStore([](World& world) {
    RunRecord run = MakeRun("r1");
    run.planned = R"({"v":1})";
    REQUIRE(world.store().BeginRun(run).has_value());
    CHECK(world.store().Runs()->front().planned == run.planned);
    CHECK(!world.store().Runs()->front().ending);
    run.ending = RunEnding::kBudget;
    run.given_up = "openai:a\nopenai:b";
    REQUIRE(world.store().UpdateRun(run).has_value());
    world.Reopen();
    world.Read([&run](Store& store) {
      const RunRecord back = store.FindRun("r1").value();
      CHECK(back.ending == RunEnding::kBudget);
      CHECK(back.given_up == run.given_up);
      CHECK(back.planned == run.planned);
    });
  });
}

// What a process noted was lost where another one noted something at the same time.
TEST_CASE("what another process notes while a run is changed stays") {
  InEveryStore([](World& world) {
    RunRecord run = MakeRun("r1");
    run.given_up = "openai:a";
    REQUIRE(world.store().BeginRun(run).has_value());
    std::thread other;
    BoundedQueue<bool> done(1);
    const auto changed = world.store().ChangeRun("r1", [&](RunRecord& now) {
      if (!other.joinable()) {
        other = std::thread([&] {
          AddElsewhere(world.location());
          done.PushUnbounded(true);
        });
      }
      // Whoever is not kept waiting is done by then.
      SystemClock clock;
      clock.Wait(done, clock.Now() + std::chrono::milliseconds(300));
      now.given_up += "\nopenai:b";
      return Ok();
    });
    REQUIRE(changed.has_value());
    other.join();
    CHECK(changed->given_up == "openai:a\nopenai:b");
    CHECK(world.store().FindRun("r1")->given_up == "openai:a\nopenai:b\nopenai:c");
  });
}

TEST_CASE("a change of a run that fails changes nothing, and no run is changed that is not there") {
  InEveryStore([](World& world) {
    REQUIRE(world.store().BeginRun(MakeRun("r1")).has_value());
    const auto failed = world.store().ChangeRun("r1", [](RunRecord& now) -> Status {
      now.given_up = "openai:a";
      return Error{ErrorCode::kInvalidInput, "no"};
    });
    CHECK(failed.error().message == "no");
    CHECK(world.store().FindRun("r1")->given_up.empty());
    const auto none = world.store().ChangeRun("r", [](RunRecord&) { return Ok(); });
    CHECK(none.error().code == ErrorCode::kNotFound);
  });
}

TEST_CASE("a run is found by its id, by what begins it alone, and as the latest") {
  InEveryStore([](World& world) {
    CHECK(world.store().FindRun("latest").error().message.find("has no runs yet") != std::string::npos);
    for (const char* id : {"ab", "abc", "x_"}) REQUIRE(world.store().BeginRun(MakeRun(id)).has_value());
    RunRecord first = MakeRun("ab");
    first.finished_ms = first.context.started_ms + 1;
    world.Read([](Store& store) { CHECK(store.FindRun("latest")->context.run_id == "x_"); });
    REQUIRE(world.store().UpdateRun(first).has_value());
    world.Read([](Store& store) {
      CHECK(store.FindRun("latest")->context.run_id == "ab");
      CHECK(store.FindRun("ab")->context.run_id == "ab");
      CHECK(store.FindRun("abc")->context.run_id == "abc");
      CHECK(store.FindRun("x")->context.run_id == "x_");
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
    begin("of-another-plan", "other", "s");
    begin("of-another-spec", "plan", "t");
    begin("of-no-spec", "plan", "");
    RunRecord done = begin("done", "plan", "s");
    done.state = RunState::kFinished;
    REQUIRE(world.store().UpdateRun(done).has_value());
    begin("b", "plan", "s");
    world.Read([](Store& store) {
      std::string found;
      const std::vector<RunRecord> unfinished = store.Unfinished(Sha256Of("plan"), "s").value();
      for (const RunRecord& run : unfinished) found += run.context.run_id + ";";
      CHECK(found == "b;a;");
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
      const auto check_answer = [&next](const CellResult& cell, std::span<Exchange> exchanges) {
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
      const auto count = [&](const CellResult&, std::span<Exchange> exchanges) {
        CHECK(TextOf(exchanges.front()) == "verdict");
        exchanges_seen += exchanges.size();
        return Ok();
      };
      REQUIRE(store.VisitAnswered("r1", RunPart::kRun, kEveryCell, nullptr, count).has_value());
      CHECK(exchanges_seen == 300);
    });
  });
}

TEST_CASE("cells that share an exchange each get it, in the order of their links") {
  InEveryStore([](World& world) {
    constexpr std::size_t kLong = 5u << 20;  // two are more than wait for other cells
    TestSitting sitting = world.Begin("r1");
    const auto kept = sitting.Keep({Answered("a", std::string(kLong, 'a'), 0),
                                    Answered("b", std::string(kLong, 'b'), 0), Answered("c", "c", 0)});
    const ExchangeId a = kept[0].id;
    const ExchangeId b = kept[1].id;
    const ExchangeId c = kept[2].id;
    const std::vector<std::vector<ExchangeId>> named = {{a, c, a}, {b}, {c}, {a}, {}, {c, b, a}, {b, b}};
    std::vector<CellResult> cells;
    for (CellIndex i = 0; i < named.size(); ++i) cells.push_back(GradedCell(i, named[i]));
    sitting.Grade(cells);
    world.Read([&named](Store& store) {
      std::vector<std::vector<ExchangeId>> seen;
      const auto see = [&seen](const CellResult&, std::span<Exchange> exchanges) {
        std::vector<ExchangeId>& ids = seen.emplace_back();
        for (const Exchange& each : exchanges) {
          ids.push_back(each.id);
          CHECK_FALSE(TextOf(each).empty());
        }
        return Ok();
      };
      REQUIRE(store.VisitAnswered("r1", RunPart::kRun, kEveryCell, nullptr, see).has_value());
      CHECK(seen == named);
    });
  });
}

// Of a store of a megabyte, one cell took four gigabytes.
TEST_CASE("a cell that names a long answer too often is damaged") {
  InEveryStore([](World& world) {
    TestSitting sitting = world.Begin("r1");
    const ExchangeId id = sitting.Keep({Answered("a", std::string(2u << 20, 'a'), 0)}).front().id;
    sitting.Grade(
        {GradedCell(0, std::vector<ExchangeId>(60, id)), GradedCell(1, std::vector<ExchangeId>(70, id))});
    world.Read([](Store& store) {
      const auto none = [](const CellResult&, std::span<Exchange>) { return Ok(); };
      CHECK(store.VisitAnswered("r1", RunPart::kRun, {0, 1}, nullptr, none).has_value());
      const Status visited = store.VisitAnswered("r1", RunPart::kRun, kEveryCell, nullptr, none);
      REQUIRE_FALSE(visited.has_value());
      CHECK(visited.error().code == ErrorCode::kCorrupt);
    });
  });
}

TEST_CASE("exchanges are read up to a number of bytes, and at least one") {
  InEveryStore([](World& world) {
    const auto kept =
        world.Begin("r1").Keep({Answered("a", std::string(100, 'a'), 0),
                                Answered("b", std::string(100, 'b'), 0), Answered("c", "c", 0)});
    const std::vector<ExchangeId> ids = {kept[0].id, kept[1].id, kept[2].id};
    world.Read([&ids](Store& store) {
      CHECK(store.GetSome(ids, 1).value().size() == 1);
      CHECK(store.GetSome(ids, 200).value().size() == 1);  // a reply is a few bytes longer than its text
      CHECK(store.GetSome(ids, 300).value().size() == 2);
      CHECK(store.GetSome(ids, 10'000).value().size() == 3);
      CHECK(store.GetSome(ids, 10'000).value()[2].exchange.id == ids[2]);
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
          const auto check = [&](const CellResult& cell, std::span<Exchange> exchanges) {
            CHECK(cell.cell == seen++);
            CHECK(cell.scores == "s" + std::to_string(cell.cell));
            REQUIRE(exchanges.size() == 1);
            CHECK(TextOf(exchanges[0]) == "answer " + std::to_string(cell.cell));
            exchanges[0] = Exchange();  // whoever is visited may keep it
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

TEST_CASE("keywords of a connection are no location, and nothing of them is shown") {
  for (const char* text :
       {"host=/tmp dbname=runs password=geheim-4711", "password=geheim-4711", "dbname = runs",
        "  host = db.example password='geheim 4711'", "application_name=x password=geheim-4711",
        "USER=me PASSWORD=geheim-4711", "postgresql:u:geheim-4711@h", "postgresql:/u:geheim-4711@h/d",
        "Postgres//u:geheim-4711@h/d", " postgresql:/u:geheim-4711@h/d", "'postgres:u:geheim-4711@h'",
        "postgresql+psycopg2:/u:geheim-4711@h/d", "\"host=h password=geheim-4711\"",
        "Server=h;User Id=u;Password=geheim-4711", "pgsql:host=h;password=geheim-4711"}) {
    CAPTURE(text);
    CHECK(IsKeywordString(text));
    CHECK(ShownLocation(text).find("geheim") == std::string::npos);
    CHECK(ShownLocation(text).find("4711") == std::string::npos);
    REQUIRE_FALSE(CheckLocation(text));
    CHECK(CheckLocation(text).error().message.find("postgresql://") != std::string::npos);
    CHECK(CheckLocation(text).error().message.find("4711") == std::string::npos);
  }
  for (const char* path :
       {"store.db", ".assay/store.db", "a=b.db", "my store.db", "runs of host.db", "", " ",
        "postgresql://h/d?password=x", "postgresql://u@h/d", "./host=x", "host", "=", "a="}) {
    CAPTURE(path);
    CHECK_FALSE(IsKeywordString(path));
    CHECK(CheckLocation(path));
  }
}

TEST_CASE("whatever contains :// is an address, and is shown without its password") {
  for (const char* text :
       {"postgresql+psycopg2://u:geheim-4711@h/d", " postgresql://u:geheim-4711@h/d",
        "\tpostgres://u:geheim-4711@h/d", "\"postgresql://u:geheim-4711@h/d\"",
        "'postgresql://u:geheim-4711@h/d'", "`postgres://u:geheim-4711@h/d", "POSTGRESQL://u:geheim-4711@h/d",
        "jdbc:postgresql://h/d?user=u&password=geheim-4711", "jdbc:sqlserver://h;user=u;pwd=geheim-4711",
        "mysql://u:geheim-4711@h/d", "://u:geheim-4711@h/d", "u:geheim-4711@x://h", "sqlite:///geheim-4711",
        "\u00a0postgresql://u:geheim-4711@h/d", "file://geheim-4711"}) {
    CAPTURE(text);
    CHECK(IsServer(text));
    CHECK(ShownLocation(text).find("4711") == std::string::npos);
    REQUIRE_FALSE(CheckLocation(text));
    CHECK(CheckLocation(text).error().message.find("4711") == std::string::npos);
    CHECK_FALSE(OpenStore({.path = text}));
  }
  CHECK(ShownLocation("postgresql+psycopg2://u:pw@h/d") == "postgresql+psycopg2://…");
  for (const char* shown : {"postgresql://u%3Ageheim@h/d", "postgresql://u@h/d?sslmode=x;password=geheim"})
    CHECK_MESSAGE(ShownLocation(shown).find("geheim") == std::string::npos, shown);
  CHECK(ShownLocation("postgresql://u@h/d?passfile=/a/b&host=/c%20d") ==
        "postgresql://u@h/d?passfile=/a/b&host=/c%20d");
}

}  // namespace assay
