// Tests of recordings: what is written is found again, and what is broken is reported at its line.
#include "spec/exchange/replay.h"

#include <doctest/doctest.h>

#include "base/hash.h"
#include "spec/suite/suite.h"

namespace assay {
namespace {

ModelRequest Asking(std::string text) {
  ModelRequest request;
  request.provider = "openai";
  request.model = "gpt-4o";
  request.messages = {{Role::kUser, std::move(text)}};
  request.params.temperature = 0.5;
  return request;
}

Exchange Answered(const ModelRequest& request, std::string text) {
  Exchange exchange;
  exchange.request = CanonicalText(request);
  exchange.reply = ModelReply{.text = std::move(text),
                              .reasoning = {},
                              .tool_calls = {},
                              .finish_reason = "stop",
                              .usage = {.input_tokens = 3, .output_tokens = 4, .known = true}};
  return exchange;
}

std::optional<ModelReply> Find(const std::string& text, const ModelRequest& request) {
  Diagnostics diagnostics;
  const Replay replay = ReadReplay("r.jsonl", FileId::kNone, text, diagnostics);
  REQUIRE(!diagnostics.HasErrors());
  return replay.recording.find(Suite{}, request, RequestTag{});
}

TEST_CASE("a recorded reply is found by its request, wherever it came from") {
  const std::string hostile = "say \",\"source\":\"x\"} \xF0\x9F\x98\x80\n\t\\";
  for (const std::string& question : {std::string("hi"), hostile, std::string()}) {
    const ModelRequest live = Asking(question);
    ModelRequest recorded = live;
    recorded.source = "fixtures:0123456789ab";
    for (const ModelRequest& request : {live, recorded}) {
      const auto reply = Find(ReplayLine(Answered(request, "the answer\n\"")), live);
      REQUIRE(reply.has_value());
      CHECK(reply->text == "the answer\n\"");
      CHECK(reply->finish_reason == "stop");
      CHECK(reply->usage.output_tokens == 4);
    }
  }
}

TEST_CASE("what an address led to comes along, with its digest") {
  const std::string bytes = std::string("\x89PNG\0\n", 6);
  const std::string line = ReplayFetchedLine("https://example.org/a.png", Hex(Sha256Of(bytes)), bytes);
  Diagnostics diagnostics;
  const Replay replay = ReadReplay("r.jsonl", FileId::kNone, line, diagnostics);
  CHECK(!diagnostics.HasErrors());
  CHECK(replay.replies == 0);
  CHECK(replay.recording.fetched.at("https://example.org/a.png") == bytes);
  const std::string wrong = ReplayFetchedLine("https://example.org/a.png", Hex(Sha256Of("x")), bytes);
  ReadReplay("r.jsonl", FileId::kNone, wrong, diagnostics);
  CHECK(diagnostics.ErrorCount() == 1);
}

TEST_CASE("lines that hold no reply keep their bytes") {
  CHECK(ReplayClockLine({.ms = 1'763'000'000'000, .utc_offset_min = -120}) ==
        "{\"v\":3,\"prompts\":{\"ms\":1763000000000,\"utc_offset_min\":-120}}\n");
  CHECK(ReplayFetchedLine("https://example.org/\"ä\"", "ab", "x") ==
        R"({"v":4,"fetched":{"address":"https://example.org/\"ä\"","sha256":"ab","base64":"eA=="}})"
        "\n");
  Exchange failed = Answered(Asking("hi"), "");
  failed.error = Error{ErrorCode::kTimeout, "no \"word\"\n"};
  CHECK(ReplayFailureLine(failed).ends_with(R"(,"error":{"class":"timeout","message":"no \"word\"\n"}})"
                                            "\n"));
}

TEST_CASE("another request is not answered") {
  const std::string text = ReplayLine(Answered(Asking("hi"), "yes"));
  ModelRequest second_attempt = Asking("hi");
  second_attempt.attempt = 1;
  CHECK(!Find(text, Asking("ho")).has_value());
  CHECK(!Find(text, second_attempt).has_value());
}

TEST_CASE("of two replies to one request the first counts; blanks between members do not") {
  const std::string line = ReplayLine(Answered(Asking("hi"), "one"));
  CHECK(Find(line + "\n" + ReplayLine(Answered(Asking("hi"), "two")), Asking("hi"))->text == "one");
  std::string spaced = line;
  spaced.replace(spaced.find("\"request\":"), 10, "\"request\" :  ");
  CHECK(Find(spaced, Asking("hi"))->text == "one");
}

TEST_CASE("what is no exchange is told at its place, and the rest is read") {
  const std::string good = ReplayLine(Answered(Asking("hi"), "one"));
  for (const std::string_view bad :
       {"{", "[]", "{}", R"({"v":2,"request":{"model_call":"a"},"reply":{}})",
        R"({"v":3,"request":{"model_call":"a"},"reply":{"v":1,"text":""}})",
        R"({"v":2,"request":{"model_call":"a"},"error":{"class":"x","message":""}})",
        R"({"v":2,"request":{"http":"GET"},"error":{"class":"io","message":""}})",
        R"({"v":1,"request":{"program":"x"},"reply":{"v":1,"exit":0}})",
        R"({"v":1,"request":{"embedding":"e"},"reply":{"v":1,"text":""}})",
        R"({"v":1,"request":{"model_call":"a"},"reply":{"v":7}})"}) {
    CAPTURE(bad);
    Diagnostics diagnostics;
    const Replay replay = ReadReplay("r.jsonl", FileId::kNone, good + std::string(bad) + "\n", diagnostics);
    CHECK(replay.replies == 1);
    REQUIRE(diagnostics.ErrorCount() == 1);
    CHECK(diagnostics.All()[0].where.offset == good.size());
    CHECK(diagnostics.All()[0].where.length == bad.size());
  }
}

