// Dispatcher: brings each missing request of a run to its answer: looks it up in the store, sends it, tries
// again, and answers those who wait.
//
// Whatever is asked is one call for each key: looked up in the store; if nobody has answered it yet, sent as
// its pool, its service's pace, the budget and the breakers allow, alone or in a batch; tried again where
// that may help; and answered once, when the exchange is in the store or nothing was asked at all. It waits
// for nothing itself. Loop thread only.
//   dispatcher.cc          look-ups and sending
//   dispatcher_replies.cc  what comes back, tries again, answers
//   dispatcher_gates.cc    what keeps a call from being sent; what a stalled run waits for
//   dispatcher_batches.cc  calls that wait for a batch
//   dispatcher_claims.cc   calls that another process of the same run makes
#pragma once

#include <map>
#include <memory>
#include <set>
#include <unordered_map>
#include <vector>

#include "run/executor/calls/calls.h"
#include "run/executor/cells/cell_board.h"
#include "run/executor/executor.h"
#include "run/executor/messages.h"
#include "run/executor/worker_pool.h"
#include "run/limits/acceptance.h"
#include "run/limits/cost/call_cost.h"
#include "run/limits/cost/prompt_cache.h"
#include "run/limits/pace/outages.h"
#include "run/wire/wire.h"

namespace assay {

// Who asked, and who listens.
class DispatchListener {
 public:
  virtual ~DispatchListener() = default;
  virtual void OnAnswer(Answered answered) = 0;
  virtual void OnCall(const Call& call, RunEvent::Kind kind, std::string_view line) = 0;
};

// The threads and doors that a dispatcher works through; all of it outlives it.
struct DispatcherWorld {
  const Plan& plan;
  const RunRecord& run;
  const ExecutorDeps& deps;
  const ExecutorOptions& options;
  PaceKeeper& pace;
  LoopInbox& inbox;
  CompletionSink& sink;
  WorkerPool& workers;
  StoreThread& store;
  Progress& progress;
  DispatchListener& listener;
};

class Dispatcher {
 public:
  explicit Dispatcher(DispatcherWorld world);

  void Ask(Question question);
  // Sends what may be sent by now.
  void Send();
  // Looks up what was asked since, and goes on with batches. `others_idle`: no step runs, and nothing is
  // committed.
  void Gather(bool others_idle);
  // False: all is as it was.
  bool OnLookedUp(LookedUp message);
  // False: it is for no call.
  bool OnArrived(Arrived arrived);
  // Reads what services have sent since, or hands it to workers, who read it; until then it counts as on the
  // wire.
  void Decode();
  void OnDecoded(RepliesDecoded message);
  bool OnTold(const ToldLine& message);
  void OnBatchSaved(BatchSaved message);
  // Nothing more is sent; what waits is told why.
  void Close(StopReason why);
  // Another process of the run has found that these fail again and again.
  void Break(std::span<const BrokenModel> models);

  // Answers that are to be committed, at most so many; until then nobody sees them.
  std::vector<Exchange> TakeAnswered(std::size_t most);
  std::size_t answered() const { return answered_.size(); }
  std::uint64_t TakeSent() { return std::exchange(sent_, 0); }  // of them, those that were sent
  void OnCommitted(std::vector<Exchange> exchanges);

  std::size_t decoding() const { return decoding_ + to_decode_.size(); }
  std::size_t look_ups_open() const { return look_ups_open_; }
  bool HasOnWire() const { return !on_wire_.empty(); }
  // Whether a service still keeps what it was to forget.
  bool HasToDiscard() const { return batches_ && batches_->HasToDiscard(); }
  TimePoint NextAt() const;                   // when there is something to do even if nothing comes
  std::string WaitsFor(TimePoint now) const;  // "" if for nothing
  RunEnd end() const;
  // Whether nothing more is sent, since a service was given up, and nothing is under way any more.
  bool HasLeft() const { return IsLeaving() && !HasOnWire() && decoding() == 0; }
  std::optional<Error> TakeFailure() { return std::exchange(failure_, {}); }  // of the store
  const Findings& findings() const { return findings_; }
  const Breakers& breakers() const { return breakers_; }

 private:
  // --- from the need to the wire ---
  void SubmitLookUps();
  void OnAskedElsewhere(const Digest& key);
  void LookAgain();
  std::vector<Digest> ToBeNamed();
  void TellHolders(const std::string& holders);
  bool IsToBeClaimed(const Call& call) const;
  void ClaimWaiting(PoolIndex index, TimePoint now);
  bool OnClaimed(Call& call, bool is_mine);
  void Free(Call& call);
  void OnMissing(Call& call);
  void Enqueue(Call& call);
  void Refuse(Call& call, Error error);
  void Cut(Call& call, Error reason);
  void CountError(const Call& call, const Error& error);
  void ReleaseKept();
  void OnRetryTimers();
  void SendWaiting();
  void SendOne(Call& call);
  Ticket PutOnWire(Call& call);
  Call* TakeFromWire(Ticket ticket);  // null: nobody waits for it
  void AskDocuments(Ticket ticket, const CorpusRequest& request);

