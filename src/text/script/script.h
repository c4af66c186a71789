// Runs JavaScript snippets ($js) in QuickJS-ng: a new runtime for each evaluation, no host objects, limits on
// time, memory and stack.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/errors/result.h"
#include "base/limits.h"
#include "text/value.h"

namespace assay {

// What a script's completion value was, in the terms that graders need.
struct ScriptOutcome {
  enum class Kind {
    kValue,   // `value` holds it: undefined, null, bool, number, string, list, plain object (own enumerable
              // members that are JSON-like)
    kOther,   // a value without such a form; `type_name` says "function", "symbol", "bigint", "object" ...
    kThrown,  // `message` is the error's message; `threw_non_error` when it was no Error object
    kLimit,   // time, memory or stack ran out; `message` says which
  };
  Kind kind = Kind::kValue;
  Value value;
  std::string type_name;  // typeof the value
  std::string message;
  bool threw_non_error = false;  // what was thrown has no `message` that is a string
  bool syntax_error = false;
  bool illegal_return = false;  // `return` outside of a function, or a message with V8's words for it
  // An object with a `score`, own or inherited; `value` is a map of score, explain and error as far as they
  // are its own.
  bool has_score_member = false;
  std::chrono::nanoseconds cpu_time{0};  // what the evaluation took
};

// What a script takes for the time and for chance: both stand still, so that a script always says the same.
struct ScriptWorld {
  std::int64_t now_ms = 0;  // since 1970, of Date
  std::uint32_t seed = 0;   // of Math.random
};

// Owned by a worker, never shared. Each Eval makes a fresh runtime and drops it with all its memory, which
// takes about 0.2 ms.
class ScriptEngine {
 public:
  // Runs `source` as a sloppy-mode script whose globals are the built-ins, a silent `console` and `globals`.
  // Limits: `time` of the CPU, limits::kScriptMemoryBytesMax, kScriptStackBytesMax. Unsettled promises are
  // dropped.
  ScriptOutcome Eval(std::string_view source, const std::vector<std::pair<std::string, Value>>& globals,
                     const ScriptWorld& world = {}, std::chrono::nanoseconds time = limits::kScriptTime);
};

// What Eval would say of a source that does not compile; undefined for one that does. Nothing of it runs.
ScriptOutcome CompileScript(std::string_view source);

}  // namespace assay
