// Tests of how replies change widths, pauses and limits a minute of pools.
#include "run/limits/pace/local_pace.h"

#include <doctest/doctest.h>

#include <utility>

namespace assay {

namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

const std::vector<Pool> kPools = {{.name = "openai", .max_in_flight = 8},
                                  {.name = "judge:openai", .max_in_flight = 4},
                                  {.name = "anthropic", .max_in_flight = 8}};

PaceNews Wait(PaceMark mark, std::optional<milliseconds> wait = {}) {
  PaceNews news{.mark = mark, .outcome = ReplyClass::kRetry, .says_wait = true};
  news.pace.too_fast = news.pace.says_wait = true;
  news.pace.wait = wait;
  return news;
}

TimePoint At(int second) { return TimePoint(seconds(second)); }

}  // namespace

TEST_CASE("calls that were under way together narrow their pool once, and answers widen it again") {
  LocalPace pace(kPools, {}, {});
  std::vector<PaceMark> marks;
  for (int i = 0; i < 8; ++i) marks.push_back(pace.OnSend(0, 0, At(0)));
  PaceNews too_fast{.mark = 0, .outcome = ReplyClass::kRetry};
  too_fast.pace.too_fast = true;
  for (const PaceMark mark : marks) {
    too_fast.mark = mark;
    pace.OnReply(0, too_fast, At(1));
  }
  CHECK(pace.Of(0).width == 4);
  CHECK(pace.Of(1).width == 4);
  CHECK(pace.Of(2).width == 8);
  for (int i = 0; i < 5; ++i) pace.OnReply(0, {.mark = pace.OnSend(0, 0, At(2))}, At(2));
  CHECK(pace.Of(0).width == 5);
}

TEST_CASE("a service that says wait is asked by one alone, later each time, until patience is over") {
  LocalPace pace(kPools, {}, {.base = seconds(1), .patience = seconds(100)});
  pace.OnReply(0, Wait(pace.OnSend(0, 0, At(0))), At(0));
  CHECK(pace.Of(0).width == 1);
  // A bucket would have let in another by now.
  const auto at = [](std::int64_t ms) { return TimePoint(milliseconds(ms)); };
  CHECK(pace.Of(0).paused_until == at(250));
  pace.OnReply(0, Wait(pace.OnSend(0, 0, at(250))), at(250));
  CHECK(pace.Of(0).paused_until == At(1));
  pace.OnReply(0, Wait(pace.OnSend(0, 0, At(1))), At(1));
  CHECK(pace.Of(0).paused_until == At(3));
  CHECK(pace.Of(0).gives_up_at == At(100));
  // As long as it says, and a little more; never beyond the patience.
  PaceNews long_wait = Wait(pace.OnSend(0, 0, At(3)), seconds(20));
  long_wait.jitter = seconds(1);
  pace.OnReply(0, long_wait, At(3));
  CHECK(pace.Of(0).paused_until == At(24));
  pace.OnReply(0, Wait(pace.OnSend(0, 0, At(24)), seconds(500)), At(24));
  CHECK(pace.Of(0).paused_until == At(100));
  pace.OnReply(0, {.mark = pace.OnSend(0, 0, At(100))}, At(100));
  CHECK(!pace.Of(0).gives_up_at);
  CHECK(!pace.Of(2).gives_up_at);
}

TEST_CASE("no more calls are under way than the service's limit leaves") {
  LocalPace pace(kPools, {}, {});
  const auto answer = [&pace](std::int64_t left, std::optional<milliseconds> wait = {}) {
    PaceNews news{.mark = pace.OnSend(0, 0, At(0))};
    news.pace.requests_left = left;
    news.pace.wait = wait;
    news.pace.says_until = wait.has_value();
    pace.OnReply(0, news, At(0));
    return pace.Of(0).width;
  };
  CHECK(answer(100) == 8);
  CHECK(answer(3) == 3);
  CHECK(answer(1) == 1);
  // It is full again when the pause is over.
  CHECK(answer(0, seconds(6)) == 8);
  CHECK(pace.Of(0).paused_until == At(6));
  CHECK(answer(0) == 1);  // nobody says when: one finds out
  // Replies overtake each other.
  LocalPace mixed(kPools, {}, {});
  PaceNews early{.mark = mixed.OnSend(0, 0, At(0))};
  PaceNews late{.mark = mixed.OnSend(0, 0, At(0))};
  early.pace.requests_left = 6;
  late.pace.requests_left = 5;
  mixed.OnReply(0, late, At(0));
  mixed.OnReply(0, early, At(0));
  CHECK(mixed.Of(0).width == 5);
  // So do requests, on their way through a proxy: of two that were under way the later may be counted first.
  LocalPace behind(kPools, {}, {});
  PaceNews sooner{.mark = behind.OnSend(0, 0, At(0))};
  PaceNews later{.mark = behind.OnSend(0, 0, At(0))};
  sooner.pace.requests_left = 1;
  later.pace.requests_left = 6;
  behind.OnReply(0, sooner, At(0));
  behind.OnReply(0, later, At(0));
  CHECK(behind.Of(0).width == 1);
  PaceNews next{.mark = behind.OnSend(0, 0, At(0))};
  next.pace.requests_left = 6;
  behind.OnReply(0, next, At(0));
  CHECK(behind.Of(0).width == 6);
  LocalPace small(kPools, {}, {});
  PaceNews first{.mark = small.OnSend(0, 0, At(0))};
  first.pace.requests_left = 4;
  small.OnReply(0, first, At(0));
  first.pace.requests_left = 0;
  first.pace.wait = seconds(6);
  first.pace.says_until = true;
  small.OnReply(0, first, At(0));
  CHECK(small.Of(0).width == 5);
}

