// Tests of script sessions.
#include "text/script/session.h"

#include <doctest/doctest.h>

namespace assay {
namespace {

TEST_CASE("a session keeps what a script leaves behind") {
  ScriptSession session;
  CHECK(session.Load("let count = 0; globalThis.add = (n) => { count += n; return count; };").kind ==
        ScriptOutcome::Kind::kValue);
  CHECK(session.Call("add", {Value(2)}).value.AsNumber() == 2);
  CHECK(session.Call("add", {Value(3)}).value.AsNumber() == 5);
}

TEST_CASE("what a call throws ends the call alone") {
  ScriptSession session;
  session.Load("globalThis.fail = (text) => { throw new Error(text); };");
  const ScriptOutcome outcome = session.Call("fail", {Value("no")});
  CHECK(outcome.kind == ScriptOutcome::Kind::kThrown);
  CHECK(outcome.message == "no");
  CHECK_FALSE(session.has_ended());
  CHECK(session.Call("nothing", {}).kind == ScriptOutcome::Kind::kThrown);
}

TEST_CASE("a limit ends the session") {
  ScriptSession session;
  session.Load("globalThis.spin = () => { for (;;); };");
  CHECK(session.Call("spin", {}, std::chrono::milliseconds(5)).kind == ScriptOutcome::Kind::kLimit);
  CHECK(session.has_ended());
  CHECK(session.Call("spin", {}).kind == ScriptOutcome::Kind::kLimit);
}

}  // namespace
}  // namespace assay
