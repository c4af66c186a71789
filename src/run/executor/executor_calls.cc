// The loop: requests, from a step's need to the commit that answers it.
#include <fmt/core.h>

#include <algorithm>

#include "base/line_protocol.h"
#include "corpus/operations.h"
#include "providers/shapes/reply_json.h"
#include "run/executor/executor_loop.h"

namespace assay {

namespace {

constexpr std::size_t kCellsPerCommit = 256;
constexpr std::size_t kExchangesPerCommitMax = 4096;
constexpr std::int64_t kSlowCallMs = 1'000;  // below that nothing is worth a word
constexpr int kFirstErrorStatus = 400;
constexpr int kTooManyRequests = 429;

std::int64_t Milliseconds(std::chrono::microseconds time) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(time).count();
}

// A program that was late, perhaps because of others. It counts if it happens again with no other beside it.
bool WasHeldUp(const Completion& completion) {
  const auto* process = std::get_if<ProcessReply>(&completion.reply);
  return process != nullptr && process->held_up;
}

// A program that belongs to one run of several keeps its files below that run's folder.
void KeepFolder(const std::string& root, HttpRequest& request) {
  if (root.empty() || request.route != Route::kProgram) return;
  for (const HttpHeader& header : request.headers) {
    if (header.name != kRunHeader) continue;
    request.headers.push_back({std::string(kFolderHeader), fmt::format("{}/{}/runtime", root, header.value)});
    return;
  }
}

// Asks nobody outside.
bool IsAnsweredHere(const Request& request) { return std::holds_alternative<CorpusRequest>(request); }

// What a suite says of its own model; undefined for others.
const Value& CustomOf(const Call& call) {
  static const Value kNone;
  const auto* model = std::get_if<ModelRequest>(&call.prepared.request);
  return model == nullptr ? kNone : model->custom;
}

// A call that was sent, in vain, is an error, however its waiting ended.
Error OutOfPatience(Error refusal, const Error& why) {
  refusal.message += fmt::format("; then {}", why.message);
  return refusal;
}

const std::string* ProviderOf(const Request& request) {
  if (const auto* model = std::get_if<ModelRequest>(&request)) return &model->provider;
  if (const auto* embed = std::get_if<EmbedRequest>(&request)) return &embed->provider;
  return nullptr;
}

}  // namespace

void Executor::Loop::Ask(LiveCell& cell, SlotIndex slot, std::vector<PreparedRequest> requests) {
  ASSAY_ASSERT(!requests.empty());
  LiveStep& step = cell.steps[slot];
  step.state = StepState::kAsking;
  ++step.rounds;
  step.round_start = step.so_far.size();
  step.replies_open = static_cast<std::uint32_t>(requests.size());
  step.so_far.resize(step.round_start + requests.size());
  for (std::size_t i = 0; i < requests.size(); ++i) {
    const Waiter waiter{.cell = &cell, .slot = slot, .position = step.round_start + i};
    bool added = false;
    Call& call = calls_.Join(std::move(requests[i]), waiter, added);
    if (!added) continue;
    const std::string* provider = ProviderOf(call.prepared.request);
    call.pool = plan_.PoolOf(call.prepared.tag.role, provider == nullptr ? std::string_view() : *provider);
    to_look_up_.push_back(call.prepared.key);
  }
}

void Executor::Loop::SubmitLookUps() {
  if (to_look_up_.empty()) return;
  ++look_ups_open_;
  const EpochRange epochs{.first = run_.first_epoch, .last = run_.epoch};
  store_.Submit([this, epochs, keys = std::exchange(to_look_up_, {})](Store& store) mutable {
    auto found = store.Find(keys, epochs);
    inbox_.PushUnbounded(LookedUp{.keys = std::move(keys), .found = std::move(found)});
  });
}

void Executor::Loop::OnLookedUp(LookedUp message) {
  --look_ups_open_;
  last_event_ = deps_.clock.Now();
  if (!message.found) {
    failure_ = std::move(message.found).error();
    return;
  }
  for (std::size_t i = 0; i < message.keys.size(); ++i) {
    Call* call = calls_.Find(message.keys[i]);
    ASSAY_ASSERT(call != nullptr);
    std::optional<Exchange>& found = (*message.found)[i];
    if (!found || !MayAnswer(*found, call->prepared)) {
      OnMissing(*call);
      continue;
    }
    ++progress_.reused;
    Wake(std::move(*found));
  }
}

