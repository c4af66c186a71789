// Reads replies, and sends calls again where that may help.
#include "run/executor/calls/replies.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <numeric>

#include "checks/judge/judge.h"
#include "providers/provider.h"
#include "run/model_name.h"
#include "spec/exchange/unread_reply.h"
#include "spec/suite/suite.h"

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

// A provider and the request's URL of it; of requests to no provider "".
std::pair<std::string_view, std::string_view> ServiceOf(const Request& request) {
  if (const auto* model = std::get_if<ModelRequest>(&request)) return {model->provider, model->base_url};
  if (const auto* embed = std::get_if<EmbedRequest>(&request)) return {embed->provider, embed->base_url};
  return {};
}

std::size_t BytesOf(const WireReply& reply) {
  const auto* http = std::get_if<HttpReply>(&reply);
  return http == nullptr ? 0 : http->body.size();
}

// Whether a judge's vote may be lost to what it quotes: nobody can read its reply, or it was asked again
// because of its first one.
bool MayHaveQuoted(const Call& call, const WireNews& news) {
  const auto* question = std::get_if<ModelRequest>(&call.prepared.request);
  if (!IsJudge(call.prepared.tag.role) || question == nullptr) return false;
  constexpr auto is_own = [](const Message& message) { return message.role == Role::kAssistant; };
  const std::vector<Message>& said = question->messages;
  return std::any_of(said.begin(), said.end(), is_own) ||
         (!news.verdict.reply && MayQuoteUnread(news.verdict.reply.error().code));
}

// Whether a program that could be started ended, hung or reported an error.
bool IsFailureOfProgram(const Call& call, const WireNews& news) {
  const auto* question = std::get_if<ModelRequest>(&call.prepared.request);
  const ProviderRow* provider = question == nullptr ? nullptr : FindProvider(question->provider);
  return provider != nullptr && provider->route == Route::kProgram && !news.verdict.reply &&
         news.verdict.reply.error().code != ErrorCode::kNotFound;
}

// Whether a judge, or its service, said something that is not about the key or the name of the model.
bool ComesFromJudge(const Call& call, const WireNews& news) {
  constexpr int kUnauthorised = 401;
  constexpr int kNotFound = 404;
  if (!IsJudge(call.prepared.tag.role)) return false;
  if (news.verdict.reply || IsFailureOfProgram(call, news)) return true;
  return news.status > 0 && news.status != kUnauthorised && news.status != kNotFound;
}

// Whether a service replied, and it was the model's words that nobody could read.
bool IsUnreadReply(const WireNews& news) {
  if (news.verdict.reply) return false;
  const Stated& stated = news.verdict.stated;
  const ErrorCode code = news.verdict.reply.error().code;
  return MayQuoteUnread(code) && (IsEnding(code) || stated.usage.known || !stated.finish.empty());
}

// Whether it is a reply of a judge, after which the judge gets its next question: another try would forget
// it.
bool IsUnreadByJudge(const Call& call, const WireNews& news, const Suite& suite) {
  return IsJudge(call.prepared.tag.role) && suite.judge_reading != JudgeReading::kFirstTags &&
         !news.verdict.reply && MayQuoteUnread(news.verdict.reply.error().code);
}

}  // namespace

void Replies::Add(Ticket ticket, const PreparedRequest& prepared, WireReply reply) {
  to_read_.push_back({.ticket = ticket, .prepared = &prepared, .reply = std::move(reply)});
}

