// The loop of a run: all of its mutable state, touched by one thread only.
//   executor_loop.cc   cells and steps: admit, run, settle, retire
//   executor_calls.cc  requests: look up, send, retry, commit, wake
//   executor_batches.cc  calls that wait for a batch
//   executor_gates.cc  what keeps a call from being sent: budget, breakers, rates; what a stalled run waits
//   for
#pragma once

#include <deque>
#include <map>
#include <random>
#include <set>
#include <unordered_map>
#include <variant>
#include <vector>

#include "providers/facts/pace.h"
#include "run/executor/calls.h"
#include "run/executor/executor.h"
#include "run/executor/worker_pool.h"
#include "run/limits/acceptance.h"
#include "run/limits/call_cost.h"
#include "run/limits/prompt_cache.h"
#include "run/limits/rate_bucket.h"
#include "run/model_name.h"
#include "run/wire/wire_codec.h"

namespace assay {

// --- messages to the loop ---
struct StepsRun {
  std::vector<StepResult> results;
};
struct LookedUp {
  std::vector<Digest> keys;
  Result<std::vector<std::optional<Exchange>>> found;
};
// A cell that was graded, for whoever listens.
struct GradedCell {
  CellAddress address;
  std::unique_ptr<const AttemptRecord> record;  // null where it was not asked
};
struct Committed {
  Status status;
  std::vector<Exchange> exchanges;  // with their ids
  std::vector<GradedCell> told = {};
};
struct ToldLine {
  Ticket ticket = 0;
  std::string line;
};
struct BatchSaved {
  std::size_t place = 0;
  Result<std::int64_t> number;  // of the record
};
struct StopRequested {};
using LoopMessage =
    std::variant<StepsRun, LookedUp, Completion, ToldLine, Committed, BatchSaved, StopRequested>;

class Executor::Loop final : public CompletionSink {
 public:
  Loop(const Plan& plan, RunRecord run, ExecutorDeps deps, const ExecutorOptions& options);
  Result<RunEnd> Run();
  void RequestStop() { inbox_.PushUnbounded(StopRequested{}); }
  void Deliver(Completion completion) override { inbox_.PushUnbounded(std::move(completion)); }
  void Tell(Ticket ticket, std::string_view line) override {
    if (deps_.on_event) inbox_.PushUnbounded(ToldLine{.ticket = ticket, .line = std::string(line)});
  }
  const Progress& progress() const { return progress_; }
  const Findings& findings() const { return findings_; }
  const Breakers& breakers() const { return breakers_; }

 private:
  // Cells and steps.
  bool Finished() const;
  void AdmitCells();
  void Admit(CellIndex index);
  void MakeReady(LiveCell& cell, SlotIndex slot);
  void SubmitReady();
  void OnStepsRun(StepsRun message);
  void OnStepRun(StepResult result);
  void Settle(LiveCell& cell, SlotIndex slot, StepOutcome outcome);
  void SettleDependants(LiveCell& cell, SlotIndex slot);
  void Retire(LiveCell& cell, StepResult result);

  // Requests.
  void Ask(LiveCell& cell, SlotIndex slot, std::vector<PreparedRequest> requests);
  void SubmitLookUps();
  void OnLookedUp(LookedUp message);
  void OnMissing(Call& call);
  void Refuse(Call& call, Error error);
  void CountError(const Call& call, const Error& error);
  void ReleaseKept();
  void SendWaiting();
  void Send(Call& call);
  Ticket PutOnWire(Call& call);
  void AskDocuments(Ticket ticket, const CorpusRequest& request);
  void OnCompletion(Completion completion);
  void TellAsked(const Call& call);
  void OnTold(const ToldLine& message);
  void TellOf(const Call& call, RunEvent::Kind kind, std::string_view line = {});
  void FollowPace(const Call& call, Ticket ticket, const Pace& pace, ReplyClass outcome);
  bool SaysWait(const Call& call, const Pace& pace, ReplyClass outcome) const;
  void WaitOn(Call& call, Result<Reply> refusal);
  bool HasPatience(const LivePool& pool) const;
  void OnRetryTimers();
  bool KeepsThinkTags(const Call& call) const;
  bool LearnParameters(Call& call, const HttpReply& reply);
  void CountOutcome(const Call& call, const WireVerdict& verdict, int status, std::int64_t duration_ms);
  void Answer(Call& call, WireVerdict verdict, std::chrono::microseconds first,
              std::chrono::microseconds duration);
  void SubmitCommit();
  void OnCommitted(Committed message);
  void Wake(Exchange exchange);

