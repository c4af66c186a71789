// Tests of a call between its first try and its answer: parameters that are left out, further tries by a
// request's own rule, and what a run that stands still says that it waits for.
#include <doctest/doctest.h>

#include "report/fold/fold.h"
#include "run/limits/cost/ledger.h"
#include "run/limits/cost/run_cost.h"
#include "spec/suite/suite.h"
#include "tests/sim/http_replies.h"
#include "tests/sim/town.h"
#include "text/json/json.h"

namespace assay::sim {

namespace {

HttpReply ChatReply(const std::string& text) {
  return HttpOf(200, R"({"choices":[{"message":{"content":")" + text +
                         R"("},"finish_reason":"stop"}],"usage":{"prompt_tokens":3,"completion_tokens":2}})");
}

bool Holds(const HttpRequest& request, const char* part) {
  return request.body.find(part) != std::string::npos;
}

// One of newer models: refuses a temperature first, then the limit of tokens under its older name.
HttpReply NewModel(const HttpRequest& request) {
  if (Holds(request, "\"temperature\""))
    return HttpOf(400, R"({"error":{"message":"no","param":"temperature","code":"unsupported_value"}})");
  if (Holds(request, "\"max_tokens\""))
    return HttpOf(400, R"({"error":{"message":"no","param":"max_tokens","code":"unsupported_parameter"}})");
  return ChatReply("An answer");
}

Suite ChatSuite(std::size_t cases) {
  Suite suite = QuestionSuite(cases);
  Variant& variant = suite.variants.front();
  variant.id = variant.model_id = "openai-compatible:new";
  variant.provider = "openai-compatible";
  variant.model = "new";
  variant.base_url = "http://127.0.0.1/v1";
  variant.params.temperature = 0;
  return suite;
}

// Each question is graded by a service at a URL of its own.
Suite ServiceSuite() {
  Suite suite = QuestionSuite(1);
  Check check;
  check.id = "c";
  check.kind = check.text = "call";
  Map args;
  args.Append("url", "https://grader.example.com/grade");
  args.Append("max_retries", std::int64_t{2});
  args.Append("retry_backoff_ms", std::int64_t{250});
  check.args = std::move(args);
  suite.cases[0].checks = {std::move(check)};
  suite.cases[0].tree = {.op = CheckNode::Op::kLeaf, .children = {}, .check = 0, .label = {}};
  return suite;
}

}  // namespace

TEST_CASE("errors inside a 200 are paced and tried again as what they are: no answer is lost") {
  for (const char* refusal : {R"({"type":"error","error":{"type":"overloaded_error","message":"busy"}})",
                              R"({"error":{"code":"rate_limit_exceeded","message":"slow down"}})",
                              R"({"error":{"code":429,"message":"Please try again in 2s"}})"}) {
    CAPTURE(refusal);
    Town town(ChatSuite(40), 20);
    town.service.delay = std::chrono::milliseconds(50);
    town.service.answer =
        Window{.clock = town.clock, .answer = ChatReply("An answer"), .refusal = HttpOf(200, refusal)};
    CHECK(town.Run("r") == RunEnding::kWhole);
    CHECK(town.progress.errors == 0);
    CHECK(town.progress.sent == 40);
    CHECK(town.progress.retries == 0);
    CHECK(town.clock.Now() < TimePoint(std::chrono::seconds(60)));
  }
}

TEST_CASE("a quota of a day, or a wait beyond all patience, fails at once and for all") {
  HttpReply tomorrow = HttpOf(429, R"({"error":{"message":"tomorrow"}})");
  tomorrow.headers.push_back({"retry-after", "86400"});
  const std::pair<HttpReply, const char*> rows[] = {
      {HttpOf(429, R"({"error":{"code":"insufficient_quota","message":"no credit"}})"), "see its plan"},
      {HttpOf(429, R"({"message":"Too many tokens per day, please wait."})"), "continue tomorrow"},
      {HttpOf(400,
              R"({"error":{"type":"invalid_request_error","message":"Your credit balance is too low."}})"),
       "top it up"},
      // Here nothing said what can be done.
      {tomorrow, "longer than --patience: use --patience 86400, or run the same command in 86400 s"}};
  for (const auto& [refused, remedy] : rows) {
    const HttpReply& refusal = refused;
    CAPTURE(refusal.body);
    Town town(ChatSuite(40), 4);
    town.service.answer = [&refusal](const HttpRequest&) { return refusal; };
    CHECK(town.Run("r") == RunEnding::kWhole);
    CHECK(town.service.asked.size() <= 4);
    CHECK(town.progress.errors + town.progress.cut == 40);
    CHECK(town.clock.Now() < TimePoint(std::chrono::seconds(60)));
    const Result<std::vector<Exchange>> first = town.store->Get(std::vector<ExchangeId>{ExchangeId(1)});
    REQUIRE((first && first->size() == 1 && first->front().error));
    CAPTURE(first->front().error->message);
    CHECK(first->front().error->message.find(remedy) != std::string::npos);
  }
}

