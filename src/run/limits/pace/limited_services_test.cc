// Tests of the pace against services that limit what they let in: buckets that fill all the time, and
// windows, of many sizes, each in words of its own. Time is simulated.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <optional>
#include <queue>
#include <random>
#include <utility>
#include <vector>

#include "run/limits/pace/local_pace.h"
#include "run/limits/pace/seconds.h"

namespace assay {

namespace {

double Seconds(TimePoint at) { return std::chrono::duration<double>(at - TimePoint{}).count(); }

// What a service lets in. Absent: no such limit.
struct Allowance {
  double per_s = 0;  // of a bucket
  double burst = 1;
  double window_s = 0;
  int per_window = 0;
  bool says_how_long = false;
  bool says_what_is_left = false;
};

struct Load {
  int calls = 600;
  std::size_t width = 64;
  double fastest_s = 1;
  double slowest_s = 3;
  bool judged = false;  // each answer is judged by the same service
};

class LimitedService {
 public:
  explicit LimitedService(const Allowance& allowance) : has_(allowance), level_(allowance.burst) {}

  // Whether it lets a call in.
  bool Takes(double now, Pace& pace) {
    level_ = std::min(has_.burst, level_ + (now - filled_) * has_.per_s);
    filled_ = now;
    if (has_.per_window > 0 && (began_ < 0 || now - began_ >= has_.window_s)) {
      began_ = now;
      count_ = 0;
    }
    const bool has_bucket = has_.per_s > 0;
    const bool fits = (!has_bucket || level_ >= 1) && (has_.per_window == 0 || count_ < has_.per_window);
    if (fits) {
      level_ -= 1;
      ++count_;
    }
    double wait = 0;
    if (has_bucket && level_ < 1) wait = (1 - level_) / has_.per_s;
    const bool is_used_up = has_.per_window > 0 && count_ >= has_.per_window;
    if (is_used_up) wait = std::max(wait, began_ + has_.window_s - now);
    Say(fits, wait, pace);
    return fits;
  }
  // When a client that knows the limit sends its last of so many calls.
  static double LeastFor(const Allowance& has, int calls) {
    const double bucket = has.per_s > 0 ? std::max(0.0, (calls - has.burst) / has.per_s) : 0;
    const double window = has.per_window > 0 ? ((calls - 1) / has.per_window) * has.window_s : 0;
    return std::max(bucket, window);
  }

