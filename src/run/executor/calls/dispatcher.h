// Dispatcher: brings each missing request of a run to its answer.
//
// Whatever is asked is one call for each key. A call is looked up in the store. If nobody has answered it,
// it waits in a line (CallPools) until the Sender lets it through the Gates, claimed (Claims) and paid for
// (Tolls), onto the wire (CallsOnWire), alone or in a batch (Batches). Replies decide whether it is sent
// again. It is answered once: when its exchange is in the store (Answers), or when nothing was asked at all.
// The dispatcher waits for nothing itself. Loop thread only.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "run/executor/calls/sender.h"
#include "run/executor/cells/cell_board.h"

namespace assay {

class Dispatcher {
 public:
  explicit Dispatcher(DispatcherWorld world);
  Dispatcher(const Dispatcher&) = delete;  // its parts refer to each other
  Dispatcher& operator=(const Dispatcher&) = delete;

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
  bool OnTold(const EventLine& message);
  void OnBatchSaved(BatchSaved message);
  // Nothing more is sent; what waits is told why.
  void Close(RunEnding why) { gates_.Close(why); }
  // Another process of the run has found that these fail again and again.
  void Break(std::span<const BrokenModel> models);

  // Answers that are to be committed, at most so many; until then nobody sees them.
  std::vector<Exchange> TakeAnswered(std::size_t most) { return answers_.Take(most); }
  std::size_t answered() const { return answers_.size(); }
  std::uint64_t TakeSent() { return answers_.TakeSent(); }  // of them, those that were sent
  void OnCommitted(std::vector<Exchange> exchanges);

  std::size_t decoding() const { return replies_.unread(); }
  std::size_t look_ups_open() const { return look_ups_open_; }
  bool HasOnWire() const { return !on_wire_.empty(); }
  // Whether a service still keeps what it was to forget.
  bool HasToDiscard() const { return batches_ && batches_->HasToDiscard(); }
  TimePoint NextAt() const;                   // when there is something to do even if nothing comes
  std::string WaitsFor(TimePoint now) const;  // "" if for nothing
  RunEnding ending() const { return gates_.ending(); }
  // Whether nothing more is sent, since a service was given up, and nothing is under way any more.
  bool HasLeft() const { return IsLeaving() && !HasOnWire() && decoding() == 0; }
  std::optional<Error> TakeFailure() { return std::exchange(failure_, {}); }  // of the store
  const Findings& findings() const { return findings_; }
  const Breakers& breakers() const { return gates_.breakers(); }

 private:
  bool IsLeaving() const { return world_.options.leaves_when_down && gates_.outages().has_given_up(); }

  // From the question to the line of a pool.
  void SubmitLookUps();
  void OnMissing(Call& call);
  void Enqueue(Call& call);

  // Batches.
  void RunBatches(bool others_idle);
  void SaveBatch(Batches::Save save);
  void AnswerBatched(Batches::Answer answer);
  void AskAlone(Call& call);
  void CutBatched();

  // From the wire to whoever waits.
  void OnNews(Ticket ticket, WireNews news);
  void TurnAway(Call& call, Gates::Passage passage);
  void Refuse(Call& call, Error error);
  void Cut(Call& call, Error reason);
  void Wake(Exchange exchange, bool was_cut = false);

  DispatcherWorld world_;
  Endpoints endpoints_;  // its own, as keys are renewed
  Wire wire_;
  Findings findings_;

  CallTable calls_;
  CallPools pools_;
  Acceptance acceptance_;  // what the services of models take
  PromptCache prompt_cache_;
  Tolls tolls_;
  Gates gates_;
  Claims claims_;
  CallsOnWire on_wire_;
  std::optional<Batches> batches_;
  Replies replies_;
  Answers answers_;
  Sender sender_;

  std::vector<Digest> to_look_up_;
  std::size_t look_ups_open_ = 0;
  std::optional<Error> failure_;
};

}  // namespace assay
