// Tests of $call and $factcheck: what is sent, its size limit, and the meaning of replies.
#include <doctest/doctest.h>

#include "base/limits.h"
#include "checks/check.h"
#include "checks/limits.h"
#include "checks/service/call.h"
#include "spec/run/worker_state.h"
#include "spec/suite/case.h"
#include "spec/suite/check.h"
#include "spec/suite/outside.h"
#include "text/json/json.h"

namespace assay {
namespace {

Value ParsedJson(std::string_view text) { return ParseJson(text).value(); }

// A check with its arguments, asked once about one answer.
struct SentRequest {
  Diagnostics diagnostics;
  const CheckRow* row = nullptr;
  CheckArgs args;
  Action action;
};

void Ask(std::string_view kind, const Value& args, std::span<const Service> services, std::string_view text,
         SentRequest& asked, std::span<const Exchange> so_far = {}) {
  Check check;
  check.kind = kind;
  check.args = args;
  asked.row = FindCheck(kind);
  REQUIRE(asked.row != nullptr);
  asked.args = asked.row->parse({.check = check, .services = services}, asked.diagnostics);
  REQUIRE(asked.args != nullptr);
  AnswerView answer(text);
  Transcript transcript;
  transcript.history = {{Role::kUser, "Q"}, {Role::kAssistant, std::string(text)}};
  transcript.generated_indices = {0};
  Case the_case;
  the_case.id = "c";
  WorkerState worker;
  const GradeInput grade{
      .answer = answer, .transcript = transcript, .variant_id = "echo:x", .the_case = the_case};
  if (asked.row->MostRequests(asked.args) == 0) {
    asked.action = Done{asked.row->grade(grade, asked.args, worker)};
    return;
  }
  const AskInput input{.grade = grade, .so_far = so_far, .tag = {}, .worker = worker};
  asked.action = asked.row->asks->next(input, asked.args);
}

PlannedRequest OneRequest(const SentRequest& asked) {
  REQUIRE(std::holds_alternative<Need>(asked.action));
  REQUIRE(std::get<Need>(asked.action).requests.size() == 1);
  return std::get<Need>(asked.action).requests.front();
}

Score ScoreOf(const SentRequest& asked) { return std::get<Score>(std::get<Done>(asked.action).value); }

}  // namespace

TEST_CASE("$call asks where the suite's service or its own arguments say") {
  const Service services[] = {
      {"svc", ParsedJson(R"({"url":"HTTPS://e.com/s","method":"put","timeout_ms":5,"max_retries":7,)"
                         R"("retry_backoff_ms":9,"headers":{"Content-Type":"a/b","X-T":"${T}"}})")}};
  struct Row {
    const char* args;
    const char* method;
    const char* url;
    const char* headers;
    int timeout_ms;
    int retries;
    int backoff_ms;
    const char* body;
  };
  const Row rows[] = {
      {R"({"service":"svc","url":"http://no","method":"GET","timeout_ms":1,"cache":false,"k":"{response}"})",
       "PUT", "https://e.com/s", "Content-Type: a/b|X-T: ${T}|", 5, 7, 9,
       R"({"response":"A","modelId":"echo:x","promptId":"c","k":"A"})"},
      {R"({"url":"http://h/p","k":[{"m":"{messages}"},1,null],"2":"two","response":"mine"})", "POST",
       "http://h/p", "content-type: application/json|", 30'000, 2, 1'000,
       R"({"2":"two","response":"mine","modelId":"echo:x","promptId":"c",)"
       R"("k":[{"m":[{"role":"user","content":"Q"},{"role":"assistant","content":"A"}]},1,null]})"},
      {R"({"url":"http://h/p","timeout_ms":0,"max_retries":1e9,"retry_backoff_ms":-1})", "POST", "http://h/p",
       "content-type: application/json|", 1, limits::kRetriesMax, 1'000,
       R"({"response":"A","modelId":"echo:x","promptId":"c"})"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.args);
    SentRequest asked;
    Ask("call", ParsedJson(row.args), services, "A", asked);
    CHECK(asked.diagnostics.All().empty());
    const PlannedRequest planned = OneRequest(asked);
    const auto& request = std::get<HttpRequest>(planned.request);
    std::string headers;
    for (const HttpHeader& header : request.headers) headers += header.name + ": " + header.value + "|";
    CHECK(request.method == row.method);
    CHECK(request.url == row.url);
    CHECK(headers == row.headers);
    CHECK(request.timeout.count() == row.timeout_ms);
    CHECK(request.body == row.body);
    REQUIRE(planned.retry);
    CHECK(planned.retry->max_retries == row.retries);
    CHECK(planned.retry->backoff.count() == row.backoff_ms);
  }
}

TEST_CASE("$call and $factcheck: arguments that are no good are warned about and ask nothing") {
  const Service services[] = {{"svc", ParsedJson(R"({"url":"http://h","method":"GET"})")}};
  struct Row {
    const char* kind;
    const char* args;
  };
  const Row rows[] = {
      {"call", "{}"},
      {"call", R"("x")"},
      {"call", "[1]"},
      {"call", R"({"service":"svc"})"},
      {"call", R"({"service":"other","url":"http://h"})"},
      {"call", R"({"service":5})"},
      {"call", R"({"url":"h/p"})"},
      {"call", R"({"url":"http://"})"},
      {"call", R"({"url":"echo:x"})"},
      {"call", R"({"url":"recorded:"})"},
      {"call", R"({"url":"factcheck:/api/internal/factcheck"})"},
      {"call", R"({"url":"file:///etc/passwd"})"},
      {"call", R"({"url":"http://h","method":"GET"})"},
      {"call", R"({"url":"http://h","method":5})"},
      {"call", R"({"url":"http://h","headers":{"x":1}})"},
      {"factcheck", "5"},
      {"factcheck", R"({"a":1})"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.args);
    SentRequest asked;
    Ask(row.kind, ParsedJson(row.args), services, "A", asked);
    CHECK(asked.diagnostics.All().size() == 1);
    CHECK(asked.row->MostRequests(asked.args) == 0);
    CHECK(ScoreOf(asked).state == ScoreState::kError);
  }
}

TEST_CASE("$call: an address that leaves the network is an error at its place") {
  const Service services[] = {{"exec:svc", ParsedJson(R"({"url":"http://h"})")}};
  for (const char* address : {"exec:touch pwned", "EXEC:x", " exec:x", "echo:x", "recorded:", "replay:x",
                              "factcheck:/api/internal/factcheck", "file:///etc/passwd", "ftp://h/x",
                              "ws://h", "data:,x", "unix:/x", "javascript:x", "http+unix://h"}) {
    for (const char* key : {"url", "service"}) {
      CAPTURE(address);
      CAPTURE(key);
      Map args;
      args.Append(key, address);
      SentRequest asked;
      Ask("call", Value(std::move(args)), services, "A", asked);
      REQUIRE(asked.diagnostics.All().size() == 1);
      CHECK(asked.diagnostics.All()[0].code == "check.address");
      CHECK(asked.diagnostics.HasErrors());
      CHECK(asked.row->MostRequests(asked.args) == 0);
    }
  }
  SentRequest named;
  Ask("call", ParsedJson(R"({"service":"exec:svc"})"), services, "A", named);
  CHECK(named.diagnostics.All().empty());
}

TEST_CASE("$factcheck tells which turns the model wrote, and tries once") {
  SentRequest asked;
  Ask("factcheck", Value(), {}, "A", asked);
  const PlannedRequest planned = OneRequest(asked);
  const auto& request = std::get<HttpRequest>(planned.request);
  CHECK(request.url == kFactcheckUrl);
  CHECK(request.timeout.count() == 65'000);
  CHECK(planned.retry->max_retries == 0);
  CHECK(request.body == R"({"claim":"A","instruction":"","includeRaw":false,"messages":[)"
                        R"({"role":"user","content":"Q","generated":false},)"
                        R"({"role":"assistant","content":"A","generated":true}]})");
}

TEST_CASE("replies of services: a score, or an error that says why") {
  struct Row {
    int status;
    const char* body;
    double score;  // -1: an error
    const char* text;
  };
  const Row rows[] = {
      {200, R"({"score":0.5,"explain":"why"})", 0.5, "why"},
      {201, "\xEF\xBB\xBF{\"score\":1,\"explain\":5}", 1, ""},
      {200, R"({"score":-0.0,"error":""})", 0, ""},
      {200, R"({"score":1.01})", -1, "1.01"},
      {200, R"({"score":1e400})", -1, "Infinity"},
      {200, R"({"score":true})", -1, "true/false"},
      {200, R"({"error":"bad","score":1})", -1, "bad"},
      {200, R"({"error":{"code":7}})", -1, "7"},
      {200, "null", -1, "an object"},
      {200, "[1]", -1, "found none"},
      {200, "", -1, "JSON"},
      {200, "{\"score\":\xff}", -1, "JSON"},
      {404, R"({"score":1})", -1, "404"},
      {302, "", -1, "302"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.body);
    Exchange exchange;
    exchange.reply = HttpReply{.status = row.status, .headers = {}, .body = row.body};
    SentRequest asked;
    Ask("call", ParsedJson(R"({"url":"http://h"})"), {}, "A", asked, {&exchange, 1});
    const Score score = ScoreOf(asked);
    CHECK((score.state == ScoreState::kScored) == (row.score >= 0));
    if (row.score >= 0) {
      CHECK(score.value == row.score);
      CHECK(score.explanation == row.text);
    } else {
      CHECK(score.state == ScoreState::kMissing);
      CHECK(score.error.starts_with("$call: "));
      CHECK(score.error.find(row.text) != std::string::npos);
    }
  }
  Exchange silent;
  silent.reply = HttpReply{.status = 200, .headers = {}, .body = R"({"score":1})"};
  SentRequest asked;
  Ask("factcheck", Value(), {}, "A", asked, {&silent, 1});
  CHECK(ScoreOf(asked).explanation == "No explanation provided");
}

TEST_CASE("templates: marks of the answer cannot make the request grow without end") {
  std::string marks;
  while (marks.size() < (64u << 10)) marks += "$`$'";
  const CallData data{.response = marks, .model_id = "m", .prompt_id = "p", .messages = List{}};
  CHECK(FillTemplate(Value("x {response} y"), data).has_value());
  std::string many;
  while (many.size() < (64u << 10)) many += "{response} ";
  const Result<Value> filled = FillTemplate(Value(many), data);
  REQUIRE_FALSE(filled.has_value());
  CHECK(filled.error().code == ErrorCode::kLimit);

  const std::string large(limits::kServiceBodyBytesMax / 2, 'a');
  const CallData large_data{.response = large, .model_id = "", .prompt_id = "", .messages = List{}};
  CHECK(FillTemplate(List{"{response}", "b"}, large_data).has_value());
  CHECK_FALSE(FillTemplate(List{"{response}", "{response}", "b"}, large_data).has_value());
  SentRequest asked;
  const std::string too_large(limits::kServiceBodyBytesMax, 'a');
  Ask("call", ParsedJson(R"({"url":"http://h"})"), {}, too_large, asked);
  CHECK(ScoreOf(asked).state == ScoreState::kScored);  // the answer is what makes it so large
  CHECK(ScoreOf(asked).value == 0);
}

}  // namespace assay
