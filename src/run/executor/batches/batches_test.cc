// Tests of batches: calls are gathered, answers find their calls, and what is missing is given back.
#include "run/executor/batches/batches.h"

#include <doctest/doctest.h>

namespace assay {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr TimePoint kStart{seconds(1000)};
constexpr std::int64_t kWallMs = 1'000'000;

PreparedRequest Prepared(int number) {
  ModelRequest request;
  request.provider = "anthropic";
  request.model = "claude-x";
  PreparedRequest prepared{.request = request,
                           .tag = {},
                           .canonical = std::to_string(number),
                           .key = KeyOf(std::to_string(number)),
                           .recorded = {},
                           .refused = {}};
  return prepared;
}

HttpRequest Wired() {
  HttpRequest wire;
  wire.url = "https://api.anthropic.com/v1/messages";
  wire.body = R"({"model":"claude-x"})";
  return wire;
}

HttpReply Said(std::string body, int status = 200) {
  HttpReply reply;
  reply.status = status;
  reply.body = std::move(body);
  return reply;
}

std::string Line(int number, std::string_view result) {
  return "{\"custom_id\":\"" + Hex(KeyOf(std::to_string(number))) + "\",\"result\":" + std::string(result) +
         "}\n";
}

Endpoints WithKey() {
  Endpoints endpoints;
  endpoints.providers["anthropic"] = {.base_url = {}, .key = Secret("sk-test-batches")};
  return endpoints;
}

// Goes on until something is sent, and lets `reply` answer it.
struct Desk {
  Endpoints endpoints = WithKey();
  std::vector<BatchRecord> open = {};
  Batches batches{endpoints, {.open = open}, EpochRange{0, 2}};
  TimePoint now = kStart;
  std::int64_t wall_ms = kWallMs;
  std::vector<Batches::Answer> answers = {};
  std::vector<std::int64_t> removals = {};
  std::vector<BatchRecord> saved = {};
  std::vector<std::string> notes = {};

  std::optional<std::pair<Ticket, HttpRequest>> Next(bool idle = true) {
    for (int i = 0; i < 5; ++i) {
      Batches::Work work = batches.Tick(now, wall_ms, idle);
      for (Batches::Answer& answer : work.answers) answers.push_back(std::move(answer));
      removals.insert(removals.end(), work.removals.begin(), work.removals.end());
      notes.insert(notes.end(), work.notes.begin(), work.notes.end());
      for (Batches::Save& save : work.saves) {
        saved.push_back(save.record);
        batches.OnSaved(save.place, 7);
      }
      if (!work.sends.empty()) return std::move(work.sends.front());
      if (work.saves.empty()) break;
    }
    return std::nullopt;
  }
  // Waits for the next request and answers it; its URL.
  std::string Answer(HttpReply reply) {
    auto sent = Next();
    if (!sent && batches.NextAt() != kNever) {
      now = std::max(now, batches.NextAt());
      sent = Next();
    }
    if (!sent) return "nothing";
    CHECK(Batches::Owns(sent->first));
    batches.OnReply(sent->first, reply, now);
    return sent->second.method + " " + sent->second.url;
  }
};

constexpr char kBase[] = "https://api.anthropic.com/v1/messages/batches";

}  // namespace

TEST_CASE("nothing is sent before nothing can be added; then it is stored first, and carries the key") {
  Desk desk;
  desk.batches.Add(1, Prepared(1), Wired());
  CHECK(!desk.Next(false));
  desk.batches.Add(2, Prepared(2), Wired());
  const auto sent = desk.Next();
  REQUIRE(sent);
  CHECK(sent->second.url == kBase);
  CHECK(sent->second.headers.back().name == "x-api-key");
  REQUIRE(desk.saved.size() == 1);
  CHECK(desk.saved[0].keys == std::vector<Digest>{KeyOf("1"), KeyOf("2")});
  CHECK(desk.saved[0].state == BatchState::kSending);
  CHECK(!desk.Next());  // one is under way
}

TEST_CASE("answers find their calls; the record goes when they are committed; the rest is given back") {
  Desk desk;
  for (int i = 1; i <= 3; ++i) desk.batches.Add(static_cast<Ticket>(i), Prepared(i), Wired());
  CHECK(desk.Answer(Said(R"({"id":"b1","processing_status":"in_progress"})")) ==
        std::string("POST ") + kBase);
  const std::string asks = std::string("GET ") + kBase + "/b1";
  CHECK(desk.Answer(Said(R"({"processing_status":"in_progress"})")) == asks);
  CHECK(desk.Answer(Said("", 503)) == asks);
  CHECK(desk.Answer(Said(R"({"processing_status":"ended"})")) == asks);
  CHECK(desk.saved.back().id == "b1");
  CHECK(desk.saved.back().state == BatchState::kOpen);
  CHECK(desk.Answer(Said(Line(3, R"({"type":"succeeded","message":{"n":3}})") +
                         Line(1, R"({"type":"errored","error":{"error":{"type":"overloaded_error"}}})") +
                         Line(9, R"({"type":"succeeded","message":{}})"))) == asks + "/results");
  desk.Next();
  REQUIRE(desk.answers.size() == 3);
  for (const Batches::Answer& answer : desk.answers) {
    if (answer.ticket == 1) CHECK(answer.reply->status == 529);
    if (answer.ticket == 2) CHECK(!answer.reply);
    if (answer.ticket == 3) CHECK(answer.reply->body == R"({"n":3})");
  }
  CHECK(desk.notes.size() == 1);
  CHECK(desk.removals.empty());
  for (int i = 1; i <= 3; ++i) desk.batches.OnCommitted(KeyOf(std::to_string(i)));
  desk.Next();
  CHECK(desk.removals == std::vector<std::int64_t>{7});
}

