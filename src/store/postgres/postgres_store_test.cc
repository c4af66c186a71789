// Tests of the PostgreSQL store: whose answer counts among several writers, what is refused, and what a lost
// connection changes. What every kind of store does: store_test.cc.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>
#include <functional>
#include <thread>

#include "store/coordinator.h"
#include "store/location.h"
#include "store/postgres/client/pg.h"
#include "store/postgres/outcome_cache.h"
#include "store/postgres/pg_schema.h"
#include "store/postgres/postgres_store.h"
#include "store/server_tables.h"
#include "tests/support/postgres_server.h"
#include "tests/support/test_store.h"

namespace assay {

namespace {

using testing::Answered;
using testing::MakeRun;
using testing::PostgresServer;
using testing::TestSitting;
using testing::TextOf;

std::unique_ptr<Store> OpenAt(const std::string& url, bool read_only = false) {
  auto store = OpenStore({.path = url, .read_only = read_only, .lost_s = 5});
  REQUIRE_MESSAGE(store.has_value(), (store ? std::string() : store.error().message));
  return std::move(store).value();
}

void WithDatabase(const std::function<void(PostgresServer&, const std::string& url)>& test) {
  if (PostgresServer* server = PostgresServer::Get()) test(*server, server->NewDatabase());
}

Exchange Cut(std::string text, std::int64_t room) {
  Exchange exchange = Answered("q", std::move(text), 0);
  std::get<ModelReply>(exchange.reply).finish_reason = "length";
  exchange.room = room;
  return exchange;
}

std::string TextIn(Store& store, std::string_view question) {
  const Digest key = Sha256Of(question);
  return TextOf(store.Find(std::span(&key, 1), {0, 0}).value().front());
}

TEST_CASE("an address names the schema of the tables") {
  struct Row {
    const char* at;
    const char* schema;
    const char* for_libpq;
  };
  const Row rows[] = {
      {"postgresql://u@/runs?host=/s&schema=team", "team", "postgresql://u@/runs?host=/s"},
      {"postgresql://u@/runs?schema=team_2&host=/s", "team_2", "postgresql://u@/runs?host=/s"},
      {"postgresql://u@/runs?schema=a", "a", "postgresql://u@/runs"},
      {"postgresql://u:p?schema=x@/runs?host=/s", "", "postgresql://u:p?schema=x@/runs?host=/s"},
      {"schema=team", "", "schema=team"},
      {"postgresql://u@/runs?schema=Team", "?", ""},
      {"postgresql://u@/runs?schema=a,b", "?", ""},
      {"postgresql://u@/runs?schema=pg_temp", "?", ""},
      {"postgresql://u@/runs?schema=1a", "?", ""},
  };
  for (const Row& row : rows) {
    CAPTURE(row.at);
    CHECK(SchemaOf(row.at).value_or("?") == row.schema);
    if (*row.for_libpq != '\0') CHECK(WithoutSchema(row.at) == row.for_libpq);
  }
}

TEST_CASE("claims that are gone leave no space behind") {
  WithDatabase([](PostgresServer& server, const std::string& url) {
    const auto store = OpenAt(url);
    REQUIRE(server.Execute(url,
                           "INSERT INTO claim SELECT sha256(n::text::bytea), 0, 1 FROM generate_series(1, "
                           "40000) AS n; DELETE FROM claim"));
    auto* postgres = dynamic_cast<PostgresStore*>(store.get());
    const auto bytes = [&]() -> std::int64_t {
      PgStatement size = postgres->database().Prepare("SELECT pg_total_relation_size('claim')").value();
      REQUIRE(size.Step().value());
      return size.Int(0);
    };
    CHECK(bytes() > 1'000'000);
    // Somebody looks at them: nobody waits.
    auto other = PgDatabase::Open(ParsePgUrl(url).value()).value();
    REQUIRE(other->Execute("BEGIN; SELECT 1 FROM claim").has_value());
    postgres->EmptyClaims();
    CHECK(bytes() > 1'000'000);
    REQUIRE(other->Execute("COMMIT; INSERT INTO claim VALUES('x', 0, 1)").has_value());
    postgres->EmptyClaims();
    CHECK(bytes() > 1'000'000);
    REQUIRE(other->Execute("DELETE FROM claim").has_value());
    postgres->EmptyClaims();
    CHECK(bytes() < 100'000);
  });
}

}  // namespace

TEST_CASE("of two writers the first answer counts, and the other one goes on with it") {
  WithDatabase([](PostgresServer&, const std::string& url) {
    const auto one = OpenAt(url);
    const auto two = OpenAt(url);
    REQUIRE(one->BeginRun(MakeRun("r")).has_value());
    TestSitting first(*one, "r");
    TestSitting second(*two, "r");
    const ExchangeId id = first.Keep({Answered("q", "first", 0)}).front().id;
    const auto counting = second.Keep({Answered("p", "other", 0), Answered("q", "second", 0)});
    CHECK(TextOf(counting[0]) == "other");
    CHECK(TextOf(counting[1]) == "first");
    CHECK(counting[1].id == id);
    CHECK(TextIn(*two, "q") == "first");
    // It was paid for, and is kept.
    CHECK(one->RecentUsage(10)->size() == 3);
    // Where the connection breaks between COMMIT and its reply, the same is sent again.
    const auto again = two->Commit(second.id(), second.commits(), {.exchanges = {Answered("x", "x", 0)}});
    REQUIRE(again.has_value());
    CHECK((*again)[1].id == id);
  });
}

TEST_CASE("an answer that was cut gives way to one of another writer that had more room") {
  WithDatabase([](PostgresServer&, const std::string& url) {
    const auto one = OpenAt(url);
    const auto two = OpenAt(url);
    REQUIRE(one->BeginRun(MakeRun("r")).has_value());
    TestSitting first(*one, "r");
    TestSitting second(*two, "r");
    first.Keep({Cut("short", 10)});
    CHECK(TextOf(second.Keep({Cut("longer", 20)}).front()) == "longer");
    CHECK(TextIn(*one, "q") == "longer");
    CHECK(TextOf(first.Keep({Cut("shorter", 15)}).front()) == "longer");
  });
}

TEST_CASE("of several that come first one makes the tables") {
  WithDatabase([](PostgresServer&, const std::string& url) {
    constexpr std::size_t kWriters = 6;
    std::vector<std::string> failures(kWriters);
    {
      std::vector<std::jthread> threads;
      for (std::string& failure : failures) {
        threads.emplace_back([&failure, &url] {
          const auto store = OpenStore({.path = url});
          if (!store) failure = store.error().notes.empty() ? store.error().message : store.error().notes[0];
        });
      }
    }
    for (const std::string& failure : failures) CHECK(failure.empty());
  });
}

TEST_CASE("tables of the oldest version are read as they are, and upgraded when that is asked for") {
  WithDatabase([](PostgresServer& server, const std::string& url) {
    {
      const auto store = OpenAt(url);
      REQUIRE(store->BeginRun(MakeRun("r")).has_value());
      TestSitting sitting(*store, "r");
      const ExchangeId id = sitting.Keep({Answered("q", "a", 0)}).front().id;
      sitting.Grade({{.cell = 0, .scores = "s", .steps = {{.kind = LinkKind::kAnswer, .exchanges = {id}}}}});
    }
    REQUIRE(server.Execute(
        url, std::string(testing::kBackToOldest) + "UPDATE sitting SET beat_at = beat_at - interval '61 s'"));
    const auto scores = [](Store& store) {
      std::string seen;
      REQUIRE(store
                  .VisitCells("r", RunPart::kRun, kEveryCell,
                              [&seen](const CellResult& cell) {
                                seen += cell.scores + cell.marks;
                                return Ok();
                              })
                  .has_value());
      return seen;
    };
    const auto reader = OpenAt(url, true);
    CHECK(scores(*reader) == "s");
    // A run of somebody upgrades nothing.
    const auto refused = OpenStore({.path = url});
    REQUIRE_FALSE(refused.has_value());
    CHECK(refused.error().code == ErrorCode::kRefused);
    CHECK(refused.error().message.find("`assay store upgrade --store '") != std::string::npos);
    CHECK(VersionOfStore(url)->is == kPgOldestSchema);
    CHECK(VersionOfStore(url)->steps.size() == static_cast<std::size_t>(kPgSchemaVersion - kPgOldestSchema));
    REQUIRE(UpgradeServer(url).has_value());
    CHECK(VersionOfStore(url)->is == VersionOfStore(url)->newest);
    const auto writer = OpenAt(url);
    CHECK(scores(*writer) == "s");
    REQUIRE(server.Execute(url, "UPDATE assay_store SET version = 4"));
    for (const bool read_only : {true, false}) {
      const auto older = OpenStore({.path = url, .read_only = read_only});
      REQUIRE_FALSE(older.has_value());
      CHECK(older.error().code == ErrorCode::kUnsupported);
      CHECK(older.error().message.find("older than 0.3.0 (store version 4") != std::string::npos);
    }
    CHECK(UpgradeServer(url).error().code == ErrorCode::kUnsupported);
  });
}

TEST_CASE("many writers of the same keys come to one answer each") {
  WithDatabase([](PostgresServer&, const std::string& url) {
    constexpr int kWriters = 4;
    constexpr int kCommits = 12;
    constexpr int kKeys = 60;
    const auto reader = OpenAt(url);
    REQUIRE(reader->BeginRun(MakeRun("r")).has_value());
    std::vector<std::vector<std::vector<Exchange>>> counting(kWriters);
    std::vector<std::string> failures(kWriters);
    {
      std::vector<std::jthread> threads;
      for (std::size_t writer = 0; writer < kWriters; ++writer) {
        threads.emplace_back([&, writer] {
          auto store = OpenStore({.path = url});
          if (!store) return void(failures[writer] = store.error().message);
          const SittingId sitting = (*store)->BeginSitting("r", RunPart::kRun, 1, "t").value();
          for (std::size_t commit = 1; commit <= kCommits; ++commit) {
            std::vector<Exchange> work;
            // Each in another order, and each with another text.
            for (std::size_t i = 0; i < kKeys; ++i) {
              const std::size_t key = (i * (2 * writer + 1) + commit) % kKeys;
              work.push_back(Answered(std::to_string(commit) + "/" + std::to_string(key),
                                      "of " + std::to_string(writer), 0));
            }
            auto kept = (*store)->Commit(sitting, commit, {.exchanges = std::move(work)});
            if (!kept) return void(failures[writer] = kept.error().message);
            counting[writer].push_back(*std::move(kept));
          }
        });
      }
    }
    for (const std::string& failure : failures) REQUIRE(failure.empty());
    std::map<Digest, ExchangeId> ids;
    for (const auto& of_writer : counting) {
      for (const auto& commit : of_writer) {
        for (const Exchange& exchange : commit)
          CHECK(ids.emplace(exchange.key, exchange.id).first->second == exchange.id);
      }
    }
    CHECK(ids.size() == kCommits * kKeys);
  });
}

TEST_CASE("a connection that the server ends is made again, and nothing is lost") {
  WithDatabase([](PostgresServer& server, const std::string& url) {
    const auto store = OpenAt(url);
    REQUIRE(store->BeginRun(MakeRun("r")).has_value());
    TestSitting sitting(*store, "r");
    sitting.Keep({Answered("q", "one", 0)}, 1);
    const auto end_all = [&] {
      REQUIRE(server.Execute(url,
                             "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE "
                             "application_name = 'assay' AND datname = current_database()"));
    };
    end_all();
    CHECK(TextIn(*store, "q") == "one");
    end_all();
    sitting.Keep({Answered("p", "two", 0)}, 1);
    CHECK(TextIn(*store, "p") == "two");
    CHECK(store->FindRun("r")->requests_sent == 2);
  });
}

TEST_CASE("of a transaction whose connection is lost nothing is left, and all of it is done again") {
  WithDatabase([](PostgresServer& server, const std::string& url) {
    const auto store = OpenAt(url);
    auto* postgres = dynamic_cast<PostgresStore*>(store.get());
    postgres->SitAs(1);
    const Digest key = Sha256Of("q");
    int tries = 0;
    REQUIRE(postgres
                ->InTransaction([&]() -> Status {
                  ASSAY_CHECK_OK(postgres->database().Execute("INSERT INTO blob VALUES('x', 'text', 'y')"));
                  if (++tries == 1) {
                    CHECK(server.Execute(url,
                                         "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE "
                                         "application_name = 'assay'"));
                    // From here on libpq knows that the connection is gone.
                    CHECK(!postgres->database().Execute("SELECT 1"));
                  }
                  return postgres->FreeClaims(std::span(&key, 1), 0);
                })
                .has_value());
    CHECK(tries == 2);
    PgStatement count = postgres->database().Prepare("SELECT count(*) FROM blob").value();
    REQUIRE(count.Step().value());
    CHECK(count.Int(0) == 1);
  });
}

TEST_CASE("texts that a server does not take are kept as far as it does") {
  WithDatabase([](PostgresServer&, const std::string& url) {
    const auto store = OpenAt(url);
    RunRecord run = MakeRun("r");
    run.title = std::string("a\0b\xff", 4) + "\xed\xa0\x80";
    REQUIRE(store->BeginRun(run).has_value());
    CHECK(store->FindRun("r")->title ==
          "a\xef\xbf\xbd"
          "b\xef\xbf\xbd\xef\xbf\xbd");
    Exchange failed = Answered("q", "", 0);
    failed.error = Error{ErrorCode::kService, std::string("\0 and \xfe", 7)};
    CHECK(TestSitting(*store, "r").Keep({failed}).size() == 1);
  });
}

TEST_CASE("what cannot be used of a server is refused in words, without its password") {
  WithDatabase([](PostgresServer& server, const std::string& url) {
    const auto error_of = [](const std::string& at, bool read_only = false) {
      const auto store = OpenStore({.path = at, .read_only = read_only, .lost_s = 0});
      REQUIRE(!store.has_value());
      std::string all = store.error().message;
      for (const std::string& note : store.error().notes) all += note;
      CHECK(all.find("sesame") == std::string::npos);
      CHECK(all.find("postgresql://") != std::string::npos);
      return store.error().code;
    };
    CHECK(error_of(url, true) == ErrorCode::kNotFound);
    CHECK(error_of(server.UrlOf("absent")) == ErrorCode::kNotFound);
    CHECK(error_of("postgresql://u:sesame@127.0.0.1:1/runs") == ErrorCode::kIo);
    CHECK(error_of("postgresql://u:ses%zzsesame@127.0.0.1:1/runs") == ErrorCode::kInvalidInput);
    CHECK(error_of("postgresql://u:sesame@db.invalid/runs?sslmode=require") == ErrorCode::kRefused);
    CHECK(error_of("postgresql://u@127.0.0.1,db.invalid/runs?sslmode=prefer&password=sesame") ==
          ErrorCode::kRefused);
    // Tables of somebody else.
    REQUIRE(server.Execute(url, "CREATE TABLE cell(x int)"));
    CHECK(error_of(url) != ErrorCode::kNotFound);
    REQUIRE(server.Execute(url, "DROP TABLE cell"));
    OpenAt(url);
    OpenAt(url, true);
    REQUIRE(server.Execute(url, "UPDATE assay_store SET version = 99"));
    CHECK(error_of(url) == ErrorCode::kUnsupported);
  });
}

TEST_CASE("a server beyond this machine proves who it is, wherever its address is told") {
  // With host=localhost any hostaddr counted as this machine.
  if (PostgresServer::Get() == nullptr) return;  // no libpq
  const auto mode_of = [](const std::string& at) -> std::string {
    const auto address = ParsePgUrl("postgresql://" + at);
    if (!address) return address.error().code == ErrorCode::kRefused ? "refused" : "?";
    std::string mode = "-";
    for (const auto& [name, value] : address->settings) {
      if (name == "sslmode") mode = value;
    }
    return mode;
  };
  struct Row {
    const char* at;
    const char* mode;
  };
  constexpr Row kRows[] = {
      {"localhost/runs", "-"},
      {"/runs?host=/run/postgresql", "-"},
      {"127.0.0.1/runs?sslmode=disable", "disable"},
      {"db.example/runs", "verify-full"},
      {"db.example/runs?sslmode=verify-full", "verify-full"},
      {"db.example/runs?sslmode=verify-ca", "refused"},
      {"/runs", "verify-full"},
      {"db.example/runs?hostaddr=127.0.0.1", "-"},
      {"localhost/runs?hostaddr=10.0.0.5", "verify-full"},
      {"localhost/runs?hostaddr=10.0.0.5&sslmode=prefer", "refused"},
      {"/runs?host=/run/postgresql&hostaddr=10.0.0.5", "verify-full"},
      {"/runs?hostaddr=::1", "-"},
      {"/runs?hostaddr=10.0.0.5", "verify-full"},
      {"localhost,localhost/runs?hostaddr=127.0.0.1,10.0.0.5", "verify-full"},
      {"db.example,localhost/runs?hostaddr=,127.0.0.1", "verify-full"},
      {"localhost,db.example/runs?hostaddr=,127.0.0.1", "-"},
      {"localhost/runs?service=elsewhere", "verify-full"},
      {"localhost/runs?service=elsewhere&hostaddr=127.0.0.1", "-"},
  };
  for (const Row& row : kRows) {
    INFO(row.at);
    CHECK(mode_of(row.at) == row.mode);
  }
  setenv("PGHOSTADDR", "10.0.0.5", 1);
  CHECK(mode_of("localhost/runs") == "verify-full");
  CHECK(mode_of("localhost/runs?hostaddr=127.0.0.1") == "-");
  unsetenv("PGHOSTADDR");
}

TEST_CASE("an address that no other machine reaches is known as one") {
  if (PostgresServer::Get() == nullptr) return;  // no libpq
  for (const char* here : {"localhost/runs", "127.0.0.1:5433/runs", "/runs?host=/run/postgresql", "/runs"})
    CHECK_MESSAGE(IsOfThisMachine(std::string("postgresql://") + here), here);
  for (const char* there : {"db.example/runs", "localhost/runs?hostaddr=10.0.0.5", "/runs?service=team",
                            "localhost,db.example/runs"})
    CHECK_MESSAGE(!IsOfThisMachine(std::string("postgresql://") + there), there);
  setenv("PGHOST", "db.example", 1);
  CHECK(!IsOfThisMachine("postgresql:///runs"));
  unsetenv("PGHOST");
}

TEST_CASE("commands that users are told find a server's store, and hold no password") {
  CHECK(StoreOption("a/b.db").empty());
  CHECK(StoreOption("postgresql://u@h/d") == " --store postgresql://u@h/d");
  CHECK(StoreOption("postgresql://u:pass@h/d?host=/run") == " --store 'postgresql://u@h/d?host=/run'");
}

TEST_CASE("an address is shown without its password") {
  CHECK(ShownLocation("a/b.db") == "a/b.db");
  CHECK(ShownLocation("postgresql://u@h/d?host=/run") == "postgresql://u@h/d?host=/run");
  CHECK(ShownLocation("postgresql://u:pass@h:5/d") == "postgresql://u@h:5/d");
  CHECK(ShownLocation("postgresql://u:p@ss?:/w@h/d?password=x&sslmode=disable") ==
        "postgresql://u@h/d?sslmode=disable");
  CHECK(ShownLocation("postgresql:///d?pass%77ord=x&sslpassword=y") == "postgresql:///d");
  CHECK(ShownLocation("POSTGRESQL://u:pass@h:5/d") == "POSTGRESQL://u@h:5/d");
  CHECK(HasPassword("postgresql://u:pass@h/d"));
  CHECK(!HasPassword("postgresql://u@h/d"));
}

TEST_CASE(
    "a walk asks for its next piece before it looks at the last one, whatever else is asked meanwhile") {
  WithDatabase([](PostgresServer&, const std::string& url) {
    constexpr CellIndex kCells = 40'000;  // of several pieces
    const auto store = OpenAt(url);
    REQUIRE(store->BeginRun(MakeRun("r")).has_value());
    TestSitting sitting(*store, "r");
    const ExchangeId id = sitting.Keep({Answered("q", "a", 0)}).front().id;
    std::vector<CellResult> cells;
    for (CellIndex cell = 0; cell < kCells; ++cell) {
      cells.push_back({.cell = cell, .scores = std::to_string(cell)});
      cells.back().steps = {{.exchanges = {id}}};
      cells.back().columns = CellColumns{.outcome = {.state = CellState::kScored, .value = 0.5}};
      if (cell % 3 == 0) cells.back().columns->outcome = {.state = CellState::kPartial, .partial = {}};
    }
    sitting.Grade(cells);
    // Once by itself, and twice of one moment, where outcomes are kept.
    for (int i = 0; i < 3; ++i) {
      const auto reading = i == 0 ? nullptr : store->BeginReading().value();
      CellIndex next = 0;
      const Status visited =
          store->VisitCells("r", RunPart::kRun, {0, kCells}, [&](const CellResult& cell) -> Status {
            if (cell.cell != next || cell.scores != std::to_string(next))
              return Error{ErrorCode::kCorrupt, "?"};
            if (++next % 500 == 0) CHECK(store->Get(std::span(&id, 1)).has_value());
            return Ok();
          });
      CHECK(visited.has_value());
      CHECK(next == kCells);
      // Whoever stops in the middle leaves nothing behind that another statement stumbles over.
      const Status stopped =
          store->VisitCells("r", RunPart::kRun, {0, kCells}, [&](const CellResult&) -> Status {
            return Error{ErrorCode::kCancelled, "enough"};
          });
      CHECK(stopped.error().code == ErrorCode::kCancelled);
      for (const CellSpan span : {CellSpan{0, kCells}, CellSpan{16'000, 33'000}, CellSpan{39'990, 50'000}}) {
        CellIndex at = span.first;
        const Status seen = store->VisitOutcomes("r", span, [&](CellIndex cell, const CellOutcome& outcome) {
          const bool is_partial = cell % 3 == 0;
          CHECK_MESSAGE((cell == at && !outcome.partial &&
                         outcome.state == (is_partial ? CellState::kPartial : CellState::kScored) &&
                         outcome.value == (is_partial ? 0 : 0.5)),
                        cell);
          ++at;
          return Ok();
        });
        CHECK(seen.has_value());
        CHECK(at == std::min(span.last, kCells));
      }
    }
  });
}

TEST_CASE("what a reading has seen of outcomes it reads once, as far as there is room") {
  OutcomeCache kept;
  const CellSpan all{0, 10'000'000};
  CHECK(kept.Find(1, 5) == nullptr);
  const CellSpan few{20'000, 20'010};
  for (int i = 0; i < 8; ++i) CHECK(!kept.RoomFor(few));
  REQUIRE(kept.RoomFor(few));  // whoever asks for few so often walks
  CHECK(kept.RoomFor(few)->first == OutcomeCache::kCellsOfPiece);
  OutcomePiece piece(*kept.RoomFor(few));
  piece.Put(20'000, {.state = CellState::kPartial, .partial = 0.25});
  piece.Put(20'001, {.state = CellState::kScored, .value = std::nan("")});
  kept.Keep(1, std::move(piece));
  CHECK(kept.Find(2, 20'000) == nullptr);
  const OutcomePiece* found = kept.Find(1, 20'000);
  REQUIRE(found != nullptr);
  CHECK(found->Of(20'000)->partial == 0.25);
  CHECK(std::isnan(found->Of(20'001)->value));
  CHECK(!found->Of(20'002));
  for (std::size_t i = 1; i < OutcomeCache::kPiecesMax; ++i) {
    const CellIndex first = (i + 5) * OutcomeCache::kCellsOfPiece;
    REQUIRE(kept.RoomFor({first, all.last}));
    kept.Keep(1, OutcomePiece(*kept.RoomFor({first, all.last})));
  }
  CHECK(!kept.RoomFor({0, all.last}));
  kept.Clear();
  CHECK(kept.RoomFor({0, all.last}));
}

}  // namespace assay
