// One simulated sitting of a run: the real plan, executor, store and fold in a fake world.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "plan/answers/retelling.h"
#include "plan/plan.h"
#include "report/fold/fold.h"
#include "run/executor/executor.h"
#include "run/limits/pace/local_pace.h"
#include "run/wire/endpoints.h"
#include "store/store.h"
#include "tests/sim/fake_world.h"

namespace assay::sim {

// Cases with several turns, judges whose replies cannot always be read, a backup, alternatives and pure
// checks.
Suite MakeSuite();
// What the fake models say: judges judge, some of them badly; everybody else answers. A function of the body
// alone.
std::string FakeAnswer(const std::string& body);

// Tests that kill at every step try each n-th where $ASSAY_SIM_STRIDE says n; else 1. Of so many steps at
// least two are tried.
std::uint64_t Stride(std::uint64_t steps = std::numeric_limits<std::uint64_t>::max());
// Tests that kill a run again and again let it commit this often between two kills, at most.
inline constexpr std::uint64_t kCommitsMost = 14;

// All of it that a report tells.
std::string PrintCell(const Cell& cell);

// Pace and cells of a run that one process works on by itself.
struct Alone {
  Alone(const Plan& plan, const ExecutorOptions& options)
      : pace(plan.pools(), options.limits, options.retry), cells(plan.grid(), plan.suite()) {}

  ExecutorDeps Deps(Clock& clock, Store& store, Transport& transport, const Router& router) {
    return {.clock = clock,
            .store = store,
            .transport = transport,
            .router = router,
            .pace = pace,
            .source = cells};
  }

  LocalPace pace;
  PlanCells cells;
};

struct Sitting {
  std::uint64_t seed = 1;
  std::size_t width = 4;        // requests in flight
  std::size_t workers = 0;      // threads; 0 is deterministic
  std::uint64_t die_after = 0;  // commits of exchanges; 0: lives
  std::int64_t wall_ms = 1'000'000'000'000;
  std::int64_t wall_jumps_ms = 0;  // FakeClock::JumpBy
  double failure_rate = 0.3;
  Suite (*suite)() = MakeSuite;
  // The network, made for the sitting's clock; absent: FakeTransport with FakeAnswer.
  std::function<std::unique_ptr<Transport>(FakeClock&)> network = {};
  Endpoints endpoints = {};
  std::optional<std::chrono::milliseconds> batch_wait = {};  // calls go to batches, which may take so long
};

struct SittingResult {
  bool finished = false;
  std::string report;               // every cell, printed; of a finished run
  std::uint64_t sent = 0;           // requests that were paid for in this sitting
  std::map<std::string, int> paid;  // by FakeTransport
  std::uint64_t batches_left = 0;   // in the store, at the end
};

// Opens (or makes) the store at `path` and runs the plan in it, resuming an unfinished run.
SittingResult Sit(const std::string& path, const Sitting& sitting);

// A folder that is removed with its content.
class TempFolder {
 public:
  TempFolder();
  ~TempFolder();
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;
  std::string Path(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

}  // namespace assay::sim
