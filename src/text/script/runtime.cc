// Runs scripts within the limits of a heap, and says how they ended.
#include "text/script/runtime.h"

#include <cstring>
#include <optional>
#include <string>
#include <utility>

#include "text/limits.h"
#include "text/script/values.h"

namespace assay {

namespace {

// V8's and the engine's words for `return` outside of a function. The first counts too, because the format
// re-runs a script by this text even if the script threw it itself.
constexpr std::string_view kIllegalReturnTexts[] = {"Illegal return statement", "return not in a function"};
constexpr std::string_view kStackText = "Maximum call stack size exceeded";

void* HeapCalloc(void* heap, std::size_t count, std::size_t size_bytes) {
  void* block = static_cast<ScriptHeap*>(heap)->Allocate(count * size_bytes);
  return block == nullptr ? nullptr : std::memset(block, 0, count * size_bytes);
}
void* HeapMalloc(void* heap, std::size_t size_bytes) {
  return static_cast<ScriptHeap*>(heap)->Allocate(size_bytes);
}
void HeapFree(void* heap, void* block) { static_cast<ScriptHeap*>(heap)->Free(block); }
void* HeapRealloc(void* heap, void* block, std::size_t size_bytes) {
  return static_cast<ScriptHeap*>(heap)->Reallocate(block, size_bytes);
}
constexpr JSMallocFunctions kHeapFunctions = {HeapCalloc, HeapMalloc, HeapFree, HeapRealloc,
                                              ScriptHeap::UsableSize};

int StopWhenOverTime(JSRuntime*, void* heap) {
  return static_cast<ScriptHeap*>(heap)->StopWhenOverTime() ? 1 : 0;
}

// The message of what was thrown, if it has one that is a string.
std::optional<std::string> ThrownMessage(JSContext* context, JSValueConst thrown) {
  if (!JS_IsObject(thrown)) return std::nullopt;
  const JsHandle message(context, JS_GetPropertyStr(context, thrown, "message"));
  if (!JS_IsString(message.get())) return std::nullopt;
  return StringFromJs(context, message.get());
}

std::string_view TypeName(JSContext* context, JSValueConst value) {
  if (JS_IsFunction(context, value)) return "function";
  if (JS_IsSymbol(value)) return "symbol";
  if (JS_IsBigInt(value)) return "bigint";
  if (JS_IsString(value)) return "string";
  return "object";
}

// Reads `name` of `object` into `into`; a value without a form becomes undefined. False with an exception
// pending.
bool ReadMember(JSContext* context, JSValueConst object, const char* name, Map& into) {
  const JsHandle member(context, JS_GetPropertyStr(context, object, name));
  if (member.is_exception()) return false;
  Value value;
  if (ValueFromJs(context, member.get(), value) == FromJs::kException) return false;
  into.Append(name, std::move(value));
  return true;
}

// Whether `object` has `name` as an own enumerable member: these are what a spread copies. Less than 0: an
// exception.
int HasOwnEnumerable(JSContext* context, JSValueConst object, const char* name) {
  JSPropertyDescriptor descriptor;
  const JSAtom atom = JS_NewAtom(context, name);
  const int found = JS_GetOwnProperty(context, &descriptor, object, atom);
  JS_FreeAtom(context, atom);
  if (found <= 0) return found;
  JS_FreeValue(context, descriptor.value);
  JS_FreeValue(context, descriptor.getter);
  JS_FreeValue(context, descriptor.setter);
  return (descriptor.flags & JS_PROP_ENUMERABLE) != 0 ? 1 : 0;
}

int HasScore(JSContext* context, JSValueConst object) {
  const JSAtom atom = JS_NewAtom(context, "score");
  const int has = JS_HasProperty(context, object, atom);
  JS_FreeAtom(context, atom);
  return has;
}

// The members that graders read of an object with a score. False with an exception pending.
bool ReadScored(JSContext* context, JSValueConst object, Map& into) {
  for (const char* name : {"score", "explain", "error"}) {
    const int own = HasOwnEnumerable(context, object, name);
    if (own < 0 || (own > 0 && !ReadMember(context, object, name, into))) return false;
  }
  return true;
}

}  // namespace

JSRuntime* NewLimitedRuntime(ScriptHeap& heap) {
  JSRuntime* runtime = JS_NewRuntime2(&kHeapFunctions, &heap);
  if (runtime == nullptr) return nullptr;
  JS_SetMaxStackSize(runtime, limits::kScriptStackBytesMax);
  JS_SetInterruptHandler(runtime, StopWhenOverTime, &heap);
  return runtime;
}

ScriptOutcome ScriptLimit(std::string_view what) {
  ScriptOutcome outcome;
  outcome.kind = ScriptOutcome::Kind::kLimit;
  outcome.message = "the script " + std::string(what);
  return outcome;
}

ScriptOutcome ThrownBy(JSContext* context, bool while_compiling) {
  const JsHandle thrown(context, JS_GetException(context));
  const std::optional<std::string> message = ThrownMessage(context, thrown.get());
  if (JS_IsError(thrown.get()) && message == kStackText)
    return ScriptLimit("calls itself too deeply; end its recursion");
  ScriptOutcome outcome;
  outcome.kind = ScriptOutcome::Kind::kThrown;
  outcome.message = message.value_or("");
  outcome.threw_non_error = !message.has_value();
  outcome.syntax_error = while_compiling;
  for (const std::string_view text : kIllegalReturnTexts) {
    if (outcome.message.find(text) != std::string::npos) outcome.illegal_return = true;
  }
  return outcome;
}

ScriptOutcome ClassifyResult(JSContext* context, JSValueConst result) {
  ScriptOutcome outcome;
  outcome.type_name = TypeName(context, result);
  if (JS_IsObject(result) && outcome.type_name == "object") {
    const int has_score = HasScore(context, result);
    if (has_score < 0) return ThrownBy(context, false);
    if (has_score > 0) {
      Map scored;
      if (!ReadScored(context, result, scored)) return ThrownBy(context, false);
      outcome.has_score_member = true;
      outcome.value = std::move(scored);
      return outcome;
    }
  }
  switch (ValueFromJs(context, result, outcome.value)) {
    case FromJs::kDone:
      break;
    case FromJs::kException:
      return ThrownBy(context, false);
    case FromJs::kNoForm:
    case FromJs::kTooLarge:
      outcome.kind = ScriptOutcome::Kind::kOther;
      break;
  }
  return outcome;
}

void TellLimits(CpuBudget& cpu, const ScriptHeap& heap, ScriptOutcome& outcome) {
  if (cpu.Exhausted()) {
    const auto allowed = std::chrono::duration_cast<std::chrono::milliseconds>(cpu.limit());
    outcome = ScriptLimit("was still running after " + std::to_string(allowed.count()) + " ms");
  } else if (heap.ran_out()) {
    outcome = ScriptLimit("needed more than " + std::to_string(limits::kScriptMemoryBytesMax >> 20) + " MB");
  }
  outcome.cpu_time = cpu.Spent();
}

}  // namespace assay
