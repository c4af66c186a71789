// Keeps a realm, and gives each call its own time.
#include "text/script/session.h"

#include <quickjs.h>

#include <string>

#include "text/cpu_budget.h"
#include "text/limits.h"
#include "text/script/heap.h"
#include "text/script/realm.h"
#include "text/script/runtime.h"
#include "text/script/values.h"

namespace assay {

struct ScriptSession::Realm {
  CpuBudget cpu{limits::kScriptTime};
  ScriptHeap heap{limits::kScriptMemoryBytesMax, cpu};
  JSRuntime* runtime = nullptr;
  JSContext* context = nullptr;
  bool has_ended = false;
};

ScriptSession::ScriptSession() : realm_(std::make_unique<Realm>()) {
  realm_->runtime = NewLimitedRuntime(realm_->heap);
  if (realm_->runtime != nullptr) realm_->context = NewRealm(realm_->runtime);
  realm_->has_ended = realm_->context == nullptr || !FixWorld(realm_->context, {});
}

ScriptSession::~ScriptSession() = default;

bool ScriptSession::has_ended() const { return realm_->has_ended; }

template <class Run>
ScriptOutcome ScriptSession::Within(std::chrono::nanoseconds time, const Run& run) {
  if (realm_->has_ended) return ScriptLimit("ended before");
  realm_->cpu = CpuBudget(time);
  realm_->cpu.Exhausted();
  JS_UpdateStackTop(realm_->runtime);  // the thread may stand elsewhere now
  ScriptOutcome outcome = run(realm_->context);
  TellLimits(realm_->cpu, realm_->heap, outcome);
  realm_->has_ended = outcome.kind == ScriptOutcome::Kind::kLimit;
  return outcome;
}

ScriptOutcome ScriptSession::Load(std::string_view source, std::chrono::nanoseconds time) {
  return Within(time, [source](JSContext* context) {
    const std::string text(source);  // the engine wants a zero behind the last byte
    const JsHandle result(context,
                          JS_Eval(context, text.c_str(), text.size(), "script", JS_EVAL_TYPE_GLOBAL));
    return result.is_exception() ? ThrownBy(context, false) : ScriptOutcome{};
  });
}

ScriptOutcome ScriptSession::Call(std::string_view function, const std::vector<Value>& arguments,
                                  std::chrono::nanoseconds time) {
  return Within(time, [&](JSContext* context) {
    const JsHandle global(context, JS_GetGlobalObject(context));
    const JsHandle callee(context, JS_GetPropertyStr(context, global.get(), std::string(function).c_str()));
    std::vector<JSValue> copies;
    copies.reserve(arguments.size());
    bool has_failed = callee.is_exception();
    for (const Value& argument : arguments) {
      copies.push_back(ToJs(context, argument));
      has_failed = has_failed || JS_IsException(copies.back());
    }
    const JsHandle result(context, has_failed ? JS_EXCEPTION
                                              : JS_Call(context, callee.get(), JS_UNDEFINED,
                                                        static_cast<int>(copies.size()), copies.data()));
    for (const JSValue copy : copies) JS_FreeValue(context, copy);
    return result.is_exception() ? ThrownBy(context, false) : ClassifyResult(context, result.get());
  });
}

}  // namespace assay
