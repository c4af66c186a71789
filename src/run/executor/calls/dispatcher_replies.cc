// The dispatcher's part for replies: success, another try, another parameter, another model, or a final
// error.
#include <fmt/core.h>

#include <algorithm>
#include <iterator>

#include "base/wire/sandbox_words.h"
#include "providers/shapes/reply/reply_json.h"
#include "run/executor/calls/dispatcher.h"
#include "run/model_name.h"

namespace assay {

namespace {

constexpr std::size_t kRepliesPerJob = 16;
constexpr std::size_t kRepliesHereMost = 4;        // at once: handing them over wakes two threads for each
constexpr std::size_t kBytesHereMost = 16 * 1024;  // of them: more would hold up what else has come
constexpr std::int64_t kSlowCallMs = 1'000;        // below that nothing is worth a word
constexpr int kUnauthorized = 401;
constexpr int kForbidden = 403;
constexpr int kServerErrors = 500;  // and above

std::int64_t Milliseconds(std::chrono::microseconds time) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(time).count();
}

// What can be done where a service wants to be left alone for longer than anybody here would wait.
Error WithRemedy(Error error, std::chrono::milliseconds asked) {
  const std::int64_t seconds = std::chrono::ceil<std::chrono::seconds>(asked).count();
  if (asked > kPatienceMost) {
    constexpr double kSecondsPerDay = 86'400;
    error.message += fmt::format(
        "; its service asks you to wait {:.1f} days, longer than --patience allows: run the same command "
        "then, or use another provider of the model",
        static_cast<double>(seconds) / kSecondsPerDay);
    return error;
  }
  error.message += fmt::format(
      "; its service asks you to wait {0} s, longer than --patience: use --patience {0}, or run the same "
      "command in {0} s",
      seconds);
  return error;
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

// A provider and the request's URL of it; of requests to no provider "".
std::pair<std::string_view, std::string_view> ServiceOf(const Request& request) {
  if (const auto* model = std::get_if<ModelRequest>(&request)) return {model->provider, model->base_url};
  if (const auto* embed = std::get_if<EmbedRequest>(&request)) return {embed->provider, embed->base_url};
  return {};
}

}  // namespace

bool Dispatcher::OnTold(const ToldLine& message) {
  const auto found = on_wire_.find(message.ticket);
  if (found == on_wire_.end()) return false;
  world_.listener.OnCall(*found->second, RunEvent::Kind::kTold, message.line);
  return true;
}

bool Dispatcher::OnArrived(Arrived arrived) {
  if (Batches::Owns(arrived.ticket)) {
    auto* reply = std::get_if<HttpReply>(&arrived.reply);
    if (!batches_ || reply == nullptr) return false;
    SpellNumbers(reply->body);
    wire_.redactor().Redact(*reply);  // batches word what services say
    batches_->OnReply(arrived.ticket, *reply, Now());
    return false;
  }
  const auto waiting = on_wire_.find(arrived.ticket);
  if (waiting == on_wire_.end()) return false;
  Call& call = *waiting->second;
  // What a batch answered may be cut while it is read.
  if (Wire::IsAsked(call.prepared) && !IsBatched(call) && !call.in_background) {
    to_decode_.push_back(
        {.ticket = arrived.ticket, .prepared = &call.prepared, .reply = std::move(arrived.reply)});
    return true;
  }
  if (WasHeldUp(arrived.reply) && !std::exchange(call.ran_alone, true)) {
    TakeFromWire(arrived.ticket);
    LivePool& pool = pools_[call.pool];
    pool.somebody_is_alone = false;
    ++world_.progress.retries;
    pool.waiting_alone.push_back(&call);
    return true;
  }
  RefuseStarved(arrived.reply);
  OnNews(arrived.ticket, wire_.reader().Decode(call.prepared, std::move(arrived.reply), MachineMs()));
  return true;
}

std::size_t Dispatcher::BytesToDecode() const {
  std::size_t bytes = 0;
  for (const ToDecode& each : to_decode_) {
    if (const auto* http = std::get_if<HttpReply>(&each.reply)) bytes += http->body.size();
  }
  return bytes;
}

void Dispatcher::Decode() {
  if (to_decode_.size() <= kRepliesHereMost && BytesToDecode() <= kBytesHereMost) {
    for (ToDecode& each : to_decode_)
      OnNews(each.ticket, wire_.reader().Decode(*each.prepared, std::move(each.reply), MachineMs()));
    to_decode_.clear();
    return;
  }
  for (std::size_t start = 0; start < to_decode_.size(); start += kRepliesPerJob) {
    const auto first = to_decode_.begin() + static_cast<std::ptrdiff_t>(start);
    const auto size = static_cast<std::ptrdiff_t>(std::min(kRepliesPerJob, to_decode_.size() - start));
    // Jobs are copied about: what they hold is shared.
    auto batch = std::make_shared<std::vector<ToDecode>>(std::make_move_iterator(first),
                                                         std::make_move_iterator(first + size));
    decoding_ += batch->size();
    world_.workers.Submit(
        [&inbox = world_.inbox, batch, reader = wire_.reader(), now_ms = MachineMs()](WorkerState&) {
          RepliesDecoded message;
          message.replies.reserve(batch->size());
          for (ToDecode& each : *batch) {
            message.replies.push_back({.ticket = each.ticket,
                                       .news = reader.Decode(*each.prepared, std::move(each.reply), now_ms)});
          }
          inbox.PushUnbounded(std::move(message));
        });
  }
  to_decode_.clear();
}

void Dispatcher::OnDecoded(RepliesDecoded message) {
  decoding_ -= message.replies.size();
  for (Decoded& each : message.replies) OnNews(each.ticket, std::move(each.news));
}

void Dispatcher::OnNews(Ticket ticket, WireNews news) {
  Call* call = TakeFromWire(ticket);
  if (call == nullptr) return;
  pools_[call->pool].somebody_is_alone = false;
  if (IsAnsweredHere(call->prepared.request)) news.duration = Now() - call->sent_at;
  OnReply(*call, std::move(news));
}

void Dispatcher::OnReply(Call& call, WireNews news) {
  if (!call.prepared.recorded && news.status > 0 && news.status < kServerErrors)
    outages_.OnReply(call, Outages::Sign::kUp, {}, Now());
  if (AsksInAnotherWay(call, news.learned)) return;
  acceptance_.OnReply(call);
  prompt_cache_.OnReply(call);
  WireVerdict& verdict = news.verdict;
  if (HasOtherKey(call, news) || GoesOn(call, verdict)) return;
  if (!verdict.reply)
    verdict.reply = wire_.WithAddress(call.prepared, news.status, std::move(verdict.reply).error());
  if (IsBeyondPatience(news) && !verdict.reply)
    verdict.reply = WithRemedy(std::move(verdict.reply).error(), news.pace.asked);
  verdict.reply_class = ClassOf(news);
  SettleTolls(call, verdict.reply, verdict.stated.usage);
  call.wasted += verdict.stated.usage;
  if (IsBatched(call) && verdict.reply_class == ReplyClass::kRetry)
    call.pool = PlanPool(call.pool);  // a batch is not waited for twice
  FollowPace(call, news.pace, verdict.reply_class);
  const bool waits = WaitsForService(call, news);
  if (SaysWait(call, news.pace, verdict.reply_class)) return WaitOn(call, std::move(verdict.reply));
  if (waits) return WaitForService(call, std::move(verdict.reply).error());
  if (TriesAgain(call, news)) return;
  const auto* answer = verdict.reply ? std::get_if<ModelReply>(&*verdict.reply) : nullptr;
  if (news.is_stream && answer != nullptr)
    findings_.AddStream(ModelNameOf(call.prepared.request), news.first_byte, news.duration, *answer);
  CountOutcome(call, news);
  Answer(call, std::move(verdict), news.first_byte, news.duration);
}

// A model whose service does not take a parameter at all is asked again without it, once for each; true: it
// is on its way. The key stays: it is the same question, put as the service can take it.
bool Dispatcher::AsksInAnotherWay(Call& call, const Adaptation& learned) {
  bool is_new = false;
  if (!acceptance_.Learn(call, learned, is_new)) return false;
  if (is_new) {
    findings_.AddNote(fmt::format("{} is asked {}: its service takes it no other way",
                                  ModelNameOf(call.prepared.request), AdaptationText(learned)));
  }
  SettleTolls(call, Error{ErrorCode::kInvalidInput, "sent again in another form"}, {});
  --call.tries;
  pools_[call.pool].waiting.push_front(&call);
  return true;
}

// Tokens of clouds hold for an hour. A call whose key is refused, and has been renewed in its file, is sent
// again with the new one; true: it is on its way.
bool Dispatcher::HasOtherKey(Call& call, const WireNews& news) {
  const bool is_refused = news.status == kUnauthorized || news.status == kForbidden;
  if (!is_refused || call.prepared.recorded || IsBatched(call)) return false;
  const auto [provider, base_url] = ServiceOf(call.prepared.request);
  Endpoint* endpoint = provider.empty() ? nullptr : endpoints_.Find(provider, base_url);
  if (endpoint == nullptr || !endpoint->HasOtherKey(call.sent_at, Now())) return false;
  wire_.Hide(endpoint->key);
  SettleTolls(call, Error{ErrorCode::kRefused, "sent again with another key"}, {});
  --call.tries;
  pools_[call.pool].waiting.push_front(&call);
  return true;
}

// A model that its service paused in the middle of its own tools is told to go on from there; true: it is on
// its way.
bool Dispatcher::GoesOn(Call& call, WireVerdict& verdict) {
  constexpr std::uint32_t kPausesMost = 16;
  if (!verdict.paused || call.prepared.pauses == kPausesMost) return false;
  ++call.prepared.pauses;
  call.prepared.paused = std::move(verdict.paused);
  SettleTolls(call, verdict.reply, verdict.stated.usage);
  call.wasted += verdict.stated.usage;
  if (IsBatched(call)) call.pool = PlanPool(call.pool);
  --call.tries;
  pools_[call.pool].waiting.push_front(&call);
  return true;
}

// Some give up on every status but 429 at once, and try again only what brought no reply.
ReplyClass Dispatcher::ClassOf(const WireNews& news) const {
  const ReplyClass says = news.verdict.reply_class;
  const bool is_final = world_.options.retry.rate_limits_only && news.status != 0 &&
                        news.status != kTooManyRequests && says == ReplyClass::kRetry;
  return is_final || IsBeyondPatience(news) ? ReplyClass::kFail : says;
}

// Whether it might be asked again, but for a service that wants to be left alone for too long.
bool Dispatcher::IsBeyondPatience(const WireNews& news) const {
  return news.verdict.reply_class == ReplyClass::kRetry && AsksTooMuchPatience(news.pace);
}

// Whether a service wants to be left alone for longer than anybody here would wait.
bool Dispatcher::AsksTooMuchPatience(const Pace& pace) const {
  const RetryPolicy& retry = world_.options.retry;
  return pace.says_wait && !retry.waits_are_tries && retry.patience.count() > 0 &&
         pace.asked > retry.patience;
}

// Whether a reply says nothing of its request but that it came at a bad time. A service that a suite names
// has a rule of its own.
bool Dispatcher::SaysWait(const Call& call, const Pace& pace, ReplyClass outcome) const {
  const bool has_own_rule = call.prepared.retry || IsPage(call);
  return pace.says_wait && outcome == ReplyClass::kRetry && !world_.options.retry.waits_are_tries &&
         !has_own_rule;
}

void Dispatcher::FollowPace(const Call& call, const Pace& pace, ReplyClass outcome) {
  if (IsBatched(call)) return;
  PaceNews news{
      .mark = call.mark, .pace = pace, .outcome = outcome, .says_wait = SaysWait(call, pace, outcome)};
  // It is not waited for: whoever else is in the pool need not wait either.
  if (AsksTooMuchPatience(pace)) news.pace.wait.reset();
  if (news.says_wait && pace.wait) news.jitter = delays_.Jitter();
  world_.pace.OnReply(call.pool, news, Now());
}

// Stands at the end of its pool's line again, as if it had not been sent: whatever is wrong with one request,
// the others get their turn.
void Dispatcher::WaitOn(Call& call, Result<Reply> refusal) {
  ++world_.progress.waits;
  --call.tries;
  call.told_to_wait = refusal ? Error{ErrorCode::kRateLimited, "its service says that it is to wait"}
                              : std::move(refusal).error();
  pools_[call.pool].waiting.push_back(&call);
}

// A service that a suite names has a rule of its own, and of a model that another one stands in for nobody
// waits.
bool Dispatcher::MayWaitForService(const Call& call) const {
  return !call.prepared.recorded && !call.prepared.retry && !IsBatched(call) && !HasStandIn(call);
}

// Connections that nobody takes and errors of servers, whichever the model: the service is down.
bool Dispatcher::WaitsForService(Call& call, const WireNews& news) {
  const Result<Reply>& reply = news.verdict.reply;
  if (reply || call.prepared.recorded || (news.status > 0 && news.status < kServerErrors)) return false;
  const bool is_down = news.status >= kServerErrors || reply.error().code == ErrorCode::kNetwork;
  const bool may_pass = news.verdict.reply_class == ReplyClass::kRetry;
  const bool may_wait = may_pass && MayWaitForService(call);
  const Outages::Sign sign = !is_down || !may_pass || news.pace.says_wait ? Outages::Sign::kNothing
                             : may_wait                                   ? Outages::Sign::kDown
                                                                          : Outages::Sign::kDownFor;
  return outages_.OnReply(call, sign, reply.error().message, Now()) && may_wait;
}

// It costs no try, as it says nothing of the request.
void Dispatcher::WaitForService(Call& call, Error failure) {
  --call.tries;
  call.told_to_wait = std::move(failure);
  outages_.Wait(call);
}

bool Dispatcher::TriesAgain(Call& call, const WireNews& news) {
  if (news.verdict.reply_class != ReplyClass::kRetry) return false;
  const std::optional<RetryRule>& rule = call.prepared.retry;
  const Patience patience = wire_.PatienceFor(call.prepared);
  if (call.tries > delays_.RetriesMax(rule, patience)) return false;
  const std::chrono::microseconds delay = delays_.Next(call.tries, news.pace, rule, patience);
  if (IsPage(call) && delay >= TimeLeft(call)) return false;
  ++world_.progress.retries;
  if (!news.verdict.reply) ++CountOf(world_.progress.retries_by_class, news.verdict.reply.error().code);
  retries_.emplace(Now() + delay, &call);
  return true;
}

// A page is asked for in one time, however often: a server that drips would hold up a turn for each try anew.
bool Dispatcher::IsPage(const Call& call) {
  const auto* page = std::get_if<HttpRequest>(&call.prepared.request);
  return page != nullptr && page->redirects_max > 0 && page->timeout.count() > 0;
}

std::chrono::milliseconds Dispatcher::TimeLeft(const Call& call) const {
  const auto& page = std::get<HttpRequest>(call.prepared.request);
  const auto spent = std::chrono::duration_cast<std::chrono::milliseconds>(Now() - call.first_sent_at);
  return std::max(page.timeout - spent, std::chrono::milliseconds(1));
}

// The last word on a call: for its model's breaker, and for what is told at the end.
void Dispatcher::CountOutcome(const Call& call, const WireNews& news) {
  if (call.prepared.recorded) return;
  if (news.verdict.reply) {
    breakers_.CountAnswer(call.prepared.request);
  } else {
    breakers_.CountFailure(call.prepared.request, news.status, news.verdict.reply.error(),
                           news.is_hopeless || AsksTooMuchPatience(news.pace));
  }
  const std::int64_t duration_ms = Milliseconds(news.duration);
  if (duration_ms < kSlowCallMs || !findings_.IsSlow(duration_ms)) return;
  findings_.AddSlow(
      {.duration_ms = duration_ms, .what = CallName(call), .tries = static_cast<std::uint32_t>(call.tries)});
}

void Dispatcher::Answer(Call& call, WireVerdict verdict, std::chrono::microseconds first,
                        std::chrono::microseconds duration) {
  Exchange exchange;
  exchange.key = call.prepared.key;
  exchange.epoch = world_.run.epoch;
  exchange.kind = KindOf(call.prepared.request);
  exchange.role = call.prepared.tag.role;
  exchange.takes_silence = call.prepared.takes_silence;
  exchange.request = std::move(call.prepared.canonical);
  exchange.started_ms = call.started_ms;
  exchange.first_token_us = first.count();
  exchange.duration_us = duration.count();
  exchange.tries = static_cast<std::uint32_t>(std::max(call.tries, 1));
  if (const auto* model = std::get_if<ModelRequest>(&call.prepared.request)) {
    exchange.room = model->room;
    for (const Message& message : model->messages)
      exchange.media.insert(exchange.media.end(), message.media.begin(), message.media.end());
  }
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
  if (!exchange.Reusable()) ++world_.progress.open;
  world_.listener.OnCall(call, RunEvent::Kind::kAnswered, {});
  exchange.price_factor = PriceFactor(call);
  // Tries before this one were paid for as well.
  if (call.wasted.known) exchange.usage += call.wasted;
  exchange.usage.billing.estimated_nano_usd = call.estimated_nano_usd;
  world_.progress.usage += exchange.usage;
  if (call.prepared.recorded) {
    ++world_.progress.recorded;
  } else if (call.tries > 0 && !IsAnsweredHere(call.prepared.request)) {
    ++world_.progress.sent;
    ++sent_;
    call.was_sent = true;
  }
  answered_.push_back(std::move(exchange));
}

std::vector<Exchange> Dispatcher::TakeAnswered(std::size_t most) {
  if (answered_.size() <= most) return std::exchange(answered_, {});
  const auto end = answered_.begin() + static_cast<std::ptrdiff_t>(most);
  std::vector<Exchange> taken(std::make_move_iterator(answered_.begin()), std::make_move_iterator(end));
  answered_.erase(answered_.begin(), end);
  return taken;
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
  outages_.Forget(*call);
  Answered answered{.exchange = std::move(exchange),
                    .waiters = std::move(call->waiters),
                    .was_sent = call->was_sent,
                    .was_cut = was_cut};
  calls_.Erase(key);
  if (elsewhere_.erase(key) > 0 && elsewhere_.empty()) world_.progress.elsewhere.clear();
  world_.listener.OnAnswer(std::move(answered));
}

}  // namespace assay
