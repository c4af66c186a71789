// Creates the realm, and installs console, localeCompare, Intl.Collator, Date and Math.random.
#include "text/script/realm.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/text/utf8.h"
#include "text/letters/collate.h"
#include "text/limits.h"
#include "text/script/values.h"

namespace assay {

namespace {

JSValue DoNothing(JSContext*, JSValueConst, int, JSValueConst*) { return JS_UNDEFINED; }

constexpr const char* kConsoleFunctions[] = {
    "assert", "clear",   "count",          "countReset", "debug", "dir", "dirxml",
    "error",  "group",   "groupCollapsed", "groupEnd",   "info",  "log", "table",
    "time",   "timeEnd", "timeLog",        "trace",      "warn",
};

bool AddConsole(JSContext* context, JSValueConst global) {
  JsHandle console(context, JS_NewObject(context));
  if (console.is_exception()) return false;
  for (const char* name : kConsoleFunctions) {
    const JSValue function = JS_NewCFunction(context, DoNothing, name, 0);
    if (JS_IsException(function)) return false;
    if (JS_DefinePropertyValueStr(context, console.get(), name, function, JS_PROP_C_W_E) < 0) return false;
  }
  constexpr int kHidden = JS_PROP_CONFIGURABLE | JS_PROP_WRITABLE;
  return JS_DefinePropertyValueStr(context, global, "console", console.Release(), kHidden) >= 0;
}

// The units of String(value), or nothing with an exception pending.
std::optional<std::u16string> Units(JSContext* context, JSValueConst value) {
  const JsHandle string(context, JS_ToString(context, value));
  if (string.is_exception()) return std::nullopt;
  const auto text = StringFromJs(context, string.get());
  if (!text) return std::nullopt;
  return ToUtf16(*text);
}

struct SensitivityName {
  std::string_view name;
  Sensitivity sensitivity;
};
constexpr SensitivityName kSensitivities[] = {
    {"base", Sensitivity::kBase},
    {"accent", Sensitivity::kAccent},
    {"case", Sensitivity::kCase},
    {"variant", Sensitivity::kVariant},
};

// The options argument of localeCompare; nothing with an exception pending.
std::optional<CollateOptions> ReadOptions(JSContext* context, JSValueConst options) {
  CollateOptions read;
  if (JS_IsUndefined(options)) return read;
  const JsHandle numeric(context, JS_GetPropertyStr(context, options, "numeric"));
  const JsHandle sensitivity(context, JS_GetPropertyStr(context, options, "sensitivity"));
  if (numeric.is_exception() || sensitivity.is_exception()) return std::nullopt;
  read.numeric = JS_ToBool(context, numeric.get()) > 0;
  if (JS_IsUndefined(sensitivity.get())) return read;
  const JsHandle string(context, JS_ToString(context, sensitivity.get()));
  if (string.is_exception()) return std::nullopt;
  const auto name = StringFromJs(context, string.get());
  if (!name) return std::nullopt;
  const auto* row = std::find_if(std::begin(kSensitivities), std::end(kSensitivities),
                                 [&](const SensitivityName& known) { return known.name == *name; });
  if (row == std::end(kSensitivities)) {
    JS_ThrowRangeError(context, "localeCompare: sensitivity is base, accent, case or variant");
    return std::nullopt;
  }
  read.sensitivity = row->sensitivity;
  return read;
}

// String.prototype.localeCompare(that, locales, options). Locales are ignored: every one gets the root rules.
JSValue CompareStrings(JSContext* context, JSValueConst self, int count, JSValueConst* arguments) {
  if (JS_IsNull(self) || JS_IsUndefined(self)) {
    return JS_ThrowTypeError(context, "localeCompare needs a string before the dot");
  }
  const auto a = Units(context, self);
  if (!a) return JS_EXCEPTION;
  const auto b = Units(context, count > 0 ? arguments[0] : JS_UNDEFINED);
  if (!b) return JS_EXCEPTION;
  const auto options = ReadOptions(context, count > 2 ? arguments[2] : JS_UNDEFINED);
  if (!options) return JS_EXCEPTION;
  if (std::max(a->size(), b->size()) > limits::kCollateUnitsMax) {
    return JS_ThrowRangeError(context, "localeCompare: a text is too long");
  }
  const int order = LocaleCompare(*a, *b, *options);
  return JS_NewInt32(context, (order > 0) - (order < 0));
}

bool AddLocaleCompare(JSContext* context, JSValueConst global) {
  const JsHandle constructor(context, JS_GetPropertyStr(context, global, "String"));
  const JsHandle prototype(context, JS_GetPropertyStr(context, constructor.get(), "prototype"));
  const JSValue function = JS_NewCFunction(context, CompareStrings, "localeCompare", 1);
  if (prototype.is_exception() || JS_IsException(function)) return false;
  constexpr int kHidden = JS_PROP_CONFIGURABLE | JS_PROP_WRITABLE;
  return JS_DefinePropertyValueStr(context, prototype.get(), "localeCompare", function, kHidden) >= 0;
}

constexpr int kLastMatchGroups = 9;

// RegExp.prototype.exec that remembers its last match. data: the engine's own exec, the array that holds the
// match.
JSValue ExecAndRemember(JSContext* context, JSValueConst self, int count, JSValueConst* arguments, int,
                        JSValue* data) {
  JsHandle match(context, JS_Call(context, data[0], self, count, arguments));
  if (match.is_exception()) return JS_EXCEPTION;
  if (JS_IsObject(match.get())) {
    const JSValue kept = JS_DupValue(context, match.get());
    if (JS_DefinePropertyValueUint32(context, data[1], 0, kept, JS_PROP_C_W_E) < 0) return JS_EXCEPTION;
  }
  return match.Release();
}

// The getter of RegExp.$1 and so on; `group` is its number, data the array of ExecAndRemember.
JSValue LastMatchGroup(JSContext* context, JSValueConst, int, JSValueConst*, int group, JSValue* data) {
  const JsHandle match(context, JS_GetPropertyUint32(context, data[0], 0));
  if (match.is_exception()) return JS_EXCEPTION;
  if (!JS_IsObject(match.get())) return JS_NewString(context, "");
  JsHandle text(context, JS_GetPropertyUint32(context, match.get(), static_cast<std::uint32_t>(group)));
  return JS_IsUndefined(text.get()) ? JS_NewString(context, "") : text.Release();
}

using AddIntrinsic = int (*)(JSContext*);
constexpr AddIntrinsic kIntrinsics[] = {
    JS_AddIntrinsicBaseObjects, JS_AddIntrinsicDate,    JS_AddIntrinsicEval,   JS_AddIntrinsicRegExp,
    JS_AddIntrinsicJSON,        JS_AddIntrinsicProxy,   JS_AddIntrinsicMapSet, JS_AddIntrinsicTypedArrays,
    JS_AddIntrinsicPromise,     JS_AddIntrinsicWeakRef,
};

// Takes the time and a seed. A proxy, so that `new Date()` and `Date()` know the time as well as Date.now().
constexpr char kFixWorld[] = R"js((now, seed) => {
  const date = Date;
  const fixed = new Proxy(date, {
    construct: (target, args, made) => Reflect.construct(target, args.length === 0 ? [now] : args, made),
    apply: (target) => new target(now).toString(),
  });
  date.now = () => now;
  date.prototype.constructor = fixed;
  globalThis.Date = fixed;
  let state = seed;
  Math.random = () => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), 1 | state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return ((bits ^ (bits >>> 14)) >>> 0) / 4294967296;
  };
})js";

