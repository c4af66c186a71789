// Makes a function of its body, calls it, and runs what waits until its promise is settled.
#include "text/script/awaited.h"

#include <quickjs.h>

#include <memory>
#include <optional>

#include "text/script/realm.h"
#include "text/script/runtime.h"
#include "text/script/values.h"

namespace assay {

namespace {

// Values of the engine that are handed to a call.
class JsArguments {
 public:
  explicit JsArguments(JSContext* context) : context_(context) {}
  ~JsArguments() {
    for (const JSValue value : values_) JS_FreeValue(context_, value);
  }
  JsArguments(const JsArguments&) = delete;
  JsArguments& operator=(const JsArguments&) = delete;

  void Add(JSValue value) {
    failed_ = failed_ || JS_IsException(value);
    values_.push_back(value);
  }
  bool failed() const { return failed_; }
  int size() const { return static_cast<int>(values_.size()); }
  JSValueConst* data() { return values_.data(); }

 private:
  JSContext* context_;
  std::vector<JSValue> values_;
  bool failed_ = false;
};

// new Function(...names, body): a body that ends the function early is no function.
JSValue MakeFunction(JSContext* context, JSValueConst constructor, std::string_view body,
                     const std::vector<std::pair<std::string, Value>>& arguments) {
  JsArguments given(context);
  for (const auto& [name, value] : arguments) given.Add(StringToJs(context, name));
  given.Add(StringToJs(context, body));
  if (given.failed()) return JS_EXCEPTION;
  return JS_CallConstructor(context, constructor, given.size(), given.data());
}

JSValue GlobalOf(JSContext* context, const char* name) {
  const JsHandle global(context, JS_GetGlobalObject(context));
  return JS_GetPropertyStr(context, global.get(), name);
}

bool HasThen(JSContext* context, JSValueConst value) {
  if (!JS_IsObject(value)) return false;
  const JsHandle then(context, JS_GetPropertyStr(context, value, "then"));
  return JS_IsFunction(context, then.get());
}

// What `await value` waits for; undefined where it waits for nothing.
JSValue PromiseOf(JSContext* context, JSValueConst value) {
  if (!HasThen(context, value)) return JS_UNDEFINED;
  const JsHandle promise(context, GlobalOf(context, "Promise"));
  const JsHandle resolve(context, JS_GetPropertyStr(context, promise.get(), "resolve"));
  JSValueConst given[] = {value};
  return JS_Call(context, resolve.get(), promise.get(), 1, given);
}

std::string_view TypeOf(JSContext* context, JSValueConst value) {
  if (JS_IsUndefined(value)) return "undefined";
  if (JS_IsNull(value)) return "null";
  if (JS_IsBool(value)) return "boolean";
  if (JS_IsNumber(value)) return "number";
  if (JS_IsString(value)) return "string";
  if (JS_IsSymbol(value)) return "symbol";
  if (JS_IsBigInt(value)) return "bigint";
  if (JS_IsFunction(context, value)) return "function";
  return JS_IsArray(value) ? "array" : "object";
}

ScriptOutcome OutcomeOf(JSContext* context, JSValueConst value) {
  ScriptOutcome outcome;
  outcome.type_name = TypeOf(context, value);
  switch (ValueFromJs(context, value, outcome.value)) {
    case FromJs::kException:
      return ThrownBy(context, false);
    case FromJs::kTooLarge:
      outcome.kind = ScriptOutcome::Kind::kOther;
      break;
    case FromJs::kNoForm:
    case FromJs::kDone:
      break;
  }
  return outcome;
}

// What a promise comes to, once everything that waits has run.
ScriptOutcome Settled(JSContext* context, JSValueConst promise) {
  JSContext* of_job = nullptr;
  while (JS_ExecutePendingJob(JS_GetRuntime(context), &of_job) > 0) {
  }
  const JSPromiseStateEnum state = JS_PromiseState(context, promise);
  const JsHandle result(context, JS_PromiseResult(context, promise));
  if (state == JS_PROMISE_FULFILLED) return OutcomeOf(context, result.get());
  if (state == JS_PROMISE_REJECTED) {
    JS_Throw(context, JS_DupValue(context, result.get()));
    return ThrownBy(context, false);
  }
  ScriptOutcome outcome;
  outcome.kind = ScriptOutcome::Kind::kThrown;
  outcome.message = "a promise is never settled: there are no timers and nothing to wait for";
  return outcome;
}

ScriptOutcome RunAwaited(JSContext* context, std::string_view body,
                         const std::vector<std::pair<std::string, Value>>& arguments) {
  const JsHandle constructor(context, GlobalOf(context, "Function"));
  const JsHandle function(context, MakeFunction(context, constructor.get(), body, arguments));
  if (function.is_exception()) return ThrownBy(context, true);
  JsArguments given(context);
  for (const auto& [name, value] : arguments) given.Add(ToJs(context, value));
  if (given.failed()) return ThrownBy(context, false);
  const JsHandle result(context, JS_Call(context, function.get(), JS_UNDEFINED, given.size(), given.data()));
  if (result.is_exception()) return ThrownBy(context, false);
  const JsHandle promise(context, PromiseOf(context, result.get()));
  if (promise.is_exception()) return ThrownBy(context, false);
  return JS_IsUndefined(promise.get()) ? OutcomeOf(context, result.get()) : Settled(context, promise.get());
}

}  // namespace

ScriptOutcome CallAwaited(std::string_view body, const std::vector<std::pair<std::string, Value>>& arguments,
                          const ScriptWorld& world, std::chrono::nanoseconds time, const ScriptFiles* files) {
  // What the files name counts as named by the body.
  std::string with_files;
  if (files != nullptr) {
    with_files = body;
    for (const auto& [path, source] : *files) with_files += source;
  }
  const std::string_view named = files == nullptr ? body : std::string_view(with_files);
  return WithinLimits(time, [&](JSRuntime* runtime, ScriptOutcome& outcome) {
    if (files != nullptr) UseScriptFiles(runtime, *files);
    JSContext* context = NewRealm(runtime);
    if (context != nullptr && AddWhatIsNamed(context, named, world))
      outcome = RunAwaited(context, body, arguments);
  });
}

}  // namespace assay