TEST_CASE("how long a round of a silent service is, is learned from what was too early and what was not") {
  LocalPace pace(kPools, {}, {});
  const auto at = [](std::int64_t ms) { return TimePoint(milliseconds(ms)); };
  // Ten in six seconds: a round begins with its first call.
  std::int64_t began_ms = 0;
  std::int64_t now_ms = 0;
  const auto next_round = [&] {
    PaceNews last{.mark = pace.OnSend(0, 0, at(now_ms))};
    last.pace.requests_left = 0;
    pace.OnReply(0, last, at(now_ms));
    int refused = 0;
    while (true) {
      CHECK(pace.Of(0).width == 1);
      now_ms = std::chrono::duration_cast<milliseconds>(pace.Of(0).paused_until - TimePoint{}).count();
      const PaceMark mark = pace.OnSend(0, 0, at(now_ms));
      if (now_ms - began_ms >= 6'000) {
        PaceNews first{.mark = mark};
        first.pace.requests_left = 9;
        pace.OnReply(0, first, at(now_ms));
        break;
      }
      ++refused;
      pace.OnReply(0, Wait(mark), at(now_ms));
    }
    CHECK(pace.Of(0).width == 8);  // who looks alone says nothing of how many may go at once
    const std::int64_t took_ms = now_ms - std::exchange(began_ms, now_ms);
    return std::pair(took_ms, refused);
  };
  CHECK(next_round() == std::pair<std::int64_t, int>(7'000, 2));  // after 1, 2 and 4 seconds
  CHECK(next_round() == std::pair<std::int64_t, int>(6'000, 1));  // between 3 and 7, and between 5 and 7
  CHECK(next_round() == std::pair<std::int64_t, int>(6'000, 1));  // between 5 and 6
  CHECK(next_round() == std::pair<std::int64_t, int>(6'000, 0));
}

TEST_CASE("a limit that is filled sooner or later than it was is looked for anew") {
  LocalPace pace(kPools, {}, {});
  const auto fill = [&](int second, bool is_let_in) {
    const PaceMark mark = pace.OnSend(0, 0, At(second));
    pace.OnReply(0, is_let_in ? PaceNews{.mark = mark} : Wait(mark), At(second));
  };
  fill(0, true);
  fill(0, false);
  fill(4, true);  // four seconds were enough
  fill(4, false);
  CHECK(pace.Of(0).paused_until == At(6));
  fill(8, false);  // and now they are not
  CHECK(pace.Of(0).paused_until == TimePoint(milliseconds(8'250)));
  fill(10, true);
  CHECK(pace.Of(0).width == 1);  // the last round let in one
}

TEST_CASE("whoever looks and is not refused as soon as others were is let in, though his answer takes long") {
  LocalPace pace(kPools, {}, {});
  const auto at = [](std::int64_t ms) { return TimePoint(milliseconds(ms)); };
  pace.OnUnderWay(0, 1);
  PaceNews refused = Wait(pace.OnSend(0, 0, at(0)));
  refused.took = milliseconds(50);
  pace.OnReply(0, refused, at(50));
  pace.OnUnderWay(0, 0);
  pace.OnUnderWay(0, 1);
  pace.OnSend(0, 0, At(3));
  const TimePoint ready = pace.ReadyAt(0, 0, At(3));  // after twice as long, and a little
  CHECK(ready > at(3'100));
  CHECK(ready < at(3'200));
  CHECK(pace.Of(0).width == 2);
  pace.OnUnderWay(0, 2);
  pace.OnSend(0, 0, ready);
  CHECK(pace.Of(0).width > 2);
}

TEST_CASE("until a moment that is known to the second one alone looks; a wait of no time grows") {
  LocalPace pace(kPools, {}, {});
  PaceNews last{.mark = pace.OnSend(0, 0, At(0))};
  last.pace.requests_left = 9;
  pace.OnReply(0, last, At(0));
  last.mark = pace.OnSend(0, 0, At(0));
  last.pace.requests_left = 0;
  last.pace.says_until = last.pace.is_rounded = true;
  last.pace.wait = seconds(6);
  pace.OnReply(0, last, At(0));
  CHECK(pace.Of(0).width == 1);
  CHECK(pace.Of(0).paused_until == At(6));
  TimePoint before = At(6);
  for (const int pause_ms : {62, 124, 248, 496, 992, 1'000, 1'000}) {
    pace.OnReply(0, Wait(pace.OnSend(0, 0, before), milliseconds(0)), before);
    CHECK(pace.Of(0).paused_until - before == milliseconds(pause_ms));
    before = pace.Of(0).paused_until;
  }
  pace.OnReply(0, {.mark = pace.OnSend(0, 0, before)}, before);
  CHECK(pace.Of(0).width == 8);
}

TEST_CASE("an answer to a call that went before the trouble does not end it") {
  LocalPace pace(kPools, {}, {});
  const PaceMark early = pace.OnSend(0, 0, At(0));
  pace.OnReply(0, Wait(pace.OnSend(0, 0, At(0))), At(1));
  pace.OnReply(0, {.mark = early}, At(2));
  CHECK(pace.Of(0).width == 1);
  CHECK(!pace.Of(0).gives_up_at);
}

TEST_CASE("a pause without a word of waiting is kept by the pool if it may be its own fault") {
  LocalPace pace(kPools, {}, {});
  PaceNews news{.mark = pace.OnSend(0, 0, At(0)), .outcome = ReplyClass::kRetry};
  news.pace.wait = seconds(5);
  pace.OnReply(0, news, At(0));
  CHECK(pace.Of(0).paused_until == TimePoint{});
  news.outcome = ReplyClass::kOk;
  pace.OnReply(0, news, At(0));
  CHECK(pace.Of(0).paused_until == At(5));
}

TEST_CASE("limits a minute are one for all pools of a provider; what was not needed is given back") {
  RunLimits limits;
  limits.providers["openai"].tokens_per_min = 6'000;
  LocalPace pace(kPools, limits, {});
  CHECK(pace.ReadyAt(0, 600, At(0)) == At(0));
  pace.OnSend(0, 600, At(0));
  const TimePoint ready = pace.ReadyAt(1, 600, At(0));
  CHECK(ready >= At(6));
  CHECK(ready < At(7));
  CHECK(pace.ReadyAt(2, 600, At(0)) == At(0));
  pace.Return(0, 300);
  const TimePoint sooner = pace.ReadyAt(1, 600, At(0));
  CHECK(sooner >= At(3));
  CHECK(sooner < At(4));
}

TEST_CASE("a width that grows starts with ten, and is doubled unless its service refuses or grows slow") {
  RunLimits limits;
  limits.providers["openai"].grows_to = 64;
  LocalPace pace(kPools, limits, {});
  const auto round = [&pace](int answers, seconds took, bool is_refused = false) {
    for (int i = 0; i < answers; ++i) {
      PaceNews news{.mark = pace.OnSend(0, 0, At(0)), .took = took};
      if (is_refused && i == 0) {
        news.outcome = ReplyClass::kRetry;
        news.pace.too_fast = true;
      }
      pace.OnReply(0, news, At(0));
    }
    return pace.Of(0).width;
  };
  pace.OnUnderWay(1, 10);  // judges lend nothing
  CHECK(pace.Of(0).width == 10);
  CHECK(pace.Of(2).width == 8);  // nothing grows there
  CHECK(round(10, seconds(2)) == 20);
  CHECK(round(20, seconds(4)) == 20);
  CHECK(round(5, seconds(2), true) == 10);
  // What judges do not use candidates may.
  const std::size_t own = pace.Of(0).width;
  pace.OnUnderWay(1, 0);
  CHECK(pace.Of(0).width == own + 10);
}

TEST_CASE("where a width is given, it is the most, and nobody lends") {
  RunLimits limits;
  limits.providers["openai"].grows_to = limits.providers["openai"].max_in_flight = 12;
  LocalPace pace(kPools, limits, {});
  CHECK(pace.Of(0).width == 10);
  for (int i = 0; i < 50; ++i) pace.OnReply(0, {.mark = pace.OnSend(0, 0, At(0)), .took = seconds(1)}, At(0));
  CHECK(pace.Of(0).width == 12);
}

}  // namespace assay
