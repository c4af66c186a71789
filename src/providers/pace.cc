// Headers -> pace.
#include "providers/pace.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string_view>

#include "base/limits.h"

namespace assay {

namespace {

using std::chrono::milliseconds;

char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool SameName(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return Lower(x) == Lower(y); });
}

// The value of a header; "" if there is none.
std::string_view HeaderOf(const HttpReply& reply, std::string_view name) {
  for (const HttpHeader& header : reply.headers) {
    if (SameName(header.name, name)) return header.value;
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

// "Wed, 21 Oct 2026 07:28:00 GMT" (RFC 9110) or "2026-10-21T07:28:00Z" (RFC 3339, universal time).
std::optional<std::int64_t> DateMs(std::string_view text) {
  constexpr std::string_view kMonths = "JanFebMarAprMayJunJulAugSepOctNovDec";
  if (text.size() >= 29 && text.substr(3, 2) == ", " && text.ends_with("GMT")) {
    const std::size_t month = kMonths.find(text.substr(8, 3));
    if (month == std::string_view::npos || month % 3 != 0) return std::nullopt;
    return WallMsOf(DigitsAt(text, 12, 4), static_cast<int>(month / 3 + 1), DigitsAt(text, 5, 2),
                    text.substr(17));
  }
  if (text.size() >= 20 && text[10] == 'T' && text.ends_with("Z")) {
    return WallMsOf(DigitsAt(text, 0, 4), DigitsAt(text, 5, 2), DigitsAt(text, 8, 2), text.substr(11));
  }
  return std::nullopt;
}

std::optional<double> UntilMs(std::string_view date, std::int64_t now_ms) {
  const std::optional<std::int64_t> then = DateMs(date);
  if (!then) return std::nullopt;
  return static_cast<double>(std::max<std::int64_t>(*then - now_ms, 0));
}

// A limit of which nothing is left, and where the time of its filling stands.
struct LimitRow {
  std::string_view remaining;
  std::string_view reset;
};
constexpr LimitRow kLimits[] = {
    {"x-ratelimit-remaining-requests", "x-ratelimit-reset-requests"},
    {"x-ratelimit-remaining-tokens", "x-ratelimit-reset-tokens"},
    {"anthropic-ratelimit-requests-remaining", "anthropic-ratelimit-requests-reset"},
    {"anthropic-ratelimit-tokens-remaining", "anthropic-ratelimit-tokens-reset"},
};

std::optional<double> AskedWaitMs(const HttpReply& reply, std::int64_t now_ms) {
  std::string_view exact = HeaderOf(reply, "retry-after-ms");
  if (const auto ms = TakeNumber(exact); ms && exact.empty()) return ms;
  const std::string_view after = HeaderOf(reply, "retry-after");
  if (const auto ms = DurationMs(after)) return ms;
  if (const auto ms = UntilMs(after, now_ms)) return ms;
  std::optional<double> longest;
  for (const LimitRow& row : kLimits) {
    if (HeaderOf(reply, row.remaining) != "0") continue;
    const std::string_view reset = HeaderOf(reply, row.reset);
    std::optional<double> ms = DurationMs(reset);
    if (!ms) ms = UntilMs(reset, now_ms);
    if (ms) longest = std::max(longest.value_or(0), *ms);
  }
  return longest;
}

}  // namespace

Pace PaceOf(const HttpReply& reply, std::int64_t now_ms) {
  constexpr int kTooManyRequests = 429;
  constexpr int kOverloaded = 529;
  Pace pace;
  pace.too_fast = reply.status == kTooManyRequests || reply.status == kOverloaded ||
                  (reply.error && reply.error->code == ErrorCode::kTimeout);
  if (reply.headers.empty()) return pace;
  if (const std::optional<double> ms = AskedWaitMs(reply, now_ms)) pace.wait = Bounded(*ms);
  return pace;
}

}  // namespace assay