std::vector<Decoded> Replies::Read() {
  std::vector<Decoded> read;
  std::vector<ToRead> to_read = std::exchange(to_read_, {});
  const std::size_t bytes =
      std::accumulate(to_read.begin(), to_read.end(), std::size_t{0},
                      [](std::size_t sum, const ToRead& each) { return sum + BytesOf(each.reply); });
  if (to_read.size() <= kRepliesHereMost && bytes <= kBytesHereMost) {
    const WireReader reader = deps_.wire.reader();
    for (ToRead& each : to_read) {
      read.push_back({.ticket = each.ticket,
                      .news = reader.Decode(*each.prepared, std::move(each.reply), world_.MachineMs())});
    }
    return read;
  }
  for (std::size_t start = 0; start < to_read.size(); start += kRepliesPerJob) {
    const auto first = to_read.begin() + static_cast<std::ptrdiff_t>(start);
    const auto size = static_cast<std::ptrdiff_t>(std::min(kRepliesPerJob, to_read.size() - start));
    // Jobs are copied about: what they hold is shared.
    auto batch = std::make_shared<std::vector<ToRead>>(std::make_move_iterator(first),
                                                       std::make_move_iterator(first + size));
    with_workers_ += batch->size();
    world_.workers.Submit([&inbox = world_.inbox, batch, reader = deps_.wire.reader(),
                           now_ms = world_.MachineMs()](WorkerState&) {
      RepliesDecoded message;
      message.replies.reserve(batch->size());
      for (ToRead& each : *batch) {
        message.replies.push_back(
            {.ticket = each.ticket, .news = reader.Decode(*each.prepared, std::move(each.reply), now_ms)});
      }
      inbox.PushUnbounded(std::move(message));
    });
  }
  return read;
}

std::optional<FinalReply> Replies::Settle(Call& call, WireNews news) {
  if (!call.prepared.recorded && news.status > 0 && news.status < kServerErrors)
    deps_.gates.outages().OnReply(call, Outages::Sign::kUp, {}, world_.Now());
  const bool is_unread = IsUnreadByJudge(call, news, world_.plan.suite());
  if (!is_unread && AsksInAnotherWay(call, news.learned)) return std::nullopt;
  deps_.acceptance.OnReply(call);
  deps_.prompt_cache.OnReply(call);
  WireVerdict& verdict = news.verdict;
  if ((!is_unread && HasOtherKey(call, news)) || GoesOn(call, verdict)) return std::nullopt;
  if (!verdict.reply)
    verdict.reply = deps_.wire.WithAddress(call.prepared, news.status, std::move(verdict.reply).error());
  if (IsBeyondPatience(news) && !verdict.reply)
    verdict.reply = WithRemedy(std::move(verdict.reply).error(), news.pace.asked);
  verdict.reply_class = ClassOf(news);
  deps_.tolls.Settle(call, verdict.reply, verdict.stated.usage);
  call.wasted += verdict.stated.usage;
  if (deps_.pools.IsBatched(call) && verdict.reply_class == ReplyClass::kRetry)
    deps_.pools.MoveToPlan(call);  // a batch is not waited for twice
  FollowPace(call, news.pace, verdict.reply_class);
  const bool waits = WaitsForService(call, news) && !is_unread;
  if (!is_unread && SaysWait(call, news.pace, verdict.reply_class)) {
    WaitOn(call, std::move(verdict.reply));
    return std::nullopt;
  }
  if (waits) {
    WaitForService(call, std::move(verdict.reply).error());
    return std::nullopt;
  }
  if (TriesAgain(call, news)) return std::nullopt;
  const auto* answer = verdict.reply ? std::get_if<ModelReply>(&*verdict.reply) : nullptr;
  if (news.is_stream && answer != nullptr)
    deps_.findings.AddStream(ModelNameOf(call.prepared.request), news.first_byte, news.duration, *answer);
  CountOutcome(call, news);
  return FinalReply{.verdict = std::move(verdict), .first = news.first_byte, .duration = news.duration};
}

// The try counts for nothing, and its call stands first in its pool again.
void Replies::SendAgain(Call& call) {
  --call.tries;
  deps_.pools.PutFirst(call);
}

// A model whose service does not take a parameter at all is asked again without it, once for each. The key
// stays: it is the same question, put as the service can take it.
bool Replies::AsksInAnotherWay(Call& call, const Adaptation& learned) {
  bool is_new = false;
  if (!deps_.acceptance.Learn(call, learned, is_new)) return false;
  if (is_new) {
    deps_.findings.AddNote(fmt::format("{} is asked {}: its service takes it no other way",
                                       ModelNameOf(call.prepared.request), AdaptationText(learned)));
  }
  deps_.tolls.Settle(call, Error{ErrorCode::kInvalidInput, "sent again in another form"}, {});
  SendAgain(call);
  return true;
}

