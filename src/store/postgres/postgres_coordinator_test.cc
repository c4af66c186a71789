// Tests of seats, ranges and claims in a PostgreSQL store, and of how cells are cut into ranges.
#include <doctest/doctest.h>

#include <functional>

#include "store/coordinator.h"
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

  Result<SeatId> Sit(std::optional<std::int64_t> shard, std::uint64_t cells = 100) {
    Result<SeatId> seat = coordinator->Sit({.run_id = "r",
                                            .shard = shard,
                                            .shards = 2,
                                            .cells = cells,
                                            .cells_per_case = 10,
                                            .host = "h",
                                            .process = 7,
                                            .task = ""});
    if (seat) claims = CallClaimsOf(*store, *seat);
    return seat;
  }

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
          CHECK(range.cells.size() <= 4'096);
          const bool fits = per_case <= 16;
          if (fits && range.cells.last != cells) CHECK(range.cells.last % per_case == 0);
          next = range.cells.last;
        }
        CHECK(next == cells);
      }
    }
  }
}

TEST_CASE("ranges are held by one seat each, and come to an end") {
  InWorld([](SeatWorld& world) {
    SeatProcess one(world.url);
    SeatProcess two(world.url);
    REQUIRE(one.Sit(1).has_value());
    REQUIRE(two.Sit(2).has_value());
    CHECK(Numbers(one.coordinator->ClaimRanges(3)) == "0;1;2;");
    CHECK(Numbers(two.coordinator->ClaimRanges(100)) == "3;4;5;6;7;8;9;");
    CHECK(Numbers(two.coordinator->ClaimRanges(1)).empty());  // the other one may die
    const RunWork work = WorkOnRun(*one.store, "r").value();
    CHECK(work.living.size() == 2);
    CHECK(work.ranges.held == 10);
    CHECK(SeatsText(work).find("shard 2 on h (process 7)") != std::string::npos);
    for (std::int64_t number : {0, 1, 2}) REQUIRE(one.coordinator->FinishRanges(std::span(&number, 1)));
    CHECK(Numbers(two.coordinator->ClaimRanges(1)) == "end");
    REQUIRE(two.coordinator->Leave().has_value());
    CHECK(Numbers(one.coordinator->ClaimRanges(100)) == "3;4;5;6;7;8;9;");
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
    CHECK(one.coordinator->Beat({}).value());
    CHECK(at_work().size() == 1);
    REQUIRE(one.coordinator->Leave().has_value());
    CHECK(at_work().empty());
  });
}

TEST_CASE("what a dead seat held is free, and it learns so when it wakes") {
  InWorld([](SeatWorld& world) {
    SeatProcess one(world.url);
    SeatProcess two(world.url);
    REQUIRE(one.Sit(1).has_value());
    const SittingId sitting = one.store->BeginSitting("r", RunPart::kRun, 1, "t").value();
    CHECK(Numbers(one.coordinator->ClaimRanges(2)) == "0;1;");
    CHECK(one.claims->Claim(kKeys, 0).value() == std::vector<bool>{true, true, true});
    world.Sleep(50);
    REQUIRE(two.Sit(2).has_value());
    CHECK(two.claims->Claim(kKeys, 0).value() == std::vector<bool>{false, false, false});
    world.Sleep(20);
    CHECK(two.coordinator->Beat({}).value());  // nobody was there to take what it held
    CHECK(Numbers(two.coordinator->ClaimRanges(2)) == "0;1;");
    CHECK(two.claims->Claim(kKeys, 0).value() == std::vector<bool>{true, true, true});
    CHECK(one.coordinator->Beat({}).value() == false);
    // What it was paid for is kept; its cells are another's.
    const std::vector<CellResult> cells{{.cell = 0, .scores = "s", .steps = {}}};
    const auto late =
        one.store->Commit(sitting, 1, {.exchanges = {Answered("late", "answer", 0)}, .cells = cells});
    REQUIRE(!late.has_value());
    CHECK(late.error().code == ErrorCode::kRefused);
    const Digest key = Sha256Of("late");
    CHECK(one.store->Find(std::span(&key, 1), {0, 0})->front().has_value());
    CHECK(one.store->ChangesSince("r", 0)->changed.empty());
    CHECK(Numbers(one.coordinator->ClaimRanges(2)).empty());
  });
}

TEST_CASE("a shard that registers again displaces itself") {
  InWorld([](SeatWorld& world) {
    SeatProcess one(world.url);
    SeatProcess again(world.url);
    REQUIRE(one.Sit(1).has_value());
    CHECK(Numbers(one.coordinator->ClaimRanges(2)) == "0;1;");
    REQUIRE(again.Sit(1).has_value());
    CHECK(one.coordinator->Beat({}).value() == false);
    CHECK(Numbers(again.coordinator->ClaimRanges(2)) == "0;1;");
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

}  // namespace assay
