// Looks requests up in the store, and sends those that nobody has answered.
#include "run/executor/calls/dispatcher.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/limits.h"
#include "corpus/ask/operations.h"
#include "run/executor/calls/claimed_look_up.h"
#include "run/model_name.h"
#include "spec/suite/case.h"

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

}  // namespace

Dispatcher::Dispatcher(DispatcherWorld world)
    : world_(world),
      endpoints_(world.deps.endpoints == nullptr ? Endpoints() : *world.deps.endpoints),
      models_(world.deps.models == nullptr ? no_models_ : *world.deps.models),
      wire_(endpoints_, models_,
            {.keeps_think_tags = world.options.keeps_think_tags, .runtime_root = world.options.runtime_root}),
      delays_(world.options.retry, world.options.jitter_seed),
      pools_(world.plan.pools().size()),
      acceptance_(models_),
      prompt_cache_(models_),
      outages_(world.options.retry) {
  if (!world_.options.batches) return;
  const EpochRange epochs{.first = world_.run.first_epoch, .last = world_.run.epoch};
  batches_.emplace(endpoints_, *world_.options.batches, epochs);
  pools_.resize(2 * pools_.size());
}

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
  OnRetryTimers();
  ReleaseKept();
  if (!IsLeaving()) return SendWaiting();
  for (const std::string& why : outages_.all_given_up()) NoteOnce(why);
}

void Dispatcher::Gather(bool others_idle) {
  SubmitLookUps();
  if (batches_) RunBatches(others_idle);
}

