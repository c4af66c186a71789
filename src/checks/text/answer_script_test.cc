// Tests of the time limit that all scripts of one answer share.
#include "checks/text/answer_script.h"

#include <doctest/doctest.h>

#include "base/limits.h"
#include "checks/limits.h"
#include "spec/suite/case.h"
#include "spec/suite/check.h"

namespace assay {

namespace {

struct GradedScripts {
  Transcript transcript;
  Case the_case;
  WorkerState worker;

  Score Grade(std::string_view kind, Value args, AnswerView& answer) {
    Check check;
    check.kind = kind;
    check.args = std::move(args);
    const CheckRow* row = FindCheck(kind);
    Diagnostics diagnostics;
    const CheckArgs parsed = row->parse({.check = check}, diagnostics);
    const GradeInput input{
        .answer = answer, .transcript = transcript, .variant_id = "echo:x", .the_case = the_case};
    return row->grade(input, parsed, worker);
  }
};

}  // namespace

TEST_CASE("scripts take from the time of their answer, and the next answer has its own") {
  GradedScripts graded;
  AnswerView answer("x");
  CHECK(graded.Grade("js", "let n = 0; for (let i = 0; i < 10000; ++i) n += i; true", answer).value == 1);
  CHECK(answer.script_time > std::chrono::nanoseconds{0});
  CHECK(answer.script_time < limits::kScriptTime);

  answer.script_time = limits::kScriptAnswerTime;
  const Score late = graded.Grade("js", "true", answer);
  CHECK(late.value == 0);
  CHECK(late.explanation.starts_with("no credit: "));
  CHECK(late.explanation.find("2000 ms") != std::string::npos);

  AnswerView next("x");
  CHECK(graded.Grade("js", "true", next).value == 1);
}

TEST_CASE("a script gets no more than is left") {
  GradedScripts graded;
  AnswerView answer("x");
  answer.script_time = limits::kScriptAnswerTime - std::chrono::milliseconds(5);
  const Score score = graded.Grade("js", "for (;;) {}", answer);
  CHECK(score.state == ScoreState::kError);
  CHECK(score.error.find("5 ms") != std::string::npos);
  CHECK(answer.script_time >= limits::kScriptAnswerTime);
}

// An answer that calls a tool thousands of times had each call looked at for 100 ms.
TEST_CASE("expressions of $tool_args_match take from the same time") {
  GradedScripts graded;
  std::string text;
  for (int i = 0; i < 10; ++i) text += "TOOL_CALL {\"name\":\"t\",\"arguments\":{}}\n";
  AnswerView answer(text);
  answer.script_time = limits::kScriptAnswerTime - std::chrono::milliseconds(5);
  Map args;
  args.Append("name", "t");
  args.Append("where", "(() => { for (;;) {} })()");
  const Score score = graded.Grade("tool_args_match", Value(std::move(args)), answer);
  CHECK(score.value == 0);
  CHECK(score.explanation.find("2000 ms") != std::string::npos);
}

}  // namespace assay
