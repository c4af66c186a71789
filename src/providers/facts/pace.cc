// Reads rate limits and waiting times from reply headers of all known names and formats.
#include "providers/facts/pace.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string_view>

#include "base/limits.h"
#include "base/text/ascii.h"
#include "text/json/json.h"

namespace assay {

namespace {

using std::chrono::milliseconds;

constexpr int kFirstError = 400;
constexpr int kOverloaded = 529;
// Quotas are filled within a month; what asks for more says nothing that anybody could follow.
constexpr double kBelievedMs = 32.0 * 24 * 3'600'000;
constexpr int kNoCapacity = 498;  // of Groq's flex tier

bool SameName(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return AsciiLower(x) == AsciiLower(y); });
}

// The value of a header; "" if there is none. LiteLLM puts a word before those of the service behind it.
std::string_view HeaderOf(const HttpReply& reply, std::string_view name) {
  constexpr std::string_view kBehind = "llm_provider-";
  for (const std::string_view before : {std::string_view(), kBehind}) {
    for (const HttpHeader& header : reply.headers) {
      const std::string_view known = header.name;
      if (known.size() == before.size() + name.size() && SameName(known.substr(0, before.size()), before) &&
          SameName(known.substr(before.size()), name))
        return header.value;
    }
  }
  return {};
}

std::optional<milliseconds> Bounded(double ms) {
  if (!(ms >= 0)) return std::nullopt;
  const auto most = static_cast<double>(limits::kServiceWaitMax.count());
  return milliseconds(static_cast<std::int64_t>(std::ceil(std::min(ms, most))));
}

// A number and what stands behind it.
std::optional<double> TakeNumber(std::string_view& text) {
  double number = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
  if (error != std::errc() || !(number >= 0)) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

// "1.5", or "6m0s", "20ms", "1h30m".
std::optional<double> DurationMs(std::string_view text) {
  struct Unit {
    std::string_view name;
    double ms;
  };
  constexpr std::array<Unit, 4> kUnits{{{"ms", 1}, {"s", 1'000}, {"m", 60'000}, {"h", 3'600'000}}};
  if (text.empty()) return std::nullopt;
  double sum = 0;
  while (!text.empty()) {
    const std::optional<double> number = TakeNumber(text);
    if (!number) return std::nullopt;
    if (text.empty()) return sum + *number * 1'000;
    const auto* unit =
        std::find_if(kUnits.begin(), kUnits.end(), [&](const Unit& u) { return text.starts_with(u.name); });
    if (unit == kUnits.end()) return std::nullopt;
    text.remove_prefix(unit->name.size());
    sum += *number * unit->ms;
  }
  return sum;
}

// Fixed digits at a place of a date.
std::optional<int> DigitsAt(std::string_view text, std::size_t at, std::size_t count) {
  if (at + count > text.size()) return std::nullopt;
  int number = 0;
  for (const char c : text.substr(at, count)) {
    if (c < '0' || c > '9') return std::nullopt;
    number = number * 10 + (c - '0');
  }
  return number;
}

std::optional<std::int64_t> WallMsOf(std::optional<int> year, std::optional<int> month,
                                     std::optional<int> day, std::string_view clock) {
  const std::optional<int> hour = DigitsAt(clock, 0, 2);
  const std::optional<int> minute = DigitsAt(clock, 3, 2);
  const std::optional<int> second = DigitsAt(clock, 6, 2);
  if (!year || !month || !day || !hour || !minute || !second) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(*year),
                                         std::chrono::month(static_cast<unsigned>(*month)),
                                         std::chrono::day(static_cast<unsigned>(*day))};
  if (!date.ok()) return std::nullopt;
  const auto time = std::chrono::sys_days(date) + std::chrono::hours(*hour) + std::chrono::minutes(*minute) +
                    std::chrono::seconds(*second);
  return std::chrono::duration_cast<milliseconds>(time.time_since_epoch()).count();
}

struct Moment {
  std::int64_t ms = 0;     // since 1970
  bool is_rounded = true;  // to the second
};