void Executor::Loop::OnMissing(Call& call) {
  if (call.prepared.was_down) {
    // A recording says that its model was down. What follows from it has to be found again: it is kept.
    Answer(call, {.reply = *call.prepared.refused}, std::chrono::microseconds(0),
           std::chrono::microseconds(0));
  } else if (call.prepared.refused) {
    Refuse(call, *call.prepared.refused);
  } else if (options_.offline && !call.prepared.recorded && !IsAnsweredHere(call.prepared.request)) {
    Refuse(call, {ErrorCode::kRefused, "not answered before, and --offline forbids to ask"});
  } else {
    if (batches_ && Batches::MayTake(call.prepared)) {
      call.pool += FirstBatchPool();
    } else if (options_.marks_caches) {
      prompt_cache_.Expect(call);
    }
    pools_[call.pool].waiting.push_back(&call);
  }
}

// Nothing was asked, so nothing enters the store.
void Executor::Loop::Refuse(Call& call, Error error) {
  Exchange exchange;
  exchange.key = call.prepared.key;
  exchange.kind = KindOf(call.prepared.request);
  exchange.role = call.prepared.tag.role;
  CountError(call, error);
  exchange.error = std::move(error);
  Wake(std::move(exchange));
}

void Executor::Loop::CountError(const Call& call, const Error& error) {
  if (progress_.errors++ == 0) progress_.first_error = error.message;
  ++CountOf(progress_.errors_by_class, error.code);
  findings_.AddFailure(ModelNameOf(call.prepared.request), error.message,
                       plan_.suite().cases[call.prepared.tag.case_index].id);
}

// Calls that waited for the first of their model go before those that came later.
void Executor::Loop::ReleaseKept() {
  const TimePoint now = deps_.clock.Now();
  std::vector<Call*> released = acceptance_.Release(now >= ends_at_ ? kNever : now);
  const std::vector<Call*> cached = prompt_cache_.Release(now >= ends_at_ ? kNever : now);
  released.insert(released.end(), cached.begin(), cached.end());
  std::for_each(released.rbegin(), released.rend(),
                [this](Call* call) { pools_[call->pool].waiting.push_front(call); });
}

// Pools of one provider share what it may be asked in a minute: each is first in its turn.
void Executor::Loop::SendWaiting() {
  const TimePoint now = deps_.clock.Now();
  for (std::size_t i = 0; i < pools_.size(); ++i) {
    LivePool& pool = pools_[(first_pool_ + i) % pools_.size()];
    pool.ready_at = {};
    // When the time of the run is over nobody waits any more.
    while (!pool.waiting.empty() && (pool.MaySend(now) || now >= ends_at_)) {
      Call& call = *pool.waiting.front();
      Passage passage = PassageOf(call, now);
      if (passage.door == Door::kLater) {
        pool.ready_at = passage.ready_at;
        break;
      }
      pool.waiting.pop_front();
      if (passage.is_down && HasStandIn(call)) {
        // What follows from it has to be found again: it is kept as if it had been asked.
        Answer(call, {.reply = std::move(passage.reason)}, {}, {});
      } else if (passage.is_down && call.told_to_wait) {
        Answer(call, {.reply = OutOfPatience(*call.told_to_wait, passage.reason)}, {}, {});
      } else if (passage.door == Door::kShut) {
        Cut(call, std::move(passage.reason));
      } else if (IsBatched(call) || !(acceptance_.Keep(call, now) || prompt_cache_.Keep(call, now))) {
        Send(call);
      }
    }
    if (!pool.MaySendAlone()) continue;
    Call* call = pool.waiting_alone.front();
    pool.waiting_alone.pop_front();
    Send(*call);
    pool.somebody_is_alone = pool.in_flight > 0;
  }
  if (!pools_.empty()) first_pool_ = (first_pool_ + 1) % pools_.size();
}

void Executor::Loop::TellOf(const Call& call, RunEvent::Kind kind, std::string_view line) {
  if (!deps_.on_event) return;
  const RequestTag& tag = call.prepared.tag;
  deps_.on_event({.kind = kind,
                  .cell = {.case_index = tag.case_index, .variant = tag.variant, .attempt = tag.attempt},
                  .role = tag.role,
                  .line = line});
}