// Tokens of clouds hold for an hour. A call whose key is refused, and has been renewed in its file, is sent
// again with the new one.
bool Replies::HasOtherKey(Call& call, const WireNews& news) {
  const bool is_refused = news.status == kUnauthorized || news.status == kForbidden;
  if (!is_refused || call.prepared.recorded || deps_.pools.IsBatched(call)) return false;
  const auto [provider, base_url] = ServiceOf(call.prepared.request);
  Endpoint* endpoint = provider.empty() ? nullptr : deps_.endpoints.Find(provider, base_url);
  if (endpoint == nullptr || !endpoint->HasOtherKey(call.sent_at, world_.Now())) return false;
  deps_.wire.Hide(endpoint->key);
  deps_.tolls.Settle(call, Error{ErrorCode::kRefused, "sent again with another key"}, {});
  SendAgain(call);
  return true;
}

// A model that its service paused in the middle of its own tools is asked to go on from there.
bool Replies::GoesOn(Call& call, WireVerdict& verdict) {
  constexpr std::uint32_t kPausesMost = 16;
  if (!verdict.paused || call.prepared.pauses == kPausesMost) return false;
  ++call.prepared.pauses;
  call.prepared.paused = std::move(verdict.paused);
  deps_.tolls.Settle(call, verdict.reply, verdict.stated.usage);
  call.wasted += verdict.stated.usage;
  deps_.pools.MoveToPlan(call);
  SendAgain(call);
  return true;
}

// Some give up on every status but 429 at once, and try again only what brought no reply.
ReplyClass Replies::ClassOf(const WireNews& news) const {
  const ReplyClass says = news.verdict.reply_class;
  const bool is_final = world_.options.retry.rate_limits_only && news.status != 0 &&
                        news.status != kTooManyRequests && says == ReplyClass::kRetry;
  return is_final || IsBeyondPatience(news) ? ReplyClass::kFail : says;
}

// Whether it might be asked again, but for a service that wants to be left alone for too long.
bool Replies::IsBeyondPatience(const WireNews& news) const {
  return news.verdict.reply_class == ReplyClass::kRetry && AsksTooMuchPatience(news.pace);
}

// Whether a service wants to be left alone for longer than anybody here would wait.
bool Replies::AsksTooMuchPatience(const Pace& pace) const {
  const RetryPolicy& retry = world_.options.retry;
  return pace.says_wait && !retry.waits_are_tries && retry.patience.count() > 0 &&
         pace.asked > retry.patience;
}

// Whether a reply says nothing of its request but that it came at a bad time. A service that a suite names
// has a rule of its own.
bool Replies::SaysWait(const Call& call, const Pace& pace, ReplyClass outcome) const {
  const bool has_own_rule = call.prepared.retry || IsPage(call);
  return pace.says_wait && outcome == ReplyClass::kRetry && !world_.options.retry.waits_are_tries &&
         !has_own_rule;
}

void Replies::FollowPace(const Call& call, const Pace& pace, ReplyClass outcome) {
  if (deps_.pools.IsBatched(call)) return;
  PaceNews news{
      .mark = call.mark, .pace = pace, .outcome = outcome, .says_wait = SaysWait(call, pace, outcome)};
  news.took = world_.Now() - call.sent_at;
  // It is not waited for: whoever else is in the pool need not wait either.
  if (AsksTooMuchPatience(pace)) news.pace.wait.reset();
  if (news.says_wait && pace.wait) news.jitter = delays_.Jitter();
  world_.deps.pace.OnReply(call.pool, news, world_.Now());
}

// Stands at the end of its pool's line again, as if it had not been sent: whatever is wrong with one request,
// the others get their turn.
void Replies::WaitOn(Call& call, Result<Reply> refusal) {
  ++world_.progress.waits;
  --call.tries;
  call.told_to_wait = refusal ? Error{ErrorCode::kRateLimited, "its service says that it is to wait"}
                              : std::move(refusal).error();
  deps_.pools.PutLast(call);
}

// A run that knows the limit of its service is not slowed down by finding it out.
void Replies::NoteUnknownLimit(const Call& call) {
  const bool was_limited = call.told_to_wait && call.told_to_wait->code == ErrorCode::kRateLimited;
  const auto [provider, base_url] = ServiceOf(call.prepared.request);
  if (!was_limited || provider.empty() || world_.options.limits.Of(provider).requests_per_min) return;
  deps_.findings.AddNoteOnce(fmt::format(
      "{} limits how fast it is asked, and assay found that limit out; with --requests-per-min N, "
      "the limit of your account, the run is faster",
      provider));
}

