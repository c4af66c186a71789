// Tests of what every kind of store does with exchanges: what is committed comes back, by key and epoch. Of
// runs: store_runs_test.cc. What only one kind is asked: sqlite_store_test.cc, postgres_store_test.cc.
#include <doctest/doctest.h>

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

Exchange Refused(std::string_view question, ErrorCode code) {
  Exchange exchange = Answered(question, "", 0);
  exchange.error = Error{code, "slow down"};
  return exchange;
}

StoredUsage UsageOf(Store& store, ExchangeId id) {
  StoredUsage found;
  const auto take = [&found](const StoredUsage& used) { found = used; };
  REQUIRE(store.VisitUsageOf(std::span(&id, 1), take).has_value());
  return found;
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
      CHECK(UsageOf(store, id).usage.billing == asked.usage.billing);
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
      CHECK(UsageOf(store, id).request == asked);
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
    run.requests_sent = 5;  // of a copied run, whose sittings are not copied
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

}  // namespace assay
