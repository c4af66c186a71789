// What the parts of a dispatcher work through: the plan, the threads, the doors to services, and who listens.
#pragma once

#include "run/executor/calls/calls.h"
#include "run/executor/executor.h"
#include "run/executor/messages.h"
#include "run/executor/store_thread.h"
#include "run/executor/worker_pool.h"

namespace assay {

// Who asked, and who listens.
class DispatchListener {
 public:
  virtual ~DispatchListener() = default;
  virtual void OnAnswer(Answered answered) = 0;
  virtual void OnCall(const Call& call, RunEvent::Kind kind, std::string_view line) = 0;
};

// All of it outlives the dispatcher.
struct DispatcherWorld {
  const Plan& plan;
  const RunRecord& run;
  const ExecutorDeps& deps;
  const ExecutorOptions& options;
  LoopInbox& inbox;
  CompletionSink& sink;
  WorkerPool& workers;
  StoreThread& store;
  Progress& progress;
  DispatchListener& listener;

  TimePoint Now() const { return deps.clock.Now(); }
  std::int64_t MachineMs() const { return deps.machine.WallMs(); }
  EpochRange epochs() const { return {.first = run.first_epoch, .last = run.epoch}; }
};

}  // namespace assay