// Told once of a cell, before whatever happened in it so far. A cell that is found again is told of once it
// is graded.
void Executor::Loop::TellAsked(const Call& call) {
  LiveCell& cell = *call.waiters.front().cell;
  if (!deps_.on_event || std::exchange(cell.was_asked, true)) return;
  TellOf(call, RunEvent::Kind::kAsked);
  for (const std::string& line : std::exchange(cell.to_tell, {}))
    deps_.on_event({.kind = RunEvent::Kind::kTold, .cell = cell.address, .line = line});
}

void Executor::Loop::OnTold(const ToldLine& message) {
  const auto found = on_wire_.find(message.ticket);
  if (found == on_wire_.end()) return;
  last_event_ = deps_.clock.Now();
  TellOf(*found->second, RunEvent::Kind::kTold, message.line);
}

Ticket Executor::Loop::PutOnWire(Call& call) {
  call.sent_at = deps_.clock.Now();
  const Ticket ticket = next_ticket_++;
  on_wire_.emplace(ticket, &call);
  ++pools_[call.pool].in_flight;
  ++progress_.in_flight;
  progress_.in_flight_reached = std::max(progress_.in_flight_reached, progress_.in_flight);
  return ticket;
}

// A worker answers from the documents; its completion comes like any other.
void Executor::Loop::AskDocuments(Ticket ticket, const CorpusRequest& request) {
  workers_.Submit([this, ticket, request, corpus = deps_.corpus](WorkerState&) {
    HttpReply reply;
    reply.status = 200;
    Result<Value> answer = corpus == nullptr
                               ? Error{ErrorCode::kNotFound, "the run has no documents"}
                               : AnswerOf(*corpus, request.operation, request.arguments, request.documents);
    if (answer) {
      reply.body = EncodeReply(CorpusReply{*std::move(answer)});
    } else {
      reply.error = std::move(answer).error();
    }
    inbox_.PushUnbounded(Completion{.ticket = ticket, .reply = std::move(reply)});
  });
}

void Executor::Loop::Send(Call& call) {
  if (call.tries == 0) {
    if (call.started_ms == 0) {
      call.started_ms = deps_.clock.WallMs();
      call.first_sent_at = deps_.clock.Now();
    }
    TellAsked(call);
  }
  if (const auto* documents = std::get_if<CorpusRequest>(&call.prepared.request)) {
    ++call.tries;
    AskDocuments(PutOnWire(call), *documents);
    return;
  }
  Result<WireRequest> wire = EncodeOnWire(call.prepared, endpoints_, models_);
  const bool needs_launcher = wire && std::holds_alternative<ProcessRequest>(*wire);
  if (needs_launcher && deps_.launcher == nullptr) {
    wire = Error{ErrorCode::kUnsupported, "programs cannot be run here"};
  }
  if (wire) {
    call.applied = acceptance_.OnSend(call, deps_.clock.Now());
    for (std::string& note : acceptance_.TakeNotes()) findings_.AddNote(std::move(note));
    if (auto* http = std::get_if<HttpRequest>(&*wire)) {
      Adapt(call.applied, *http, CustomOf(call));
      if (IsPage(call)) http->timeout = TimeLeft(call);
      KeepFolder(options_.runtime_root, *http);
    }
  }
  ++call.tries;
  if (!wire) {
    call.tries = 0;  // nothing was sent
    Answer(call, {.reply = std::move(wire).error()}, {}, {});
    return;
  }
  const Ticket ticket = PutOnWire(call);
  TakeTolls(call, call.sent_at);
  prompt_cache_.OnSend(call, call.sent_at);
  if (needs_launcher) {
    deps_.launcher->Run(ticket, std::move(std::get<ProcessRequest>(*wire)), *this);
  } else if (IsBatched(call)) {
    batches_->Add(ticket, call.prepared, std::move(std::get<HttpRequest>(*wire)));
  } else {
    deps_.transport.Send(ticket, std::move(std::get<HttpRequest>(*wire)), *this);
  }
}