TEST_CASE("prompts that are refused for what they are, are errors of their own; the others are asked") {
  const HttpReply rows[] = {
      HttpOf(400, R"({"error":{"code":"content_filter","message":"held back"}})"),
      HttpOf(413, R"({"error":{"type":"request_too_large","message":"exceeds the maximum size"}})"),
      // Waiting makes no prompt shorter.
      HttpOf(429,
             R"({"error":{"code":"rate_limit_exceeded","message":"Request too large for it: Limit 3"}})"),
  };
  for (const HttpReply& refusal : rows) {
    CAPTURE(refusal.body);
    Town town(ChatSuite(40), 4);
    town.service.answer = [&refusal](const HttpRequest& request) {
      return Holds(request, "Question 3") ? ChatReply("An answer") : refusal;
    };
    CHECK(town.Run("r") == RunEnding::kWhole);
    CHECK(town.service.asked.size() == 40);
    CHECK(town.progress.errors == 29);
    CHECK(town.progress.cut == 0);
    CHECK(town.progress.waits == 0);
  }
}

TEST_CASE("an error of one question inside a 200 gives no model of the Responses API up, whole or streamed") {
  // The Responses codec had a table of its own: twelve too long questions were twelve failures of the model.
  Suite suite = ChatSuite(40);
  suite.variants.front().provider = "openai-responses";
  const std::string error = R"({"object":"response","status":"failed","output":[],"error":)"
                            R"({"code":"context_length_exceeded","message":"it is longer than 8 tokens"}})";
  HttpReply streamed = HttpOf(200, "data: {\"type\":\"response.failed\",\"response\":" + error + "}\n\n");
  streamed.headers.push_back({"content-type", "text/event-stream"});
  HttpReply event = streamed;
  event.body = "data: {\"type\":\"error\",\"code\":\"content_filter\",\"message\":\"held back\"}\n\n";
  for (const HttpReply& refusal : {HttpOf(200, error), streamed, event}) {
    CAPTURE(refusal.body);
    Town town(suite, 4);
    town.service.answer = [&refusal](const HttpRequest& request) {
      constexpr const char* kAnswer =
          R"({"object":"response","status":"completed","output":[{"type":"message","content":)"
          R"([{"type":"output_text","text":"An answer"}]}]})";
      return Holds(request, "Question 3") ? HttpOf(200, kAnswer) : refusal;
    };
    CHECK(town.Run("r") == RunEnding::kWhole);
    CHECK(town.service.asked.size() == 40);
    CHECK(town.progress.errors == 29);
    CHECK(town.progress.cut == 0);
  }
}

TEST_CASE("a model that its service paused goes on from there, and all of it is the answer") {
  Suite suite = ChatSuite(1);
  suite.variants.front().provider = "anthropic";
  Town town(std::move(suite), 1);
  town.service.answer = [](const HttpRequest& request) {
    const bool goes_on = Holds(request, "server_tool_use");
    return goes_on
               ? HttpOf(200, R"({"content":[{"type":"text","text":"It rains."}],"stop_reason":"end_turn",)"
                             R"("usage":{"input_tokens":5,"output_tokens":2}})")
               : HttpOf(200, R"({"content":[{"type":"text","text":"Let me see."},{"type":"server_tool_use",)"
                             R"("id":"s","name":"web_search","input":{}}],"stop_reason":"pause_turn",)"
                             R"("usage":{"input_tokens":3,"output_tokens":1}})");
  };
  CHECK(town.Run("r") == RunEnding::kWhole);
  CHECK(town.progress.errors == 0);
  REQUIRE(town.service.requests.size() == 2);
  CHECK(Holds(
      town.service.requests[1],
      R"({"role":"assistant","content":[{"type":"text","text":"Let me see."},{"type":"server_tool_use")"));
  CHECK(town.progress.usage.output_tokens == 3);
}

