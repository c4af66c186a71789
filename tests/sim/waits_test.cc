// Tests of services that say "wait": no answer is lost to them, and nobody waits for ever.
#include <doctest/doctest.h>

#include <algorithm>

#include "tests/sim/town.h"

namespace assay::sim {

namespace {

using std::chrono::seconds;

HttpReply Reply(int status, std::string body, std::vector<HttpHeader> headers = {}) {
  HttpReply reply;
  reply.status = status;
  reply.headers = std::move(headers);
  reply.body = std::move(body);
  return reply;
}

bool Says(const std::set<std::string>& texts, const std::string& part) {
  return std::any_of(texts.begin(), texts.end(),
                     [&part](const std::string& text) { return text.find(part) != std::string::npos; });
}

// Ten in each six seconds; the others are refused.
struct Window {
  static constexpr int kWidth = 10;
  FakeClock& clock;
  HttpReply refusal;
  TimePoint began = TimePoint(seconds(-10));
  int taken = kWidth;

  HttpReply operator()(const HttpRequest&) {
    if (clock.Now() - began >= seconds(6)) {
      began = clock.Now();
      taken = 0;
    }
    return ++taken > kWidth ? refusal : Reply(200, "An answer");
  }
};

}  // namespace

TEST_CASE("forty calls into a window of ten in six seconds get forty answers, whatever is said of the wait") {
  const HttpReply rows[] = {
      Reply(429, "{}"),
      Reply(429, "{}", {{"retry-after", "1"}}),
      Reply(529, R"({"type":"error","error":{"type":"overloaded_error"}})"),
      Reply(503, "no", {{"retry-after", "2"}}),
      Reply(503, R"({"error":{"code":503,"status":"UNAVAILABLE","message":"busy"}})"),
      Reply(503, R"({"error":{"message":"The model is overloaded. Try again later."}})"),
  };
  for (const HttpReply& refusal : rows) {
    CAPTURE(refusal.status);
    CAPTURE(refusal.body);
    Town town(QuestionSuite(40), 20);
    town.service.delay = std::chrono::milliseconds(50);
    town.service.answer = Window{.clock = town.clock, .refusal = refusal};
    town.options.retry.max_retries = 0;
    const TimePoint start = town.clock.Now();
    CHECK(town.Run("r") == RunEnd::kFinished);
    CHECK(town.progress.errors == 0);
    CHECK(town.progress.sent == 40);
    CHECK(town.progress.retries == 0);
    CHECK(town.progress.waits == town.service.asked.size() - 40);
    CHECK(town.clock.Now() - start < seconds(60));
    // One alone looks whether there is room again.
    CHECK(town.progress.waits < 60);
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
    town.service.answer = [&row](const HttpRequest&) { return Reply(row.status, row.body); };
    CHECK(town.Run("r") == RunEnd::kFinished);
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
      return Reply(429, "{}",
                   has_hint ? std::vector<HttpHeader>{{"retry-after", "45"}} : std::vector<HttpHeader>());
    };
    const TimePoint start = town.clock.Now();
    CHECK(town.Run("r1") == RunEnd::kFinished);
    CHECK(town.clock.Now() - start >= seconds(600));
    CHECK(town.clock.Now() - start <= seconds(605));
    CHECK(town.service.asked.size() < 40);
    CHECK(town.progress.errors + town.progress.cut == 30);
    CHECK(town.progress.errors > 0);
    CHECK(town.progress.first_error.find("--patience") != std::string::npos);
    CHECK(Says(town.waits, "without an answer they are given up in "));
    REQUIRE(town.notes.size() == 1);
    CHECK(town.notes[0].find("echo has said for 600 s that calls are to wait") != std::string::npos);

    town.service.answer = [](const HttpRequest&) { return Reply(200, "An answer"); };
    CHECK(town.Run("r2") == RunEnd::kFinished);
    CHECK(town.progress.errors + town.progress.cut == 0);
  }
}

TEST_CASE("patience begins anew with each answer, and one request that is always refused stops no other") {
  Town town(QuestionSuite(10), 4);
  town.options.retry.patience = seconds(100);
  town.service.answer = [](const HttpRequest& request) {
    const bool is_refused = request.body.find("Question 3") != std::string::npos;
    return is_refused ? Reply(429, "{}") : Reply(200, "An answer");
  };
  town.service.delay = seconds(30);
  CHECK(town.Run("r1") == RunEnd::kFinished);
  CHECK(town.progress.errors == 1);
  CHECK(town.progress.cut == 0);
  CHECK(town.progress.cells_done == 10);
}

TEST_CASE("where a format's own tool counts tries, 429 is one") {
  Town town(QuestionSuite(1), 1);
  town.options.retry.max_retries = 2;
  town.options.retry.waits_are_tries = true;
  town.service.answer = [](const HttpRequest&) { return Reply(429, "{}"); };
  CHECK(town.Run("r") == RunEnd::kFinished);
  CHECK(town.service.asked.size() == 3);
  CHECK(town.progress.waits == 0);
}

}  // namespace assay::sim