void Executor::Loop::OnCompletion(Completion completion) {
  // Notes and batches word what services say, too.
  auto* came = std::get_if<HttpReply>(&completion.reply);
  const bool held_key = came != nullptr && redactor_.Redact(*came);
  if (Batches::Owns(completion.ticket)) {
    const auto* reply = std::get_if<HttpReply>(&completion.reply);
    if (batches_ && reply != nullptr) batches_->OnReply(completion.ticket, *reply, deps_.clock.Now());
    return;
  }
  const auto found = on_wire_.find(completion.ticket);
  if (found == on_wire_.end()) return;
  Call& call = *found->second;
  on_wire_.erase(found);
  LivePool& pool = pools_[call.pool];
  --pool.in_flight;
  --progress_.in_flight;
  last_event_ = deps_.clock.Now();
  pool.somebody_is_alone = false;
  if (WasHeldUp(completion) && !std::exchange(call.ran_alone, true)) {
    ++progress_.retries;
    pool.waiting_alone.push_back(&call);
    return;
  }
  std::chrono::microseconds first{0};
  std::chrono::microseconds duration{0};
  Pace pace;
  int status = 0;
  bool is_stream = false;
  if (const auto* http = std::get_if<HttpReply>(&completion.reply)) {
    if (LearnParameters(call, *http)) return;
    status = http->status;
    is_stream = IsEventStream(*http);
    first = http->first_byte;
    duration = IsAnsweredHere(call.prepared.request) ? last_event_ - call.sent_at : http->duration;
    pace = PaceOf(*http, deps_.clock.WallMs());
  } else {
    duration = std::get<ProcessReply>(completion.reply).duration;
  }
  acceptance_.OnReply(call);
  prompt_cache_.OnReply(call);
  WireVerdict verdict = DecodeFromWire(call.prepared, redactor_, std::move(completion.reply));
  if (held_key) verdict.raw.clear();
  if (!KeepsThinkTags(call)) KeepThoughtsApart(call.prepared, verdict);
  if (pace.should_retry && status >= kFirstErrorStatus && verdict.reply_class != ReplyClass::kOk)
    verdict.reply_class = *pace.should_retry ? ReplyClass::kRetry : ReplyClass::kFail;
  // The original gives up on every other status at once; what brings no reply it tries again.
  if (options_.retry.rate_limits_only && status != 0 && status != kTooManyRequests &&
      verdict.reply_class == ReplyClass::kRetry)
    verdict.reply_class = ReplyClass::kFail;
  SettleTolls(call, verdict.reply, verdict.stated.usage);
  call.wasted += verdict.stated.usage;
  if (IsBatched(call) && verdict.reply_class == ReplyClass::kRetry)
    call.pool -= FirstBatchPool();  // a batch is not waited for twice
  FollowPace(call, completion.ticket, pace, verdict.reply_class);
  if (SaysWait(call, pace, verdict.reply_class)) return WaitOn(call, std::move(verdict.reply));
  if (verdict.reply_class == ReplyClass::kRetry && call.tries <= RetriesMax(call)) {
    const std::chrono::microseconds delay = RetryDelay(call, pace);  // another one each time
    if (!IsPage(call) || delay < TimeLeft(call)) {
      ++progress_.retries;
      if (!verdict.reply) ++CountOf(progress_.retries_by_class, verdict.reply.error().code);
      retries_.emplace(deps_.clock.Now() + delay, &call);
      return;
    }
  }
  const auto* answer = verdict.reply ? std::get_if<ModelReply>(&*verdict.reply) : nullptr;
  if (is_stream && answer != nullptr)
    findings_.AddStream(ModelNameOf(call.prepared.request), first, duration, *answer);
  CountOutcome(call, verdict, status, Milliseconds(duration));
  Answer(call, std::move(verdict), first, duration);
}

bool Executor::Loop::KeepsThinkTags(const Call& call) const {
  if (options_.keeps_think_tags) return true;
  const auto* model = std::get_if<ModelRequest>(&call.prepared.request);
  if (model == nullptr) return true;
  const std::optional<ModelFacts> facts = models_.Find(model->provider, model->model);
  return facts && facts->keeps_think_tags;
}