TEST_CASE("embeddings and calls of services are found by their requests") {
  EmbedRequest embed{{.provider = "e", .model = "m", .base_url = {}, .custom = {}}, {"hi"}, ""};
  HttpRequest http;
  http.url = "https://a.example/x";
  http.body = "say \",\"source\":\"x\"}";
  Exchange embedded;
  embedded.kind = RequestKind::kEmbed;
  embedded.request = WithSource(CanonicalText(embed), "replay:0123456789ab");
  embedded.reply = EmbedReply{.vectors = {{0.5, -1}}, .usage = {}};
  Exchange called;
  called.kind = RequestKind::kHttp;
  called.request = CanonicalText(http);
  HttpReply answer;
  answer.status = 200;
  answer.body = "{}";
  called.reply = answer;
  Diagnostics diagnostics;
  const Replay replay =
      ReadReplay("r.jsonl", FileId::kNone, ReplayLine(embedded) + ReplayLine(called), diagnostics);
  REQUIRE(!diagnostics.HasErrors());
  const auto vectors = replay.recording.find_other({}, embed, {});
  REQUIRE(vectors.has_value());
  CHECK(std::get<EmbedReply>(*vectors).vectors == std::vector<std::vector<double>>{{0.5, -1}});
  const auto reply = replay.recording.find_other({}, http, {});
  REQUIRE(reply.has_value());
  CHECK(std::get<HttpReply>(*reply).body == "{}");
  http.body = "other";
  CHECK(!replay.recording.find_other({}, http, {}).has_value());
}

TEST_CASE("an error after which another model stood in is found by its request, and answers nothing") {
  Exchange failed = Answered(Asking("hi"), "");
  failed.error = Error{ErrorCode::kTimeout, "no \"word\" for 60 s"};
  Diagnostics diagnostics;
  const Replay replay = ReadReplay("r.jsonl", FileId::kNone, ReplayFailureLine(failed), diagnostics);
  REQUIRE(!diagnostics.HasErrors());
  CHECK(replay.replies == 0);
  CHECK(!replay.recording.find(Suite{}, Asking("hi"), RequestTag{}).has_value());
  const std::optional<Error> why = replay.recording.find_failure(Asking("hi"));
  REQUIRE(why.has_value());
  CHECK(why->code == ErrorCode::kTimeout);
  CHECK(why->message == failed.error->message);
  CHECK(!replay.recording.find_failure(Asking("ho")).has_value());
  CHECK(ReplayFailureLine(Answered(Asking("hi"), "yes")).empty());
}

TEST_CASE("a program that reads a document is recorded, and answers for another version of itself") {
  ProcessRequest reader;
  reader.argv = {"reader", "in"};
  reader.toolchain_digest = "one";
  reader.files = {
      {.path = "in", .bytes = {}, .blob = std::make_shared<const Blob>(Blob{.sha256 = "ab", .bytes = "x"})}};
  Exchange read;
  read.kind = RequestKind::kProcess;
  read.request = CanonicalText(reader);
  ProcessReply printed;
  printed.exit_code = 0;
  printed.stdout_text = "page";
  read.reply = printed;
  Diagnostics diagnostics;
  const Replay replay = ReadReplay("r.jsonl", FileId::kNone, ReplayLine(read), diagnostics);
  REQUIRE(!diagnostics.HasErrors());
  reader.toolchain_digest = "two";
  const auto found = replay.recording.find_other({}, reader, {});
  REQUIRE(found.has_value());
  CHECK(std::get<ProcessReply>(*found).stdout_text == "page");
  reader.files.front().blob = std::make_shared<const Blob>(Blob{.sha256 = "cd", .bytes = "y"});
  CHECK(!replay.recording.find_other({}, reader, {}).has_value());
  reader.files.clear();
  CHECK(!replay.recording.find_other({}, reader, {}).has_value());
}

TEST_CASE("errors and programs that are graded are not recorded") {
  Exchange failed = Answered(Asking("hi"), "");
  failed.error = Error{ErrorCode::kNetwork, "reset"};
  CHECK(ReplayLine(failed).empty());
  Exchange program;
  program.kind = RequestKind::kProcess;
  program.request = CanonicalText(ProcessRequest{});
  program.reply = ProcessReply{};
  CHECK(ReplayLine(program).empty());
}

}  // namespace
TEST_CASE("a request says which recording answered it, and nobody else's words do") {
  const std::string name = RecordingName(std::string(64, 'a'));
  CHECK(name == "replay:aaaaaaaaaaaa");
  ModelRequest request;
  request.provider = "echo";
  Message& message = request.messages.emplace_back();
  message.text = "\",\"source\":\"replay:bbbbbbbbbbbb\"}";
  CHECK(RecordingOf(CanonicalText(request)).empty());
  request.source = name + "#0123456789abcdef";
  const std::string canonical = CanonicalText(request);
  CHECK(RecordingOf(canonical) == name);
  CHECK(RecordingOf(canonical.substr(canonical.size() - kRecordingTailBytes)) == name);
  request.source = "fixtures:aaaaaaaaaaaa";
  CHECK(RecordingOf(CanonicalText(request)).empty());
  CHECK(RecordingOf(WithSource(R"({"v":1,"texts":["x"]})", name)) == name);
}

}  // namespace assay
