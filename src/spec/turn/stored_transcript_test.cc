// Tests of stored transcripts: every form comes back, and texts that no assay writes are refused.
#include "spec/turn/stored_transcript.h"

#include <doctest/doctest.h>

#include "text/packed/compress.h"

namespace assay {

namespace {

// A turn of an agent, as its generator leaves it.
Transcript AgentTurn(std::string answer) {
  Transcript said;
  said.history = {{Role::kUser, "When did it rain?"}, {Role::kAssistant, answer}};
  said.generated_indices = {0};
  said.generated_texts = {answer};
  said.generated_reasoning = {"It says so in the diary."};
  said.answer = std::move(answer);
  return said;
}

// Turns of which one is fixed, a system prompt, and calls.
Transcript Conversation() {
  Transcript said;
  said.system = "Be \"brief\".";
  said.history = {{Role::kSystem, "Be \"brief\"."},
                  {Role::kUser, "Hello"},
                  {Role::kAssistant, "Hi", {{"c1", "look", "{\"a\":1}", "s"}}, ""},
                  {Role::kTool, "nothing", {}, "c1"},
                  {Role::kAssistant, "fixed"},
                  {Role::kAssistant, "Good bye"}};
  said.generated_indices = {0, 2};
  said.generated_texts = {"Hi", "Good bye"};
  said.generated_reasoning = {"", ""};
  said.answer = "Good bye";
  return said;
}

void CheckSame(const Transcript& a, const Transcript& b) {
  CHECK(a.history == b.history);
  CHECK(a.generated_indices == b.generated_indices);
  CHECK(a.generated_texts == b.generated_texts);
  CHECK(a.generated_reasoning == b.generated_reasoning);
  CHECK(a.answer == b.answer);
  CHECK(a.system == b.system);
  CHECK(SameValue(Value(a.citations), Value(b.citations)));
}

Transcript Back(const std::string& bytes) {
  Transcript back;
  REQUIRE(DecodeTranscript(bytes, back).has_value());
  return back;
}

}  // namespace

TEST_CASE("transcripts of every form survive being stored") {
  Transcript fixed;  // nothing was generated
  fixed.history = {{Role::kAssistant, "so it is"}};
  fixed.answer = "so it is";
  Transcript other_answer = Conversation();
  other_answer.answer = "none of the turns";
  Transcript other_texts = AgentTurn("yes");
  other_texts.generated_texts = {"TOOL_CALL {}\nyes"};
  other_texts.generated_indices = {7};
  Transcript other_system = Conversation();
  other_system.system = "another";
  Transcript shown = Conversation();
  MediaPart part;
  part.kind = MediaKind::kFile;
  part.type = "application/pdf";
  part.sha256 = std::string(64, 'a');
  part.name = "report.pdf";
  shown.history[1].media = {part};
  Map citation;
  citation.Append("url", "https://example.org");
  shown.citations = {Value(std::move(citation))};
  Transcript empty_system;
  empty_system.system = "";
  for (const Transcript& said : {Transcript(), fixed, AgentTurn("It rained\non \xf0\x9f\x8c\xa7 day."),
                                 AgentTurn(std::string(100'000, 'x')), Conversation(), other_answer,
                                 other_texts, other_system, empty_system, shown})
    CheckSame(Back(EncodeTranscript(said)), said);
}

TEST_CASE("what stands in a transcript twice is stored once, and long ones are compressed") {
  CHECK(EncodeTranscript(AgentTurn("On Monday.")) ==
        R"({"v":1,"h":[[1,"When did it rain?"],[2,"On Monday."]],"g":[0],"r":["It says so in the diary."]})");
  std::string answer;
  for (int i = 0; i < 2'000; ++i) answer += "It rained on day " + std::to_string(i) + ". ";
  CHECK(EncodeTranscript(AgentTurn(answer)).size() < answer.size() / 4);
}

TEST_CASE("what its generator told stays as it was, and so does everything where the bytes cannot be read") {
  Transcript read;
  read.error = "stopped";
  read.told.timings_ms = {{"run_turn_ms", 3}};
  REQUIRE(DecodeTranscript(EncodeTranscript(Conversation()), read).has_value());
  CHECK(read.error == "stopped");
  CHECK(read.told.timings_ms.size() == 1);
  CHECK_FALSE(DecodeTranscript("{}", read).has_value());
  CheckSame(read, Conversation());
}

TEST_CASE("bytes that nobody wrote are refused") {
  struct Row {
    const char* bytes;
    ErrorCode want;
  };
  const Row rows[] = {
      {"", ErrorCode::kCorrupt},
      {"[]", ErrorCode::kCorrupt},
      {"{", ErrorCode::kCorrupt},
      {"{}", ErrorCode::kCorrupt},
      {R"({"v":"1","h":[]})", ErrorCode::kCorrupt},
      {R"({"v":2,"h":[]})", ErrorCode::kUnsupported},
      {R"({"v":1,"h":{}})", ErrorCode::kCorrupt},
      {R"({"v":1,"h":[1]})", ErrorCode::kCorrupt},
      {R"({"v":1,"h":[[4,"x"]]})", ErrorCode::kCorrupt},
      {R"({"v":1,"h":[[-1,"x"]]})", ErrorCode::kCorrupt},
      {R"({"v":1,"h":[[1.5,"x"]]})", ErrorCode::kCorrupt},
      {R"({"v":1,"h":[[1e300,"x"]]})", ErrorCode::kCorrupt},
      {R"({"v":1,"h":[[1,2]]})", ErrorCode::kCorrupt},
      {R"({"v":1,"h":[[2,"x",[],""],[2,"y",[["a","b"]],""]]})", ErrorCode::kCorrupt},
      {R"({"v":1,"h":[[2,"x",[["a","b","c",4]],""]]})", ErrorCode::kCorrupt},
      {R"({"v":1,"h":[[2,"x"]],"g":[1]})", ErrorCode::kCorrupt},
      {R"({"v":1,"h":[[2,"x"]],"g":[4294967296]})", ErrorCode::kCorrupt},
      {R"({"v":1,"h":[[2,"x"]],"g":"0"})", ErrorCode::kCorrupt},
      {R"({"v":1,"h":[[2,"x"]],"t":[0]})", ErrorCode::kCorrupt},
      {R"({"v":1,"h":[[2,"x"]],"r":"thought"})", ErrorCode::kCorrupt},
      {R"({"v":1,"h":[[2,"x"]],"a":null})", ErrorCode::kCorrupt},
      {R"({"v":1,"h":[[2,"x"]],"s":1})", ErrorCode::kCorrupt},
  };
  for (const Row& row : rows) {
    CAPTURE(row.bytes);
    Transcript read;
    const Status status = DecodeTranscript(row.bytes, read);
    REQUIRE_FALSE(status.has_value());
    CHECK(status.error().code == row.want);
  }
}

TEST_CASE("a frame that was cut or changed is refused, or is another transcript; it never reads beyond") {
  std::string answer;
  for (int i = 0; i < 300; ++i) answer += "day " + std::to_string(i) + " ";
  const std::string frame = EncodeTranscript(AgentTurn(answer));
  REQUIRE_FALSE(frame.starts_with('{'));
  for (std::size_t size = 0; size < frame.size(); ++size) {
    Transcript read;
    CHECK_FALSE(DecodeTranscript(std::string_view(frame).substr(0, size), read).has_value());
  }
  std::size_t refused = 0;
  for (std::size_t at = 0; at < frame.size(); ++at) {
    std::string changed = frame;
    changed[at] = static_cast<char>(changed[at] ^ 0x55);
    Transcript read;
    if (!DecodeTranscript(changed, read)) ++refused;
  }
  CHECK(refused > 0);
}

// A store of megabytes took five gigabytes.
TEST_CASE("a message is generated once") {
  const std::string text = R"({"v":1,"h":[[1,"q"],[2,"a"],[2,"b"]],"g":)";
  Transcript read;
  CHECK(DecodeTranscript(text + "[0,1]}", read).has_value());
  CHECK(read.generated_texts == std::vector<std::string>{"a", "b"});
  for (const char* again : {"[0,0]}", "[1,0]}", "[0,1,1]}"})
    CHECK(DecodeTranscript(text + again, read).error().code == ErrorCode::kCorrupt);
}

TEST_CASE("a short frame unpacks to a short text, and a long text that packs to little comes back") {
  const Transcript said = AgentTurn(std::string(12u << 20, 'a'));
  const std::string stored = EncodeTranscript(said);
  CHECK(stored.starts_with('{'));
  Transcript read;
  REQUIRE(DecodeTranscript(stored, read).has_value());
  CheckSame(said, read);
  Compressor compressor;
  compressor.Append(stored);
  CHECK(DecodeTranscript(compressor.Finish(), read).error().code == ErrorCode::kCorrupt);
}

}  // namespace assay
