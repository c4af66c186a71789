// Tests of services that templates describe: their requests, what is read of their replies, and the generator
// that asks them.
#include <doctest/doctest.h>
#include <fmt/core.h>

#include "plan/answers/http/raw_request.h"
#include "plan/answers/http/reply_transform.h"
#include "plan/answers/http/request_template.h"
#include "plan/plan.h"
#include "spec/run/worker_state.h"
#include "spec/suite/suite.h"
#include "text/json/json.h"
#include "text/nunjucks/nunjucks.h"
#include "text/object.h"

namespace assay {
namespace {

Value ServiceJson(std::string_view text) {
  Result<Value> value = ParseJson(text);
  REQUIRE_MESSAGE(value.has_value(), text);
  return *std::move(value);
}

Result<HttpRequest> AskedService(std::string_view config, std::string prompt = "Why?",
                                 std::string_view variables = "{}") {
  Nunjucks templates{Map()};
  const FillIn fill_in = [&](std::string_view text, const Map& values) {
    return templates.Render(text, values);
  };
  const Value read = ServiceJson(config);
  const Value values = ServiceJson(variables);
  return RequestOfTemplates({.config = read,
                             .id = "http://named",
                             .prompt = std::move(prompt),
                             .variables = values.AsMap(),
                             .fill_in = fill_in});
}

// "POST http://h/c | content-type: application/json | {...}"
std::string RequestWords(const Result<HttpRequest>& request) {
  if (!request) return "error: " + request.error().message;
  std::string words = request->method + " " + request->url;
  for (const HttpHeader& header : request->headers)
    words += fmt::format(" | {}: {}", header.name, header.value);
  return request->body.empty() ? words : words + " | " + request->body;
}

TEST_CASE("an object is filled in leaf by leaf, and what is JSON then is put in as that") {
  const std::string config =
      R"({"url": "http://h/{{path}}", "headers": {"X-Test": "{{q}}"},
          "body": {"model": "m", "n": 2, "q": "{{q}}",
                   "messages": [{"role": "user", "content": "{{prompt}}"}]}})";
  CHECK(RequestWords(AskedService(config, "say \"x\"", R"({"path": "chat", "q": "a \"b\""})")) ==
        R"(POST http://h/chat | content-type: application/json | x-test: a "b" | )"
        R"({"model":"m","n":2,"q":"a \"b\"","messages":[{"role":"user","content":"say \"x\""}]})");
  CHECK(RequestWords(AskedService(R"({"url": "http://h", "body": {"messages": "{{prompt}}", "n": "{{n}}"}})",
                                  R"([{"role": "user", "content": "hi"}])", R"({"n": 5})")) ==
        R"(POST http://h | content-type: application/json | )"
        R"({"messages":[{"role":"user","content":"hi"}],"n":"5"})");
}

