// Evaluates a snippet within its limits, and classifies its result or error.
#include "text/script/script.h"

#include <quickjs.h>

#include "base/limits.h"
#include "text/cpu_budget.h"
#include "text/limits.h"
#include "text/script/awaited.h"
#include "text/script/heap.h"
#include "text/script/realm.h"
#include "text/script/runtime.h"
#include "text/script/values.h"

namespace assay {

namespace {

bool AddGlobals(JSContext* context, const std::vector<std::pair<std::string, Value>>& globals) {
  const JsHandle global(context, JS_GetGlobalObject(context));
  for (const auto& [name, value] : globals) {
    const JSValue copy = ToJs(context, value);
    if (JS_IsException(copy)) return false;
    if (JS_DefinePropertyValueStr(context, global.get(), name.c_str(), copy, JS_PROP_C_W_E) < 0) return false;
  }
  return true;
}

// What the realm lacks at first because most scripts do without. False with an exception pending.
bool AddWhatIsNamed(JSContext* context, std::string_view source, const ScriptWorld& world) {
  const auto names = [&](std::string_view what) { return source.find(what) != std::string_view::npos; };
  return (!(names("Date") || names("random")) || FixWorld(context, world)) &&
         (!names("Intl") || AddIntl(context)) &&
         (!(names("toLocale") || names("NumberFormat")) || AddLocaleForms(context)) &&
         (!names("RegExp") || AddLastMatch(context));
}

JSValue Compile(JSContext* context, std::string_view source) {
  const std::string text(source);  // the engine wants a zero behind the last byte
  return JS_Eval(context, text.c_str(), text.size(), "script",
                 JS_EVAL_TYPE_GLOBAL | JS_EVAL_FLAG_COMPILE_ONLY);
}

ScriptOutcome Run(JSContext* context, std::string_view source) {
  const JSValue compiled = Compile(context, source);
  if (JS_IsException(compiled)) return ThrownBy(context, true);
  const JsHandle result(context, JS_EvalFunction(context, compiled));
  return result.is_exception() ? ThrownBy(context, false) : ClassifyResult(context, result.get());
}

// Takes what the code of others is later called with, and calls it; what it gives comes with its type.
constexpr char kCallAwaited[] = R"js((make, isArray) => async (body, names, values) => {
  const value = await make(...names, body)(...values);
  return [value === null ? 'null' : isArray(value) ? 'array' : typeof value, value];
})js";

// The function of kCallAwaited, made before code of others can change what it stands on.
JSValue AwaitingCaller(JSContext* context) {
  const JsHandle outer(context,
                       JS_Eval(context, kCallAwaited, sizeof kCallAwaited - 1, "assay", JS_EVAL_TYPE_GLOBAL));
  const JsHandle global(context, JS_GetGlobalObject(context));
  const JsHandle make(context, JS_GetPropertyStr(context, global.get(), "Function"));
  const JsHandle array(context, JS_GetPropertyStr(context, global.get(), "Array"));
  const JsHandle is_array(context, JS_GetPropertyStr(context, array.get(), "isArray"));
  if (outer.is_exception() || make.is_exception() || is_array.is_exception()) return JS_EXCEPTION;
  JSValueConst arguments[] = {make.get(), is_array.get()};
  return JS_Call(context, outer.get(), JS_UNDEFINED, 2, arguments);
}

// What a promise comes to, once everything that waits has run.
ScriptOutcome Settled(JSContext* context, JSValueConst promise) {
  JSContext* of_job = nullptr;
  while (JS_ExecutePendingJob(JS_GetRuntime(context), &of_job) > 0) {
  }
  const JSPromiseStateEnum state = JS_PromiseState(context, promise);
  if (state == JS_PROMISE_PENDING) {
    ScriptOutcome outcome;
    outcome.kind = ScriptOutcome::Kind::kThrown;
    outcome.message = "a promise is never settled: there are no timers and nothing to wait for";
    return outcome;
  }
  const JsHandle result(context, JS_PromiseResult(context, promise));
  if (state == JS_PROMISE_FULFILLED) return Classify(context, result.get());
  JS_Throw(context, JS_DupValue(context, result.get()));
  return Thrown(context, false);
}

ScriptOutcome RunAwaited(JSContext* context, std::string_view body,
                         const std::vector<std::pair<std::string, Value>>& arguments) {
  List names;
  List values;
  for (const auto& [name, value] : arguments) {
    names.emplace_back(name);
    values.push_back(value);
  }
  const JsHandle call(context, AwaitingCaller(context));
  const JsHandle text(context, StringToJs(context, body));
  const JsHandle name_list(context, ToJs(context, Value(std::move(names))));
  const JsHandle value_list(context, ToJs(context, Value(std::move(values))));
  JSValueConst given[] = {text.get(), name_list.get(), value_list.get()};
  const JsHandle promise(context, JS_Call(context, call.get(), JS_UNDEFINED, 3, given));
  return promise.is_exception() ? Thrown(context, false) : Settled(context, promise.get());
}

// What `run` makes of a fresh runtime, within the limits of time, memory and stack.
template <class RunIn>
ScriptOutcome WithinLimits(std::chrono::nanoseconds time, const RunIn& run) {
  CpuBudget cpu(time);
  cpu.Exhausted();
  ScriptHeap heap(limits::kScriptMemoryBytesMax, cpu);
  ScriptOutcome outcome = ScriptLimit("could not be started");
  JSRuntime* runtime = NewLimitedRuntime(heap);
  if (runtime != nullptr) run(runtime, outcome);
  TellLimits(cpu, heap, outcome);
  return outcome;
}

}  // namespace

ScriptOutcome ScriptEngine::Eval(std::string_view source,
                                 const std::vector<std::pair<std::string, Value>>& globals,
                                 const ScriptWorld& world, std::chrono::nanoseconds time) {
  return WithinLimits(time, [&](JSRuntime* runtime, ScriptOutcome& outcome) {
    JSContext* context = NewRealm(runtime);
    const bool ready =
        context != nullptr && AddGlobals(context, globals) && AddWhatIsNamed(context, source, world);
    if (ready) outcome = Run(context, source);
  });
}

ScriptOutcome CallAwaited(std::string_view body, const std::vector<std::pair<std::string, Value>>& arguments,
                          const ScriptWorld& world, std::chrono::nanoseconds time) {
  return WithinLimits(time, [&](JSRuntime* runtime, ScriptOutcome& outcome) {
    JSContext* context = NewRealm(runtime);
    const bool clones = body.find("structuredClone") != std::string_view::npos;
    const bool ready = context != nullptr && AddWhatIsNamed(context, body, world) &&
                       (!clones || AddStructuredClone(context));
    if (ready) outcome = RunAwaited(context, body, arguments);
  });
}

ScriptOutcome CompileScript(std::string_view source) {
  return WithinLimits(limits::kScriptTime, [&](JSRuntime* runtime, ScriptOutcome& outcome) {
    JSContext* context = NewRealm(runtime);
    if (context == nullptr) return;
    const JsHandle compiled(context, Compile(context, source));
    outcome = compiled.is_exception() ? ThrownBy(context, true) : ScriptOutcome{};
  });
}

}  // namespace assay
