// Evaluates a snippet within its limits, and classifies its result or error.
#include "text/script/script.h"

#include <quickjs.h>

#include "base/limits.h"
#include "text/cpu_budget.h"
#include "text/limits.h"
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

ScriptOutcome CompileScript(std::string_view source) {
  return WithinLimits(limits::kScriptTime, [&](JSRuntime* runtime, ScriptOutcome& outcome) {
    JSContext* context = NewRealm(runtime);
    if (context == nullptr) return;
    const JsHandle compiled(context, Compile(context, source));
    outcome = compiled.is_exception() ? ThrownBy(context, true) : ScriptOutcome{};
  });
}

}  // namespace assay
