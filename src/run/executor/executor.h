// Executor: runs a plan. One loop thread owns all state of the run; workers run step functions, the store's
// thread looks up and commits, transports and launchers reach the world; all of them answer by message.
//
//   CellSource  which cells are to be worked on
//   CellBoard   admits them -> runs their ready steps (workers)
//   Dispatcher  looks up what they need (store) -> sends what is missing (pools)
//   the loop    commits what was answered (store)
//   CellBoard   wakes the steps that waited -> retires graded cells
//
// An exchange is committed before any step sees it, so a killed run loses at most the calls in flight, and
// the same plan finds everything else again by key.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <span>

#include "base/clock.h"
#include "base/wire/transport.h"
#include "corpus/ask/run_documents.h"
#include "plan/plan.h"
#include "providers/facts/model_facts.h"
#include "run/executor/batches/batches.h"
#include "run/executor/cells/cell_source.h"
#include "run/executor/cells/live_cell.h"
#include "run/executor/messages.h"
#include "run/executor/null_objects.h"
#include "run/executor/store_thread.h"
#include "run/findings.h"
#include "run/limits/pace/breakers.h"
#include "run/limits/pace/pace_keeper.h"
#include "run/limits/pace/retry_delays.h"
#include "run/limits/run_limits.h"
#include "run/progress.h"
#include "run/wire/endpoints.h"
#include "run/wire/router.h"
#include "spec/run/run_event.h"
#include "store/coordinator.h"
#include "store/store.h"

namespace assay {

struct ExecutorOptions {
  std::size_t workers = 1;  // threads; 0 runs step functions on the loop thread
  Threading store_threading = Threading::kThread;
  JobLink store_link = {};        // of a simulation
  std::size_t window_cells = 0;   // live at once; 0: about twice the calls that may be in flight
  bool offline = false;           // no new exchange, except from recordings
  bool keeps_think_tags = false;  // <think>…</think> at the start of an answer belongs to it, of every model
  bool marks_caches = false;      // repeated beginnings of prompts are marked for services that want it
  // Programs that belong to a run of several keep their files in <this>/<run>/runtime, which stays; "": in
  // folders that end with them.
  std::string runtime_root = {};
  RetryPolicy retry;
  std::uint64_t jitter_seed = 1;  // of the random part of delays; each sitting has its own
  RunLimits limits;
  // Where a service is given up that was down, the run is left, as others or the same command go on with it;
  // else what it was to answer is skipped.
  bool leaves_when_down = false;
  std::optional<BatchOptions> batches = {};  // calls that may wait go to batch interfaces; absent: none does
};

struct ExecutorDeps {
  Clock& clock;
  const Clock& machine = clock;  // whose date services are told and theirs are compared with
  Store& store;
  Transport& transport;
  Launcher& launcher = NoLauncher();
  const Router& router;
  Endpoints endpoints = {};  // by default no key and no grant
  ModelBook models = {};     // by default the table's
  Budget& budget = NoBudget();
  PaceKeeper& pace;
  CellSource& source;
  CallClaims& claims = NoClaims();
  Progress before = {};  // what counts as done that the source has not
  RunDocuments documents = {};
  // Any thread. Null: a cell fails if none of its points has a score, or a verdict is missing, and the store
  // learns nothing of what it comes to.
  CellColumnsOf columns_of = {};
  RunListener on_event = {};
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
  Result<RunEnding> Run();
  // Any thread. An interrupted run sends nothing more, commits what has arrived, and returns from Run.
  void RequestStop(RunEnding why = RunEnding::kInterrupted);
  // Loop thread: another process of the run has stopped asking these.
  void Break(std::span<const BrokenModel> models);
  // Of a run that ended with an error: answers that were not handed to the store any more.
  std::vector<Exchange> TakeHeld();
  const Progress& progress() const;
  const Findings& findings() const;
  const Breakers& breakers() const;

 private:
  class Loop;
  std::unique_ptr<Loop> loop_;
};

}  // namespace assay
