// What InfiBench leaves to Python: handlers of a suite's own (`post_handler`, `customized`) and conditions
// beyond python_condition.h. Each is one program in the sandbox: a module, our frame, the input as JSON.
//
// A grader calls Python in the middle of its work. It does so through PythonCalls, which answers from the
// replies that are there; at the first call without one, grading is given up and the step asks for it. The
// step runs the grader again when the reply has come.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "checks/check.h"

namespace assay {

// The function of a module, from `{module, func}` with the module's text as `source`, or `problem` instead of
// it.
struct PythonHandler {
  std::string module;
  std::string function;
  std::string source;
};
Result<PythonHandler> ReadHandler(const Value& value);

// Python as this run has it.
struct PythonHost {
  std::string digest;
  std::string missing;  // why nothing can be run; "" if it can
  ProgramRules rules;
};
PythonHost FindPython(const ParseInput& input);

class PythonCalls {
 public:
  // Without `input` there are no replies, and nothing can be asked.
  PythonCalls(const PythonHost& host, const AskInput* input) : host_(host), input_(input) {}

  // handler.function(*arguments). kCancelled if there is no reply yet; kInvalidInput if it raises, kTimeout
  // if it is stopped, kUnsupported if the suite or the machine is at fault, whatever the arguments.
  Result<Value> Call(const PythonHandler& handler, List arguments);
  // bool(eval(expression)) with these local names, and the modules re, os, time and np.
  Result<bool> Test(std::string_view expression, const Map& names);

  // Nothing if no reply was missing; else the request for it.
  std::optional<Need> TakeNeed();

 private:
  Result<Value> Ask(Map question, std::string_view source);

  const PythonHost& host_;
  const AskInput* input_;
  std::size_t used_ = 0;  // of the replies
  std::optional<Need> need_;
};

// The score of a component: kScored, unless a number is none.
Score ComponentScore(double score, double total, std::vector<ScoreItem> items);
// Of an answer that is itself why the component has no score: 0 of the total, with the reason.
Score LostComponent(double total, const std::string& why, std::vector<ScoreItem> items = {});
// The score that a handler of the suite's own gives; its detail is the remark, and an item if it is a text.
// Where it fails, whose fault that is shows in what it does with `of_nothing`, the arguments of an answer
// that says nothing; the answer's costs all points. Without `of_nothing` every failure is an error.
Score HandledScore(const PythonHandler& handler, List arguments, PythonCalls& calls,
                   std::vector<ScoreItem> items, const std::optional<List>& of_nothing);
// The error of a grader, or its missing verdict where Python was not run.
Score ComponentFailure(const Error& error);

}  // namespace assay
