// Writes the programs that call a suite's own Python functions, and reads what they print.
#include "checks/program/python_call.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "base/limits.h"
#include "base/wire/sandbox_words.h"
#include "spec/suite/case.h"
#include "text/found.h"
#include "text/json/json.h"
#include "text/object.h"
#include "text/python/text.h"
#include "text/python/truth.h"

namespace assay {

namespace {

constexpr std::chrono::milliseconds kDeadline{10'000};
constexpr int kPythonCpuPerWall = 2;  // of a program whose libraries use several cores
constexpr std::string_view kFrameFile = "assay_main.py";
constexpr std::string_view kInputFile = "assay_input.json";
constexpr std::string_view kHandlerFile = "assay_handler.py";

// Standard output is kept for the one line of the result. Numbers that we pass are floats of Python, unless
// the suite or the original has whole ones: {"__int": "2"}.
constexpr std::string_view kFrame = R"py(import importlib.util
import json
import math
import os
import sys
import traceback

HANDLER = "assay_handler.py"
result = os.dup(1)
os.dup2(2, 1)


def typed(value, depth=0):
    if depth > 50:
        return str(value)
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, int):
        return {"__int": str(int(value))} if abs(value) < 2**63 else str(value)
    if isinstance(value, float):
        value = float(value)
        if math.isfinite(value):
            return value
        return {"__number": "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"}
    if isinstance(value, (list, tuple)):
        return [typed(item, depth + 1) for item in value]
    if isinstance(value, dict):
        return {str(key): typed(item, depth + 1) for key, item in value.items()}
    return str(value)


def as_passed(members):
    if len(members) != 1:
        return members
    [(key, text)] = members.items()
    read = {"__int": int, "__number": float}.get(key)
    return read(text) if read and isinstance(text, str) else members


# Of these no text is the cause.
SUITES_FAULTS = (ImportError, NameError, NotImplementedError, SyntaxError)
called = False


def is_suites_fault(error):
    if isinstance(error, UnboundLocalError):
        return False
    if not called or isinstance(error, SUITES_FAULTS):
        return True
    names = [frame.f_code.co_filename for frame, _ in traceback.walk_tb(error.__traceback__)]
    return not any(name in ("<string>", HANDLER) or name.endswith("/" + HANDLER) for name in names)


def evaluate(question):
    global called
    import re
    import time

    modules = {"re": re, "os": os, "time": time}
    if "np" in question["expression"]:
        import numpy