 private:
  void Say(bool fits, double wait, Pace& pace) const {
    const std::chrono::milliseconds ms(static_cast<std::int64_t>(wait * 1'000) + 1);
    if (!fits) {
      pace.too_fast = pace.says_wait = true;
      pace.overloaded = !has_.says_how_long;
      if (has_.says_how_long) pace.wait = ms;
    }
    if (!has_.says_what_is_left) return;
    double left = has_.per_s > 0 ? level_ : 1e9;
    if (has_.per_window > 0) left = std::min<double>(left, has_.per_window - count_);
    pace.requests_left = static_cast<std::int64_t>(left);
    pace.says_until = true;
    if (*pace.requests_left == 0) pace.wait = ms;
  }

  Allowance has_;
  double level_;
  double filled_ = 0;
  double began_ = -1;
  int count_ = 0;
};

struct Outcome {
  double took_s = 0;
  double ideal_s = 0;
  int refused = 0;
  int asked = 0;
};

// One run of the pools "openai" and "judge:openai".
class PacedRun {
 public:
  PacedRun(const Allowance& allowance, const Load& load, std::uint64_t seed)
      : load_(load), allowance_(allowance), service_(allowance), dice_(seed) {
    RunLimits limits;
    limits.each.grows_to = load.width;
    pace_.emplace(kPools, limits, RetryPolicy{});
    waiting_[0] = load.calls;
  }

  Outcome Finish() {
    TimePoint now{};
    while (waiting_[0] + waiting_[1] > 0 || !under_way_.empty()) {
      const TimePoint next = Send(now);
      const TimePoint reply = under_way_.empty() ? kNever : under_way_.top().at;
      now = std::max(now, std::min(next, reply));
      while (!under_way_.empty() && under_way_.top().at <= now) Settle(now);
      if (now > TimePoint(Micros(100'000))) break;
    }
    const int calls = load_.calls * (load_.judged ? 2 : 1);
    const double mean_s = (load_.fastest_s + load_.slowest_s) / 2;
    const double width_s = load_.calls * mean_s / static_cast<double>(load_.width);
    outcome_.ideal_s = std::max(LimitedService::LeastFor(allowance_, calls), width_s) + mean_s;
    outcome_.took_s = Seconds(now);
    outcome_.asked = calls;
    return outcome_;
  }

 private:
  struct Under {
    TimePoint at{};
    TimePoint sent{};
    PoolIndex pool = 0;
    PaceNews news = {};
    bool operator<(const Under& other) const { return at > other.at; }
  };
  static inline const std::vector<Pool> kPools = {{.name = "openai", .max_in_flight = 10},
                                                  {.name = "judge:openai", .max_in_flight = 10}};

  TimePoint Send(TimePoint now) {
    TimePoint next = kNever;
    for (PoolIndex i = 0; i < 2; ++i) {
      const PoolIndex pool = (first_ + i) % 2;
      while (waiting_[pool] > 0 && flying_[pool] < pace_->Of(pool).width) {
        const TimePoint ready = std::max(pace_->Of(pool).paused_until, pace_->ReadyAt(pool, 0, now));
        if (ready > now) {
          next = std::min(next, ready);
          break;
        }
        Ask(pool, now);
      }
    }
    first_ = 1 - first_;
    return next;
  }
  void Ask(PoolIndex pool, TimePoint now) {
    --waiting_[pool];
    pace_->OnUnderWay(pool, ++flying_[pool]);
    Under call{.sent = now, .pool = pool};
    call.news.mark = pace_->OnSend(pool, 0, now);
    const bool fits = service_.Takes(Seconds(now), call.news.pace);
    call.news.outcome = fits ? ReplyClass::kOk : ReplyClass::kRetry;
    call.news.says_wait = !fits;
    constexpr double kRefusalS = 0.003;
    std::uniform_real_distribution<double> latency(load_.fastest_s, load_.slowest_s);
    call.at = now + Micros(fits ? latency(dice_) : kRefusalS);
    under_way_.push(call);
  }
  void Settle(TimePoint now) {
    Under call = under_way_.top();
    under_way_.pop();
    pace_->OnUnderWay(call.pool, --flying_[call.pool]);
    call.news.took = now - call.sent;
    if (call.news.says_wait && call.news.pace.wait) call.news.jitter = Micros(0.05);
    pace_->OnReply(call.pool, call.news, now);
    if (call.news.says_wait) {
      ++outcome_.refused;
      ++waiting_[call.pool];
    } else if (load_.judged && call.pool == 0) {
      ++waiting_[1];
    }
  }

  Load load_;
  Allowance allowance_;
  LimitedService service_;
  std::mt19937_64 dice_;
  std::optional<LocalPace> pace_;
  std::priority_queue<Under> under_way_;
  int waiting_[2] = {0, 0};
  std::size_t flying_[2] = {0, 0};
  PoolIndex first_ = 0;
  Outcome outcome_;
};

}  // namespace

TEST_CASE("limits that fill all the time are used up, whatever their sizes, and few calls are refused") {
  std::mt19937_64 dice(51);
  for (int i = 0; i < 60; ++i) {
    const double per_min = std::uniform_real_distribution<double>(120, 700)(dice);
    const double burst = std::uniform_int_distribution<int>(1, 60)(dice);
    const std::size_t width = std::array<std::size_t, 3>{64, 256, 1'000}[dice() % 3];
    const bool judged = dice() % 2 == 0;
    const Allowance allowance{
        .per_s = per_min / 60, .burst = burst, .says_how_long = true, .says_what_is_left = dice() % 2 == 0};
    const Load load{.calls = judged ? 300 : 600, .width = width, .judged = judged};
    CAPTURE(per_min);
    CAPTURE(burst);
    CAPTURE(width);
    CAPTURE(judged);
    CAPTURE(allowance.says_what_is_left);
    const Outcome outcome = PacedRun(allowance, load, dice()).Finish();
    CHECK(outcome.took_s <= 1.1 * outcome.ideal_s);
    CHECK(outcome.refused <= 0.04 * outcome.asked);
  }
}

TEST_CASE("of services that do not say how long to wait the same is found out") {
  for (const double burst : {1.0, 5.0, 20.0, 60.0}) {
    CAPTURE(burst);
    const Allowance allowance{.per_s = 500.0 / 60, .burst = burst};
    const Outcome outcome = PacedRun(allowance, {}, 1).Finish();
    CHECK(outcome.took_s <= 1.1 * outcome.ideal_s);
    CHECK(outcome.refused <= 0.03 * outcome.asked);
  }
}

TEST_CASE("windows are still found out") {
  for (const auto& [per_window, window_s] : {std::pair(100, 20.0), {40, 10.0}, {500, 60.0}, {10, 6.0}}) {
    for (const bool says_how_long : {false, true}) {
      CAPTURE(per_window);
      CAPTURE(says_how_long);
      const Allowance allowance{
          .window_s = window_s, .per_window = per_window, .says_how_long = says_how_long};
      const Load load{.calls = per_window * 5 / 2, .fastest_s = 0.15, .slowest_s = 0.25};
      const Outcome outcome = PacedRun(allowance, load, 1).Finish();
      CHECK(outcome.took_s <= 1.15 * outcome.ideal_s);
    }
  }
}

TEST_CASE("a width is doubled while its service keeps up, and idle width is lent") {
  const Allowance allowance{.per_s = 10'000, .burst = 10'000};
  const Load load{.calls = 1'000, .width = 256, .judged = true};
  const Outcome outcome = PacedRun(allowance, load, 1).Finish();
  CHECK(outcome.refused == 0);
  CHECK(outcome.took_s <= 25);
}

}  // namespace assay
