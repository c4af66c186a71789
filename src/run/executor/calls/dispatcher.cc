// Looks calls up, sends those that nobody has answered, and hands their answers to whoever waits.
#include "run/executor/calls/dispatcher.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/wire/sandbox_words.h"
#include "plan/plan.h"
#include "providers/shapes/reply/reply_json.h"

namespace assay {

namespace {

const std::string* ProviderOf(const Request& request) {
  if (const auto* model = std::get_if<ModelRequest>(&request)) return &model->provider;
  if (const auto* embed = std::get_if<EmbedRequest>(&request)) return &embed->provider;
  return nullptr;
}

// What somebody says who was asked nothing.
Exchange Unasked(const Call& call, Error error) {
  Exchange exchange;
  exchange.key = call.prepared.key;
  exchange.kind = KindOf(call.prepared.request);
  exchange.role = call.prepared.tag.role;
  exchange.error = std::move(error);
  return exchange;
}

// A program that was late, perhaps because of others. It counts if it happens again with no other beside it.
bool WasHeldUp(const WireReply& reply) {
  const auto* process = std::get_if<ProcessReply>(&reply);
  return process != nullptr && process->held_up;
}

// What waited for processors all the time, twice, says nothing of its program.
void RefuseStarved(WireReply& reply) {
  auto* process = std::get_if<ProcessReply>(&reply);
  if (process == nullptr || process->limit != kWaitLimit) return;
  process->error =
      Error{ErrorCode::kTimeout,
            "twice, other programs used this machine's processors for more than ten times the limit of the "
            "test. It is unknown whether the program is late; the same command runs it again"};
}

// A call that was sent, in vain, is an error, however its waiting ended.
Error OutOfPatience(Error refusal, const Error& why) {
  refusal.message += fmt::format("; then {}", why.message);
  return refusal;
}

}  // namespace

Dispatcher::Dispatcher(DispatcherWorld world)
    : world_(world),
      endpoints_(world.deps.endpoints),
      wire_(endpoints_, world.deps.models,
            {.keeps_think_tags = world.options.keeps_think_tags, .runtime_root = world.options.runtime_root}),
      pools_(world.plan, world.options.batches.has_value()),
      acceptance_(world.deps.models),
      prompt_cache_(world.deps.models),
      tolls_(world_, world.deps.models, pools_),
      gates_(world_, findings_, pools_, tolls_),
      claims_(world_),
      on_wire_(world_, pools_, gates_.outages()),
      replies_(world_, {.endpoints = endpoints_,
                        .wire = wire_,
                        .acceptance = acceptance_,
                        .prompt_cache = prompt_cache_,
                        .gates = gates_,
                        .tolls = tolls_,
                        .pools = pools_,
                        .findings = findings_}),
      answers_(world_, tolls_, findings_),
      sender_(world_, {.wire = wire_,
                       .acceptance = acceptance_,
                       .prompt_cache = prompt_cache_,
                       .gates = gates_,
                       .tolls = tolls_,
                       .pools = pools_,
                       .claims = claims_,
                       .on_wire = on_wire_,
                       .batches = batches_,
                       .answers = answers_,
                       .findings = findings_,
                       .turn_away = [this](Call& call, Gates::Passage passage) {
                         TurnAway(call, std::move(passage));
                       }}) {
  if (world_.options.batches) batches_.emplace(endpoints_, *world_.options.batches, world_.epochs());
}

// --- from the question to the line of a pool ---

void Dispatcher::Ask(Question question) {
  bool added = false;
  Call& call = calls_.Join(std::move(question.request), question.waiter, added);
  if (!added) return;
  const std::string* provider = ProviderOf(call.prepared.request);
  call.pool =
      world_.plan.PoolOf(call.prepared.tag.role, provider == nullptr ? std::string_view() : *provider);
  to_look_up_.push_back(call.prepared.key);
}

void Dispatcher::Send() {
  replies_.OnRetryTimers();
  sender_.ReleaseKept();
  if (!IsLeaving()) return sender_.SendWaiting();
  for (const std::string& why : gates_.outages().all_given_up()) findings_.AddNoteOnce(why);
}

void Dispatcher::Gather(bool others_idle) {
  SubmitLookUps();
  if (batches_) RunBatches(others_idle);
}

void Dispatcher::SubmitLookUps() {
  claims_.LookAgain(gates_.closed().has_value(), to_look_up_);
  Keys keys = claims_.Take();
  keys.looked_up = std::exchange(to_look_up_, {});
  if (keys.empty()) return;
  ++look_ups_open_;
  world_.store.Submit([&inbox = world_.inbox, epochs = world_.epochs(), &claims = world_.deps.claims,
                       keys = std::move(keys)](Store& store) mutable {
    inbox.PushUnbounded(LookUp(store, claims, epochs, std::move(keys)));
  });
}

bool Dispatcher::OnLookedUp(LookedUp message) {
  --look_ups_open_;
  if (!message.found) {
    failure_ = std::move(message.found).error();
    return true;
  }
  bool is_news = false;
  claims_.OnHolders(message.holders);
  for (std::size_t i = 0; i < message.keys.size(); ++i) {
    Call* call = calls_.Find(message.keys[i]);
    ASSAY_ASSERT(call != nullptr);
    std::optional<Exchange>& found = (*message.found)[i];
    const bool was_to_be_claimed = i < message.claimed.size();
    if (was_to_be_claimed) {
      --pools_.Of(*call).claiming;
      call->is_claimed = message.claimed[i];
    }
    // A call that another process makes waits for it, as long as anybody is asked anything.
    const bool may_go = !was_to_be_claimed || call->is_claimed || gates_.closed();
    if (found && MayAnswer(*found, call->prepared)) {
      is_news = true;
      ++world_.progress.reused;
      claims_.Free(*call);
      Wake(std::move(*found));
    } else if (!may_go) {
      claims_.OnElsewhere(message.keys[i]);
    } else if (was_to_be_claimed) {
      is_news = true;
      claims_.OnHere(message.keys[i]);
      pools_.PutLast(*call);
    } else {
      is_news = is_news || !call->is_missing;
      OnMissing(*call);
    }
  }
  return is_news;
}

void Dispatcher::OnMissing(Call& call) {
  if (std::exchange(call.is_missing, true)) {
    Enqueue(call);  // another process was about to ask it
  } else if (call.prepared.was_down) {
    // A recording says that its model was down. What follows from it has to be found again: it is kept.
    answers_.Add(call, {.verdict = {.reply = *call.prepared.refused}});
  } else if (call.prepared.refused) {
    Refuse(call, *call.prepared.refused);
  } else if (world_.options.offline && !call.prepared.recorded && !IsAnsweredHere(call.prepared.request)) {
    Refuse(call, {ErrorCode::kRefused, "not answered before, and --offline forbids to ask"});
  } else {
    if (batches_ && batches_->MayTake(call.prepared)) {
      pools_.MoveToBatch(call);
    } else if (world_.options.marks_caches) {
      prompt_cache_.Expect(call);
    }
    Enqueue(call);
  }
}

void Dispatcher::Enqueue(Call& call) {
  LivePool& pool = pools_.Of(call);
  (claims_.IsNeeded(call) ? pool.unclaimed : pool.waiting).push_back(&call);
}

// --- batches ---

void Dispatcher::RunBatches(bool others_idle) {
  if (gates_.closed() == RunEnding::kOutOfTime) CutBatched();
  // What is answered may be asked again at once, alone or in another batch.
  while (true) {
    // What was gathered is sent when nothing else would come to it.
    const bool is_idle = others_idle && look_ups_open_ == 0 && answers_.size() == 0 && pools_.IsIdle();
    Batches::Work work = batches_->Tick(world_.Now(), world_.deps.clock.WallMs(), is_idle);
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
    sender_.SendWaiting();
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
    const Call* call = on_wire_.Find(answer.ticket);
    if (call != nullptr && call->in_background) answer.reply->duration = world_.Now() - call->sent_at;
    OnArrived({.ticket = answer.ticket, .reply = *std::move(answer.reply)});
  } else if (Call* call = on_wire_.Take(answer.ticket)) {
    AskAlone(*call);
  }
}

void Dispatcher::AskAlone(Call& call) {
  tolls_.Settle(call, Error{ErrorCode::kCancelled, "asked one by one"}, {});
  --call.tries;
  call.in_foreground = call.in_background;
  pools_.MoveToPlan(call);
  pools_.PutLast(call);
}

// The time of the run is over: its batches stay open, and the same command goes on with them.
void Dispatcher::CutBatched() {
  for (const Ticket ticket : on_wire_.TicketsOfBatches()) {
    Call& call = *on_wire_.Take(ticket);
    batches_->Forget(ticket);
    tolls_.Settle(call, Error{ErrorCode::kCancelled, "not answered in time"}, {});
    gates_.NoteOutOfTime();
    Cut(call, {ErrorCode::kCancelled,
               "its batch had no answer when the time of the run was over (--max-time); the same command "
               "continues it"});
  }
}

// --- from the wire to whoever waits ---

bool Dispatcher::OnTold(const EventLine& message) {
  const Call* call = on_wire_.Find(message.ticket);
  if (call == nullptr) return false;
  world_.listener.OnCall(*call, RunEvent::Kind::kTold, message.line);
  return true;
}

bool Dispatcher::OnArrived(Arrived arrived) {
  if (Batches::Owns(arrived.ticket)) {
    auto* reply = std::get_if<HttpReply>(&arrived.reply);
    if (!batches_ || reply == nullptr) return false;
    SpellNumbers(reply->body);
    wire_.redactor().Redact(*reply);  // batches word what services say
    batches_->OnReply(arrived.ticket, *reply, world_.Now());
    return false;
  }
  Call* call = on_wire_.Find(arrived.ticket);
  if (call == nullptr) return false;
  // What a batch answered may be cut while it is read.
  if (Wire::IsAsked(call->prepared) && !pools_.IsBatched(*call) && !call->in_background) {
    replies_.Add(arrived.ticket, call->prepared, std::move(arrived.reply));
    return true;
  }
  if (WasHeldUp(arrived.reply) && !std::exchange(call->ran_alone, true)) {
    on_wire_.Take(arrived.ticket);
    LivePool& pool = pools_.Of(*call);
    pool.somebody_is_alone = false;
    ++world_.progress.retries;
    pool.waiting_alone.push_back(call);
    return true;
  }
  RefuseStarved(arrived.reply);
  OnNews(arrived.ticket, wire_.reader().Decode(call->prepared, std::move(arrived.reply), world_.MachineMs()));
  return true;
}

void Dispatcher::Decode() {
  for (Decoded& each : replies_.Read()) OnNews(each.ticket, std::move(each.news));
}

void Dispatcher::OnDecoded(RepliesDecoded message) {
  replies_.OnReadByWorkers(message.replies.size());
  for (Decoded& each : message.replies) OnNews(each.ticket, std::move(each.news));
}

void Dispatcher::OnNews(Ticket ticket, WireNews news) {
  Call* call = on_wire_.Take(ticket);
  if (call == nullptr) return;
  pools_.Of(*call).somebody_is_alone = false;
  if (IsAnsweredHere(call->prepared.request)) news.duration = world_.Now() - call->sent_at;
  if (std::optional<FinalReply> final = replies_.Settle(*call, std::move(news)))
    answers_.Add(*call, *std::move(final));
}

void Dispatcher::TurnAway(Call& call, Gates::Passage passage) {
  if (passage.is_down && gates_.HasStandIn(call)) {
    // What follows from it has to be found again: it is kept as if it had been asked.
    answers_.Add(call, {.verdict = {.reply = std::move(passage.reason)}});
  } else if (passage.is_down && call.told_to_wait) {
    answers_.Add(call, {.verdict = {.reply = OutOfPatience(*call.told_to_wait, passage.reason)}});
  } else {
    Cut(call, std::move(passage.reason));
  }
}

// Nothing was asked, so nothing enters the store.
void Dispatcher::Refuse(Call& call, Error error) {
  answers_.CountError(call, error);
  ++world_.progress.open;
  claims_.Free(call);
  Wake(Unasked(call, std::move(error)));
}

// The same, and nobody failed.
void Dispatcher::Cut(Call& call, Error reason) {
  ++world_.progress.cut;
  ++world_.progress.open;
  claims_.Free(call);
  Wake(Unasked(call, std::move(reason)), true);
}

void Dispatcher::OnCommitted(std::vector<Exchange> exchanges) {
  for (Exchange& exchange : exchanges) {
    if (batches_) batches_->OnCommitted(exchange.key);
    Wake(std::move(exchange));
  }
}

void Dispatcher::Wake(Exchange exchange, bool was_cut) {
  Call* call = calls_.Find(exchange.key);
  ASSAY_ASSERT(call != nullptr);
  // People read these from the store; no step does. clear() would keep their room as long as the step.
  std::string().swap(exchange.request);
  std::string().swap(exchange.raw);
  const Digest key = exchange.key;
  gates_.outages().Forget(*call);
  Answered answered{.exchange = std::move(exchange),
                    .waiters = std::move(call->waiters),
                    .was_sent = call->was_sent,
                    .was_cut = was_cut};
  calls_.Erase(key);
  claims_.OnAnswered(key);
  world_.listener.OnAnswer(std::move(answered));
}

void Dispatcher::Break(std::span<const BrokenModel> models) {
  for (const BrokenModel& each : models) gates_.breakers().Break(each.key, each.model, each.message);
}

// --- what the run waits for ---

TimePoint Dispatcher::NextAt() const {
  const TimePoint now = world_.Now();
  if (HasLeft()) return now;
  TimePoint next = std::min({acceptance_.NextRelease(), prompt_cache_.NextRelease(), replies_.NextRetry(),
                             claims_.NextLook(), gates_.outages().NextRelease(now)});
  for (PoolIndex i = 0; i < pools_.plan_size(); ++i) {
    const LivePool& pool = pools_[i];
    const PoolPace pace = world_.deps.pace.Of(i);
    if ((pool.waiting.empty() && pool.unclaimed.empty()) || pool.in_flight >= pace.width) continue;
    const TimePoint ready = std::max(pace.paused_until, pool.ready_at);
    if (ready > now) next = std::min(next, ready);
  }
  return batches_ ? std::min(next, batches_->NextAt()) : next;
}

std::string Dispatcher::WaitsFor(TimePoint now) const {
  std::string text;
  const auto add = [&text](const std::string& part) {
    if (!part.empty()) text += (text.empty() ? "" : "; ") + part;
  };
  add(on_wire_.Text(now));
  add(replies_.Text(now));
  add(claims_.Text());
  add(gates_.outages().Text(now));
  for (PoolIndex i = 0; i < pools_.plan_size(); ++i) add(gates_.Text(i, now));
  if (batches_) add(batches_->Text(world_.deps.clock.WallMs()));
  return text;
}

}  // namespace assay
