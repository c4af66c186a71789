// Takes calls from the lines of their pools through the gates.
#include "run/executor/calls/sender.h"

#include <algorithm>

#include "base/limits.h"

namespace assay {

// As many as may be under way are claimed ahead, so that no place waits for the store; and half of them at a
// time, since a trip for one costs as much.
void Sender::ClaimWaiting(PoolIndex index, TimePoint now) {
  LivePool& pool = deps_.pools[index];
  if (deps_.gates.closed()) {  // they are told why they are not asked
    pool.waiting.insert(pool.waiting.end(), pool.unclaimed.begin(), pool.unclaimed.end());
    pool.unclaimed.clear();
  }
  if (pool.unclaimed.empty()) return;
  std::size_t width = limits::kMaxInFlightMax;
  if (index < deps_.pools.plan_size()) {
    const PoolPace pace = world_.deps.pace.Of(index);
    if (pace.paused_until > now) return;
    width = pace.width;
  }
  if (2 * (pool.claiming + pool.waiting.size()) > width) return;
  while (!pool.unclaimed.empty() && pool.claiming + pool.waiting.size() < width) {
    Call& call = *pool.unclaimed.front();
    if (deps_.gates.MayWaitForService(call) && deps_.gates.outages().IsDown(call.prepared.request, now)) {
      pool.ready_at = deps_.gates.outages().NextRelease(now);
      return;
    }
    Gates::Passage passage = deps_.gates.PassageOf(call, now);
    if (passage.door == Gates::Door::kLater) {
      pool.ready_at = passage.ready_at;
      return;
    }
    pool.unclaimed.pop_front();
    if (passage.door == Gates::Door::kShut) {
      deps_.turn_away(call, std::move(passage));
      continue;
    }
    ++pool.claiming;
    deps_.claims.Claim(call);
  }
}

// Calls that waited for the first of their model go before those that came later.
void Sender::ReleaseKept() {
  const bool is_over = deps_.gates.closed().has_value();
  const TimePoint until = is_over ? kNever : world_.Now();
  std::vector<Call*> released = deps_.gates.outages().Release(world_.Now(), is_over);
  for (const std::vector<Call*>& more : {deps_.acceptance.Release(until), deps_.prompt_cache.Release(until)})
    released.insert(released.end(), more.begin(), more.end());
  deps_.pools.PutFirst(released);
}

// Pools of one provider share what it may be asked in a minute: each is first in its turn.
void Sender::SendWaiting() {
  const TimePoint now = world_.Now();
  for (PoolIndex i = 0; i < deps_.pools.size(); ++i) {
    const PoolIndex index = (first_pool_ + i) % deps_.pools.size();
    deps_.pools[index].ready_at = {};
    ClaimWaiting(index, now);
    while (SendFirst(index, now)) continue;
    SendAlone(deps_.pools[index]);
  }
  if (deps_.pools.size() > 0) first_pool_ = (first_pool_ + 1) % deps_.pools.size();
}

// Takes the first call from the line of a pool: sends it, keeps it back for another one, or turns it away.
// False: nobody waits, or the first has to wait.
bool Sender::SendFirst(PoolIndex index, TimePoint now) {
  using Door = Gates::Door;
  LivePool& pool = deps_.pools[index];
  const bool is_over = deps_.gates.closed().has_value();
  // Once nothing is sent any more nobody waits.
  if (pool.waiting.empty() || !(is_over || deps_.gates.HasRoom(index, now))) return false;
  Call& call = *pool.waiting.front();
  if (!is_over && deps_.gates.MayWaitForService(call) && deps_.gates.outages().Keep(call, now)) {
    pool.waiting.pop_front();
    return true;
  }
  Gates::Passage passage = deps_.gates.PassageOf(call, now);
  pool.waiting.pop_front();
  if (passage.door == Door::kOpen && !deps_.pools.IsBatched(call) &&
      (deps_.acceptance.Keep(call, now) || deps_.prompt_cache.Keep(call, now)))
    return true;
  if (passage.door == Door::kOpen) passage = deps_.gates.PassageByBudget(call);
  if (passage.door == Door::kLater) {
    pool.ready_at = passage.ready_at;
    deps_.pools.PutFirst(call);
    return false;
  }
  if (passage.door == Door::kOpen) {
    SendOne(call);
  } else {
    deps_.turn_away(call, std::move(passage));
  }
  return true;
}

void Sender::SendAlone(LivePool& pool) {
  if (!pool.MaySendAlone()) return;
  Call* call = pool.waiting_alone.front();
  pool.waiting_alone.pop_front();
  SendOne(*call);
  pool.somebody_is_alone = pool.in_flight > 0;
}

void Sender::SendOne(Call& call) {
  if (call.tries == 0) {
    if (call.started_ms == 0) {
      call.started_ms = world_.deps.clock.WallMs();
      call.first_sent_at = world_.Now();
    }
    world_.listener.OnCall(call, RunEvent::Kind::kAsked, {});
  }
  if (const auto* documents = std::get_if<CorpusRequest>(&call.prepared.request)) {
    ++call.tries;
    AskDocuments(deps_.on_wire.Put(call), *documents);
    return;
  }
  Result<WireRequest> wire = deps_.wire.Encode(call.prepared);
  if (!wire) {
    call.tries = 0;  // nothing was sent
    call.mark = 0;
    deps_.tolls.Settle(call, wire.error(), {});
    deps_.answers.Add(call, {.verdict = {.reply = std::move(wire).error()}});
    return;
  }
  call.applied = deps_.acceptance.OnSend(call, world_.Now());
  for (std::string& note : deps_.acceptance.TakeNotes()) deps_.findings.AddNote(std::move(note));
  ++call.tries;
  const Ticket ticket = deps_.on_wire.Put(call);
  deps_.tolls.Take(call);
  deps_.prompt_cache.OnSend(call, call.sent_at);
  if (auto* program = std::get_if<ProcessRequest>(&*wire)) {
    world_.deps.launcher.Run(ticket, std::move(*program), world_.sink);
    return;
  }
  SendHttp(ticket, call, std::move(std::get<HttpRequest>(*wire)));
}

void Sender::SendHttp(Ticket ticket, Call& call, HttpRequest http) {
  Wire::AdaptTo(call.applied, call.prepared, http);
  if (IsPage(call)) http.timeout = TimeLeftOf(call, world_.Now());
  deps_.wire.Sign(call.prepared, world_.MachineMs(), http);
  const bool is_batched = deps_.pools.IsBatched(call);
  call.in_background =
      !is_batched && !call.in_foreground && deps_.batches && deps_.batches->TakesAlone(call.prepared, http);
  if (is_batched) {
    deps_.batches->Add(ticket, call.prepared, std::move(http));
  } else if (call.in_background) {
    deps_.batches->AddAlone(ticket, call.prepared, std::move(http));
  } else {
    world_.deps.transport.Send(ticket, std::move(http), world_.sink);
  }
}

// A worker answers from the documents.
void Sender::AskDocuments(Ticket ticket, const CorpusRequest& request) {
  world_.workers.Submit(
      [&inbox = world_.inbox, ticket, request, documents = world_.deps.documents](WorkerState&) {
        inbox.PushUnbounded(Arrived{.ticket = ticket, .reply = documents.AnswerOf(request)});
      });
}

}  // namespace assay