constexpr char kAddIntl[] = R"js(() => {
  function Collator(locales, options) {
    const made = Object.create(Collator.prototype);
    const compare = (a, b) => String(a).localeCompare(String(b), locales, options);
    return Object.defineProperty(made, 'compare', { value: compare });
  }
  const value = Object.create(Object.prototype, { Collator: { value: Collator, writable: true } });
  Object.defineProperty(globalThis, 'Intl', { value, writable: true, configurable: true });
})js";

// Calls a function of ours that is written in JavaScript. False with an exception pending.
template <std::size_t kSize>
bool CallOurs(JSContext* context, const char (&source)[kSize], std::vector<double> numbers) {
  const JsHandle function(context, JS_Eval(context, source, kSize - 1, "assay", JS_EVAL_TYPE_GLOBAL));
  if (function.is_exception()) return false;
  std::vector<JSValue> arguments;  // numbers own nothing
  for (const double number : numbers) arguments.push_back(JS_NewFloat64(context, number));
  const JsHandle result(context, JS_Call(context, function.get(), JS_UNDEFINED,
                                         static_cast<int>(arguments.size()), arguments.data()));
  return !result.is_exception();
}

}  // namespace

JSContext* NewRealm(JSRuntime* runtime) {
  JSContext* context = JS_NewContextRaw(runtime);
  if (context == nullptr) return nullptr;
  for (const AddIntrinsic add : kIntrinsics) {
    if (add(context) != 0) return nullptr;
  }
  const JsHandle global(context, JS_GetGlobalObject(context));
  const bool complete = AddConsole(context, global.get()) && AddLocaleCompare(context, global.get());
  return complete ? context : nullptr;
}

bool FixWorld(JSContext* context, const ScriptWorld& world) {
  return CallOurs(context, kFixWorld, {static_cast<double>(world.now_ms), static_cast<double>(world.seed)});
}

bool AddIntl(JSContext* context) { return CallOurs(context, kAddIntl, {}); }

bool AddLastMatch(JSContext* context) {
  const JsHandle global(context, JS_GetGlobalObject(context));
  const JsHandle constructor(context, JS_GetPropertyStr(context, global.get(), "RegExp"));
  const JsHandle prototype(context, JS_GetPropertyStr(context, constructor.get(), "prototype"));
  JsHandle exec(context, JS_GetPropertyStr(context, prototype.get(), "exec"));
  JsHandle holder(context, JS_NewArray(context));
  if (exec.is_exception() || holder.is_exception()) return false;
  JSValueConst data[] = {exec.get(), holder.get()};
  const JSValue remembering = JS_NewCFunctionData(context, ExecAndRemember, 1, 0, 2, data);
  constexpr int kHidden = JS_PROP_CONFIGURABLE | JS_PROP_WRITABLE;
  if (JS_IsException(remembering) ||
      JS_DefinePropertyValueStr(context, prototype.get(), "exec", remembering, kHidden) < 0) {
    return false;
  }
  for (int group = 1; group <= kLastMatchGroups; ++group) {
    const JSValue getter = JS_NewCFunctionData(context, LastMatchGroup, 0, group, 1, &data[1]);
    if (JS_IsException(getter)) return false;
    const std::string name = "$" + std::to_string(group);
    const JSAtom atom = JS_NewAtom(context, name.c_str());
    const int defined =
        JS_DefinePropertyGetSet(context, constructor.get(), atom, getter, JS_UNDEFINED, JS_PROP_CONFIGURABLE);
    JS_FreeAtom(context, atom);
    if (defined < 0) return false;
  }
  return true;
}

}  // namespace assay
