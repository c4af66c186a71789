// Runs several downloads at once in one loop: follows redirects, retries after a pause, and continues a reply
// that was cut off with a range request.
#include "cli/files/downloads.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <deque>
#include <optional>
#include <utility>

#include "base/bounded_queue.h"
#include "base/errors/diagnostics.h"
#include "base/limits.h"
#include "base/wire/url.h"

namespace assay {

namespace {

constexpr std::chrono::milliseconds kFirstPause{500};
constexpr std::size_t kQueueSize = 1024;

class Inflow final : public CompletionSink {
 public:
  void Deliver(Completion completion) override { queue_.PushUnbounded(std::move(completion)); }
  BoundedQueue<Completion>& queue() { return queue_; }

 private:
  BoundedQueue<Completion> queue_{kQueueSize};
};

std::string_view HeaderOf(const HttpReply& reply, std::string_view name) {
  for (const HttpHeader& header : reply.headers) {
    if (header.name == name) return header.value;
  }
  return {};
}

std::string ValidatorOf(const HttpReply& reply) {
  const std::string_view tag = HeaderOf(reply, "etag");
  if (!tag.empty() && !tag.starts_with("W/")) return std::string(tag);
  return std::string(HeaderOf(reply, "last-modified"));
}

// Where a redirect leads; "" if nowhere.
std::string Target(std::string_view from, std::string_view location) {
  if (IsHttpUrl(location)) return std::string(location);
  if (location.empty() || location.find("://") != std::string_view::npos) return {};
  const std::size_t host = from.find("://") + 3;
  if (location.starts_with("//")) return std::string(from.substr(0, host - 2)) + std::string(location);
  const std::size_t path = std::min(from.find_first_of("/?#", host), from.size());
  if (location.front() == '/') return std::string(from.substr(0, path)) + std::string(location);
  const std::size_t end = std::min(from.find_first_of("?#", path), from.size());
  const std::string_view folder = from.substr(0, std::max(from.substr(0, end).rfind('/'), path) + 1);
  return std::string(folder) + (folder.ends_with('/') ? "" : "/") + std::string(location);
}

bool IsRedirect(int status) {
  return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
}

bool IsPassing(int status) { return status == 408 || status == 425 || status == 429 || status >= 500; }
bool IsPassing(ErrorCode code) { return code == ErrorCode::kNetwork || code == ErrorCode::kTimeout; }

// The pause that a server asks for, in seconds; dates are not understood.
std::chrono::milliseconds RetryAfter(const HttpReply& reply) {
  const std::string_view text = HeaderOf(reply, "retry-after");
  std::int64_t seconds = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  if (error != std::errc() || end != text.data() + text.size() || seconds < 0) return {};
  return std::min<std::chrono::milliseconds>(std::chrono::seconds(std::min<std::int64_t>(seconds, 86'400)),
                                             limits::kServiceWaitMax);
}

class Downloads {
 public:
  Downloads(std::vector<DownloadJob> jobs, const DownloadRules& rules, Transport& transport, Clock& clock,
            const DownloadEvents& events)
      : rules_(rules), transport_(transport), clock_(clock), events_(events) {
    for (DownloadJob& job : jobs) {
      State state;
      state.first_url = job.url;
      state.url = std::move(job.url);
      state.begun = std::move(job.begun);
      states_.push_back(std::move(state));
      waiting_.push_back(states_.size() - 1);
    }
  }

  void Run() {
    std::size_t left = states_.size();
    while (left > 0) {
      StartWaiting();
      clock_.Wait(inflow_.queue(), NextTime());
      for (Completion& completion : inflow_.queue().Drain()) {
        const auto job = static_cast<std::size_t>(completion.ticket);
        --in_flight_;
        if (Take(job, std::get<HttpReply>(std::move(completion.reply)))) --left;
      }
    }
    // The transport's thread may still be in the call that delivered the last one, and the queue ends here.
    transport_.CancelAll();
  }

 private:
  struct State {
    std::string first_url;
    std::string url;
    PartialDocument begun;
    std::size_t resumed_at = 0;
    int tries = 0;
    int hops = 0;
    bool is_resuming = false;  // the request under way asks for the rest only
    TimePoint not_before{};
    std::optional<TimePoint> first_sent_at;
    std::chrono::microseconds duration{0};
  };

  void StartWaiting() {
    for (std::size_t i = 0; i < waiting_.size() && in_flight_ < rules_.in_flight;) {
      if (states_[waiting_[i]].not_before > clock_.Now()) {
        ++i;
        continue;
      }
      Send(waiting_[i]);
      waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }

  TimePoint NextTime() const {
    TimePoint next = kNever;
    if (in_flight_ >= rules_.in_flight) return next;
    for (const std::size_t job : waiting_) next = std::min(next, states_[job].not_before);
    return next;
  }

  // A server that drips has one time, however often it is asked.
  std::chrono::milliseconds TimeLeft(const State& state) const {
    const TimePoint now = clock_.Now();
    const auto spent = now - state.first_sent_at.value_or(now);
    const auto left = rules_.time_max - std::chrono::duration_cast<std::chrono::milliseconds>(spent);
    return std::max(left, std::chrono::milliseconds(1));
  }

  std::chrono::milliseconds PauseOf(const State& state, std::chrono::milliseconds asked) const {
    return std::max(asked, kFirstPause * (1 << std::min(state.tries, 6)));
  }

  bool MayTryAgain(const State& state, std::chrono::milliseconds asked) const {
    return state.tries < rules_.retries && PauseOf(state, asked) < TimeLeft(state);
  }

  void Send(std::size_t job) {
    State& state = states_[job];
    if (!state.first_sent_at) state.first_sent_at = clock_.Now();
    const std::string host(HostOf(state.url));
    const bool is_granted = std::find(rules_.hosts.begin(), rules_.hosts.end(), host) != rules_.hosts.end();
    HttpRequest request{.method = "GET",
                        .url = state.url,
                        .headers = {{"accept-encoding", "identity"}},
                        .body = {},
                        .timeout = TimeLeft(state),
                        .reach = is_granted ? Reach::kAnywhere : Reach::kPublic};
    state.is_resuming = !state.begun.bytes.empty() && !state.begun.validator.empty();
    state.resumed_at = state.begun.bytes.size();
    if (state.is_resuming) {
      request.headers.push_back({"range", fmt::format("bytes={}-", state.begun.bytes.size())});
      request.headers.push_back({"if-range", state.begun.validator});
    }
    ++in_flight_;
    transport_.Send(job, std::move(request), inflow_);
  }

  // Whether the job has ended.
  bool Take(std::size_t job, HttpReply reply) {
    State& state = states_[job];
    state.duration += reply.duration;
    if (reply.error) return TakeError(job, reply);
    if (IsRedirect(reply.status)) return Follow(job, reply);
    if (reply.status == 416 && state.is_resuming) return StartOver(job);
    if (IsPassing(reply.status) && MayTryAgain(state, RetryAfter(reply)))
      return TryAgain(job, RetryAfter(reply));
    if (reply.status < 200 || reply.status >= 300)
      return Fail(job,
                  {ErrorCode::kNotFound, fmt::format("the server answered with status {}", reply.status)});
    if (reply.status == 206) {
      if (!ContinuesBegun(state, reply)) return StartOver(job);
      state.begun.bytes += reply.body;
    } else {
      state.begun.bytes = std::move(reply.body);
      state.is_resuming = false;
    }
    if (state.begun.bytes.size() > limits::kInputFileBytesMax) {
      return Fail(job, {ErrorCode::kLimit, fmt::format("it is larger than {} bytes, the most of one document",
                                                       limits::kInputFileBytesMax)});
    }
    events_.done(job,
                 {std::move(state.begun.bytes), state.duration, state.is_resuming ? state.resumed_at : 0});
    return true;
  }

  static bool ContinuesBegun(const State& state, const HttpReply& reply) {
    const std::string expected = fmt::format("bytes {}-", state.begun.bytes.size());
    // A rest that says itself that it is of another version is none of ours.
    const std::string_view tag = HeaderOf(reply, "etag");
    const bool is_same =
        tag.empty() || !state.begun.validator.starts_with('"') || tag == state.begun.validator;
    return state.is_resuming && is_same && HeaderOf(reply, "content-range").starts_with(expected);
  }

  // Keeps what has come where the server can be asked for the rest.
  static void KeepBegun(State& state, HttpReply& reply) {
    if (reply.body.empty() || !HeaderOf(reply, "content-encoding").empty()) return;
    const bool is_rest = !HeaderOf(reply, "content-range").empty();
    if (is_rest && ContinuesBegun(state, reply)) {
      state.begun.bytes += reply.body;
    } else if (!is_rest) {
      state.begun = {std::move(reply.body), ValidatorOf(reply)};
      if (state.begun.validator.empty()) state.begun = {};
    }
  }

  bool TakeError(std::size_t job, HttpReply& reply) {
    State& state = states_[job];
    Error error = std::move(*reply.error);
    if (IsPassing(error.code)) {
      KeepBegun(state, reply);
      if (MayTryAgain(state, {})) return TryAgain(job, {});
    }
    if (error.code == ErrorCode::kRefused)
      error.message += fmt::format("; --allow-host {} allows it", HostOf(state.url));
    return Fail(job, std::move(error));
  }

  bool Follow(std::size_t job, const HttpReply& reply) {
    State& state = states_[job];
    std::string target = Target(state.url, HeaderOf(reply, "location"));
    if (target.empty()) {
      return Fail(job,
                  {ErrorCode::kInvalidInput,
                   fmt::format("the server redirects with status {} to {}, which is no http or https URL",
                               reply.status, Quoted(HeaderOf(reply, "location")))});
    }
    if (++state.hops > rules_.redirects) {
      return Fail(job,
                  {ErrorCode::kLimit, fmt::format("it is redirected more than {} times, the last time to {}",
                                                  rules_.redirects, Quoted(target))});
    }
    state.url = std::move(target);
    state.not_before = clock_.Now();
    waiting_.push_back(job);
    return false;
  }

  // From the first URL, since a redirect may have been made for one request alone.
  bool TryAgain(std::size_t job, std::chrono::milliseconds asked) {
    State& state = states_[job];
    const auto pause = PauseOf(state, asked);
    ++state.tries;
    state.hops = 0;
    state.url = state.first_url;
    state.not_before = clock_.Now() + pause;
    waiting_.push_back(job);
    return false;
  }

  // The beginning that is there does not fit: all of it is asked for, which costs no try.
  bool StartOver(std::size_t job) {
    State& state = states_[job];
    state.begun = {};
    if (!state.is_resuming)
      return Fail(job, {ErrorCode::kNetwork, "the server answers with other parts than it was asked for"});
    state.hops = 0;
    state.url = state.first_url;
    state.not_before = clock_.Now();
    waiting_.push_back(job);
    return false;
  }

  bool Fail(std::size_t job, Error error) {
    State& state = states_[job];
    if (state.url != state.first_url) error.message += fmt::format(" (redirected to {})", Quoted(state.url));
    events_.failed(job, {std::move(error), std::move(state.begun)});
    return true;
  }

  const DownloadRules& rules_;
  Transport& transport_;
  Clock& clock_;
  const DownloadEvents& events_;
  Inflow inflow_;
  std::vector<State> states_;
  std::deque<std::size_t> waiting_;
  std::size_t in_flight_ = 0;
};

}  // namespace

void DownloadAll(std::vector<DownloadJob> jobs, const DownloadRules& rules, Transport& transport,
                 Clock& clock, const DownloadEvents& events) {
  Downloads(std::move(jobs), rules, transport, clock, events).Run();
}

}  // namespace assay
