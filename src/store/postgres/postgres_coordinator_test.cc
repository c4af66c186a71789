// Tests of seats, ranges and claims in a PostgreSQL store, and of how cells are cut into ranges.
#include <doctest/doctest.h>

#include <functional>
#include <thread>

#include "store/coordinator.h"
#include "store/postgres/client/pg.h"
#include "store/postgres/hold_runs.h"
#include "store/postgres/pg_schema.h"
#include "store/server_tables.h"
#include "tests/support/postgres_server.h"
#include "tests/support/test_store.h"

namespace assay {

namespace {

using testing::Answered;
using testing::MakeRun;
using testing::PostgresServer;

// A process: a store to commit through, and a seat over a connection of its own.
struct SeatProcess {
  explicit SeatProcess(const std::string& url)
      : store(OpenStore({.path = url}).value()),
        own(OpenStore({.path = url}).value()),
        coordinator(CoordinatorOf(*own)) {}

  Result<SeatId> Sit(std::optional<std::int64_t> shard, std::uint64_t cells = 100,
                     const SharedBudgetLimits& budget = {}) {
    Result<SeatId> seat = coordinator->Sit({.run_id = run,
                                            .shard = shard,
                                            .shards = 2,
                                            .cells = cells,
                                            .cells_per_case = 10,
                                            .host = "h",
                                            .process = process,
                                            .task = task,
                                            .budget = budget});
    if (seat) claims = CallClaimsOf(*store, *seat);
    return seat;
  }