        modules["np"] = numpy
    called = True
    return bool(eval(question["expression"], modules, question["names"]))


def call(question):
    global called
    spec = importlib.util.spec_from_file_location(question["module"], HANDLER)
    module = importlib.util.module_from_spec(spec)
    sys.modules[question["module"]] = module
    spec.loader.exec_module(module)
    function = getattr(module, question["func"])
    called = True
    return function(*question["arguments"])


try:
    with open("assay_input.json", encoding="utf-8") as file:
        question = json.load(file, parse_int=float, object_hook=as_passed)
    answer = {"value": typed((evaluate if "expression" in question else call)(question))}
except BaseException as error:
    answer = {"error": f"{type(error).__name__}: {error}", "suites_fault": is_suites_fault(error)}
line = json.dumps(answer) + "\n"
with os.fdopen(result, "w", encoding="utf-8") as stream:
    stream.write(line)
os._exit(0)
)py";

ProcessRequest RequestOf(const PythonHost& host, const Map& question, std::string_view source) {
  ProcessRequest request;
  request.argv = {"python3", std::string(kFrameFile)};
  request.files.push_back({std::string(kFrameFile), std::string(kFrame)});
  std::string input;
  AppendTyped(Value(question), input);
  request.files.push_back({std::string(kInputFile), std::move(input)});
  if (!source.empty()) request.files.push_back({std::string(kHandlerFile), std::string(source)});
  request.toolchain = "python";
  request.toolchain_digest = host.digest;
  request.limits = {.wall = kDeadline,
                    .cpu = kDeadline * kPythonCpuPerWall,
                    .memory_bytes = limits::kProgramMemoryBytesMax,
                    .output_bytes = limits::kProgramOutputBytesMax,
                    .processes = limits::kProgramProcessesMax};
  return request;
}

Error Raised(std::string message) {
  return {.code = ErrorCode::kInvalidInput, .message = std::move(message)};
}

std::string_view LastPrintedLine(std::string_view text) {
  while (text.ends_with('\n')) text.remove_suffix(1);
  const std::size_t before = text.rfind('\n');
  return before == std::string_view::npos ? text : text.substr(before + 1);
}

// Python itself was not run: nothing is said of the function.
constexpr ErrorCode kHarnessFailed = ErrorCode::kIo;

Error Stopped(std::string message) { return {.code = ErrorCode::kTimeout, .message = std::move(message)}; }

Result<Value> ReadReply(const Exchange& exchange) {
  if (exchange.error) return Error{kHarnessFailed, exchange.error->message};
  const auto* reply = std::get_if<ProcessReply>(&exchange.reply);
  if (reply == nullptr) return Error{kHarnessFailed, "what answered was no program"};
  if (reply->timed_out) return Stopped(fmt::format("Python took longer than {} s", kDeadline.count() / 1000));
  const Result<Value> answer = ParseJson(LastPrintedLine(reply->stdout_text));
  const Value* value = answer ? answer->Find("value") : nullptr;
  const std::string* error = answer ? FindText(*answer, "error") : nullptr;
  if (value != nullptr) return DecodeEncoded(*value);
  if (error != nullptr) {
    Error raised = Raised("Python raised " + *error);
    if (IsPythonTrueAt(*answer, "suites_fault")) raised.code = ErrorCode::kUnsupported;
    return raised;
  }
  std::string why = reply->limit.empty() ? fmt::format("ended with status {}", reply->exit_code)
                                         : fmt::format("was ended by the limit of {}", reply->limit);
  if (reply->limit.empty() && reply->signal != 0) why = fmt::format("was killed by signal {}", reply->signal);
  if (const std::string_view refused = RefusedBySandbox(reply->sandbox); !refused.empty())
    why += fmt::format(" after asking for {}, which this level of the sandbox refuses", refused);
  return Stopped(
      fmt::format("Python {} and gave no result: {}", why, Quoted(LastPrintedLine(reply->stderr_text))));
}

}  // namespace

Result<PythonHandler> ReadHandler(const Value& value) {
  const std::string* module = FindText(value, "module");
  const std::string* function = FindText(value, "func");
  const std::string* source = FindText(value, "source");
  if (module == nullptr || function == nullptr) {
    return Raised(
        fmt::format("a handler must be {{module, func}} with two texts, found {}", KindName(value)));
  }
  if (const std::string* problem = FindText(value, "problem")) return Raised(*problem);
  if (source == nullptr) return Raised(fmt::format("the text of module {} is not known", Quoted(*module)));
  return PythonHandler{.module = *module, .function = *function, .source = *source};
}

PythonHost FindPython(const ParseInput& input) {
  PythonHost host{.digest = {}, .missing = "nobody looked for it", .rules = input.programs};
  for (const Toolchain& toolchain : input.toolchains) {
    if (toolchain.language != "python") continue;
    host.missing = toolchain.missing;
    host.digest = toolchain.digest;
  }
  return host;
}

Result<Value> PythonCalls::Call(const PythonHandler& handler, List arguments) {
  return Ask(
      Object{{"module", handler.module}, {"func", handler.function}, {"arguments", std::move(arguments)}},
      handler.source);
}

Result<bool> PythonCalls::Test(std::string_view expression, const Map& names) {
  ASSAY_TRY(const Value value, Ask(Object{{"expression", expression}, {"names", names}}, {}));
  if (!value.is_bool()) return Raised("Python gave no truth value");
  return value.AsBool();
}

Result<Value> PythonCalls::Ask(Map question, std::string_view source) {
  if (!host_.missing.empty())
    return Error{ErrorCode::kUnsupported, "runtime missing: python: " + host_.missing};
  if (input_ == nullptr) return Error{ErrorCode::kCancelled, "nothing can be asked of Python here"};
  if (used_ < input_->so_far.size()) return ReadReply(input_->so_far[used_++]);
  ProcessRequest request = RequestOf(host_, question, source);
  if (!host_.rules.memo) {
    request.scope = fmt::format("{}\n{}\n{}\n{}\n{}", input_->grade.the_case.id, input_->grade.variant_id,
                                input_->tag.attempt, input_->tag.check, used_);
  }
  need_ = Need{{{.request = std::move(request), .tag = input_->tag}}};
  return Error{ErrorCode::kCancelled, "Python's answer is not there yet"};
}