TEST_CASE("a text is JSON where that is sent, with the variables quoted if it takes that, else itself") {
  const auto body = [](std::string_view type, std::string_view text) {
    const Value config = Object{
        {"url", "http://h"}, {"method", "put"}, {"headers", Object{{"Content-Type", type}}}, {"body", text}};
    return RequestWords(AskedService(WriteJson(config, JsonStyle::kJavaScript), "a \"b\"\nc"));
  };
  const std::string json = "PUT http://h | content-type: application/json | ";
  CHECK(body("application/json", R"({ "p": {{ prompt | dump }} })") == json + R"({"p":"a \"b\"\nc"})");
  CHECK(body("application/json", R"({"p": "{{prompt}}"})") == json + R"({"p":"a \"b\"\nc"})");
  CHECK(body("application/json", "p={{prompt}}") == json + "p=a \"b\"\nc");
  CHECK(body("text/plain", R"({"p": "{{prompt}}"})") ==
        "PUT http://h | content-type: text/plain | {\"p\": \"a \"b\"\nc\"}");
  CHECK(RequestWords(AskedService(R"({"url": "http://h", "body": "q={{prompt}}"})")) ==
        "POST http://h | content-type: application/x-www-form-urlencoded | q=Why?");
  CHECK(RequestWords(AskedService(
            R"({"url": "http://h", "headers": {"content-type": "text/plain"}, "body": {"a": 1}})")) ==
        "error: config.body is an object, which needs the header content-type: application/json");
}

TEST_CASE("a request without a body is a GET, with its parameters in the address") {
  CHECK(RequestWords(AskedService(
            R"({"url": "https://h/s?a=1", "queryParams": {"q": "{{prompt}}", "n": 3, "x y": "&"}})",
            "wo ist Köln?")) == "GET https://h/s?a=1&q=wo+ist+K%C3%B6ln%3F&n=3&x+y=%26");
  CHECK(RequestWords(AskedService(R"({"url": "https://h/{{prompt}}"})", "a b")) == "GET https://h/a%20b");
  CHECK(RequestWords(AskedService("{}")) == "GET http://named");
  CHECK(RequestWords(AskedService(R"({"url": "ftp://h"})")) ==
        "error: config.url: expected an address that begins with http:// or https://, found \"ftp://h\"");
  CHECK(RequestWords(AskedService(R"({"url": "http://h", "method": "GET /x"})"))
            .starts_with("error: config.method"));
  CHECK(RequestWords(AskedService(R"({"url": "http://h/{{ a | nothing }}"})"))
            .starts_with("error: config.url: "));
}

TEST_CASE("a whole request is read as HTTP writes it") {
  const Value config =
      Object{{"request",
              "POST /chat?x={{x}} HTTP/1.1\r\nHost: h:81\r\nContent-Type: application/json\r\n"
              "Content-Length: 7\r\nX-Key:  k \r\n\r\n{\"p\": \"{{prompt}}\"}\r\n"},
             {"useHttps", true}};
  CHECK(RequestWords(AskedService(WriteJson(config, JsonStyle::kJavaScript), "a \"b\"", R"({"x": "1 2"})")) ==
        R"(POST https://h:81/chat?x=1%202 | content-type: application/json | x-key: k | {"p": "a \"b\""})");
  CHECK(RequestWords(AskedService(R"({"request": "GET http://h/{{prompt}}"})", "a")) == "GET http://h/a");
  CHECK(RequestWords(AskedService(R"({"request": "GET /a"})")) ==
        "error: config.request: expected the header Host, found none");
  CHECK(RequestWords(AskedService(R"({"request": "nonsense"})")) ==
        "error: config.request: expected a request line, such as POST /chat HTTP/1.1, found \"nonsense\"");
  CHECK(RequestWords(AskedService(R"({"request": "GET / HTTP/1.1\nHost h"})"))
            .starts_with("error: config.request: expected a header"));
}

TEST_CASE("transformRequest is a template, an expression, a function, or makes members of the body") {
  const auto body = [](std::string_view transform) {
    const Value config =
        Object{{"url", "http://h"}, {"body", Object{{"p", "{{prompt}}"}}}, {"transformRequest", transform}};
    const Result<HttpRequest> request =
        AskedService(WriteJson(config, JsonStyle::kJavaScript), "hi", R"({"n": "N"})");
    return request ? request->body : "error: " + request.error().message;
  };
  CHECK(body("<{{prompt}}>") == R"({"p":"<hi>"})");
  CHECK(body("prompt.toUpperCase() + vars.n") == R"({"p":"HIN"})");
  CHECK(body("(prompt) => `${prompt}!`") == R"({"p":"hi!"})");
  CHECK(body("const a = prompt; return a + a") == R"({"p":"hihi"})");
  CHECK(body("({p: 1, q: [prompt]})") == R"({"p":1,"q":["hi"]})");
  CHECK(body("prompt.missing.member").starts_with("error: config.transformRequest threw: "));
  CHECK(body("undefined").starts_with("error: config.transformRequest gave no value"));
}

TEST_CASE("what no request can be made of is named before the run") {
  const auto problem = [](std::string_view config) { return ConfigProblem(ServiceJson(config), "http"); };
  CHECK(problem(R"({"url": "http://h"})").empty());
  CHECK(problem(R"({"request": "GET http://h"})").empty());
  CHECK(problem("{}") == "config.url: expected the address of a service, found none");
  CHECK(problem(R"({"url": "http://h", "auth": {"type": "basic"}})") ==
        "config.auth is not supported here; write the header: Authorization: 'Bearer {{env.NAME}}'");
  CHECK(problem(R"({"url": "http://h", "transformResponse": "file://x.js"})")
            .starts_with("config.transformResponse names the file \"file://x.js\""));
  CHECK(RetryOfConfig(ServiceJson(R"({"maxRetries": 0})"))->max_retries == 0);
  CHECK_FALSE(RetryOfConfig(ServiceJson("{}")));
}

Exchange ServiceReply(std::string body, int status = 200) {
  Exchange exchange;
  exchange.reply = HttpReply{.status = status, .headers = {}, .body = std::move(body)};
  return exchange;
}

// The answer, or what was wrong.
std::string AnswerRead(std::string_view transform, const Exchange& exchange, std::string_view rest = "{}") {
  Value config = ServiceJson(rest);
  if (!transform.empty()) config.AsMap().Set("transformResponse", std::string(transform));
  const Transcript said = TranscriptOfService(config, "p", exchange, {}, false);
  return said.error.empty() ? said.answer : said.error_class + ": " + said.error;
}

TEST_CASE("the answer is what transformResponse gives of the reply") {
  const Exchange chat = ServiceReply(R"({"choices": [{"message": {"content": "pong"}}], "n": 3})");
  CHECK(AnswerRead("json.choices[0].message.content", chat) == "pong");
  CHECK(AnswerRead("(json, text, context) => json.n + context.response.status", chat) == "203");
  CHECK(AnswerRead("async function (json) { return json.choices }", chat) ==
        R"([{"message":{"content":"pong"}}])");
  CHECK(AnswerRead("text.length;", chat) == "55");
  CHECK(AnswerRead("({output: json.n, tokenUsage: {total: 5}})", chat) == "3");
  CHECK(AnswerRead("({error: 'busy'})", chat) == "service: busy");
  CHECK(AnswerRead("json.gone", chat).starts_with("no-answer: there is no output"));
  CHECK(AnswerRead("''", chat) == "no-answer: the service's answer is empty");
  CHECK(AnswerRead("json.a.b", chat).starts_with("invalid-input: config.transformResponse threw: "));
  CHECK(AnswerRead("json === null ? text : 1", ServiceReply("plain")) == "plain");
  CHECK(AnswerRead("", ServiceReply("plain")) == "plain");
  CHECK(AnswerRead("", ServiceReply(R"({ "a": 1 })")) == R"({"a":1})");
  CHECK(AnswerRead("", chat, R"({"responseParser": "json.n"})") == "3");
}

TEST_CASE("a status is what validateStatus says of it; without one each is taken") {
  CHECK(AnswerRead("text", ServiceReply("gone", 404)) == "gone");
  CHECK(AnswerRead("text", ServiceReply("gone", 404), R"({"validateStatus": "status < 300"})") ==
        "service: the service answered with status 404, which config.validateStatus does not take: \"gone\"");
  CHECK(AnswerRead("text", ServiceReply("ok", 204), R"({"validateStatus": "(status) => status < 300"})") ==
        "ok");
  CHECK(AnswerRead("text", ServiceReply("wait", 429)) ==
        "rate-limited: the service answered with status 429: too many requests");
  Exchange failed;
  failed.error = Error{ErrorCode::kTimeout, "no reply within 600 s"};
  CHECK(AnswerRead("text", failed) == "timeout: no reply within 600 s");
}

TEST_CASE("what a transform says beside the answer goes along") {
  const Value config = ServiceJson(
      R"_({"transformResponse":
              "({output: {a: 1}, cost: 0.5, tokenUsage: {prompt: 3, completion: 4, cached: 2}})"})_");
  const Transcript said = TranscriptOfService(config, "p", ServiceReply("{}"), {}, false);
  CHECK(said.answer == R"({"a":1})");
  CHECK(said.history.size() == 2);
  CHECK(said.generated_texts == std::vector<std::string>{said.answer});
  CHECK(said.told.details.NumberAt("cost") == 0.5);
  CHECK(said.told.details.NumberAt("status") == 200);
  REQUIRE(said.told.usage_by_role.size() == 1);
  CHECK(said.told.usage_by_role[0].second.input_tokens == 3);
  CHECK(said.told.usage_by_role[0].second.output_tokens == 4);
  CHECK(said.told.usage_by_role[0].second.cached_read_tokens == 2);
}

Suite SuiteOfService(std::string_view config) {
  Suite suite;
  Case& the_case = suite.cases.emplace_back();
  the_case.id = "a";
  the_case.row = Value(Object{{"vars", Object{{"q", "Q"}}}});
  the_case.askings = std::vector<CaseAsking>{{.name = "short", .text = "hi"},
                                             {.name = "broken", .problem = "{{ is not closed"}};
  the_case.generator = std::string("http-template");
  for (const std::string_view asking : {"short", "broken", "gone"}) {
    Variant& variant = suite.variants.emplace_back();
    variant.id = asking;
    variant.provider = "http";
    variant.asking = asking;
    variant.details = Value(Object{{"provider", Object{{"config", ServiceJson(config)}}}});
  }
  return suite;
}

TEST_CASE("the generator asks each attempt by itself, and a case that cannot be asked says why") {
  Diagnostics diagnostics;
  const std::shared_ptr<const Plan> plan = Plan::Build(
      SuiteOfService(R"({"url": "http://h/{{q}}", "body": "{{prompt}}", "maxRetries": 1})"), {}, diagnostics);
  REQUIRE(plan != nullptr);
  CHECK(plan->pools().size() == 1);
  CHECK(plan->pools()[0].name == "http");
  const RunContext run;
  WorkerState worker;
  const auto next = [&](VariantIndex variant, AttemptIndex attempt, std::span<const Exchange> so_far) {
    const StepContext context{.suite = plan->suite(),
                              .variant_index = variant,
                              .attempt = attempt,
                              .inputs = {},
                              .run = run,
                              .worker = worker};
    return NextOf(*plan, plan->case_plan(0).slots[kAnswerSlot], context, so_far, 0);
  };
  const Action first = next(0, 0, {});
  const PlannedRequest& asked = std::get<Need>(first).requests.at(0);
  CHECK(asked.tag.role == RequestRole::kCandidate);
  CHECK(asked.tag.is_final_turn);
  CHECK(asked.retry->max_retries == 1);
  CHECK(RequestWords(std::get<HttpRequest>(asked.request)) ==
        "POST http://h/Q | content-type: application/x-www-form-urlencoded | hi");
  const Action second = next(0, 1, {});
  CHECK(KeyOf(CanonicalText(std::get<Need>(second).requests.at(0).request)) !=
        KeyOf(CanonicalText(asked.request)));

  const Exchange reply = ServiceReply("yes");
  const Action done = next(0, 0, std::span(&reply, 1));
  CHECK(std::get<Transcript>(std::get<Done>(done).value).answer == "yes");
  const auto error = [&](VariantIndex variant) {
    const Action action = next(variant, 0, {});
    return std::get<Transcript>(std::get<Done>(action).value).error;
  };
  CHECK(error(1) == "{{ is not closed");
  CHECK(error(2).find("no asking named \"gone\"") != std::string::npos);
}

}  // namespace
}  // namespace assay