  // --- from the wire to the answer ---
  std::size_t BytesToDecode() const;
  void OnNews(Ticket ticket, WireNews news);
  void OnReply(Call& call, WireNews news);
  bool AsksInAnotherWay(Call& call, const Adaptation& learned);
  bool HasOtherKey(Call& call, const WireNews& news);
  ReplyClass ClassOf(const WireNews& news) const;
  bool AsksTooMuchPatience(const Pace& pace) const;
  bool IsBeyondPatience(const WireNews& news) const;
  bool GoesOn(Call& call, WireVerdict& verdict);
  bool SaysWait(const Call& call, const Pace& pace, ReplyClass outcome) const;
  void FollowPace(const Call& call, const Pace& pace, ReplyClass outcome);
  void WaitOn(Call& call, Result<Reply> refusal);
  bool MayWaitForService(const Call& call) const;
  bool WaitsForService(Call& call, const WireNews& news);
  void WaitForService(Call& call, Error failure);
  bool IsLeaving() const { return world_.options.leaves_when_down && outages_.has_given_up(); }
  bool TriesAgain(Call& call, const WireNews& news);
  static bool IsPage(const Call& call);
  std::chrono::milliseconds TimeLeft(const Call& call) const;  // of a page
  void CountOutcome(const Call& call, const WireNews& news);
  void Answer(Call& call, WireVerdict verdict, std::chrono::microseconds first = {},
              std::chrono::microseconds duration = {});
  void Wake(Exchange exchange, bool was_cut = false);

  // --- batches: their calls stand in pools of their own, behind those of the plan ---
  PoolIndex FirstBatchPool() const { return static_cast<PoolIndex>(world_.plan.pools().size()); }
  PoolIndex PlanPool(PoolIndex pool) const { return pool % FirstBatchPool(); }
  bool IsBatched(const Call& call) const { return call.pool >= FirstBatchPool(); }
  bool IsIdleForBatches(bool others_idle) const;
  void RunBatches(bool others_idle);
  void SaveBatch(Batches::Save save);
  void AnswerBatched(Batches::Answer answer);
  void CutBatched();
  void AskAlone(Call& call);
  std::int64_t PaidOf(const Call& call, const ModelReply* reply, std::int64_t list_nano_usd) const;
  double PriceFactor(const Call& call) const;

  // --- gates ---
  enum class Door { kOpen, kLater, kShut };
  struct Passage {
    Door door = Door::kOpen;
    TimePoint ready_at = kNever;  // kLater
    Error reason = {};            // kShut
    bool is_down = false;         // kShut: its breaker is open
  };
  bool MaySend(PoolIndex pool, TimePoint now) const;
  Passage PassageOf(Call& call, TimePoint now);
  Passage PassageByBudget(Call& call);
  bool HasStandIn(const Call& call) const;
  void NoteStandIn(const Call& call);
  void TakeTolls(Call& call);
  // Of a reply that says nothing of its usage, from a service that is paid.
  void NoteEstimate(Call& call, std::int64_t nano_usd);
  void SettleTolls(Call& call, const Result<Reply>& reply, const Usage& wasted);
  const CallCost& WorstOf(Call& call);
  void TurnAway(Call& call, Passage passage);
  void NoteOnce(std::string note, std::string_view more = {});
  std::string PoolText(PoolIndex pool, TimePoint now) const;
  std::string CallName(const Call& call) const;

  TimePoint Now() const { return world_.deps.clock.Now(); }
  std::int64_t MachineMs() const {
    return (world_.deps.machine == nullptr ? &world_.deps.clock : world_.deps.machine)->WallMs();
  }

  DispatcherWorld world_;
  const ModelBook no_models_;
  Endpoints endpoints_;  // its own, as keys are renewed
  const ModelBook& models_;
  Wire wire_;
  RetryDelays delays_;

  CallTable calls_;
  std::vector<Digest> to_look_up_;
  std::vector<Digest> to_claim_;
  std::size_t look_ups_open_ = 0;
  std::multimap<TimePoint, Digest> look_again_;  // what others ask
  std::map<Digest, TimePoint> elsewhere_;        // the same, and since when this is known
  TimePoint name_holders_at_ = kNever;
  std::vector<Digest> to_free_;  // what nobody asks any more
  std::vector<LivePool> pools_;
  std::size_t first_pool_ = 0;  // whose turn it is
  std::optional<Batches> batches_;
  Acceptance acceptance_;  // what the services of models take
  PromptCache prompt_cache_;
  Breakers breakers_;
  Outages outages_;  // of services that are waited for
  Findings findings_;
  std::set<std::string> noted_;  // notes that are made once
  std::unordered_map<Ticket, Call*> on_wire_;
  struct ToDecode {
    Ticket ticket = 0;
    const PreparedRequest* prepared = nullptr;  // of a call on the wire, which nobody changes
    WireReply reply;
  };
  std::vector<ToDecode> to_decode_;
  std::size_t decoding_ = 0;  // by workers
  Ticket next_ticket_ = 1;
  std::multimap<TimePoint, Call*> retries_;
  std::vector<Exchange> answered_;  // not committed yet
  std::uint64_t sent_ = 0;          // of them, those that were sent
  std::optional<StopReason> closed_;
  bool out_of_time_ = false;  // something was not asked because of that
  bool budget_spent_ = false;
  std::optional<Error> failure_;
};

}  // namespace assay