// What stands behind the seconds of a date: ".25", and "Z", "+02:00" or "-0130".
bool TakeZone(std::string_view rest, Moment& moment) {
  if (rest.starts_with('.')) {
    double second = 0;
    const auto [end, error] =
        std::from_chars(rest.data(), rest.data() + rest.size(), second, std::chars_format::fixed);
    if (error != std::errc()) return false;
    moment.is_rounded = false;
    moment.ms += static_cast<std::int64_t>(second * 1'000);
    rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
  }
  if (rest == "Z") return true;
  const bool is_behind = rest.starts_with('-');
  const std::optional<int> hours = DigitsAt(rest, 1, 2);
  const std::optional<int> minutes = DigitsAt(rest, rest.size() == 6 ? 4 : 3, 2);
  if (!(is_behind || rest.starts_with('+')) || !hours || !minutes) return false;
  const std::int64_t east_ms = std::int64_t{60'000} * (*hours * 60 + *minutes);
  moment.ms += is_behind ? east_ms : -east_ms;
  return true;
}

// "Wed, 21 Oct 2026 07:28:00 GMT" (RFC 9110) or "2026-10-21T07:28:00.5Z" (RFC 3339).
std::optional<Moment> MomentOf(std::string_view text) {
  constexpr std::string_view kMonths = "JanFebMarAprMayJunJulAugSepOctNovDec";
  constexpr std::size_t kSecondsEnd = 19;
  if (text.size() >= 29 && text.substr(3, 2) == ", " && text.ends_with("GMT")) {
    const std::size_t month = kMonths.find(text.substr(8, 3));
    if (month == std::string_view::npos || month % 3 != 0) return std::nullopt;
    const std::optional<std::int64_t> ms = WallMsOf(DigitsAt(text, 12, 4), static_cast<int>(month / 3 + 1),
                                                    DigitsAt(text, 5, 2), text.substr(17));
    return ms ? std::optional(Moment{.ms = *ms}) : std::nullopt;
  }
  if (text.size() <= kSecondsEnd || text[10] != 'T') return std::nullopt;
  const std::optional<std::int64_t> ms =
      WallMsOf(DigitsAt(text, 0, 4), DigitsAt(text, 5, 2), DigitsAt(text, 8, 2), text.substr(11));
  if (!ms) return std::nullopt;
  Moment moment{.ms = *ms};
  return TakeZone(text.substr(kSecondsEnd), moment) ? std::optional(moment) : std::nullopt;
}

// How long a service asks its callers to wait.
struct RetryDelay {
  double ms = 0;
  bool is_rounded = false;
};

std::optional<RetryDelay> Until(std::string_view date, std::int64_t now_ms) {
  const std::optional<Moment> then = MomentOf(date);
  if (!then) return std::nullopt;
  return RetryDelay{.ms = static_cast<double>(std::max<std::int64_t>(then->ms - now_ms, 0)),
                    .is_rounded = then->is_rounded};
}

// "12", "1741305600" or "1741305600000": a while, or a moment since 1970.
std::optional<double> WhileOrMomentMs(std::string_view text, std::int64_t now_ms) {
  constexpr double kFirstMomentS = 1e9;
  constexpr double kFirstMomentMs = 1e12;
  std::string_view rest = text;
  const std::optional<double> number = TakeNumber(rest);
  if (!number || !rest.empty() || *number < kFirstMomentS) return DurationMs(text);
  const double moment_ms = *number >= kFirstMomentMs ? *number : *number * 1'000;
  return std::max(moment_ms - static_cast<double>(now_ms), 0.0);
}

// A limit of which nothing is left, and where the time of its filling stands.
struct LimitRow {
  std::string_view remaining;
  std::string_view reset;
  bool of_requests = false;  // and not of tokens
};
constexpr LimitRow kLimits[] = {
    {"x-ratelimit-remaining-requests", "x-ratelimit-reset-requests", true},
    {"x-ratelimit-remaining-tokens", "x-ratelimit-reset-tokens"},
    {"x-ratelimit-remaining", "x-ratelimit-reset", true},
    {"x-ratelimit-remaining-req-minute", "x-ratelimit-reset-req-minute", true},
    {"x-ratelimit-remaining-tokens-minute", "x-ratelimit-reset-tokens-minute"},
    {"x-ratelimit-remaining-requests-day", "x-ratelimit-reset-requests-day", true},  // Cerebras
    {"x-ratelimit-remaining-tokens-day", "x-ratelimit-reset-tokens-day"},
    {"anthropic-ratelimit-requests-remaining", "anthropic-ratelimit-requests-reset", true},
    {"anthropic-ratelimit-tokens-remaining", "anthropic-ratelimit-tokens-reset"},
    {"anthropic-ratelimit-input-tokens-remaining", "anthropic-ratelimit-input-tokens-reset"},
    {"anthropic-ratelimit-output-tokens-remaining", "anthropic-ratelimit-output-tokens-reset"},
    {"ratelimit-remaining", "ratelimit-reset", true},
    {"ratelimitbysize-remaining", "ratelimitbysize-reset"},
};

// The least of what remains of limits of requests.
void TakeRequestsLeft(const HttpReply& reply, Pace& pace) {
  constexpr double kMost = 1e9;
  for (const LimitRow& row : kLimits) {
    std::string_view text = row.of_requests ? HeaderOf(reply, row.remaining) : std::string_view();
    const std::optional<double> left = TakeNumber(text);
    if (!left || !text.empty() || *left > kMost) continue;
    const auto count = static_cast<std::int64_t>(*left);
    if (pace.requests_left && *pace.requests_left <= count) continue;
    pace.requests_left = count;
    pace.says_until = !HeaderOf(reply, row.reset).empty();
  }
}

// When a limit is filled again of which nothing is left. A moment that an answer names to the second may be
// past half a second earlier: whether it is, one call can find out. A refusal is waited for to its end.
std::optional<RetryDelay> UntilFilled(std::string_view reset, std::int64_t now_ms, bool is_answer) {
  constexpr double kHalfSecondMs = 500;
  if (const auto ms = WhileOrMomentMs(reset, now_ms)) return RetryDelay{.ms = *ms};
  std::optional<RetryDelay> until = Until(reset, now_ms);
  if (!until) return until;
  until->is_rounded = until->is_rounded && is_answer;
  if (until->is_rounded) until->ms = std::max(until->ms - kHalfSecondMs, 0.0);
  return until;
}

std::optional<RetryDelay> AskedWait(const HttpReply& reply, std::int64_t now_ms) {
  std::string_view exact = HeaderOf(reply, "retry-after-ms");
  if (const auto ms = TakeNumber(exact); ms && exact.empty()) return RetryDelay{.ms = *ms};
  const std::string_view after = HeaderOf(reply, "retry-after");
  if (const auto ms = DurationMs(after)) return RetryDelay{.ms = *ms};
  if (const auto until = Until(after, now_ms)) return RetryDelay{.ms = until->ms};
  std::optional<RetryDelay> longest;
  constexpr double kProbeMs = 1'000;
  const bool is_answer = reply.status < kFirstError;
  for (const LimitRow& row : kLimits) {
    const std::string_view remaining = HeaderOf(reply, row.remaining);
    const bool is_empty = remaining == "0" || (remaining.empty() && reply.status == kTooManyRequests);
    if (!is_empty) continue;
    const std::string_view reset = HeaderOf(reply, row.reset);
    std::optional<RetryDelay> asked = UntilFilled(reset, now_ms, is_answer);
    const bool is_silent = reset.empty() && remaining == "0" && is_answer;
    if (!asked && is_silent) asked = RetryDelay{.ms = kProbeMs};
    if (asked && (!longest || asked->ms > longest->ms)) longest = asked;
  }
  return longest;
}

// Headers that stand in the body: error.metadata.headers of OpenRouter.
HttpReply InnerReply(const Value& error) {
  HttpReply inner;
  inner.status = kTooManyRequests;
  for (const Member& member : error.MapAt("metadata").MapAt("headers")) {
    if (member.value.is_string()) inner.headers.push_back({member.key, member.value.AsString()});
  }
  return inner;
}

// "… Please try again in 1m2.5s.", "retry in 20 seconds": words of a refusal.
std::optional<double> WaitInWordsMs(std::string_view text) {
  constexpr std::string_view kWords[] = {"try again in ", "retry in ", "try again after ", "retry after "};
  const std::string small = AsciiLower(text);
  for (const std::string_view words : kWords) {
    const std::size_t at = small.find(words);
    if (at == std::string::npos) continue;
    std::string_view rest = std::string_view(small).substr(at + words.size());
    rest = rest.substr(0, rest.find_first_not_of("0123456789.hms"));
    while (rest.ends_with('.')) rest.remove_suffix(1);
    const std::string_view behind = std::string_view(small).substr(at + words.size() + rest.size());
    const std::optional<double> ms = DurationMs(rest);
    if (!ms) continue;
    const bool is_bare = rest.find_first_not_of("0123456789.") == std::string_view::npos;
    const bool are_minutes = is_bare && behind.starts_with(" minute");
    const bool are_ms = is_bare && (behind.starts_with(" ms") || behind.starts_with(" millisecond"));
    return are_minutes ? *ms * 60 : are_ms ? *ms / 1'000 : *ms;
  }
  return std::nullopt;
}

// What an error's body says: {"error": {"details": [{"@type": "…RetryInfo", "retryDelay": "34.07s"}]}}, which
// may stand in a list.
std::optional<double> WaitInBodyMs(const HttpReply& reply, std::int64_t now_ms) {
  constexpr std::size_t kErrorBytesMax = 65'536;
  if (reply.body.size() > kErrorBytesMax) return std::nullopt;
  const Result<Value> body = ParseJson(reply.body);
  if (!body) return WaitInWordsMs(reply.body);
  const Value& whole = body->is_list() && !body->AsList().empty() ? body->AsList().front() : *body;
  const Value* error = whole.Find("error");
  if (error == nullptr) return WaitInWordsMs(reply.body);
  for (const Value& detail : error->ListAt("details")) {
    if (const auto ms = DurationMs(detail.TextAt("retryDelay"))) return ms;
  }
  const std::optional<RetryDelay> asked = AskedWait(InnerReply(*error), now_ms);
  return asked ? asked->ms : WaitInWordsMs(reply.body);
}

constexpr int kUnavailable = 503;

bool IsTooFast(int status) {
  return status == kTooManyRequests || status == kNoCapacity || status == kOverloaded;
}

// Services' own words for having too much to do, in the body of a 503.
bool CallsItselfOverloaded(std::string_view body) {
  constexpr std::size_t kLooked = 4'096;
  constexpr std::string_view kWords[] = {"overloaded", "\"unavailable\""};  // a message; a status of Google
  const std::string lower = AsciiLower(body.substr(0, kLooked));
  return std::any_of(std::begin(kWords), std::end(kWords),
                     [&lower](std::string_view word) { return lower.find(word) != std::string::npos; });
}

}  // namespace

Pace PaceOf(const HttpReply& reply, std::int64_t now_ms) {
  Pace pace;
  const bool is_refused = IsTooFast(reply.status);
  pace.too_fast = is_refused || (reply.error && reply.error->code == ErrorCode::kTimeout);
  const std::optional<RetryDelay> asked = AskedWait(reply, now_ms);
  std::optional<double> ms = asked ? std::optional(asked->ms) : std::nullopt;
  pace.is_rounded = asked && asked->is_rounded;
  if (!ms && !reply.error && reply.status >= kFirstError) ms = WaitInBodyMs(reply, now_ms);
  if (ms && *ms > kBelievedMs) ms.reset();
  if (ms) pace.wait = Bounded(*ms);
  if (ms && *ms > 0) pace.asked = milliseconds(static_cast<std::int64_t>(*ms));
  pace.overloaded = !pace.wait && !reply.error && (is_refused || reply.status == kUnavailable);
  const bool is_busy = reply.status == kUnavailable && (pace.wait || CallsItselfOverloaded(reply.body));
  pace.says_wait = !reply.error && (is_refused || is_busy);
  if (!reply.error) TakeRequestsLeft(reply, pace);
  const std::string_view should_retry = HeaderOf(reply, "x-should-retry");
  if (SameName(should_retry, "true")) pace.should_retry = true;
  if (SameName(should_retry, "false")) pace.should_retry = false;
  return pace;
}

}  // namespace assay