std::optional<Need> PythonCalls::TakeNeed() { return std::exchange(need_, std::nullopt); }

namespace {

// The new score, the new total and the detail that a handler gives.
struct HandlerResult {
  double score = 0;
  double total = 0;
  Value detail;
  Value numbers;  // [score, total] as Python has them, where one of them is no float; else undefined
};

// What the function does with its arguments: it raises, is stopped, or cannot work at all.
bool IsOfFunction(const Error& error) {
  return error.code == ErrorCode::kInvalidInput || error.code == ErrorCode::kTimeout ||
         error.code == ErrorCode::kUnsupported;
}

Result<HandlerResult> ReadHandlerResult(const Value& value) {
  const auto is_number = [](const Value& item) { return item.is_number() || item.is_bool(); };
  if (!value.is_list() || value.AsList().size() != 3 || !is_number(value.AsList()[0]) ||
      !is_number(value.AsList()[1])) {
    return Raised("a handler must return (score, total, detail) with two numbers");
  }
  const auto number = [](const Value& item) {
    return item.is_bool() ? (item.AsBool() ? 1.0 : 0.0) : item.AsNumber();
  };
  const List& items = value.AsList();
  HandlerResult handled{
      .score = number(items[0]), .total = number(items[1]), .detail = items[2], .numbers = {}};
  const auto is_float = [](const Value& item) { return item.kind() == ValueKind::kDouble; };
  if (!is_float(items[0]) || !is_float(items[1])) handled.numbers = List{items[0], items[1]};
  return handled;
}

// `must_count`: what has no total is no result.
Result<HandlerResult> Handled(const PythonHandler& handler, List arguments, PythonCalls& calls,
                              bool must_count) {
  ASSAY_TRY(const Value value, calls.Call(handler, std::move(arguments)));
  ASSAY_TRY(HandlerResult handled, ReadHandlerResult(value));
  const bool counts = std::isfinite(handled.score) && std::isfinite(handled.total) && handled.total > 0;
  if (!must_count || counts) return handled;
  return Raised(fmt::format("a handler must return a score and a total above 0, found {} of {}",
                            handled.score, handled.total));
}

}  // namespace

Score ComponentScore(double score, double total, std::vector<ScoreItem> items) {
  if (!std::isfinite(score) || !std::isfinite(total)) {
    return Score::Failure(fmt::format("the score is no number: {} of {}", score, total));
  }
  Score component = Score::Of(score);
  component.max = total;
  component.items = std::move(items);
  return component;
}

Score HandledScore(const PythonHandler& handler, List arguments, PythonCalls& calls,
                   std::vector<ScoreItem> items, const std::optional<List>& of_nothing) {
  Result<HandlerResult> handled = Handled(handler, std::move(arguments), calls, of_nothing.has_value());
  if (!handled) {
    const Error& error = handled.error();
    if (!of_nothing || !IsOfFunction(error)) return ComponentFailure(error);
    // Whoever fails for an answer of nothing, too, is broken, unless that raised something of its own.
    const Result<HandlerResult> otherwise = Handled(handler, *of_nothing, calls, true);
    if (!otherwise && !IsOfFunction(otherwise.error())) return ComponentFailure(otherwise.error());
    const bool is_broken = !otherwise && error.code != ErrorCode::kInvalidInput &&
                           otherwise.error().code != ErrorCode::kInvalidInput;
    if (is_broken) return ComponentFailure(error);
    Score lost = LostComponent(otherwise ? otherwise->total : 1, error.message, std::move(items));
    lost.remark = Value(lost.explanation);
    return lost;
  }
  const Value& detail = handled->detail;
  if (detail.is_string() && !detail.AsString().empty())
    items.push_back({.sentence = "the suite's own handler: " + std::string(detail.AsString())});
  Score score = ComponentScore(handled->score, handled->total, std::move(items));
  if (score.failed()) return score;
  score.remark = std::move(handled->detail);
  score.answer = std::move(handled->numbers);
  return score;
}

Score LostComponent(double total, const std::string& why, std::vector<ScoreItem> items) {
  Score score = Score::Of(0);
  score.max = total;
  score.explanation = "no credit: " + why;
  items.push_back({.sentence = score.explanation});
  score.items = std::move(items);
  return score;
}

Score ComponentFailure(const Error& error) {
  return error.code == kHarnessFailed ? Score::Missing(error.message) : Score::Failure(error.message);
}

}  // namespace assay