TEST_CASE("what a model does not take is left out for the rest of the run; it is no error and no retry") {
  Town town(ChatSuite(6), 1);
  town.service.answer = NewModel;
  town.options.retry.max_retries = 0;
  Ledger ledger({.nano_usd = {}, .tokens = 1'000'000});
  CHECK(town.Run("r1", ledger) == RunEnding::kWhole);
  CHECK(town.service.requests.size() == 6 + 2);  // each complaint came once
  CHECK(town.progress.sent == 6);
  CHECK(town.progress.retries == 0);
  CHECK(town.progress.errors == 0);
  CHECK(town.progress.cells_failed == 0);
  CHECK(ledger.spent_tokens() == 6 * 5);
  CHECK_FALSE(ledger.HasReservations());
  CHECK(Holds(town.service.requests.back(), R"("max_completion_tokens":1500)"));
  REQUIRE(town.notes.size() == 2);
  CHECK(town.notes[0].find("new is asked without temperature") != std::string::npos);
  CHECK(town.notes[1].find("new is asked with max_completion_tokens") != std::string::npos);

  // It was the same question, however it was put.
  CHECK(town.Run("r2") == RunEnding::kWhole);
  CHECK(town.progress.reused == 6);
  CHECK(town.service.requests.size() == 8);
}

TEST_CASE("a parameter of the user's that a model does not take is left out like others, and told") {
  Suite suite = ChatSuite(6);
  Map extra;
  extra.Append("logit_bias", std::int64_t{1});
  suite.variants.front().params.extra = Value(std::move(extra));
  suite.variants.front().params.stop = {"END"};
  Town town(std::move(suite), 2);
  town.service.answer = [](const HttpRequest& request) {
    for (const char* name : {"stop", "logit_bias"}) {
      if (Holds(request, name))
        return HttpOf(400, R"({"error":{"message":"Model incompatible request argument supplied: )" +
                               std::string(name) + "\"}}");
    }
    return ChatReply("An answer");
  };
  CHECK(town.Run("r") == RunEnding::kWhole);
  CHECK(town.progress.errors == 0);
  CHECK(town.service.requests.size() == 6 + 2);
  REQUIRE(town.notes.size() == 2);
  CHECK(town.notes[0].find("new is asked without stop") != std::string::npos);
  CHECK(town.notes[1].find("new is asked without logit_bias") != std::string::npos);
}

TEST_CASE("the first call of a model that nobody knows goes alone: a refusal costs one request") {
  Town town(ChatSuite(12), 4);
  town.service.answer = NewModel;
  town.options.retry.max_retries = 0;
  CHECK(town.Run("r1") == RunEnding::kWhole);
  CHECK(town.progress.errors == 0);
  CHECK(town.service.requests.size() == 12 + 2);
  CHECK(town.progress.in_flight_reached == 4);
  CHECK(town.notes.size() == 2);
}

TEST_CASE("nobody waits long for a first call that is slow, and what goes beside it is asked again too") {
  Town town(ChatSuite(12), 4);
  town.service.delay = std::chrono::seconds(60);
  town.service.answer = NewModel;
  town.options.retry.max_retries = 0;
  CHECK(town.Run("r1") == RunEnding::kWhole);
  CHECK(town.progress.errors == 0);
  REQUIRE(town.service.asked.size() > 12 + 2);
  CHECK(town.service.asked[1] - town.service.asked[0] == std::chrono::seconds(3));
  CHECK(town.service.requests.size() <= 12 + 2 * 4);
  CHECK(town.notes.size() == 2);
}

TEST_CASE("a known model is asked soon, without what its row excludes, and the end of the run says so") {
  Suite suite = ChatSuite(8);
  suite.variants.front().provider = "anthropic";
  suite.variants.front().model = "claude-sonnet-5-5";
  Town town(std::move(suite), 4);
  town.service.delay = std::chrono::seconds(60);
  town.service.answer = [](const HttpRequest& request) {
    if (Holds(request, "temperature")) return HttpOf(400, "{}");
    return HttpOf(200, R"({"content":[{"type":"text","text":"Hi"}],"stop_reason":"end_turn"})");
  };
  CHECK(town.Run("r1") == RunEnding::kWhole);
  CHECK(town.progress.errors == 0);
  CHECK(town.service.requests.size() == 8);
  CHECK(town.service.asked[1] - town.service.asked[0] == std::chrono::seconds(1));
  CHECK(town.service.asked[3] == town.service.asked[1]);
  REQUIRE(town.notes.size() == 1);
  CHECK(town.notes[0].find("claude-sonnet-5-5 is asked without temperature") != std::string::npos);
}

