// Tests of the codec of assay-exec/1: what a program is told, and what its lines mean.
#include "providers/codecs/exec.h"

#include <doctest/doctest.h>

#include "providers/provider.h"
#include "providers/shapes/reply/turn_reply.h"
#include "spec/exchange/exchange.h"
#include "spec/turn/turn_details.h"
#include "text/json/json.h"

namespace assay {
namespace {

ModelRequest ExecTestAsked(std::string model = "python3 agent.py") {
  ModelRequest request;
  request.provider = "exec";
  request.model = std::move(model);
  request.messages = {{Role::kSystem, "Be brief."},
                      {Role::kUser, "Hi\n\xE2\x82\xAC"},
                      {Role::kAssistant, "Yes?"},
                      {Role::kUser, "Go"}};
  request.params.temperature = 0.5;
  return request;
}

const ProviderRow& Exec() { return *FindProvider("exec"); }

HttpReply ExecTestSaid(std::string lines) {
  HttpReply reply;
  reply.status = 200;
  reply.body = std::move(lines);
  return reply;
}

Value Json(std::string_view text) {
  Result<Value> value = ParseJson(text);
  REQUIRE(value);
  return std::move(*value);
}

}  // namespace

TEST_CASE("a request becomes two lines for the program that the model names") {
  const Result<HttpRequest> wire = Exec().Encode(ExecTestAsked());
  REQUIRE(wire);
  CHECK(wire->url == "python3 agent.py");
  const std::size_t end = wire->body.find('\n');
  REQUIRE(end != std::string::npos);
  CHECK(wire->body.find('\n', end + 1) == std::string::npos);
  const Value init = Json(std::string_view(wire->body).substr(0, end));
  CHECK(SameValue(init, Json(R"({"type":"init","protocol":"assay-exec/1","runtime_dir":"@PROCESS_FOLDER@",
    "run":{"id":"plain","model_alias":"","research_mode":false,"lean":false,"preload_local_sources":false,
    "preload_shortlist":false,"save_history":false,"additional_source_context":null,"disabled_tools":[],
    "parameters":{"temperature":0.5}}})")));
  const Value turn = Json(std::string_view(wire->body).substr(end + 1));
  REQUIRE(wire->headers.size() == 1);
  CHECK(turn.Find("id")->AsString() == wire->headers[0].value);
  CHECK(turn.Find("query")->AsString() == "Go");
  const Value messages = Json(R"([{"role":"system","content":"Be brief."},{"role":"user","content":"Hi\n€"},
    {"role":"assistant","content":"Yes?"},{"role":"user","content":"Go"}])");
  CHECK(SameValue(*turn.Find("messages"), messages));
  // Attempts are turns of their own.
  ModelRequest again = ExecTestAsked();
  again.attempt = 1;
  CHECK(Exec().Encode(again)->headers[0].value != wire->headers[0].value);
}

TEST_CASE("what is no command line is not sent") {
  for (const std::string_view command : {"", "  ", "'agent", "agent \\"}) {
    CAPTURE(command);
    const Result<HttpRequest> wire = Exec().Encode(ExecTestAsked(std::string(command)));
    REQUIRE_FALSE(wire);
    CHECK(wire.error().code == ErrorCode::kInvalidInput);
  }
}

TEST_CASE("lines of a program") {
  struct Row {
    std::string_view line;
    LineKind kind;
    std::string_view turn;
  };
  const Row rows[] = {
      {R"({"type":"ready","protocol":"assay-exec/1","sut":{"name":"a"}})", LineKind::kReady, ""},
      {R"({"type":"ready","protocol":"assay-exec/2"})", LineKind::kBroken, ""},
      {R"({"type":"ready"})", LineKind::kBroken, ""},
      {R"({"type":"result","id":"a","answer":"x"})", LineKind::kResult, "a"},
      {R"({"type":"fatal","error":{"class":"E","message":"m"}})", LineKind::kFatal, ""},
      {R"({"type":"event","id":"a","event":"llm_start"})", LineKind::kOther, "a"},
      {R"({"type":"weather","id":"a"})", LineKind::kOther, "a"},
      {R"({"kind":"weather"})", LineKind::kOther, ""},
      {R"({"type":7,"id":8})", LineKind::kOther, ""},
      {R"({"type":"bye"})", LineKind::kOther, ""},
      {"Loading...", LineKind::kBroken, ""},
      {R"({"type":"result")", LineKind::kBroken, ""},
      {"[1]", LineKind::kBroken, ""},
      {"7", LineKind::kBroken, ""},
  };
  for (const Row& row : rows) {
    CAPTURE(row.line);
    const ProgramLine line = ExecProtocol().read(row.line);
    CHECK(line.kind == row.kind);
    if (line.kind != LineKind::kBroken) CHECK(line.turn == row.turn);
    CHECK(line.problem.empty() == (row.kind != LineKind::kBroken));
  }
}

TEST_CASE("a result becomes the model's reply") {
  const Result<ModelReply> reply = Exec().decode(ExecTestSaid(
      R"({"type":"event","id":"a","event":"tool_start","tool_name":"search","tool_arguments":"{\"q\": 1}"})"
      "\n"
      R"({"type":"event","id":"a","event":"tool_start","tool_name":"note","tool_arguments":"plain"})"
      "\n"
      R"({"type":"event","id":"a","event":"tool_end","tool_name":"note"})"
      "\n"
      R"({"type":"result","id":"a","answer":" An answer\n","error":null,"halted":false,"new":1,)"
      R"("token_usage":{"main":{"input_tokens":3,"output_tokens":4},"other":{"input_tokens":10}}})"));
  REQUIRE(reply);
  CHECK(reply->text == " An answer\n");
  CHECK(reply->finish_reason == "stop");
  CHECK(reply->usage.known);
  CHECK(reply->usage.input_tokens == 13);
  CHECK(reply->usage.output_tokens == 4);
  // The program has called them already: nobody is asked to.
  CHECK(reply->tool_calls.empty());
  const std::vector<TimedCall> calls = ReadTurnEvents(DecodeTurnDetails(reply->details).events).calls;
  REQUIRE(calls.size() == 2);
  CHECK(calls[0].call.arguments == R"({"q": 1})");
  CHECK(calls[1].call.name == "note");
  CHECK(reply->served->empty());
  const Result<ModelReply> named =
      Exec().decode(ExecTestSaid(R"({"type":"result","answer":"x","model":"m-2","requested_model":"m-1"})"));
  REQUIRE(named);
  CHECK(named->served->model == "m-2");
  CHECK(named->served->asked == "m-1");
  const Result<ModelReply> halted =
      Exec().decode(ExecTestSaid(R"({"type":"result","answer":"so far","halted":true})"));
  REQUIRE(halted);
  CHECK(halted->finish_reason == "halted");
  CHECK_FALSE(halted->usage.known);
}