// A model whose service does not take a parameter at all is asked again without it, once for each; true: it
// is on its way. The key stays: it is the same question, put as the service can take it.
bool Executor::Loop::LearnParameters(Call& call, const HttpReply& reply) {
  const Adaptation learned = LearnFrom(reply, CustomOf(call));
  bool is_new = false;
  if (!acceptance_.Learn(call, learned, is_new)) return false;
  if (is_new) {
    findings_.AddNote(fmt::format("{} is asked {}: its service takes it no other way",
                                  ModelNameOf(call.prepared.request), AdaptationText(learned)));
  }
  SettleTolls(call, Error{ErrorCode::kInvalidInput, "asked again in another way"}, {});
  --call.tries;
  pools_[call.pool].waiting.push_front(&call);
  return true;
}

// The last word on a call: for its model's breaker, and for what is told at the end.
void Executor::Loop::CountOutcome(const Call& call, const WireVerdict& verdict, int status,
                                  std::int64_t duration_ms) {
  if (call.prepared.recorded) return;
  if (verdict.reply) {
    breakers_.CountAnswer(call.prepared.request);
  } else {
    breakers_.CountFailure(call.prepared.request, status, verdict.reply.error());
  }
  if (duration_ms < kSlowCallMs || !findings_.IsSlow(duration_ms)) return;
  findings_.AddSlow(
      {.duration_ms = duration_ms, .what = CallName(call), .tries = static_cast<std::uint32_t>(call.tries)});
}

void Executor::Loop::FollowPace(const Call& call, Ticket ticket, const Pace& pace, ReplyClass outcome) {
  LivePool& pool = pools_[call.pool];
  const bool says_wait = SaysWait(call, pace, outcome);
  const bool is_new_sign = (pace.too_fast || says_wait) && pool.Narrow(ticket, next_ticket_);
  if (outcome == ReplyClass::kOk) pool.Widen();
  if (says_wait) {
    const TimePoint now = deps_.clock.Now();
    if (is_new_sign) ++pool.waits_in_row;
    if (!pool.waits_since) pool.waits_since = now;
    if (is_new_sign || pace.wait) {
      const TimePoint until =
          std::min<TimePoint>(now + PauseOf(pool, pace), *pool.waits_since + options_.retry.patience);
      pool.paused_until = std::max(pool.paused_until, until);
    }
    return;
  }
  if (outcome != ReplyClass::kRetry) pool.HearAnswer(ticket);
  // A pause that comes with a failure of one call alone (a 503 of one server) is that call's.
  if (pace.wait && (pace.too_fast || outcome == ReplyClass::kOk)) {
    pool.paused_until = std::max(pool.paused_until, deps_.clock.Now() + *pace.wait);
  }
}

// Whether a reply says nothing of its request but that it came at a bad time. A service that a suite names
// has a rule of its own.
bool Executor::Loop::SaysWait(const Call& call, const Pace& pace, ReplyClass outcome) const {
  const bool has_own_rule = call.prepared.retry || IsPage(call);
  return pace.says_wait && outcome == ReplyClass::kRetry && !options_.retry.waits_are_tries && !has_own_rule;
}

bool Executor::Loop::HasPatience(const LivePool& pool) const {
  return !pool.waits_since || deps_.clock.Now() < *pool.waits_since + options_.retry.patience;
}

// Stands at the end of its pool's line again, as if it had not been sent: whatever is wrong with one request,
// the others get their turn.
void Executor::Loop::WaitOn(Call& call, Result<Reply> refusal) {
  ++progress_.waits;
  --call.tries;
  call.told_to_wait = refusal ? Error{ErrorCode::kRateLimited, "its service says that it is to wait"}
                              : std::move(refusal).error();
  pools_[call.pool].waiting.push_back(&call);
}

// Before the pool is asked again: as long as the service says, and a little more so that not everybody who
// was told comes at once; else longer each time.
std::chrono::microseconds Executor::Loop::PauseOf(const LivePool& pool, const Pace& pace) {
  if (pace.wait) return *pace.wait + Backoff(1, {}) / 10;
  const std::int64_t base = std::chrono::microseconds(options_.retry.base).count();
  const std::int64_t cap = std::chrono::microseconds(options_.retry.cap).count();
  constexpr int kDoublingsMost = 20;
  return std::chrono::microseconds(
      std::min(cap, base << std::clamp(pool.waits_in_row - 1, 0, kDoublingsMost)));
}