TEST_CASE("a row that is wrong costs one request, not one for each call that might be under way") {
  Suite suite = ChatSuite(20);
  suite.variants.front().provider = "anthropic";
  suite.variants.front().model = "claude-sonnet-4-5";  // takes a temperature, as its row has it
  Town town(std::move(suite), 8);
  town.service.delay = std::chrono::milliseconds(300);
  town.service.answer = [](const HttpRequest& request) {
    if (Holds(request, "temperature"))
      return HttpOf(400, R"({"error":{"message":"`temperature` is deprecated for this model."}})");
    return HttpOf(200, R"({"content":[{"type":"text","text":"Hi"}],"stop_reason":"end_turn"})");
  };
  CHECK(town.Run("r1") == RunEnding::kWhole);
  CHECK(town.progress.errors == 0);
  CHECK(town.service.requests.size() == 20 + 1);
  CHECK(town.progress.in_flight_reached == 8);
}

TEST_CASE("a model that a suite describes learns from refusals as others do, by the names it has there") {
  Suite suite = ChatSuite(12);
  Variant& variant = suite.variants.front();
  variant.provider = "custom";
  Map mapping;
  mapping.Append("temperature", "heat");
  Map custom;
  custom.Append("parameterMapping", std::move(mapping));
  variant.custom = Value(std::move(custom));
  Town town(std::move(suite), 4);
  town.service.delay = std::chrono::milliseconds(300);
  town.service.answer = [](const HttpRequest& request) {
    if (Holds(request, "\"heat\""))
      return HttpOf(400, R"({"error":{"message":"Unsupported parameter: heat"}})");
    return ChatReply("An answer");
  };
  CHECK(town.Run("r1") == RunEnding::kWhole);
  CHECK(town.progress.errors == 0);
  CHECK(town.service.requests.size() == 12 + 1);
  REQUIRE(town.notes.size() == 1);
  CHECK(town.notes[0].find("new is asked without temperature") != std::string::npos);
}