TEST_CASE("what a program reports is an error that says so, and is not tried again") {
  struct Row {
    std::string_view line;
    std::string_view message;
    bool may_pass;
  };
  const Row rows[] = {
      {R"({"type":"result","error":{"class":"HTTPError","message":"500"}})", "HTTPError: 500", false},
      {R"({"type":"result","error":"no key","answer":"x"})", "no key", false},
      {R"({"type":"fatal","error":{"message":"Unknown alias"}})", "cannot continue: \"Unknown alias\"",
       false},
      {R"({"type":"fatal"})", "cannot continue", false},
      {R"({"type":"result","answer":"","halted":true,"halt_reason":"max_turns"})", "max_turns", false},
      {R"({"type":"result","answer":7})", "text \"answer\"", true},
      {R"({"type":"result","answer":" "})", "no text", true},
  };
  for (const Row& row : rows) {
    CAPTURE(row.line);
    const Result<ModelReply> reply =
        AsAsked(ModelRequest(), Exec().decode(ExecTestSaid(std::string(row.line))));
    REQUIRE_FALSE(reply);
    CAPTURE(reply.error().message);
    CHECK(reply.error().message.find(row.message) != std::string::npos);
    CHECK((reply.error().code == ErrorCode::kCorrupt) == row.may_pass);
  }
}

TEST_CASE("what a run's turn tells is kept, whatever came of it") {
  ModelRequest request;
  request.profile = Profile{.id = "lean"};
  HttpReply said =
      ExecTestSaid(R"({"type":"result","answer":"","halted":true,"halt_reason":"max_turns","notices":["n"],)"
                   R"("tool_usage":{"search":0},"client_init_ms":1.5,"error":null})");
  said.body =
      "{\"type\":\"ready\",\"protocol\":\"assay-exec/1\",\"role_aliases\":{\"summarizer\":\"small\"}}\n" +
      said.body;
  const Result<ModelReply> reply = AsAsked(request, Exec().decode(said));
  REQUIRE(reply);
  CHECK(reply->text.empty());
  const TurnDetails details = DecodeTurnDetails(reply->details);
  CHECK(details.halted);
  CHECK(details.halt_reason == "max_turns");
  CHECK(details.notices == std::vector<std::string>{"n"});
  CHECK(details.client_init_ms == 1.5);
  CHECK(details.role_aliases == std::vector<std::pair<std::string, std::string>>{{"summarizer", "small"}});
  CHECK_FALSE(details.error);
  // Stored and read again, it is the same, and an answer; a turn that raised is asked for again.
  Exchange exchange;
  const Result<Reply> stored = DecodeReply(RequestKind::kModel, EncodeReply(*reply));
  REQUIRE(stored);
  exchange.reply = *stored;
  CHECK(exchange.Reusable());
  const Result<ModelReply> raised = AsAsked(
      request,
      Exec().decode(ExecTestSaid(R"({"type":"result","error":{"class":"KeyError","message":"'id'"}})")));
  REQUIRE(raised);
  CHECK(DecodeTurnDetails(raised->details).error->Text() == "KeyError: 'id'");
  exchange.reply = *raised;
  CHECK_FALSE(exchange.Reusable());
}

TEST_CASE("a process that failed is worth another try, a missing program is not") {
  HttpReply reply;
  reply.error = Error{ErrorCode::kIo, "ended"};
  CHECK(Exec().classify(reply) == ReplyClass::kRetry);
  reply.error = Error{ErrorCode::kTimeout, "late"};
  CHECK(Exec().classify(reply) == ReplyClass::kRetry);
  reply.error = Error{ErrorCode::kNotFound, "no such program"};
  CHECK(Exec().classify(reply) == ReplyClass::kFail);
  CHECK_FALSE(Exec().decode(reply));
}

}  // namespace assay
