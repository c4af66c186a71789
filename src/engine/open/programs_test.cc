// Tests of the launcher that opens with the first program: nobody waits for it, and it stops when told.
#include "engine/open/programs.h"

#include <doctest/doctest.h>

#include "base/completion_queue.h"

namespace assay {

TEST_CASE("a program is answered though the sandbox opens behind its back") {
  CompletionQueue replies;
  LazyLauncher launcher("", {});
  CHECK(!launcher.level());
  ProcessRequest request;
  request.toolchain = "no such language";
  request.argv = {"x"};
  launcher.Run(7, std::move(request), replies);
  const Completion completion = replies.Take();
  CHECK(completion.ticket == 7);
  CHECK(std::get<ProcessReply>(completion.reply).error.has_value());
  launcher.CancelAll();
}

TEST_CASE("cancelling waits for no sandbox, and nothing is delivered afterwards") {
  for (int i = 0; i < 5; ++i) {
    CompletionQueue replies;
    {
      LazyLauncher launcher("", {});
      launcher.CancelAll();  // before anything was run
      launcher.Run(1, {}, replies);
      launcher.CancelAll();
      replies.Deliver({.ticket = 2, .reply = ProcessReply{}});
    }
    Completion last = replies.Take();
    if (last.ticket == 1) last = replies.Take();
    CHECK(last.ticket == 2);
  }
}

}  // namespace assay
