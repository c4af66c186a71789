// Every kind of store, for tests that ask the same of each: a store that is made anew, and what is looked for
// in it.
#pragma once

#include <doctest/doctest.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "store/store.h"
#include "tests/support/postgres_server.h"
#include "tests/support/test_store.h"

namespace assay::testing {

struct Opener {
  const char* name;
  std::optional<std::string> (*location)(const TempFolder& folder);  // absent: there is none here
};

// A store that somebody writes, and those who only read it: of each kind.
inline constexpr Opener kOpeners[] = {
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
  const std::string& location() const { return options_.path; }
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

inline void InEveryStore(const std::function<void(World&)>& test) {
  for (const Opener& opener : kOpeners) {
    CAPTURE(opener.name);
    World world(opener);
    if (world.IsThere()) test(world);
  }
}

inline std::string FindText(Store& store, std::string_view question, EpochRange epochs) {
  const Digest key = Sha256Of(question);
  auto found = store.Find(std::span(&key, 1), epochs);
  REQUIRE(found.has_value());
  return TextOf(found->front());
}

inline CellResult GradedCell(CellIndex cell, std::vector<ExchangeId> ids) {
  return {.cell = cell,
          .scores = "s" + std::to_string(cell),
          .steps = {{.kind = LinkKind::kAnswer, .exchanges = std::move(ids)}}};
}

// "2:two;5:five;": cells with their scores.
inline std::string ScoresOf(Store& store, const std::string& run_id, RunPart part,
                            CellSpan span = kEveryCell) {
  std::string seen;
  const Status visited = store.VisitCells(run_id, part, span, [&seen](const CellResult& cell) {
    seen += std::to_string(cell.cell) + ":" + cell.scores + ";";
    return Ok();
  });
  return visited ? seen : visited.error().message;
}

}  // namespace assay::testing
