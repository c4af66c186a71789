// Executor::Loop: the main loop of a run. It receives messages, hands them to the board (cells and steps) and
// the dispatcher (requests), commits results, and tells listeners. All state of the run is theirs and its
// own, touched by one thread only.
#pragma once

#include "run/executor/calls/dispatcher.h"
#include "run/executor/cells/cell_board.h"
#include "run/executor/executor.h"
#include "run/executor/messages.h"
#include "run/executor/worker_pool.h"

namespace assay {

class Executor::Loop final : public CompletionSink, private DispatchListener {
 public:
  Loop(const Plan& plan, RunRecord run, ExecutorDeps deps, const ExecutorOptions& options);
  Result<RunEnding> Run();
  void RequestStop(RunEnding why) { inbox_.PushUnbounded(StopRequested{why}); }
  void Break(std::span<const BrokenModel> models) { dispatcher_.Break(models); }
  std::vector<Exchange> TakeHeld() { return dispatcher_.TakeAnswered(dispatcher_.answered()); }
  void Deliver(Completion completion) override;
  void Tell(Ticket ticket, std::string_view line) override;
  const Progress& progress() const { return progress_; }
  const Findings& findings() const { return dispatcher_.findings(); }
  const Breakers& breakers() const { return dispatcher_.breakers(); }

 private:
  bool Finished() const;
  void AdmitCells();
  void SubmitReady();
  void SubmitCommit();
  bool MayGather();
  TimePoint WakeAt() const;
  void Handle(LoopMessage message);
  void OnStepsRun(StepsRun message);
  void OnCommitted(Committed message);
  void Stop(RunEnding why);

  // Who is told.
  void OnAnswer(Answered answered) override { board_.OnAnswer(std::move(answered)); }
  void OnCall(const Call& call, RunEvent::Kind kind, std::string_view line) override;
  void TellOfStep(StepResult& result);
  void ReportProgress(bool now);

  const Plan& plan_;
  const RunRecord run_;
  const GeneratorVersions versions_;  // of run_
  const ExecutorDeps deps_;
  const ExecutorOptions options_;
  const std::size_t window_cells_;
  Progress progress_;
  LoopInbox inbox_;

  SourcedCells::State source_state_ = SourcedCells::State::kCells;
  CellBoard board_;
  bool commit_open_ = false;
  TimePoint gather_until_ = kNever;  // when the answers that are there are committed at the latest
  SittingId sitting_ = 0;
  std::uint64_t commits_ = 0;  // handed to the store
  bool stopping_ = false;
  bool waits_for_wire_ = false;     // while stopping: calls under way are answered first
  std::optional<Error> displaced_;  // what the store said of a commit once the seat was given away
  bool has_left_ = false;           // since a service was down
  std::optional<Error> failure_;
  TimePoint ends_at_ = kNever;  // when nothing more is asked
  TimePoint last_event_{};
  TimePoint next_progress_{};
  // Their threads end before anything they report to.
  WorkerPool workers_;
  StoreThread store_;
  Dispatcher dispatcher_;
};

}  // namespace assay