// Connections that nobody takes and errors of servers, whichever the model: the service is down.
bool Replies::WaitsForService(Call& call, const WireNews& news) {
  const Result<Reply>& reply = news.verdict.reply;
  if (reply || call.prepared.recorded || (news.status > 0 && news.status < kServerErrors)) return false;
  const bool is_down = news.status >= kServerErrors || reply.error().code == ErrorCode::kNetwork;
  const bool may_pass = news.verdict.reply_class == ReplyClass::kRetry;
  const bool may_wait = may_pass && deps_.gates.MayWaitForService(call);
  const Outages::Sign sign = !is_down || !may_pass || news.pace.says_wait ? Outages::Sign::kNothing
                             : may_wait                                   ? Outages::Sign::kDown
                                                                          : Outages::Sign::kDownFor;
  return deps_.gates.outages().OnReply(call, sign, reply.error().message, world_.Now()) && may_wait;
}

// It costs no try, as it says nothing of the request.
void Replies::WaitForService(Call& call, Error failure) {
  --call.tries;
  call.told_to_wait = std::move(failure);
  deps_.gates.outages().Wait(call);
}

bool Replies::TriesAgain(Call& call, const WireNews& news) {
  if (news.verdict.reply_class != ReplyClass::kRetry) return false;
  if (IsUnreadByJudge(call, news, world_.plan.suite())) return false;
  const std::optional<RetryRule>& rule = call.prepared.retry;
  const Patience patience = deps_.wire.PatienceFor(call.prepared);
  if (call.tries > delays_.RetriesMax(rule, patience)) return false;
  const std::chrono::microseconds delay = delays_.Next(call.tries, news.pace, rule, patience);
  if (IsPage(call) && delay >= TimeLeftOf(call, world_.Now())) return false;
  ++world_.progress.retries;
  if (!news.verdict.reply) ++CountOf(world_.progress.retries_by_class, news.verdict.reply.error().code);
  retries_.emplace(world_.Now() + delay, &call);
  return true;
}

void Replies::OnRetryTimers() {
  const TimePoint now = world_.Now();
  const bool is_over = deps_.gates.closed().has_value();
  while (!retries_.empty() && (retries_.begin()->first <= now || is_over)) {
    deps_.pools.PutFirst(*retries_.begin()->second);
    retries_.erase(retries_.begin());
  }
}

std::string Replies::Text(TimePoint now) const {
  if (retries_.empty()) return {};
  return fmt::format("{} to be tried again, the next in {}", retries_.size(),
                     SecondsText(std::max(NextRetry() - now, TimePoint::duration{})));
}

// The last word on a call: for its model's breaker, and for what is told at the end.
void Replies::CountOutcome(const Call& call, const WireNews& news) {
  if (call.prepared.recorded) return;
  const bool may_have_quoted = MayHaveQuoted(call, news);
  if (ComesFromJudge(call, news))
    deps_.gates.breakers().NoteOnceOpen(call.prepared.request, kJudgeFellSilent);
  if (news.verdict.reply) {
    deps_.gates.breakers().CountAnswer(call.prepared.request);
    NoteUnknownLimit(call);
  } else if (!may_have_quoted || !IsUnreadReply(news)) {  // an answer that a judge quotes must not silence it
    const bool quotes = IsJudge(call.prepared.tag.role);
    const auto count = quotes ? &Breakers::CountFailureOnText : &Breakers::CountFailure;
    (deps_.gates.breakers().*count)(call.prepared.request, news.status, news.verdict.reply.error(),
                                    news.is_hopeless || AsksTooMuchPatience(news.pace));
  }
  const std::int64_t duration_ms = Milliseconds(news.duration);
  if (duration_ms < kSlowCallMs || !deps_.findings.IsSlow(duration_ms)) return;
  deps_.findings.AddSlow({.duration_ms = duration_ms,
                          .what = CallName(world_.plan, call),
                          .tries = static_cast<std::uint32_t>(call.tries)});
}

}  // namespace assay