// A page is asked for in one time, however often: a server that drips would hold up a turn for each try anew.
bool Executor::Loop::IsPage(const Call& call) {
  const auto* page = std::get_if<HttpRequest>(&call.prepared.request);
  return page != nullptr && page->redirects_max > 0 && page->timeout.count() > 0;
}

std::chrono::milliseconds Executor::Loop::TimeLeft(const Call& call) const {
  const auto& page = std::get<HttpRequest>(call.prepared.request);
  const auto spent =
      std::chrono::duration_cast<std::chrono::milliseconds>(deps_.clock.Now() - call.first_sent_at);
  return std::max(page.timeout - spent, std::chrono::milliseconds(1));
}

// What the user said of the whole run bounds what a request says of itself.
int Executor::Loop::RetriesMax(const Call& call) const {
  if (!call.prepared.retry) return PatienceOf(call).max_retries.value_or(options_.retry.max_retries);
  return options_.retry.is_chosen ? std::min(options_.retry.max_retries, call.prepared.retry->max_retries)
                                  : call.prepared.retry->max_retries;
}

// What the user says of the endpoint that a call goes to.
Patience Executor::Loop::PatienceOf(const Call& call) const {
  const auto* model = std::get_if<ModelRequest>(&call.prepared.request);
  const Endpoint* endpoint = model == nullptr ? nullptr : endpoints_.Find(model->provider, model->base_url);
  return endpoint == nullptr ? Patience{} : endpoint->patience;
}

// Who was told how long to wait waits that long, and a little more so that not all come back at once.
std::chrono::microseconds Executor::Loop::RetryDelay(const Call& call, const Pace& pace) {
  if (pace.wait) return *pace.wait + Backoff(1, {}) / 10;
  const Patience patience = PatienceOf(call);
  if (pace.overloaded && !call.prepared.retry && !patience.backoff) return OverloadDelay(call.tries);
  return call.prepared.retry ? call.prepared.retry->backoff * call.tries : Backoff(call.tries, patience);
}

// A service that is overloaded is so for a while: the first two further tries come after more than a minute
// in all, at random up to half as much later.
std::chrono::microseconds Executor::Loop::OverloadDelay(int tries) {
  constexpr std::chrono::seconds kFirst{20};
  constexpr int kDoublingsMost = 2;
  const std::chrono::microseconds least = kFirst * (1 << std::min(tries - 1, kDoublingsMost));
  return least + std::chrono::microseconds(
                     static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(least.count() / 2)));
}

// Exponential with full jitter: uniform in (0, min(cap, base * 2^(tries-1))].
std::chrono::microseconds Executor::Loop::Backoff(int tries, const Patience& patience) {
  const std::chrono::microseconds base = patience.backoff.value_or(options_.retry.base);
  const std::chrono::microseconds cap = patience.backoff_max.value_or(options_.retry.cap);
  const std::int64_t bound = std::min<std::int64_t>(cap.count(), base.count() << std::min(tries - 1, 20));
  return std::chrono::microseconds(
      1 +
      static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(std::max<std::int64_t>(bound, 1))));
}

void Executor::Loop::OnRetryTimers() {
  const TimePoint now = deps_.clock.Now();
  while (!retries_.empty() && (retries_.begin()->first <= now || now >= ends_at_)) {
    Call* call = retries_.begin()->second;
    retries_.erase(retries_.begin());
    pools_[call->pool].waiting.push_front(call);
  }
}