void Dispatcher::SubmitLookUps() {
  LookAgain();
  std::vector<Digest> named = ToBeNamed();
  if (to_look_up_.empty() && to_claim_.empty() && to_free_.empty() && named.empty()) return;
  ++look_ups_open_;
  const EpochRange epochs{.first = world_.run.first_epoch, .last = world_.run.epoch};
  Keys keys{.claimed = std::exchange(to_claim_, {}),
            .looked_up = std::exchange(to_look_up_, {}),
            .freed = std::exchange(to_free_, {}),
            .named = std::move(named)};
  world_.store.Submit([&inbox = world_.inbox, epochs, claims = world_.deps.claims,
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
  TellHolders(message.holders);
  for (std::size_t i = 0; i < message.keys.size(); ++i) {
    Call* call = calls_.Find(message.keys[i]);
    ASSAY_ASSERT(call != nullptr);
    std::optional<Exchange>& found = (*message.found)[i];
    const bool was_to_be_claimed = i < message.claimed.size();
    const bool may_go = !was_to_be_claimed || OnClaimed(*call, message.claimed[i]);
    if (found && MayAnswer(*found, call->prepared)) {
      is_news = true;
      ++world_.progress.reused;
      Free(*call);
      Wake(std::move(*found));
    } else if (!may_go) {
      OnAskedElsewhere(message.keys[i]);
    } else if (was_to_be_claimed) {
      is_news = true;
      elsewhere_.erase(message.keys[i]);
      pools_[call->pool].waiting.push_back(call);
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
    Answer(call, {.reply = *call.prepared.refused});
  } else if (call.prepared.refused) {
    Refuse(call, *call.prepared.refused);
  } else if (world_.options.offline && !call.prepared.recorded && !IsAnsweredHere(call.prepared.request)) {
    Refuse(call, {ErrorCode::kRefused, "not answered before, and --offline forbids to ask"});
  } else {
    if (batches_ && batches_->MayTake(call.prepared)) {
      call.pool += FirstBatchPool();
    } else if (world_.options.marks_caches) {
      prompt_cache_.Expect(call);
    }
    Enqueue(call);
  }
}

void Dispatcher::Enqueue(Call& call) {
  LivePool& pool = pools_[call.pool];
  (IsToBeClaimed(call) ? pool.unclaimed : pool.waiting).push_back(&call);
}

// Nothing was asked, so nothing enters the store.
void Dispatcher::Refuse(Call& call, Error error) {
  CountError(call, error);
  ++world_.progress.open;
  Free(call);
  Wake(Unasked(call, std::move(error)));
}

// The same, and nobody failed.
void Dispatcher::Cut(Call& call, Error reason) {
  ++world_.progress.cut;
  ++world_.progress.open;
  Free(call);
  Wake(Unasked(call, std::move(reason)), true);
}

void Dispatcher::CountError(const Call& call, const Error& error) {
  Progress& progress = world_.progress;
  if (progress.errors++ == 0) progress.first_error = error.message;
  ++CountOf(progress.errors_by_class, error.code);
  findings_.AddFailure(ModelNameOf(call.prepared.request), error.message,
                       world_.plan.CaseOf(call.prepared.tag.case_index).id);
}

// Calls that waited for the first of their model go before those that came later.
void Dispatcher::ReleaseKept() {
  const TimePoint until = closed_ ? kNever : Now();
  std::vector<Call*> released = outages_.Release(Now(), closed_.has_value());
  const std::vector<Call*> accepted = acceptance_.Release(until);
  released.insert(released.end(), accepted.begin(), accepted.end());
  const std::vector<Call*> cached = prompt_cache_.Release(until);
  released.insert(released.end(), cached.begin(), cached.end());
  std::for_each(released.rbegin(), released.rend(),
                [this](Call* call) { pools_[call->pool].waiting.push_front(call); });
}

void Dispatcher::OnRetryTimers() {
  const TimePoint now = Now();
  while (!retries_.empty() && (retries_.begin()->first <= now || closed_)) {
    Call* call = retries_.begin()->second;
    retries_.erase(retries_.begin());
    pools_[call->pool].waiting.push_front(call);
  }
}

bool Dispatcher::MaySend(PoolIndex pool, TimePoint now) const {
  const LivePool& live = pools_[pool];
  if (live.somebody_is_alone) return false;
  // A batch is one request of its provider, however many calls are in it: no limit holds for them.
  if (pool >= FirstBatchPool()) return live.in_flight < limits::kMaxInFlightMax;
  const PoolPace pace = world_.pace.Of(pool);
  return live.in_flight < pace.width && pace.paused_until <= now;
}

// Pools of one provider share what it may be asked in a minute: each is first in its turn.
void Dispatcher::SendWaiting() {
  const TimePoint now = Now();
  for (std::size_t i = 0; i < pools_.size(); ++i) {
    const auto index = static_cast<PoolIndex>((first_pool_ + i) % pools_.size());
    LivePool& pool = pools_[index];
    pool.ready_at = {};
    ClaimWaiting(index, now);
    // Once nothing is sent any more nobody waits.
    while (!pool.waiting.empty() && (closed_ || MaySend(index, now))) {
      Call& call = *pool.waiting.front();
      if (!closed_ && MayWaitForService(call) && outages_.Keep(call, now)) {
        pool.waiting.pop_front();
        continue;
      }
      Passage passage = PassageOf(call, now);
      pool.waiting.pop_front();
      if (passage.door == Door::kOpen && !IsBatched(call) &&
          (acceptance_.Keep(call, now) || prompt_cache_.Keep(call, now)))
        continue;
      if (passage.door == Door::kOpen) passage = PassageByBudget(call);
      if (passage.door == Door::kLater) {
        pool.ready_at = passage.ready_at;
        pool.waiting.push_front(&call);
        break;
      }
      if (passage.door == Door::kOpen) {
        SendOne(call);
      } else {
        TurnAway(call, std::move(passage));
      }
    }
    if (!pool.MaySendAlone()) continue;
    Call* call = pool.waiting_alone.front();
    pool.waiting_alone.pop_front();
    SendOne(*call);
    pool.somebody_is_alone = pool.in_flight > 0;
  }
  if (!pools_.empty()) first_pool_ = (first_pool_ + 1) % pools_.size();
}

Ticket Dispatcher::PutOnWire(Call& call) {
  Progress& progress = world_.progress;
  call.sent_at = Now();
  const Ticket ticket = next_ticket_++;
  on_wire_.emplace(ticket, &call);
  world_.pace.OnUnderWay(call.pool, ++pools_[call.pool].in_flight);
  outages_.OnUnderWay(call, true);
  ++progress.in_flight;
  progress.in_flight_reached = std::max(progress.in_flight_reached, progress.in_flight);
  return ticket;
}

Call* Dispatcher::TakeFromWire(Ticket ticket) {
  const auto found = on_wire_.find(ticket);
  if (found == on_wire_.end()) return nullptr;
  Call* call = found->second;
  on_wire_.erase(found);
  world_.pace.OnUnderWay(call->pool, --pools_[call->pool].in_flight);
  outages_.OnUnderWay(*call, false);
  --world_.progress.in_flight;
  return call;
}

// A worker answers from the documents.
void Dispatcher::AskDocuments(Ticket ticket, const CorpusRequest& request) {
  world_.workers.Submit([&inbox = world_.inbox, ticket, request, corpus = world_.deps.corpus](WorkerState&) {
    Result<Value> answer = corpus == nullptr
                               ? Error{ErrorCode::kNotFound, "the run has no documents"}
                               : AnswerOf(*corpus, request.operation, request.arguments, request.documents);
    Result<CorpusReply> reply = answer ? Result<CorpusReply>(CorpusReply{*std::move(answer)})
                                       : Result<CorpusReply>(std::move(answer).error());
    inbox.PushUnbounded(Arrived{.ticket = ticket, .reply = std::move(reply)});
  });
}

void Dispatcher::SendOne(Call& call) {
  if (call.tries == 0) {
    if (call.started_ms == 0) {
      call.started_ms = world_.deps.clock.WallMs();
      call.first_sent_at = Now();
    }
    world_.listener.OnCall(call, RunEvent::Kind::kAsked, {});
  }
  if (const auto* documents = std::get_if<CorpusRequest>(&call.prepared.request)) {
    ++call.tries;
    AskDocuments(PutOnWire(call), *documents);
    return;
  }
  Result<WireRequest> wire = wire_.Encode(call.prepared);
  const bool needs_launcher = wire && std::holds_alternative<ProcessRequest>(*wire);
  if (needs_launcher && world_.deps.launcher == nullptr)
    wire = Error{ErrorCode::kUnsupported, "programs cannot be run here"};
  if (!wire) {
    call.tries = 0;  // nothing was sent
    call.mark = 0;
    SettleTolls(call, wire.error(), {});
    Answer(call, {.reply = std::move(wire).error()});
    return;
  }
  call.applied = acceptance_.OnSend(call, Now());
  for (std::string& note : acceptance_.TakeNotes()) findings_.AddNote(std::move(note));
  ++call.tries;
  const Ticket ticket = PutOnWire(call);
  TakeTolls(call);
  prompt_cache_.OnSend(call, call.sent_at);
  if (needs_launcher) {
    world_.deps.launcher->Run(ticket, std::move(std::get<ProcessRequest>(*wire)), world_.sink);
    return;
  }
  auto& http = std::get<HttpRequest>(*wire);
  Wire::AdaptTo(call.applied, call.prepared, http);
  if (IsPage(call)) http.timeout = TimeLeft(call);
  wire_.Sign(call.prepared, MachineMs(), http);
  call.in_background =
      !IsBatched(call) && !call.in_foreground && batches_ && batches_->TakesAlone(call.prepared, http);
  if (IsBatched(call)) {
    batches_->Add(ticket, call.prepared, std::move(http));
  } else if (call.in_background) {
    batches_->AddAlone(ticket, call.prepared, std::move(http));
  } else {
    world_.deps.transport.Send(ticket, std::move(http), world_.sink);
  }
}

TimePoint Dispatcher::NextAt() const {
  if (HasLeft()) return Now();
  TimePoint next = std::min(acceptance_.NextRelease(), prompt_cache_.NextRelease());
  if (!retries_.empty()) next = std::min(next, retries_.begin()->first);
  if (!look_again_.empty()) next = std::min(next, look_again_.begin()->first);
  const TimePoint now = Now();
  next = std::min(next, outages_.NextRelease(now));
  for (PoolIndex i = 0; i < FirstBatchPool(); ++i) {
    const LivePool& pool = pools_[i];
    const PoolPace pace = world_.pace.Of(i);
    if ((pool.waiting.empty() && pool.unclaimed.empty()) || pool.in_flight >= pace.width) continue;
    const TimePoint ready = std::max(pace.paused_until, pool.ready_at);
    if (ready > now) next = std::min(next, ready);
  }
  return batches_ ? std::min(next, batches_->NextAt()) : next;
}

}  // namespace assay
