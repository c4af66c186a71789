// Executor: runs a plan. One loop thread owns all state of the run; workers run step functions, the store's
// thread looks up and commits, transports and launchers reach the world; all of them answer by message.
//
//   admit cells -> run ready steps (workers) -> look up what they need (store) -> send what is missing
//   (pools)
//   -> commit what was answered (store) -> wake the steps that waited -> retire graded cells
//
// An exchange is committed before any step sees it, so a killed run loses at most the calls in flight, and
// the same plan finds everything else again by key.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>

#include "base/clock.h"
#include "base/transport.h"
#include "plan/plan.h"
#include "run/endpoints.h"
#include "run/router.h"
#include "run/store_thread.h"
#include "store/store.h"

namespace assay {

struct RetryPolicy {
  int max_retries = 2;     // after the first try
  bool is_chosen = false;  // the user said so: a request that asks for more gets no more
  std::chrono::milliseconds base{1000};
  std::chrono::milliseconds cap{30'000};
};

struct ExecutorOptions {
  std::size_t workers = 1;  // threads; 0 runs step functions on the loop thread
  Threading store_threading = Threading::kThread;
  std::size_t window_cells = 0;  // live at once; 0: about twice the calls that may be in flight
  CellIndex first_cell = 0;      // where the plan's cells stand among those of the run
  bool offline = false;          // no new exchange, except from recordings
  RetryPolicy retry;
};

// What a run is doing. Counts are of this sitting.
struct Progress {
  CellIndex cells_total = 0;
  CellIndex cells_done = 0;
  CellIndex cells_failed = 0;  // no answer to grade
  std::uint64_t reused = 0;    // requests answered by the store
  std::uint64_t recorded = 0;  // requests answered by a recording
  std::uint64_t sent = 0;      // requests sent, recordings not counted, retries not counted
  std::uint64_t in_flight = 0;
  std::uint64_t in_flight_reached = 0;  // the most that were
  std::uint64_t retries = 0;
  std::uint64_t errors = 0;  // requests that failed for good
  Usage usage;               // of replies that came in this sitting
  std::string first_error;   // of a request that failed for good
};

enum class RunEnd { kFinished, kInterrupted };

struct ExecutorDeps {
  Clock& clock;
  Store& store;
  Transport& transport;
  Launcher* launcher = nullptr;  // null: no program can be run
  const Router& router;
  const Endpoints* endpoints = nullptr;  // null: no key, no grant
  std::shared_ptr<const Corpus> corpus = nullptr;
  std::function<void(const Progress&)> on_progress = {};  // loop thread, at most every 100 ms and at the end
};

class Executor {
 public:
  // `run` is in the store already (BeginRun). All references outlive the executor.
  Executor(const Plan& plan, RunRecord run, ExecutorDeps deps, const ExecutorOptions& options);
  ~Executor();
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;

  // Runs until every cell is graded, a stop is requested, or the store fails. Once.
  Result<RunEnd> Run();
  // Any thread: sends nothing more, commits what has arrived, and returns from Run.
  void RequestStop();
  const Progress& progress() const;

 private:
  class Loop;
  std::unique_ptr<Loop> loop_;
};

}  // namespace assay
