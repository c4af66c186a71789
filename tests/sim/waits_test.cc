// Tests of services that say "wait": no answer is lost to them, and nobody waits for ever.
#include <doctest/doctest.h>
#include <fmt/core.h>

#include <algorithm>

#include "spec/suite/suite.h"
#include "tests/sim/http_replies.h"
#include "tests/sim/town.h"

namespace assay::sim {

namespace {

using std::chrono::seconds;

}  // namespace

TEST_CASE("forty calls into a window of ten in six seconds get forty answers, whatever is said of the wait") {
  const HttpReply rows[] = {
      HttpOf(429, "{}"),
      HttpOf(429, "{}", {{"retry-after", "1"}}),
      HttpOf(529, R"({"type":"error","error":{"type":"overloaded_error"}})"),
      HttpOf(503, "no", {{"retry-after", "2"}}),
      HttpOf(503, R"({"error":{"code":503,"status":"UNAVAILABLE","message":"busy"}})"),
      HttpOf(503, R"({"error":{"message":"The model is overloaded. Try again later."}})"),
  };
  for (const HttpReply& refusal : rows) {
    CAPTURE(refusal.status);
    CAPTURE(refusal.body);
    Town town(QuestionSuite(40), 20);
    town.service.delay = std::chrono::milliseconds(50);
    town.service.answer = Window{.clock = town.clock, .answer = HttpOf(200, "An answer"), .refusal = refusal};
    town.options.retry.max_retries = 0;
    const TimePoint start = town.clock.Now();
    CHECK(town.Run("r") == RunEnding::kWhole);
    CHECK(town.progress.errors == 0);
    CHECK(town.progress.sent == 40);
    CHECK(town.progress.retries == 0);
    CHECK(town.progress.waits == town.service.asked.size() - 40);
    CHECK(town.clock.Now() - start < seconds(60));
    // One alone looks whether there is room again.
    CHECK(town.progress.waits < 60);
  }
}

TEST_CASE(
    "forty calls into ten in six seconds take little more than the windows do, in every service's words") {
  const auto seconds_text = [](std::int64_t ms) { return fmt::format("{}.{:03}", ms / 1'000, ms % 1'000); };
  struct Row {
    const char* name;
    std::vector<HttpHeader> (*says)(std::int64_t left, std::int64_t wait_ms, std::int64_t now_ms);
    bool has_hint;  // of refusals
    std::size_t width;
    std::size_t refused;  // at most
  };
  const Row rows[] = {
      {"left, and for how long",
       [](std::int64_t left, std::int64_t wait_ms, std::int64_t) {
         return std::vector<HttpHeader>{{"x-ratelimit-remaining-requests", std::to_string(left)},
                                        {"x-ratelimit-reset-requests", fmt::format("{}ms", wait_ms)}};
       },
       true, 10, 0},
      {"left, and until which second",
       [](std::int64_t left, std::int64_t wait_ms, std::int64_t now_ms) {
         const std::int64_t until = (now_ms + wait_ms + 999) / 1'000 % 3'600;
         return std::vector<HttpHeader>{{"anthropic-ratelimit-requests-remaining", std::to_string(left)},
                                        {"anthropic-ratelimit-requests-reset",
                                         fmt::format("1970-01-01T00:{:02}:{:02}Z", until / 60, until % 60)}};
       },
       true, 10, 4},
      {"left alone",
       [](std::int64_t left, std::int64_t, std::int64_t) {
         return std::vector<HttpHeader>{{"x-ratelimit-remaining-req-minute", std::to_string(left)}};
       },
       false, 10, 4},
      {"nothing but how long a refusal is to wait",
       [](std::int64_t, std::int64_t, std::int64_t) { return std::vector<HttpHeader>(); }, true, 20, 4 + 20},
      // Three looks beyond one width: when its round ends is found out by asking. The first look comes after
      // a quarter of a second, by which time a bucket shows itself.
      {"nothing", [](std::int64_t, std::int64_t, std::int64_t) { return std::vector<HttpHeader>(); }, false,
       20, 4 + 20 + 3},
  };
  for (const Row& row : rows) {
    CAPTURE(std::string(row.name));
    Town town(QuestionSuite(40), row.width);
    town.service.delay = std::chrono::milliseconds(200);
    TimePoint began = TimePoint(seconds(-10));
    int taken = 0;
    town.service.answer = [&](const HttpRequest&) {
      // The service sees what was sent a delay ago.
      const TimePoint now = town.clock.Now() - town.service.delay;
      if (now - began >= seconds(6)) {
        began = now;
        taken = 0;
      }
      ++taken;
      const std::int64_t wait_ms =
          std::chrono::duration_cast<std::chrono::milliseconds>(began + seconds(6) - now).count();
      HttpReply reply = HttpOf(taken > 10 ? 429 : 200, taken > 10 ? "{}" : "An answer",
                               row.says(std::max(10 - taken, 0), wait_ms, town.clock.WallMs() - 200));
      if (taken > 10 && row.has_hint) reply.headers.push_back({"retry-after", seconds_text(wait_ms)});
      return reply;
    };
    const TimePoint start = town.clock.Now();
    CHECK(town.Run("r") == RunEnding::kWhole);
    CHECK(town.progress.errors == 0);
    CHECK(town.progress.sent == 40);
    const double ideal_s = 18 + 0.2;
    CHECK(std::chrono::duration<double>(town.clock.Now() - start).count() <= 1.15 * ideal_s);
    CHECK(town.progress.waits <= row.refused);
  }
}

TEST_CASE("503 alone, a lost connection and a used-up quota do not say \"wait\"") {
  struct Row {
    int status;
    const char* body;
    std::size_t tries;
  };
  for (const Row& row : {Row{503, "no", 3}, Row{500, "overloaded", 3}, Row{400, "overloaded", 1}}) {
    CAPTURE(row.status);
    Town town(QuestionSuite(1), 1);
    town.options.retry.max_retries = 2;
    town.service.answer = [&row](const HttpRequest&) { return HttpOf(row.status, row.body); };
    CHECK(town.Run("r") == RunEnding::kWhole);
    CHECK(town.service.asked.size() == row.tries);
    CHECK(town.progress.errors == 1);
    CHECK(town.progress.waits == 0);
  }
}

TEST_CASE(
    "a service that only says \"wait\" is given up after a while, told by progress, and asked again later") {
  for (const bool has_hint : {false, true}) {
    CAPTURE(has_hint);
    Town town(QuestionSuite(30), 4);
    town.service.answer = [has_hint](const HttpRequest&) {
      return HttpOf(429, "{}",
                    has_hint ? std::vector<HttpHeader>{{"retry-after", "45"}} : std::vector<HttpHeader>());
    };
    const TimePoint start = town.clock.Now();
    CHECK(town.Run("r1") == RunEnding::kWhole);
    CHECK(town.clock.Now() - start >= seconds(600));
    CHECK(town.clock.Now() - start <= seconds(605));
    CHECK(town.service.asked.size() < 40);
    CHECK(town.progress.errors + town.progress.cut == 30);
    CHECK(town.progress.errors > 0);
    CHECK(town.progress.first_error.find("--patience") != std::string::npos);
    CHECK(Says(town.waits, "without an answer they are given up in "));
    REQUIRE(town.notes.size() == 1);
    CHECK(town.notes[0].find("echo has said for 600 s that calls are to wait") != std::string::npos);

    town.service.answer = [](const HttpRequest&) { return HttpOf(200, "An answer"); };
    CHECK(town.Run("r2") == RunEnding::kWhole);
    CHECK(town.progress.errors + town.progress.cut == 0);
  }
}

TEST_CASE("patience begins anew with each answer, and one request that is always refused stops no other") {
  Town town(QuestionSuite(10), 4);
  town.options.retry.patience = seconds(100);
  town.service.answer = [](const HttpRequest& request) {
    const bool is_refused = request.body.find("Question 3") != std::string::npos;
    return is_refused ? HttpOf(429, "{}") : HttpOf(200, "An answer");
  };
  town.service.delay = seconds(30);
  CHECK(town.Run("r1") == RunEnding::kWhole);
  CHECK(town.progress.errors == 1);
  CHECK(town.progress.cut == 0);
  CHECK(town.progress.cells_done == 10);
}

TEST_CASE("where a format's own tool counts tries, 429 is one") {
  Town town(QuestionSuite(1), 1);
  town.options.retry.max_retries = 2;
  town.options.retry.waits_are_tries = true;
  town.service.answer = [](const HttpRequest&) { return HttpOf(429, "{}"); };
  CHECK(town.Run("r") == RunEnding::kWhole);
  CHECK(town.service.asked.size() == 3);
  CHECK(town.progress.waits == 0);
}

TEST_CASE("a service that is down is waited for, whatever it says, and no answer is lost to it") {
  struct Row {
    int status;  // while it is down; 0: nobody takes the connection
    std::chrono::seconds down_for;
    std::chrono::seconds patience;
    bool leaves;  // of a shard
    RunEnding end;
    bool is_whole;
  };
  const Row rows[] = {
      {0, seconds(60), seconds(600), false, RunEnding::kWhole, true},
      {500, seconds(60), seconds(600), false, RunEnding::kWhole, true},
      {502, seconds(500), seconds(600), true, RunEnding::kWhole, true},
      {0, seconds(500), seconds(600), true, RunEnding::kWhole, true},
      {0, seconds(900), seconds(600), false, RunEnding::kWhole, false},
      {503, seconds(900), seconds(600), true, RunEnding::kServiceDown, false},
      {0, seconds(60), seconds(30), true, RunEnding::kServiceDown, false},
  };
  for (const Row& row : rows) {
    CAPTURE(row.status);
    CAPTURE(row.down_for.count());
    CAPTURE(row.leaves);
    Town town(QuestionSuite(200), 20);
    town.service.delay = std::chrono::milliseconds(400);
    const TimePoint down_at = town.clock.Now() + seconds(2);
    const TimePoint up_at = down_at + row.down_for;
    std::size_t while_down = 0;
    town.service.answer = [&](const HttpRequest&) {
      if (town.clock.Now() < down_at || town.clock.Now() >= up_at) return HttpOf(200, "An answer");
      ++while_down;
      HttpReply down = HttpOf(row.status, "no");
      if (row.status == 0) down.error = Error{ErrorCode::kNetwork, "connection refused"};
      return down;
    };
    town.options.retry.patience = row.patience;
    town.options.leaves_when_down = row.leaves;
    CHECK(town.Run("r") == row.end);
    if (row.end == RunEnding::kServiceDown) CHECK(town.progress.cells_done + 20 < 200);
    if (row.is_whole) {
      CHECK(town.progress.errors == 0);
      CHECK(town.progress.cells_skipped == 0);
      CHECK(town.clock.Now() - up_at < seconds(60));
    }
    // Those under way when it goes down, their next tries, and one every half a minute.
    CHECK(while_down <= 40 + static_cast<std::size_t>(row.down_for.count()) / 30);
    CHECK(Says(town.waits, "which has been down for"));
    if (row.is_whole) continue;
    // The same command goes on where it was.
    BoundedQueue<bool> nothing(1);
    town.clock.Wait(nothing, up_at);
    CHECK(town.Run("r2") == RunEnding::kWhole);
    CHECK(town.progress.cells_skipped == 0);
    CHECK(town.service.asked.size() - while_down == 200);
  }
}

}  // namespace assay::sim
