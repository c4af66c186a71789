// The loop: calls that wait for a batch.
#include <algorithm>
#include <cmath>

#include "base/limits.h"
#include "run/executor/executor_loop.h"

namespace assay {

// A pool for each of the plan's, as wide as can be: a batch is one request of its provider, however many
// calls are in it. No limit a minute holds for them.
void Executor::Loop::MakeBatchPools() {
  batches_.emplace(endpoints_, *options_.batches, EpochRange{.first = run_.first_epoch, .last = run_.epoch});
  const std::size_t unlimited = limiters_.size();
  limiters_.emplace_back();
  for (std::size_t i = 0; i < plan_.pools().size(); ++i) {
    pools_.emplace_back(limits::kMaxInFlightMax);
    limiter_of_pool_.push_back(unlimited);
  }
}

// What was gathered is sent when nothing else would come to it: no step runs, nothing is looked up or
// committed, no call is under way alone.
bool Executor::Loop::IsIdleForBatches() const {
  bool is_idle = steps_running_ == 0 && look_ups_open_ == 0 && !commit_open_ && answered_.empty();
  for (PoolIndex i = 0; i < FirstBatchPool(); ++i) is_idle = is_idle && pools_[i].in_flight == 0;
  return is_idle;
}

void Executor::Loop::RunBatches() {
  if (deps_.clock.Now() >= ends_at_) CutBatched();
  // What is answered may be asked again at once, alone or in another batch.
  while (true) {
    Batches::Work work = batches_->Tick(deps_.clock.Now(), deps_.clock.WallMs(), IsIdleForBatches());
    for (std::string& note : work.notes) findings_.AddNote(std::move(note));
    for (Batches::Save& save : work.saves) SaveBatch(std::move(save));
    for (const std::int64_t number : work.removals) {
      // One that stays is removed by the next run.
      store_.Submit([number](Store& store) { static_cast<void>(store.RemoveBatch(number)); });
    }
    for (auto& [ticket, request] : work.sends) deps_.transport.Send(ticket, std::move(request), *this);
    for (Batches::Answer& answer : work.answers) AnswerBatched(std::move(answer));
    if (work.answers.empty()) return;
    SendWaiting();
  }
}

void Executor::Loop::SaveBatch(Batches::Save save) {
  store_.Submit([this, place = save.place, record = std::move(save.record)](Store& store) mutable {
    const Status saved = store.SaveBatch(record);
    BatchSaved message{.place = place, .number = record.number};
    if (!saved) message.number = saved.error();
    inbox_.PushUnbounded(std::move(message));
  });
}

void Executor::Loop::OnBatchSaved(BatchSaved message) {
  if (message.number) {
    batches_->OnSaved(message.place, *message.number);
  } else {
    failure_ = std::move(message.number).error();
  }
}

void Executor::Loop::AnswerBatched(Batches::Answer answer) {
  if (answer.reply) {
    OnCompletion({.ticket = answer.ticket, .reply = *std::move(answer.reply)});
    return;
  }
  const auto found = on_wire_.find(answer.ticket);
  if (found == on_wire_.end()) return;
  Call& call = *found->second;
  on_wire_.erase(found);
  --pools_[call.pool].in_flight;
  --progress_.in_flight;
  AskAlone(call);
}

void Executor::Loop::AskAlone(Call& call) {
  SettleTolls(call, Error{ErrorCode::kCancelled, "asked one by one"}, {});
  --call.tries;
  call.pool -= FirstBatchPool();
  pools_[call.pool].waiting.push_back(&call);
}

// Of a call that a batch answered.
std::int64_t Executor::Loop::BatchPrice(const Call& call, std::int64_t nano_usd) {
  return std::llround(static_cast<double>(nano_usd) * BatchInterfaceOf(call.prepared.request)->price_factor);
}

// What was paid of the list price: some tries may have been a batch's, others not.
double Executor::Loop::PriceFactor(const Call& call) const {
  if (call.list_nano_usd > 0)
    return static_cast<double>(call.paid_nano_usd) / static_cast<double>(call.list_nano_usd);
  return IsBatched(call) ? BatchInterfaceOf(call.prepared.request)->price_factor : 1;
}

// The time of the run is over: its batches stay open, and the same command goes on with them.
void Executor::Loop::CutBatched() {
  std::vector<Ticket> tickets;
  for (const auto& [ticket, call] : on_wire_) {
    if (IsBatched(*call)) tickets.push_back(ticket);
  }
  std::sort(tickets.begin(), tickets.end());
  for (const Ticket ticket : tickets) {
    Call& call = *on_wire_[ticket];
    on_wire_.erase(ticket);
    --pools_[call.pool].in_flight;
    --progress_.in_flight;
    batches_->Forget(ticket);
    SettleTolls(call, Error{ErrorCode::kCancelled, "not answered in time"}, {});
    out_of_time_ = true;
    Cut(call, {ErrorCode::kCancelled,
               "its batch was not answered when the time of the run was over (--max-time); the same command "
               "goes on with it"});
  }
}

}  // namespace assay
