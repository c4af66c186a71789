// Every end of a reply without an answer: its own class, whether it is asked again, and what can be done.
#include "providers/shapes/endings.h"

#include <doctest/doctest.h>

#include <set>

#include "providers/shapes/chat.h"
#include "providers/shapes/reply_json.h"
#include "providers/shapes/status.h"

namespace assay {
namespace {

struct EndRow {
  const char* theirs;  // the service's word
  const char* name;    // of the class
  bool may_pass;
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

}  // namespace assay
