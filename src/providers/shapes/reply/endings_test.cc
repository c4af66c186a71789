// Tests of replies that end without an answer: error class, whether it is asked again, and the remedy.
#include "providers/shapes/reply/endings.h"

#include <doctest/doctest.h>

#include <set>

#include "providers/provider.h"
#include "providers/shapes/chat.h"
#include "providers/shapes/reply/reply_json.h"
#include "providers/shapes/reply/status.h"

namespace assay {
namespace {

struct EndRow {
  const char* theirs;  // the service's word
  const char* name;    // of the class
  bool may_pass;
};

constexpr std::string_view kChatReply = R"({"choices":[{"message":{"content":"Half"},"finish_reason":%}]})";
constexpr std::string_view kStream =
    "data: {\"choices\":[{\"delta\":{\"content\":\"Half\"},\"finish_reason\":%}]}\n\ndata: [DONE]\n\n";
constexpr std::string_view kClaude = R"({"content":[{"type":"text","text":"Half"}],"stop_reason":%})";
constexpr std::string_view kGemini =
    R"({"candidates":[{"content":{"parts":[{"text":"Half"}]},"finishReason":%,)"
    R"("finishMessage":"It had to."}]})";
constexpr std::string_view kResponse =
    R"({"object":"response","status":%,"output":[{"type":"message","content":[{"type":"output_text",)"
    R"("text":"Half"}]}]})";
constexpr std::string_view kIncomplete =
    R"({"object":"response","status":"incomplete","incomplete_details":{"reason":%},"output":[)"
    R"({"type":"message","content":[{"type":"output_text","text":"Half"}]}]})";
struct ReplyRow {
  std::string_view provider, shape, end;
  std::string_view finish;  // "": it is broken off
  std::string_view words = {};
};
constexpr ReplyRow kReplies[] = {
    {"openai", kChatReply, R"("stop")", "stop"},
    {"openai", kChatReply, R"("function_call")", "tool_calls"},
    {"openai", kChatReply, R"("continuation")", "", "continuation"},
    {"openai", kChatReply, R"("model_length")", "", "model_length"},
    {"openai", kChatReply, "null", "", "does not say why"},
    {"openai", kChatReply, "7", ""},
    {"mistral", kChatReply, R"("model_length")", "length"},
    {"together", kChatReply, R"("eos")", "stop"},
    {"xai", kChatReply, R"("end_turn")", "stop"},
    {"groq", kChatReply, R"("eos")", "", "eos"},
    {"openai-compatible", kChatReply, R"("STOP")", "stop"},
    {"openai-compatible", kChatReply, R"("max_messages")", "", "max_messages"},
    {"openai-compatible", kChatReply, "null", ""},
    {"custom", kClaude, R"("end_turn")", "stop"},
    {"custom", kClaude, R"("compaction")", "", "compaction"},
    {"openai", kStream, R"("length")", "length"},
    {"openai", kStream, "null", "", "does not say why"},
    {"openai-compatible", kStream, "null", ""},
    {"groq", kStream, R"("steered")", "", "steered"},
    {"anthropic", kClaude, R"("stop_sequence")", "stop"},
    {"anthropic", kClaude, R"("stop")", "", "stop"},
    {"anthropic", kClaude, "null", ""},
    {"google", kGemini, R"("MAX_TOKENS")", "length"},
    {"google", kGemini, R"("MISSING_THOUGHT_SIGNATURE")", "", "MISSING_THOUGHT_SIGNATURE: It had to."},
    {"google", kGemini, R"("PUP_LIMITED_DISABLED")", "", "PUP_LIMITED_DISABLED"},
    {"google", kGemini, R"("CONTINUATION")", "", "CONTINUATION"},
    {"google", kGemini, "null", ""},
    {"openai-responses", kResponse, R"("completed")", "stop"},
    {"openai-responses", kResponse, R"("cancelled")", "", "cancelled"},
    {"openai-responses", kResponse, R"("queued")", "", "queued"},
    {"openai-responses", kResponse, R"("in_progress")", "", "in_progress"},
    {"openai-responses", kResponse, "null", ""},
    {"openai-responses", kIncomplete, R"("max_output_tokens")", "length"},
    {"openai-responses", kIncomplete, R"("max_messages")", "", "max_messages"},
    {"openai-responses", kIncomplete, R"("steered")", "", "steered"},
};

}  // namespace

TEST_CASE("each end of a reply has a class of its own and a remedy") {
  const EndRow rows[] = {
      {"refusal", "refusal", false},
      {"content_filter", "content-filter", false},
      {"SAFETY", "content-filter", false},
      {"RECITATION", "recitation", false},
      {"SPII", "personal-data", false},
      {"IMAGE_SAFETY", "image-safety", false},
      {"LANGUAGE", "language", false},
      {"OTHER", "broken-off", false},
      {"MALFORMED_FUNCTION_CALL", "malformed-call", true},
      {"MALFORMED_RESPONSE", "malformed-reply", true},
      {"pause_turn", "paused-turn", false},
      {"model_context_window_exceeded", "context-window", false},
  };
  std::set<std::string> words;
  for (const EndRow& row : rows) {
    CAPTURE(row.theirs);
    ModelReply reply;
    reply.text = "Half an answer";
    reply.finish_reason = FinishReason(row.theirs);
    const Result<ModelReply> checked = CheckedReply(reply);
    REQUIRE(!checked);
    const Error& error = checked.error();
    CHECK(ErrorCodeName(error.code) == row.name);
    CHECK(ErrorCodeOf(row.name) == error.code);
    CHECK(IsEnding(error.code));
    CHECK(MayPass(error) == row.may_pass);
    CHECK(error.message.find("; ") != std::string::npos);  // what can be done
    CHECK(FindEnding(error.code)->finish_reason == reply.finish_reason);
    words.insert(error.message);
  }
  CHECK(words.size() == std::size(rows) - 1);  // two words of services mean one end
  for (const char* answers : {"stop", "length", "tool_calls", ""}) CHECK(FindEnding(answers) == nullptr);
  CHECK(FindEnding(ErrorCode::kNetwork) == nullptr);
  CHECK(FindEnding(ErrorCode::kNoAnswer) == nullptr);
  CHECK(!ErrorCodeOf("unknown"));
}

TEST_CASE("what ends in any word but a whole end of its own service is no answer") {
  for (const ReplyRow& row : kReplies) {
    CAPTURE(row.provider);
    CAPTURE(row.end);
    HttpReply reply;
    reply.status = 200;
    reply.headers.push_back(
        {"content-type", row.shape.starts_with("data:") ? "text/event-stream" : "application/json"});
    reply.body = row.shape;
    reply.body.replace(reply.body.find('%'), 1, row.end);
    const Result<ModelReply> decoded = FindProvider(row.provider)->decode(reply);
    REQUIRE(decoded);
    CHECK(decoded->text == "Half");
    const Result<ModelReply> spoken = SpokenReply(*decoded);
    CHECK(bool(spoken) == !row.finish.empty());
    if (spoken) CHECK(spoken->finish_reason == row.finish);
    if (spoken) continue;
    CHECK(spoken.error().code == ErrorCode::kBrokenOff);
    CHECK(spoken.error().message.find(row.words) != std::string::npos);
  }
}

TEST_CASE("a whole reply that lacks the member is an answer, a stream of a known service is not") {
  const auto ends_well = [](std::string_view provider, std::string body, const char* type) {
    HttpReply reply;
    reply.status = 200;
    reply.headers.push_back({"content-type", type});
    reply.body = std::move(body);
    return bool(SpokenReply(FindProvider(provider)->decode(reply).value()));
  };
  const std::string whole = R"({"choices":[{"message":{"content":"Hi"}}]})";
  const std::string stream = "data: {\"choices\":[{\"delta\":{\"content\":\"Hi\"}}]}\n\ndata: [DONE]\n\n";
  CHECK(ends_well("openai-compatible", whole, "application/json"));
  CHECK(ends_well("custom", whole, "application/json"));
  CHECK(ends_well("openai-compatible", stream, "text/event-stream"));
  CHECK(ends_well("openai", whole, "application/json"));  // a proxy's, or an older service's
  CHECK(!ends_well("openai", stream, "text/event-stream"));
  CHECK(ends_well("anthropic", R"({"content":[{"type":"text","text":"Hi"}]})", "application/json"));
  CHECK(ends_well("google", R"({"candidates":[{"content":{"parts":[{"text":"Hi"}]}}]})", "application/json"));
  CHECK(!ends_well("anthropic",
                   "data: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":"
                   "{\"type\":\"text\",\"text\":\"Hi\"}}\n\ndata: {\"type\":\"message_stop\"}\n\n",
                   "text/event-stream"));
}

}  // namespace assay
