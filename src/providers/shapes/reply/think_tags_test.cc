// Tests of separating thoughts from the text of an answer.
#include "providers/shapes/reply/think_tags.h"

#include <doctest/doctest.h>

namespace assay {
namespace {

TEST_CASE("thoughts at the start of an answer are kept apart") {
  struct Row {
    const char* text;
    const char* finish;
    const char* want_text;
    const char* want_reasoning;
  };
  constexpr Row kRows[] = {
      {"<think>Hm, 4?</think>\n\nFour", "stop", "Four", "Hm, 4?"},
      {" \n<think>\nHm\n</think>Four </think>", "stop", "Four </think>", "Hm"},
      {"<think></think>Four", "stop", "Four", ""},
      {"<think>Hm", "length", "", "Hm"},
      {"<think>Hm", "stop", "<think>Hm", ""},
      {"Use <think>Hm</think>", "stop", "Use <think>Hm</think>", ""},
      {"<thinking>Hm</thinking>Four", "stop", "<thinking>Hm</thinking>Four", ""},
      {"", "stop", "", ""},
  };
  for (const Row& row : kRows) {
    CAPTURE(row.text);
    ModelReply reply;
    reply.text = row.text;
    reply.finish_reason = row.finish;
    SeparateThoughts(reply);
    CHECK(reply.text == row.want_text);
    CHECK(reply.reasoning == row.want_reasoning);
  }
  ModelReply reply;
  reply.text = "<think>b</think>c";
  reply.reasoning = "a";
  SeparateThoughts(reply);
  CHECK(reply.reasoning == "a\n\nb");
}

}  // namespace
}  // namespace assay