  // Batches: their calls stand in pools of their own, behind those of the plan.
  PoolIndex FirstBatchPool() const { return static_cast<PoolIndex>(plan_.pools().size()); }
  bool IsBatched(const Call& call) const { return call.pool >= FirstBatchPool(); }
  void MakeBatchPools();
  bool IsIdleForBatches() const;
  void RunBatches();
  void SaveBatch(Batches::Save save);
  void OnBatchSaved(BatchSaved message);
  void AnswerBatched(Batches::Answer answer);
  void CutBatched();
  void AskAlone(Call& call);
  static std::int64_t BatchPrice(const Call& call, std::int64_t nano_usd);
  double PriceFactor(const Call& call) const;

  // Gates.
  enum class Door { kOpen, kLater, kShut };
  struct Passage {
    Door door = Door::kOpen;
    TimePoint ready_at = kNever;  // kLater
    Error reason = {};            // kShut
    bool is_down = false;         // kShut: its breaker is open
  };
  void MakeLimiters();
  Passage PassageOf(Call& call, TimePoint now);
  Passage PassageByBudget(Call& call);
  bool HasStandIn(const Call& call) const;
  void NoteStandIn(const Call& call);
  void TakeTolls(Call& call, TimePoint now);
  void SettleTolls(Call& call, const Result<Reply>& reply, const Usage& wasted);
  const CallCost& WorstOf(Call& call);
  void Cut(Call& call, Error reason);
  std::string WaitsFor(TimePoint now) const;
  std::string CallName(const Call& call) const;

  void Handle(LoopMessage message);
  void Wait();
  void ReportProgress(bool now);
  static bool IsPage(const Call& call);
  std::chrono::milliseconds TimeLeft(const Call& call) const;  // of a page
  int RetriesMax(const Call& call) const;
  std::chrono::microseconds RetryDelay(const Call& call, const Pace& pace);
  std::chrono::microseconds PauseOf(const LivePool& pool, const Pace& pace);
  std::chrono::microseconds OverloadDelay(int tries);
  std::chrono::microseconds Backoff(int tries, const Patience& patience);
  Patience PatienceOf(const Call& call) const;

  const Plan& plan_;
  RunRecord run_;
  ExecutorDeps deps_;
  Endpoints no_endpoints_;
  const Endpoints& endpoints_;
  const Redactor redactor_{endpoints_};
  const ModelBook no_models_;
  const ModelBook& models_;
  ExecutorOptions options_;
  Progress progress_;
  std::mt19937_64 random_;
  TimePoint next_progress_{};

  CellWalk to_admit_;
  CellIndex admitted_ = 0;
  std::size_t window_cells_ = 0;
  std::unordered_map<CellIndex, std::unique_ptr<LiveCell>> live_;
  std::vector<std::pair<LiveCell*, SlotIndex>> ready_;
  std::size_t steps_running_ = 0;

  CallTable calls_;
  std::vector<Digest> to_look_up_;
  std::size_t look_ups_open_ = 0;
  std::vector<LivePool> pools_;
  std::optional<Batches> batches_;
  // What the user allows in a minute, shared by the pools of one provider.
  struct Limiter {
    std::optional<RateBucket> requests;
    std::optional<RateBucket> tokens;
  };
  std::vector<Limiter> limiters_;
  std::vector<std::size_t> limiter_of_pool_;
  std::size_t first_pool_ = 0;  // whose turn it is
  Acceptance acceptance_;       // what the services of models take
  PromptCache prompt_cache_;
  Breakers breakers_;
  Findings findings_;
  std::set<std::string> noted_;  // notes that are made once
  bool too_many_errors_ = false;
  bool budget_spent_ = false;
  TimePoint ends_at_ = kNever;  // when nothing more is asked
  bool out_of_time_ = false;    // something was not asked because of that
  TimePoint last_event_{};
  std::unordered_map<Ticket, Call*> on_wire_;
  Ticket next_ticket_ = 1;
  std::multimap<TimePoint, Call*> retries_;
  std::vector<Exchange> answered_;  // not committed yet
  std::uint64_t sent_ = 0;          // of them, those that were sent
  std::vector<CellResult> graded_;  // not committed yet
  std::vector<GradedCell> told_;    // of them, if anybody listens
  bool commit_open_ = false;

  bool stopping_ = false;
  std::optional<Error> failure_;

  BoundedQueue<LoopMessage> inbox_;
  // Last, so that their threads end before anything they report to.
  WorkerPool workers_;
  StoreThread store_;
};

}  // namespace assay