TEST_CASE("a stored batch is asked for only where the user asks: the key goes there") {
  Desk first;
  first.batches.Add(1, Prepared(1), Wired());
  first.Answer(Said(R"({"id":"b1","processing_status":"in_progress"})"));
  first.Answer(Said(R"({"processing_status":"in_progress"})"));
  const BatchRecord stored = first.saved.back();
  REQUIRE(stored.id == "b1");
  const auto url_after = [](BatchRecord record) {
    Desk desk{.open = {std::move(record)}};
    desk.batches.Add(1, Prepared(1), Wired());
    return desk.Answer(Said("{}"));
  };
  CHECK(url_after(stored) == std::string("GET ") + kBase + "/b1");
  BatchRecord elsewhere = stored;
  const std::string own = "https://api.anthropic.com";
  elsewhere.details.replace(elsewhere.details.find(own), own.size(), "http://127.0.0.1:9");
  CHECK(url_after(elsewhere) == std::string("POST ") + kBase);
  for (const char* other : {"http://127.0.0.1:9", "https://api.anthropic.com.example.org"}) {
    BatchRecord url = stored;  // where its requests go is an address of its own
    url.details.replace(url.details.rfind(own), own.size(), other);
    CHECK(url_after(url) == std::string("POST ") + kBase);
  }
  BatchRecord endpoint = elsewhere;
  endpoint.endpoint = "http://127.0.0.1:9/v1";
  CHECK(url_after(endpoint) == std::string("POST ") + kBase);
  BatchRecord id = stored;
  id.id = "../../files?b1";
  CHECK(url_after(id) == std::string("POST ") + kBase);
}

TEST_CASE("an interface that refuses gives everything back, and so does a batch that takes too long") {
  Desk refused;
  refused.batches.Add(1, Prepared(1), Wired());
  refused.Answer(Said(R"({"error":{"message":"no such route"}})", 404));
  refused.Next();
  REQUIRE(refused.answers.size() == 1);
  CHECK(!refused.answers[0].reply);
  REQUIRE(refused.notes.size() == 1);
  CHECK(refused.notes[0].find("no such route") != std::string::npos);

  Desk late;
  late.batches.Add(1, Prepared(1), Wired());
  late.Answer(Said(R"({"id":"b1"})"));
  late.wall_ms += 90'000'000;
  CHECK(late.Answer(Said("{}")) == std::string("POST ") + kBase + "/b1/cancel");
  CHECK(late.saved.back().id == "b1");
  CHECK(late.Answer(Said(R"({"processing_status":"ended"})")) == std::string("GET ") + kBase + "/b1");
  CHECK(late.saved.back().state == BatchState::kCancelling);
  late.Answer(Said(Line(1, R"({"type":"canceled"})")));
  late.Next();
  REQUIRE(late.answers.size() == 1);
  CHECK(!late.answers[0].reply);
}

TEST_CASE(
    "calls of a batch that is open already are attached to it; one that nobody asks for is left alone") {
  Desk first;
  first.batches.Add(1, Prepared(1), Wired());
  first.Answer(Said(R"({"id":"b1"})"));
  first.Next();
  BatchRecord record = first.saved.back();
  record.number = 7;

  const Endpoints endpoints = WithKey();
  Batches other(endpoints, {.wait_max = milliseconds(1), .open = {record}}, EpochRange{0, 2});
  CHECK(other.Tick(kStart, kWallMs, true).sends.empty());
  Batches again(endpoints, {.open = {record}}, EpochRange{0, 2});
  again.Add(5, Prepared(1), Wired());
  const Batches::Work work = again.Tick(kStart, kWallMs, true);
  REQUIRE(work.sends.size() == 1);
  CHECK(work.sends[0].second.url == std::string(kBase) + "/b1");
  Batches fresh(endpoints, {.open = {record}}, EpochRange{3, 3});
  fresh.Add(5, Prepared(1), Wired());
  CHECK(fresh.Tick(kStart, kWallMs, true).saves.size() == 1);  // a batch of its own
}

TEST_CASE("who is forgotten is not sent, and recordings and other providers are never gathered") {
  Desk desk;
  desk.batches.Add(1, Prepared(1), Wired());
  desk.batches.Forget(1);
  CHECK(!desk.Next());
  CHECK(desk.batches.MayTake(Prepared(1)));
  PreparedRequest recorded = Prepared(1);
  recorded.recorded = ModelReply{};
  CHECK(!desk.batches.MayTake(recorded));
  PreparedRequest groq = Prepared(1);
  std::get<ModelRequest>(groq.request).provider = "groq";
  CHECK(!desk.batches.MayTake(groq));
  Batches alone(desk.endpoints, {.gathers = false, .in_background = true}, EpochRange{0, 2});
  CHECK(!alone.MayTake(Prepared(1)));
}

}  // namespace assay