void Executor::Loop::Answer(Call& call, WireVerdict verdict, std::chrono::microseconds first,
                            std::chrono::microseconds duration) {
  Exchange exchange;
  exchange.key = call.prepared.key;
  exchange.epoch = run_.epoch;
  exchange.kind = KindOf(call.prepared.request);
  exchange.role = call.prepared.tag.role;
  exchange.takes_silence = call.prepared.takes_silence;
  exchange.request = std::move(call.prepared.canonical);
  exchange.started_ms = call.started_ms;
  exchange.first_token_us = first.count();
  exchange.duration_us = duration.count();
  exchange.tries = static_cast<std::uint32_t>(std::max(call.tries, 1));
  if (const auto* model = std::get_if<ModelRequest>(&call.prepared.request)) exchange.room = model->room;
  exchange.raw = std::move(verdict.raw);
  if (verdict.reply) {
    NoteStandIn(call);
    exchange.reply = std::move(verdict.reply).value();
    if (const auto* model = std::get_if<ModelReply>(&exchange.reply)) {
      exchange.usage = model->usage;
      exchange.finish_reason = model->finish_reason;
    } else if (const auto* embed = std::get_if<EmbedReply>(&exchange.reply)) {
      exchange.usage = embed->usage;
    } else if (const auto* http = std::get_if<HttpReply>(&exchange.reply); http && !exchange.Reusable()) {
      CountError(call, {ErrorCode::kService, fmt::format("a service answered with status {}", http->status)});
    }
  } else {
    exchange.finish_reason = std::move(verdict.stated.finish);
    exchange.error = std::move(verdict.reply).error();
    CountError(call, *exchange.error);
  }
  TellOf(call, RunEvent::Kind::kAnswered);
  exchange.price_factor = PriceFactor(call);
  // Tries before this one were paid for as well.
  if (call.wasted.known) exchange.usage += call.wasted;
  progress_.usage += exchange.usage;
  if (call.prepared.recorded) {
    ++progress_.recorded;
  } else if (call.tries > 0 && !IsAnsweredHere(call.prepared.request)) {
    ++progress_.sent;
    ++sent_;
    for (const Waiter& waiter : call.waiters) waiter.cell->was_paid = true;
  }
  answered_.push_back(std::move(exchange));
}

void Executor::Loop::SubmitCommit() {
  if (commit_open_ || failure_) return;
  const bool idle = steps_running_ == 0 && look_ups_open_ == 0 && on_wire_.empty();
  // Whoever listens wants to hear of a cell at once, others once there are many.
  const bool may_wait = graded_.size() < kCellsPerCommit && !idle && !stopping_ && !deps_.on_event;
  if (answered_.empty() && (graded_.empty() || may_wait)) return;
  commit_open_ = true;
  std::vector<Exchange> exchanges;
  if (answered_.size() <= kExchangesPerCommitMax) {
    exchanges.swap(answered_);
  } else {
    const auto end = answered_.begin() + kExchangesPerCommitMax;
    exchanges.assign(std::make_move_iterator(answered_.begin()), std::make_move_iterator(end));
    answered_.erase(answered_.begin(), end);
  }
  auto told = std::make_shared<std::vector<GradedCell>>(std::exchange(told_, {}));
  store_.Submit([this, exchanges = std::move(exchanges), cells = std::exchange(graded_, {}),
                 told = std::move(told), sent = std::exchange(sent_, 0)](Store& store) mutable {
    Status status = store.Commit(run_.context.run_id, exchanges, cells, sent);
    inbox_.PushUnbounded(
        Committed{.status = std::move(status), .exchanges = std::move(exchanges), .told = std::move(*told)});
  });
}

void Executor::Loop::OnCommitted(Committed message) {
  commit_open_ = false;
  if (!message.status) {
    failure_ = std::move(message.status).error();
    return;
  }
  for (const GradedCell& cell : message.told) {
    deps_.on_event({.kind = RunEvent::Kind::kGraded, .cell = cell.address, .record = cell.record.get()});
  }
  for (Exchange& exchange : message.exchanges) {
    if (batches_) batches_->OnCommitted(exchange.key);
    Wake(std::move(exchange));
  }
}

// Hands an exchange to every step that waited for it; the last one takes it.
void Executor::Loop::Wake(Exchange exchange) {
  Call* call = calls_.Find(exchange.key);
  ASSAY_ASSERT(call != nullptr);
  // People read these from the store; no step does.
  exchange.request.clear();
  exchange.raw.clear();
  const std::vector<Waiter> waiters = std::move(call->waiters);
  calls_.Erase(exchange.key);
  const auto place_of = [](const Waiter& waiter) -> Exchange& {
    return waiter.cell->steps[waiter.slot].so_far[waiter.position];
  };
  for (std::size_t i = 0; i + 1 < waiters.size(); ++i) place_of(waiters[i]) = exchange;
  place_of(waiters.back()) = std::move(exchange);
  for (const Waiter& waiter : waiters) {
    if (--waiter.cell->steps[waiter.slot].replies_open == 0) MakeReady(*waiter.cell, waiter.slot);
  }
}

}  // namespace assay
