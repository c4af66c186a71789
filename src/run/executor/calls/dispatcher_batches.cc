// The dispatcher's part for batches: when they are submitted, and how their results become answers.
#include <algorithm>

#include "run/executor/calls/dispatcher.h"

namespace assay {

// What was gathered is sent when nothing else would come to it: no step runs, nothing is looked up or
// committed, no call is under way alone.
bool Dispatcher::IsIdleForBatches(bool others_idle) const {
  bool is_idle = others_idle && look_ups_open_ == 0 && answered_.empty();
  for (PoolIndex i = 0; i < FirstBatchPool(); ++i) is_idle = is_idle && pools_[i].in_flight == 0;
  return is_idle;
}

void Dispatcher::RunBatches(bool others_idle) {
  if (closed_ == StopReason::kOutOfTime) CutBatched();
  // What is answered may be asked again at once, alone or in another batch.
  while (true) {
    Batches::Work work = batches_->Tick(Now(), world_.deps.clock.WallMs(), IsIdleForBatches(others_idle));
    for (std::string& note : work.notes) findings_.AddNote(std::move(note));
    for (Batches::Save& save : work.saves) SaveBatch(std::move(save));
    for (const std::int64_t number : work.removals) {
      // One that stays is removed by the next run.
      world_.store.Submit([number](Store& store) { static_cast<void>(store.RemoveBatch(number)); });
    }
    for (auto& [ticket, request] : work.sends)
      world_.deps.transport.Send(ticket, std::move(request), world_.sink);
    for (Batches::Answer& answer : work.answers) AnswerBatched(std::move(answer));
    if (work.answers.empty()) return;
    SendWaiting();
  }
}

void Dispatcher::SaveBatch(Batches::Save save) {
  world_.store.Submit(
      [&inbox = world_.inbox, place = save.place, record = std::move(save.record)](Store& store) mutable {
        const Status saved = store.SaveBatch(record);
        BatchSaved message{.place = place, .number = record.number};
        if (!saved) message.number = saved.error();
        inbox.PushUnbounded(std::move(message));
      });
}

void Dispatcher::OnBatchSaved(BatchSaved message) {
  if (message.number) {
    batches_->OnSaved(message.place, *message.number);
  } else {
    failure_ = std::move(message.number).error();
  }
}

void Dispatcher::AnswerBatched(Batches::Answer answer) {
  if (answer.reply) {
    const auto waiting = on_wire_.find(answer.ticket);
    if (waiting != on_wire_.end() && waiting->second->in_background)
      answer.reply->duration = Now() - waiting->second->sent_at;
    OnArrived({.ticket = answer.ticket, .reply = *std::move(answer.reply)});
  } else if (Call* call = TakeFromWire(answer.ticket)) {
    AskAlone(*call);
  }
}

void Dispatcher::AskAlone(Call& call) {
  SettleTolls(call, Error{ErrorCode::kCancelled, "asked one by one"}, {});
  --call.tries;
  call.in_foreground = call.in_background;
  call.pool = PlanPool(call.pool);
  pools_[call.pool].waiting.push_back(&call);
}

// What was paid of the list price: some tries may have been a batch's, others not.
double Dispatcher::PriceFactor(const Call& call) const {
  if (call.list_nano_usd > 0)
    return static_cast<double>(call.paid_nano_usd) / static_cast<double>(call.list_nano_usd);
  return IsBatched(call) ? BatchInterfaceOf(call.prepared.request)->price_factor : 1;
}

// The time of the run is over: its batches stay open, and the same command goes on with them.
void Dispatcher::CutBatched() {
  std::vector<Ticket> tickets;
  for (const auto& [ticket, call] : on_wire_) {
    if (IsBatched(*call) || call->in_background) tickets.push_back(ticket);
  }
  std::sort(tickets.begin(), tickets.end());
  for (const Ticket ticket : tickets) {
    Call& call = *TakeFromWire(ticket);
    batches_->Forget(ticket);
    SettleTolls(call, Error{ErrorCode::kCancelled, "not answered in time"}, {});
    out_of_time_ = true;
    Cut(call, {ErrorCode::kCancelled,
               "its batch had no answer when the time of the run was over (--max-time); the same command "
               "continues it"});
  }
}

}  // namespace assay
