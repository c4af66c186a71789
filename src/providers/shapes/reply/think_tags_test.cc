// Tests of separating thoughts from the text of a reply.
#include "providers/shapes/reply/think_tags.h"

#include <doctest/doctest.h>

namespace assay {
namespace {

TEST_CASE("thoughts between tags go behind those that the service kept apart itself") {
  ModelReply reply;
  reply.text = "<think>b</think>c";
  reply.reasoning = "a";
  SeparateThoughts(reply);
  CHECK(reply.reasoning == "a\n\nb");
  CHECK(reply.text == "c");
}

TEST_CASE("thoughts that are never closed leave no answer, however the reply ended") {
  for (const char* finish : {"length", "stop"}) {
    ModelReply reply;
    reply.text = "<think>Is it Lyon?";
    reply.finish_reason = finish;
    SeparateThoughts(reply);
    CHECK(reply.text.empty());
    CHECK(reply.reasoning == "Is it Lyon?");
  }
}

}  // namespace
}  // namespace assay