TEST_CASE(
    "a long beginning that calls repeat is marked, and the others wait until the first has put it there") {
  Suite suite = ChatSuite(6);
  Variant& variant = suite.variants.front();
  variant.provider = "anthropic";
  variant.model = "claude-opus-4-8";
  variant.system = std::string(20'000, 's');
  const auto run = [](Town& town) {
    town.options.marks_caches = true;
    town.service.delay = std::chrono::seconds(2);
    town.service.answer = [](const HttpRequest&) {
      return HttpOf(200, R"({"content":[{"type":"text","text":"Hi"}],"stop_reason":"end_turn"})");
    };
    CHECK(town.Run("r1") == RunEnding::kWhole);
    std::size_t marked = 0;
    for (const HttpRequest& request : town.service.requests)
      marked += Holds(request, "cache_control") ? 1 : 0;
    return marked;
  };
  Town town(suite, 6);
  CHECK(run(town) == 6);
  CHECK(Holds(town.service.requests[0], R"("system":[{"type":"text","text":"ssss)"));
  CHECK(Holds(town.service.requests[0], R"(,"messages":[{"role":"user","content":"Question)"));
  CHECK(town.service.asked[1] - town.service.asked[0] == std::chrono::seconds(2));
  CHECK(town.service.asked[5] == town.service.asked[1]);

  // No key knows of it.
  town.options.marks_caches = false;
  CHECK(town.Run("r2") == RunEnding::kWhole);
  CHECK(town.progress.reused == 6);

  variant.system = std::string(2'000, 's');  // shorter than what the service keeps
  Town small(suite, 6);
  CHECK(run(small) == 0);
  variant.system = std::string(20'000, 's');
  suite.cases.resize(1);  // asked once
  Town once(suite, 6);
  CHECK(run(once) == 0);
  variant.model = "of-next-year";  // nobody knows what it keeps
  suite.attempts = 4;
  Town unknown(suite, 6);
  CHECK(run(unknown) == 0);
  variant.model = "claude-opus-4-8";
  variant.system.reset();
  suite.cases[0].turns[0].text = std::string(20'000, 'd');  // a document, asked four times
  Town document(suite, 6);
  CHECK(run(document) == 4);
  CHECK(Holds(document.service.requests[3], R"("content":[{"type":"text","text":"dddd)"));
  CHECK(document.service.asked[1] - document.service.asked[0] == std::chrono::seconds(2));
}

TEST_CASE("an overloaded service that does not say how long is given more than a minute") {
  for (const int status : {429, 503, 529}) {
    CAPTURE(status);
    Town town(ChatSuite(1), 1);
    town.options.retry.max_retries = 2;
    town.options.retry.waits_are_tries = true;
    town.service.answer = [status](const HttpRequest&) { return HttpOf(status, "{}"); };
    CHECK(town.Run("r1") == RunEnding::kWhole);
    REQUIRE(town.service.asked.size() == 3);
    CHECK(town.service.asked[2] - town.service.asked[0] >= std::chrono::seconds(60));
    CHECK(town.service.asked[2] - town.service.asked[0] <= std::chrono::seconds(100));
  }
}

TEST_CASE("what a service says that a call cost wins over the list, in its body or a proxy's headers") {
  for (const bool in_body : {true, false}) {
    CAPTURE(in_body);
    Town town(ChatSuite(2), 1);
    town.models =
        ModelBook({{.model = "openai-compatible:*", .price = Price{.input_usd = 1, .output_usd = 2}}});
    town.service.answer = [in_body](const HttpRequest&) {
      HttpReply reply = HttpOf(200, std::string(R"({"choices":[{"message":{"content":"Hi"},)") +
                                        R"("finish_reason":"stop"}],"usage":{"prompt_tokens":100,)" +
                                        (in_body ? R"("cost":0.25,)" : "") + R"("completion_tokens":50}})");
      if (!in_body) reply.headers.push_back({"x-litellm-response-cost", "0.25"});
      return reply;
    };
    CHECK(town.Run("r1") == RunEnding::kWhole);
    CHECK(town.progress.cost_nano_usd == 500'000'000);
    CHECK(town.progress.unpriced == 0);
    const Result<RunCost> cost = CostOfRun(*town.store, town.store->Runs()->front(), ModelBook());
    REQUIRE(cost);
    CHECK(cost->nano_usd == 500'000'000);
    CHECK(cost->unpriced == 0);
  }
}

TEST_CASE("replies without an answer cost what they say, each try of them") {
  struct Row {
    const char* finish;
    const char* text;
    std::size_t tries;
  };
  for (const Row& row : {Row{"content_filter", "Half", 1}, Row{"length", "", 1}, Row{"stop", "", 6}}) {
    CAPTURE(row.finish);
    Town town(ChatSuite(1), 1);
    town.models =
        ModelBook({{.model = "openai-compatible:*", .price = Price{.input_usd = 1, .output_usd = 2}}});
    town.service.answer = [&row](const HttpRequest&) {
      return HttpOf(200, std::string(R"({"choices":[{"message":{"content":")") + row.text +
                             R"("},"finish_reason":")" + row.finish +
                             R"("}],"usage":{"prompt_tokens":100,"completion_tokens":50}})");
    };
    CHECK(town.Run("r1") == RunEnding::kWhole);
    CHECK(town.service.asked.size() == row.tries);
    CHECK(town.progress.errors == 1);
    CHECK(town.progress.cost_nano_usd == static_cast<std::int64_t>(row.tries) * (100 * 1'000 + 50 * 2'000));
    CHECK(town.progress.usage.output_tokens == static_cast<std::int64_t>(row.tries) * 50);
  }
}

TEST_CASE("thoughts between tags are no answer, unless the user says that they belong to it") {
  const auto thinks = [](const HttpRequest&) {
    return HttpOf(200, R"({"choices":[{"message":{"content":"<think>Hm"},"finish_reason":"length"}]})");
  };
  Town apart(ChatSuite(1), 1);
  apart.service.answer = thinks;
  CHECK(apart.Run("r1") == RunEnding::kWhole);
  CHECK(apart.progress.errors == 1);
  CHECK(apart.service.asked.size() == 1);
  Town kept(ChatSuite(1), 1);
  kept.service.answer = thinks;
  kept.models = ModelBook({{.model = "openai-compatible:new", .keeps_think_tags = true}});
  CHECK(kept.Run("r1") == RunEnding::kWhole);
  CHECK(kept.progress.errors == 0);
  Town compatible(ChatSuite(1), 1);
  compatible.service.answer = thinks;
  compatible.options.keeps_think_tags = true;
  CHECK(compatible.Run("r1") == RunEnding::kWhole);
  CHECK(compatible.progress.errors == 0);
}

TEST_CASE("a service's own word on trying again is obeyed") {
  const auto tries_with = [](int status, const char* word) {
    Town town(ChatSuite(1), 1);
    town.service.answer = [status, word](const HttpRequest&) {
      HttpReply reply = HttpOf(status, R"({"error":{"message":"no"}})");
      reply.headers = {{"x-should-retry", word}};
      return reply;
    };
    CHECK(town.Run("r1") == RunEnding::kWhole);
    return town.service.asked.size();
  };
  CHECK(tries_with(500, "false") == 1);
  CHECK(tries_with(400, "true") == 6);
  CHECK(tries_with(400, "false") == 1);
}

TEST_CASE("a service that complains all the same is believed the second time") {
  Town town(ChatSuite(1), 1);
  town.service.answer = [](const HttpRequest&) {
    return HttpOf(400, R"({"error":{"message":"no","param":"temperature","code":"unsupported_value"}})");
  };
  CHECK(town.Run("r1") == RunEnding::kWhole);
  CHECK(town.service.requests.size() == 2);
  CHECK(town.progress.errors == 1);
  CHECK(town.progress.cells_failed == 1);
}

TEST_CASE("a request's own rule says how often and after which pause it is sent again, within the user's") {
  struct Row {
    std::optional<int> max_retries;  // of the user
    std::size_t tries;
  };
  for (const Row& row : {Row{{}, 3}, Row{0, 1}, Row{1, 2}, Row{9, 3}}) {
    CAPTURE(row.tries);
    Town town(ServiceSuite());
    town.service.answer = [](const HttpRequest& request) {
      return request.url.starts_with("https:") ? HttpOf(500, "no") : HttpOf(200, "An answer");
    };
    if (row.max_retries) {
      town.options.retry.max_retries = *row.max_retries;
      town.options.retry.is_chosen = true;
    }
    CHECK(town.Run("r") == RunEnding::kWhole);
    const std::vector<TimePoint>& asked = town.service.asked;
    REQUIRE(asked.size() == 1 + row.tries);
    for (std::size_t i = 2; i < asked.size(); ++i) {
      const auto pause = asked[i] - asked[i - 1] - town.service.delay;
      CHECK(pause == std::chrono::milliseconds(250) * (i - 1));
    }
    CHECK(town.progress.retries == row.tries - 1);
    CHECK(town.progress.errors == 1);
    CHECK(town.progress.cells_failed == 0);
  }
}

TEST_CASE("a run that stands still says what it waits for, and one that goes on says nothing") {
  Town quick(QuestionSuite(20), 1);
  quick.service.delay = std::chrono::seconds(9);
  CHECK(quick.Run("r") == RunEnding::kWhole);
  CHECK(quick.waits.empty());

  Town slow(QuestionSuite(3), 2);
  slow.service.delay = std::chrono::seconds(60);
  CHECK(slow.Run("r") == RunEnding::kWhole);
  CHECK(Says(slow.waits, "2 under way, the oldest for 10 s (candidate of echo:a, case case-0)"));
  CHECK(Says(slow.waits, "2 under way, the oldest for 59 s"));
  CHECK(Says(slow.waits, "1 under way, the oldest for 10 s (candidate of echo:a, case case-2)"));

  Town failing(QuestionSuite(1), 1);
  failing.service.status = 500;
  failing.options.retry.base = failing.options.retry.cap = std::chrono::minutes(10);
  CHECK(failing.Run("r") == RunEnding::kWhole);
  CHECK(Says(failing.waits, "1 to be tried again, the next in "));

  Town paused(QuestionSuite(2), 1);
  paused.service.answer = [first = true](const HttpRequest&) mutable {
    HttpReply reply = HttpOf(std::exchange(first, false) ? 429 : 200, "An answer");
    if (reply.status == 429) reply.headers = {{"retry-after", "60"}};
    return reply;
  };
  CHECK(paused.Run("r") == RunEnding::kWhole);
  CHECK(Says(paused.waits, "wait because echo asked for a pause, 50 s more"));

  Town limited(QuestionSuite(3), 1);
  limited.options.limits.each.requests_per_min = 1;
  CHECK(limited.Run("r") == RunEnding::kWhole);
  CHECK(Says(limited.waits, "wait for the limits a minute of echo, "));
}

}  // namespace assay::sim