  std::string run = "r";
  std::int64_t process = 7;
  std::string task;
  std::unique_ptr<Store> store;
  std::unique_ptr<Store> own;
  std::unique_ptr<Coordinator> coordinator;
  std::unique_ptr<CallClaims> claims;
};

struct SeatWorld {
  explicit SeatWorld(PostgresServer& postgres) : server(postgres), url(postgres.NewDatabase()) {
    REQUIRE(OpenStore({.path = url}).value()->BeginRun(MakeRun("r")).has_value());
  }
  // As if nobody had heard of any seat for so long.
  void Sleep(int seconds) const {
    REQUIRE(server.Execute(
        url, "UPDATE seat SET beat_at = beat_at - interval '" + std::to_string(seconds) + " s'"));
  }
  PostgresServer& server;
  std::string url;
};

void InWorld(const std::function<void(SeatWorld&)>& test) {
  if (PostgresServer* server = PostgresServer::Get()) {
    SeatWorld world(*server);
    test(world);
  }
}

std::string Numbers(const Result<RangesClaimed>& claimed) {
  REQUIRE(claimed.has_value());
  std::string numbers = claimed->is_end ? "end" : "";
  for (const SeatRange& range : claimed->ranges) numbers += std::to_string(range.number) + ";";
  return numbers;
}

const Digest kKeys[] = {Sha256Of("a"), Sha256Of("b"), Sha256Of("c")};

}  // namespace

TEST_CASE("ranges cover all cells once, and end where cases end") {
  for (const std::uint64_t cells : {0, 1, 15, 16, 17, 1'000, 30'000, 1'000'000}) {
    for (const std::uint64_t per_case : {1, 3, 10, 100, 5'000}) {
      for (const std::int64_t shards : {1, 3, 64}) {
        std::uint64_t next = 0;
        for (const SeatRange& range : RangesOf(cells, per_case, shards)) {
          CHECK(range.cells.first == next);
          CHECK(range.cells.size() <= kRangeMax);
          const bool fits = per_case <= 16;
          if (fits && range.cells.last != cells) CHECK(range.cells.last % per_case == 0);
          next = range.cells.last;
        }
        CHECK(next == cells);
        // A run that may end early has ranges as small as its looks.
        for (const SeatRange& range : RangesOf(cells, per_case, shards, 20)) CHECK(range.cells.size() <= 20);
      }
    }
  }
}

TEST_CASE("a seat may ask for the ranges that begin before a cell alone") {
  InWorld([](SeatWorld& world) {
    SeatProcess one(world.url);
    SeatProcess two(world.url);
    REQUIRE(one.Sit(1).has_value());
    REQUIRE(two.Sit(2).has_value());
    const CellIndex second = RangesOf(100, 10, 2).front().cells.last;
    CHECK(Numbers(one.coordinator->ClaimRanges({.most = 3, .below = second})) == "0;");
    CHECK(Numbers(one.coordinator->ClaimRanges({.most = 3, .below = second})).empty());
    CHECK(Numbers(two.coordinator->ClaimRanges({.most = 3, .below = second + 1})) == "1;");
  });
}

TEST_CASE("ranges are held by one seat each, and come to an end") {
  InWorld([](SeatWorld& world) {
    SeatProcess one(world.url);
    SeatProcess two(world.url);
    REQUIRE(one.Sit(1).has_value());
    REQUIRE(two.Sit(2).has_value());
    CHECK(Numbers(one.coordinator->ClaimRanges({3})) == "0;1;2;");
    CHECK(Numbers(two.coordinator->ClaimRanges({100})) == "3;4;5;6;7;8;9;");
    CHECK(Numbers(two.coordinator->ClaimRanges({1})).empty());  // the other one may die
    const RunWork work = WorkOnRun(*one.store, "r").value();
    CHECK(work.living.size() == 2);
    CHECK(work.ranges.held == 10);
    CHECK(SeatsText(work).find("shard 2 on h (process 7)") != std::string::npos);
    for (std::int64_t number : {0, 1, 2}) REQUIRE(one.coordinator->FinishRanges(std::span(&number, 1)));
    const auto finished = two.coordinator->FinishedRanges({15, 60}).value();
    REQUIRE(finished.size() == 2);
    CHECK(finished.front().first == 10);
    CHECK(finished.back().last == 30);
    CHECK(two.coordinator->FinishedRanges({30, 100}).value().empty());
    CHECK(Numbers(two.coordinator->ClaimRanges({1})) == "end");
    REQUIRE(two.coordinator->Leave().has_value());
    CHECK(Numbers(one.coordinator->ClaimRanges({100})) == "3;4;5;6;7;8;9;");
  });
}

TEST_CASE("a run is worked on while one of its seats is heard of, on whatever machine") {
  InWorld([](SeatWorld& world) {
    SeatProcess one(world.url);
    const auto at_work = [&world, &one] { return RunsAtWork(*one.store, world.url).value(); };
    CHECK(at_work().empty());
    REQUIRE(one.Sit(1).has_value());
    CHECK(at_work() == std::vector<std::string>{"r"});
    world.Sleep(61);
    CHECK(at_work().empty());
    CHECK(one.coordinator->Beat({})->lives);
    CHECK(at_work().size() == 1);
    REQUIRE(one.coordinator->Leave().has_value());
    CHECK(at_work().empty());
  });
}

TEST_CASE("pruning spares a run that is worked on, with the cells that it has of another one") {
  // Runs were removed under the hands of who worked on them, whose claims stayed for good.
  InWorld([](SeatWorld& world) {
    constexpr std::int64_t kBefore = 1'800'000'000'000;  // later than all of it
    SeatProcess one(world.url);
    RunRecord heir = MakeRun("heir");
    heir.cells_of = 1;
    REQUIRE(one.store->BeginRun(heir).has_value());
    const SittingId sitting = one.store->BeginSitting("r", RunPart::kRun, 1, "t").value();
    const std::vector<CellResult> cells{{.cell = 0, .scores = "s", .steps = {}}};
    REQUIRE(one.store->Commit(sitting, 1, {.cells = cells}));
    const auto pruned = [&] {
      const PruneSummary summary = one.store->Prune(kBefore).value();
      std::string text;
      for (const std::string& run : summary.runs) text += run + ";";
      for (const std::string& run : summary.at_work) text += run + " is at work;";
      return text;
    };
    REQUIRE(one.Sit(1).has_value());
    CHECK(one.claims->Claim(kKeys, 0).value() == std::vector<bool>{true, true, true});
    CHECK(pruned() == "heir;r is at work;");
    CHECK(one.coordinator->Beat({})->lives);
    CHECK(one.store->FindRun("r").has_value());
    world.Sleep(61);
    CHECK(pruned() == "r;");
    for (const char* table : {"run", "cell", "score", "seat", "sitting", "range", "claim"}) {
      INFO(table);
      REQUIRE(
          world.server.Execute(world.url, std::string("SELECT 1 / (1 - least(1, count(*))) FROM ") + table));
    }
  });
}

TEST_CASE("a run that is worked on is the heir of one that goes") {
  InWorld([](SeatWorld& world) {
    SeatProcess one(world.url);
    RunRecord first = MakeRun("first");
    REQUIRE(one.store->BeginRun(first).has_value());
    const SittingId sitting = one.store->BeginSitting("first", RunPart::kRun, 1, "t").value();
    const std::vector<CellResult> cells{{.cell = 0, .scores = "s", .steps = {}}};
    REQUIRE(one.store->Commit(sitting, 1, {.cells = cells}));
    REQUIRE(world.server.Execute(
        world.url, "UPDATE run SET cells_of = (SELECT number FROM run WHERE id = 'first') WHERE id = 'r'"));
    REQUIRE(one.Sit(1).has_value());
    CHECK(one.store->Prune(1'800'000'000'000)->runs == std::vector<std::string>{"first"});
    CHECK(one.store->FindRun("r")->cells_of == 0);
    std::size_t found = 0;
    const auto count = [&found](const CellResult&) { return ++found, Ok(); };
    REQUIRE(one.store->VisitCells("r", RunPart::kRun, kEveryCell, count).has_value());
    CHECK(found == 1);
  });
}

TEST_CASE("what a dead seat held is free, and it learns so when it wakes") {
  InWorld([](SeatWorld& world) {
    SeatProcess one(world.url);
    SeatProcess two(world.url);
    REQUIRE(one.Sit(1).has_value());
    const SittingId sitting = one.store->BeginSitting("r", RunPart::kRun, 1, "t").value();
    CHECK(Numbers(one.coordinator->ClaimRanges({2})) == "0;1;");
    CHECK(one.claims->Claim(kKeys, 0).value() == std::vector<bool>{true, true, true});
    world.Sleep(50);
    REQUIRE(two.Sit(2).has_value());
    CHECK(two.claims->Claim(kKeys, 0).value() == std::vector<bool>{false, false, false});
    world.Sleep(20);
    CHECK(two.coordinator->Beat({})->lives);  // nobody was there to take what it held
    CHECK(Numbers(two.coordinator->ClaimRanges({2})) == "0;1;");
    CHECK(two.claims->Claim(kKeys, 0).value() == std::vector<bool>{true, true, true});
    CHECK(!one.coordinator->Beat({})->lives);
    // What it was paid for is kept; its cells are another's.
    const std::vector<CellResult> cells{{.cell = 0, .scores = "s", .steps = {}}};
    const auto late =
        one.store->Commit(sitting, 1, {.exchanges = {Answered("late", "answer", 0)}, .cells = cells});
    REQUIRE(!late.has_value());
    CHECK(late.error().code == ErrorCode::kRefused);
    const Digest key = Sha256Of("late");
    CHECK(one.store->Find(std::span(&key, 1), {0, 0})->front().has_value());
    CHECK(one.store->ChangesSince("r", 0)->changed.empty());
    CHECK(Numbers(one.coordinator->ClaimRanges({2})).empty());
  });
}

TEST_CASE("a shard that registers again displaces itself") {
  InWorld([](SeatWorld& world) {
    SeatProcess one(world.url);
    SeatProcess again(world.url);
    REQUIRE(one.Sit(1).has_value());
    CHECK(Numbers(one.coordinator->ClaimRanges({2})) == "0;1;");
    REQUIRE(again.Sit(1).has_value());
    CHECK(!one.coordinator->Beat({})->lives);
    CHECK(Numbers(again.coordinator->ClaimRanges({2})) == "0;1;");
  });
}

TEST_CASE("a run by itself and shards do not sit beside each other") {
  InWorld([](SeatWorld& world) {
    SeatProcess one(world.url);
    SeatProcess two(world.url);
    REQUIRE(one.Sit(std::nullopt).has_value());
    for (const std::optional<std::int64_t> shard :
         {std::optional<std::int64_t>(1), std::optional<std::int64_t>()}) {
      const auto refused = two.Sit(shard);
      REQUIRE(!refused.has_value());
      CHECK(refused.error().code == ErrorCode::kRefused);
      CHECK(refused.error().message.find("on h (process 7)") != std::string::npos);
    }
    REQUIRE(one.coordinator->Leave().has_value());
    REQUIRE(two.Sit(1).has_value());
    CHECK(!one.Sit(std::nullopt).has_value());
  });
}

TEST_CASE("runs are held by one at a time, and whoever waits for them has no transaction open") {
  InWorld([](SeatWorld& world) {
    SeatProcess one(world.url);
    SeatProcess two(world.url);
    std::unique_ptr<RunsHeld> held = HoldRuns(*one.store).value();
    std::jthread other([&] { CHECK(HoldRuns(*two.store).value() != nullptr); });
    const auto onlooker = PgDatabase::Open(ParsePgUrl(world.url).value()).value();
    // Its tries come and go; between two of them it is idle.
    for (bool has_tried = false; !has_tried;) {
      PgStatement select = onlooker
                               ->Prepare(
                                   "SELECT count(*) FILTER (WHERE state = 'idle' AND query = 'ROLLBACK') "
                                   "FROM pg_stat_activity WHERE datname = current_database()")
                               .value();
      REQUIRE(select.Step().value());
      has_tried = select.Int(0) > 0;
    }
    held.reset();
  });
}

TEST_CASE("whoever waits for the store's runs waits no longer than it says") {
  // A server that said forever that somebody else has them was waited for without end.
  InWorld([](SeatWorld& world) {
    SeatProcess one(world.url);
    SeatProcess two(world.url);
    const std::unique_ptr<RunsHeld> held = HoldRuns(*one.store).value();
    const auto refused = HoldRunsWithin(*two.store, std::chrono::milliseconds(300));
    REQUIRE(!refused.has_value());
    CHECK(refused.error().code == ErrorCode::kTimeout);
    CHECK(refused.error().message.find("other commands choose their runs") != std::string::npos);
  });
}

TEST_CASE("a call is one seat's until it is answered, or freed") {
  InWorld([](SeatWorld& world) {
    SeatProcess one(world.url);
    SeatProcess two(world.url);
    REQUIRE(one.Sit(1).has_value());
    REQUIRE(two.Sit(2).has_value());
    const SittingId sitting = one.store->BeginSitting("r", RunPart::kRun, 1, "t").value();
    CHECK(one.claims->Claim(std::span(kKeys, 2), 0).value() == std::vector<bool>{true, true});
    CHECK(two.claims->Claim(kKeys, 0).value() == std::vector<bool>{false, false, true});
    CHECK(two.claims->Claim(std::span(kKeys, 1), 1).value() == std::vector<bool>{true});
    REQUIRE(one.store->Commit(sitting, 1, {.exchanges = {Answered("a", "answer", 0)}}).has_value());
    REQUIRE(two.claims->Free(std::span(kKeys, 2), 0).has_value());  // not its own
    CHECK(two.claims->Claim(kKeys, 0).value() == std::vector<bool>{true, false, true});
    REQUIRE(one.claims->Free(std::span(kKeys, 2), 0).has_value());
    CHECK(two.claims->Claim(kKeys, 0).value() == std::vector<bool>{true, true, true});
  });
}

TEST_CASE("a claim of a process of another run that was killed is free after a minute, and nobody's before") {
  // Calls that several runs need were never asked again by any of them.
  InWorld([](SeatWorld& world) {
    SeatProcess killed(world.url);
    SeatProcess other(world.url);
    REQUIRE(other.store->BeginRun(MakeRun("other")).has_value());
    other.run = "other";
    for (const std::optional<std::int64_t> shard :
         {std::optional<std::int64_t>(), std::optional<std::int64_t>(2)}) {
      REQUIRE(killed.Sit(shard).has_value());
      REQUIRE(other.Sit(shard).has_value());
      REQUIRE(killed.claims->Claim(kKeys, 0).value() == std::vector<bool>{true, true, true});
      world.Sleep(50);
      REQUIRE(other.coordinator->Beat({})->lives);
      CHECK(other.claims->Claim(kKeys, 0).value() == std::vector<bool>{false, false, false});
      const auto holders = other.claims->HoldersOf(kKeys, 0).value();
      REQUIRE(holders.size() == 1);
      const std::string text = HoldersText(holders);
      CHECK(text.starts_with(shard ? "3 by shard 2 of run r on h (process 7), heard of 5"
                                   : "3 by run r on h (process 7), heard of 5"));
      world.Sleep(11);
      REQUIRE(other.coordinator->Beat({})->lives);
      CHECK(other.claims->Claim(kKeys, 0).value() == std::vector<bool>{true, true, true});
      // It only slept: its run is as it was, and what it claims again is another's now.
      CHECK(killed.coordinator->Beat({})->lives);
      CHECK(killed.claims->Claim(kKeys, 0).value() == std::vector<bool>{false, false, false});
      REQUIRE(killed.claims->Free(kKeys, 0).has_value());
      CHECK(killed.claims->Claim(kKeys, 0).value() == std::vector<bool>{false, false, false});
      REQUIRE(other.coordinator->Leave().has_value());
      REQUIRE(killed.coordinator->Leave().has_value());
    }
  });
}

TEST_CASE("claims of a restored dump are free, whatever the clocks of both servers say, and go away") {
  InWorld([](SeatWorld& world) {
    SeatProcess gone(world.url);
    SeatProcess other(world.url);
    REQUIRE(other.store->BeginRun(MakeRun("other")).has_value());
    other.run = "other";
    for (const int seconds : {3'600, -3'600}) {
      CAPTURE(seconds);
      REQUIRE(gone.Sit(std::nullopt).has_value());
      REQUIRE(gone.claims->Claim(kKeys, 0).value() == std::vector<bool>{true, true, true});
      world.Sleep(seconds);
      REQUIRE(other.Sit(std::nullopt).has_value());
      CHECK(other.claims->HoldersOf(kKeys, 0)->empty());
      CHECK(other.claims->Claim(kKeys, 0).value() == std::vector<bool>{true, true, true});
      REQUIRE(other.coordinator->Leave().has_value());
      REQUIRE(gone.coordinator->Leave().has_value());
    }
  });
}

TEST_CASE("who sits learns how many there are, and whether those before it have made room") {
  InWorld([](SeatWorld& world) {
    SeatProcess one(world.url);
    SeatProcess two(world.url);
    REQUIRE(one.Sit(1).has_value());
    const Standing alone = one.coordinator->Beat({}).value();
    CHECK(alone.living == 1);
    CHECK(alone.rank == 0);
    CHECK(alone.is_known);
    const Result<SeatId> newcomer = two.Sit(2);
    REQUIRE(newcomer.has_value());
    CHECK(alone.newest < *newcomer);
    const Standing before = two.coordinator->Beat({}).value();
    CHECK(before.living == 2);
    CHECK(before.rank == 1);
    CHECK(!before.is_known);
    const BrokenModel broken{.key = "openai:x https://h", .model = "openai:x", .message = "wrong\tkey\n"};
    const Standing first =
        one.coordinator->Beat({.cells_failed = 3, .cost_nano_usd = 5, .broken = {broken}}).value();
    CHECK(first.living == 2);
    CHECK(first.rank == 0);
    CHECK(first.is_known);
    CHECK(first.newest == *newcomer);
    // To have heard of it is not enough: what is under way has to leave room.
    CHECK(!two.coordinator->Beat({}).value().is_known);
    REQUIRE(
        one.coordinator->Beat({.cells_failed = 3, .broken = {broken}, .room_for = *newcomer}).has_value());
    const Standing after = two.coordinator->Beat({.cells_failed = 4}).value();
    CHECK(after.is_known);
    CHECK(after.failed_elsewhere == 3);
    REQUIRE(after.broken.size() == 1);
    CHECK(after.broken[0] == BrokenModel{.key = broken.key, .model = broken.model, .message = "wrong key "});
    REQUIRE(one.coordinator->Leave().has_value());
    const Standing left = two.coordinator->Beat({}).value();
    CHECK(left.living == 1);
    CHECK(left.rank == 0);
    CHECK(left.failed_elsewhere == 3);
    CHECK(WorkOnRun(*one.store, "r")->living.size() == 1);
  });
}

TEST_CASE("a limit a minute is drawn in blocks one after the other, and a pause holds for all") {
  InWorld([](SeatWorld& world) {
    SeatProcess one(world.url);
    SeatProcess two(world.url);
    REQUIRE(one.Sit(1).has_value());
    REQUIRE(two.Sit(2).has_value());
    const RateWish wish{.name = "openai requests", .per_minute = 620, .units = 1};
    const RateBlock first = one.coordinator->Draw(wish).value();
    CHECK(first.units == 5);  // half a second's
    CHECK(first.starts_in.count() < 100'000);
    CHECK(first.every == std::chrono::milliseconds(100));
    const RateBlock second = two.coordinator->Draw(wish).value();
    CHECK(second.units == 5);
    CHECK(second.starts_in.count() > 300'000);
    const RateBlock third = one.coordinator->Draw(wish).value();  // too far ahead
    CHECK(third.units == 0);
    CHECK(third.starts_in.count() > 300'000);
    RateWish other = wish;
    other.name = "openai tokens";
    CHECK(one.coordinator->Draw(other)->units == 5);
    RateWish pause = wish;
    pause.units = 0;
    pause.returned = 5;
    pause.pause = std::chrono::seconds(30);
    REQUIRE(two.coordinator->Draw(pause).has_value());
    const RateBlock late = one.coordinator->Draw(wish).value();
    CHECK(late.units == 0);
    CHECK(late.starts_in > std::chrono::seconds(29));
  });
}

TEST_CASE("a budget is drawn in parts and goes on with those who come later; a dead seat's part is spent") {
  InWorld([](SeatWorld& world) {
    const SharedBudgetLimits budget{.nano_usd = {}, .tokens = 1'000};
    SeatProcess one(world.url);
    SeatProcess two(world.url);
    SeatProcess three(world.url);
    REQUIRE(one.Sit(1, 100, budget).has_value());
    const auto refused = two.Sit(2, 100, {.nano_usd = 2'000'000'000, .tokens = 1'000});
    REQUIRE(!refused.has_value());
    CHECK(refused.error().message ==
          "run r is worked on with a budget of 1000 tokens, and this shard was given a budget of $2 and 1000 "
          "tokens");
    REQUIRE(two.Sit(2, 100, budget).has_value());
    const BudgetDraw first = one.coordinator->Draw(BudgetWish{.held = {}, .needed = {.tokens = 10}}).value();
    CHECK(first.taken.tokens == 125);
    CHECK(first.left.tokens == 875);
    CHECK(!first.others_hold);
    const BudgetDraw second =
        two.coordinator->Draw(BudgetWish{.held = {}, .needed = {.tokens = 700}}).value();
    CHECK(second.taken.tokens == 700);
    CHECK(second.others_hold);
    // What one does not need any more another one may take.
    const BudgetWish small{.held = {.tokens = 20}, .needed = {.tokens = 300}};
    CHECK(one.coordinator->Draw(small)->taken.tokens == 20);
    const BudgetDraw third =
        two.coordinator->Draw(BudgetWish{.held = {.tokens = 700}, .needed = {.tokens = 280}}).value();
    CHECK(third.taken.tokens == 980);
    CHECK(third.left.tokens == 0);
    CHECK(!third.others_hold);
    world.Sleep(61);
    // All are dead; the same budget goes on, another one is a new one.
    REQUIRE(three.Sit(3, 100, budget).has_value());
    CHECK(three.coordinator->Draw(BudgetWish{.held = {}, .needed = {.tokens = 1}})->taken.tokens == 0);
    REQUIRE(three.coordinator->Leave().has_value());
    REQUIRE(three.Sit(3, 100, {.nano_usd = {}, .tokens = 2'000}).has_value());
    CHECK(three.coordinator->Draw(BudgetWish{.held = {}, .needed = {.tokens = 1}})->taken.tokens == 500);
  });
}

TEST_CASE("whoever lost the seat claims nothing, and claims are written again after a lost connection") {
  InWorld([](SeatWorld& world) {
    SeatProcess one(world.url);
    SeatProcess two(world.url);
    REQUIRE(one.Sit(1).has_value());
    CHECK(one.claims->Claim(std::span(kKeys, 2), 0).value() == std::vector<bool>{true, true});
    REQUIRE(world.server.Execute(world.url, "TRUNCATE claim"));  // as after a crash
    REQUIRE(world.server.Execute(world.url,
                                 "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> "
                                 "pg_backend_pid() AND application_name = 'assay'"));
    CHECK(!one.store->Find(std::span(kKeys, 1), {0, 0})->front());
    REQUIRE(two.Sit(2).has_value());
    CHECK(two.claims->Claim(kKeys, 0).value() == std::vector<bool>{false, false, true});
    REQUIRE(two.Sit(1).has_value());  // displaces the first
    CHECK(one.claims->Claim(kKeys, 0).value() == std::vector<bool>{false, false, false});
  });
}

TEST_CASE("a beat waits for a commit of its process, and the commit never for the beat") {
  InWorld([](SeatWorld& world) {
    SeatProcess one(world.url);
    REQUIRE(one.Sit(1).has_value());
    REQUIRE(one.store->BeginSitting("r", RunPart::kRun, 1, "t").has_value());
    const PgAddress address = ParsePgUrl(world.url).value();
    const auto commit = PgDatabase::Open(address).value();
    const auto onlooker = PgDatabase::Open(address).value();
    // As a commit does: first its sitting, then its seat.
    REQUIRE(commit->Execute("BEGIN; SELECT 1 FROM sitting FOR UPDATE").has_value());
    bool lives = false;
    std::jthread beat([&] { lives = one.coordinator->Beat({})->lives; });
    const auto waits = [&onlooker] {
      PgStatement select =
          onlooker->Prepare("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'").value();
      REQUIRE(select.Step().value());
      return select.Int(0) > 0;
    };
    while (!waits()) std::this_thread::yield();
    CHECK(commit->Execute("SELECT 1 FROM seat FOR SHARE NOWAIT").has_value());
    CHECK(commit->Execute("COMMIT").has_value());
    beat.join();
    CHECK(lives);
  });
}

TEST_CASE("older tables are upgraded, but not while somebody works with them") {
  InWorld([](SeatWorld& world) {
    REQUIRE(world.server.Execute(
        world.url,
        testing::kBackToOldest +
            std::string("INSERT INTO sitting(run, part, started_ms, last_ms, commits, requests_sent, "
                        "version) VALUES(1, 1, 0, 0, 0, 0, 'old')")));
    const Status refused = UpgradeServer(world.url);
    REQUIRE(!refused.has_value());
    CHECK(refused.error().code == ErrorCode::kTimeout);
    CHECK(refused.error().message.find("still works on it (1 sittings)") != std::string::npos);
    CHECK(OpenStore({.path = world.url, .read_only = true}).has_value());
    REQUIRE(world.server.Execute(world.url, "UPDATE sitting SET beat_at = beat_at - interval '61 s'"));
    REQUIRE(UpgradeServer(world.url).has_value());
    SeatProcess one(world.url);
    REQUIRE(one.Sit(1).has_value());
    CHECK(one.coordinator->Beat({})->lives);
  });
}

TEST_CASE("who lost a seat to a twin counts until it leaves, or is not heard of; a gone one counts no more") {
  InWorld([](SeatWorld& world) {
    SeatProcess other(world.url);
    REQUIRE(other.Sit(2).has_value());
    SeatProcess displaced(world.url);
    displaced.process = 1;  // it is there
    REQUIRE(displaced.Sit(1).has_value());
    SeatProcess twin(world.url);
    const SeatId newest = twin.Sit(1).value();
    CHECK(!displaced.coordinator->Beat({}).value().lives);
    REQUIRE(other.coordinator->Beat({.room_for = newest}).has_value());
    const auto standing = [](SeatProcess& of) { return of.coordinator->Beat({}).value(); };
    CHECK(standing(twin).living == 3);
    CHECK(!standing(twin).is_known);
    SUBCASE("it leaves") {
      REQUIRE(displaced.coordinator->Leave().has_value());
      REQUIRE(other.coordinator->Beat({.room_for = newest}).has_value());
      CHECK(standing(twin).living == 2);
      CHECK(standing(twin).is_known);
    }
    SUBCASE("it is heard of for longer than a minute") {
      world.Sleep(50);
      CHECK(!displaced.coordinator->Beat({}).value().lives);
      REQUIRE(other.coordinator->Beat({.room_for = newest}).has_value());
      CHECK(standing(twin).living == 3);
      world.Sleep(50);
      REQUIRE(other.coordinator->Beat({.room_for = newest}).has_value());
      CHECK(!standing(twin).is_known);
    }
    SUBCASE("it is not heard of") {
      world.Sleep(50);
      REQUIRE(other.coordinator->Beat({.room_for = newest}).has_value());
      CHECK(!standing(twin).is_known);
      world.Sleep(20);
      REQUIRE(other.coordinator->Beat({.room_for = newest}).has_value());
      CHECK(standing(twin).is_known);
      CHECK(!displaced.coordinator->Beat({}).value().lives);
      CHECK(standing(twin).living == 2);
    }
  });
}

TEST_CASE("a twin need not wait for a process of its machine that is gone, nor for its own task") {
  InWorld([](SeatWorld& world) {
    for (const bool is_task : {false, true}) {
      SeatProcess before(world.url);
      if (!is_task) before.process = 0x3fffff;  // above all that a machine has
      if (is_task) before.process = 1, before.task = "12_1";
      REQUIRE(before.Sit(1).has_value());
      SeatProcess twin(world.url);
      twin.task = before.task;
      REQUIRE(twin.Sit(1).has_value());
      const Standing standing = twin.coordinator->Beat({}).value();
      CHECK(standing.living == 1);
      CHECK(standing.is_known);
      REQUIRE(twin.coordinator->Leave().has_value());
    }
  });
}

TEST_CASE("a seat learns when the first of the others is dead") {
  InWorld([](SeatWorld& world) {
    SeatProcess one(world.url);
    REQUIRE(one.Sit(1).has_value());
    CHECK(!one.coordinator->Beat({}).value().death_in);
    SeatProcess two(world.url);
    REQUIRE(two.Sit(2).has_value());
    world.Sleep(30);
    const auto death_in = one.coordinator->Beat({}).value().death_in;
    REQUIRE(death_in.has_value());
    CHECK(*death_in <= std::chrono::seconds(30));
    CHECK(*death_in > std::chrono::seconds(20));
  });
}

TEST_CASE("a server that stood still, or whose clock jumped, makes nobody dead who lives") {
  for (const int seconds : {90, 3'600, -90, -3'600, -86'400}) {
    CAPTURE(seconds);
    InWorld([seconds](SeatWorld& world) {
      SeatProcess dead(world.url);
      SeatProcess two(world.url);
      SeatProcess three(world.url);
      REQUIRE(dead.Sit(1).has_value());
      REQUIRE(two.Sit(2).has_value());
      REQUIRE(three.Sit(3).has_value());
      CHECK(Numbers(dead.coordinator->ClaimRanges({1})) == "0;");
      CHECK(Numbers(three.coordinator->ClaimRanges({100})) == "1;2;3;4;5;6;7;8;9;");
      world.Sleep(seconds);
      // The first to ask or to be heard of takes nothing that another one holds who is heard of soon.
      CHECK(Numbers(two.coordinator->ClaimRanges({1})).empty());
      const Standing first = two.coordinator->Beat({}).value();
      CHECK(first.lives);
      CHECK(!first.death_in);
      CHECK(Numbers(two.coordinator->ClaimRanges({1})).empty());
      // One that is about to be heard of lives even where the next beat of another one comes early.
      CHECK(two.coordinator->Beat({}).value().lives);
      CHECK(three.coordinator->Beat({}).value().lives);
      world.Sleep(20);
      // Those who are not are dead then, whatever the clock says.
      CHECK(two.coordinator->Beat({}).value().lives);
      CHECK(three.coordinator->Beat({}).value().lives);
      CHECK(!dead.coordinator->Beat({}).value().lives);
      CHECK(Numbers(two.coordinator->ClaimRanges({1})) == "0;");
    });
  }
}

TEST_CASE("a stranger's rows give no cells that are none, and no budget beyond the seat's own") {
  InWorld([](SeatWorld& world) {
    for (const char* row :
         {"first = -1", "last = 4611686018427387904", "last = 101", "first = last", "first = 5, last = 3"}) {
      CAPTURE(row);
      SeatProcess one(world.url);
      REQUIRE(one.Sit(1).has_value());
      REQUIRE(world.server.Execute(world.url, std::string("UPDATE range SET ") + row));
      const auto claimed = one.coordinator->ClaimRanges({100});
      REQUIRE(!claimed.has_value());
      CHECK(claimed.error().code == ErrorCode::kCorrupt);
      REQUIRE(one.coordinator->Leave().has_value());
      REQUIRE(world.server.Execute(world.url, "DELETE FROM range"));
    }
    const SharedBudgetLimits budget{.nano_usd = 1'000, .tokens = 1'000};
    SeatProcess one(world.url);
    SeatProcess stranger(world.url);
    REQUIRE(one.Sit(1, 100, budget).has_value());
    REQUIRE(stranger.Sit(2, 100, budget).has_value());
    const auto draw = [&one] {
      const BudgetWish wish{.held = {.nano_usd = 600, .tokens = 600},
                            .needed = {.nano_usd = 500, .tokens = 500}};
      return one.coordinator->Draw(wish).value().taken.tokens;
    };
    CHECK(draw() == 600);
    REQUIRE(world.server.Execute(world.url, "UPDATE terms SET nano_usd = NULL, tokens = 1000000000"));
    CHECK(draw() == 600);
    REQUIRE(stranger.coordinator->Draw(BudgetWish{.held = {}, .needed = {.nano_usd = 1, .tokens = 1}})
                .has_value());
    REQUIRE(world.server.Execute(
        world.url,
        "UPDATE tranche SET taken_nano_usd = -1000000, taken_tokens = -1000000 WHERE taken_tokens < 600"));
    CHECK(draw() == 600);
    // Too much to be subtracted.
    REQUIRE(world.server.Execute(world.url,
                                 "UPDATE tranche SET taken_nano_usd = 9223372036854775807, taken_tokens = "
                                 "9223372036854775807 WHERE taken_tokens < 600"));
    CHECK(draw() == 600);
  });
}

TEST_CASE(
    "whoever takes over a shard takes its ranges and claims, and neither finishes nor frees those of "
    "others") {
  InWorld([](SeatWorld& world) {
    SeatProcess one(world.url);
    SeatProcess two(world.url);
    SeatProcess stranger(world.url);
    REQUIRE(one.Sit(1).has_value());
    REQUIRE(two.Sit(2).has_value());
    const SittingId sitting = one.store->BeginSitting("r", RunPart::kRun, 1, "t").value();
    CHECK(Numbers(one.coordinator->ClaimRanges({2})) == "0;1;");
    CHECK(Numbers(two.coordinator->ClaimRanges({1})) == "2;");
    CHECK(one.claims->Claim(std::span(kKeys, 1), 0).value() == std::vector<bool>{true});
    CHECK(two.claims->Claim(std::span(kKeys + 1, 1), 0).value() == std::vector<bool>{true});
    REQUIRE(stranger.Sit(1).has_value());
    CHECK(Numbers(stranger.coordinator->ClaimRanges({2})) == "0;1;");
    // Of the other shard's nothing is its own.
    const std::int64_t others = 2;
    REQUIRE(stranger.coordinator->FinishRanges(std::span(&others, 1)).has_value());
    REQUIRE(stranger.claims->Free(kKeys, 0).has_value());
    // The calls that the displaced process has under way are paid for: it keeps their claims until they end.
    CHECK(stranger.claims->Claim(kKeys, 0).value() == std::vector<bool>{false, false, true});
    CHECK(WorkOnRun(*two.store, "r").value().ranges.done == 0);
    // Whoever was displaced finishes, frees and commits nothing any more; what it paid for is kept.
    const std::int64_t mine = 0;
    REQUIRE(one.coordinator->FinishRanges(std::span(&mine, 1)).has_value());
    REQUIRE(one.claims->Free(kKeys, 0).has_value());
    CHECK(stranger.claims->Claim(kKeys, 0).value() == std::vector<bool>{true, false, true});
    CHECK(one.claims->Claim(kKeys, 0).value() == std::vector<bool>{false, false, false});
    CHECK(WorkOnRun(*two.store, "r").value().ranges.done == 0);
    const std::vector<CellResult> cells{{.cell = 0, .scores = "s", .steps = {}}};
    const auto late =
        one.store->Commit(sitting, 1, {.exchanges = {Answered("late", "answer", 0)}, .cells = cells});
    REQUIRE(!late.has_value());
    CHECK(late.error().code == ErrorCode::kRefused);
    CHECK(one.store->ChangesSince("r", 0)->changed.empty());
    CHECK(!one.coordinator->Beat({}).value().lives);
    CHECK(two.coordinator->Beat({}).value().lives);
  });
}

TEST_CASE("whoever chooses a run notices that it is chosen no more by it alone") {
  InWorld([](SeatWorld& world) {
    const auto store = OpenStore({.path = world.url}).value();
    const auto held = HoldRuns(*store).value();
    CHECK(held->StillHolds().has_value());
    // As the server does after a minute.
    REQUIRE(world.server.Execute(
        world.url,
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE state = 'idle in transaction'"));
    const Status holds = held->StillHolds();
    REQUIRE(!holds.has_value());
    CHECK(holds.error().code == ErrorCode::kTimeout);
    CHECK(!held->StillHolds().has_value());
  });
}

}  // namespace assay
