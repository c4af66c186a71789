// What a script finds.
#include "text/script_realm.h"

#include <algorithm>
#include <optional>

#include "base/limits.h"
#include "base/utf8.h"
#include "text/collate.h"
#include "text/script_values.h"

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

using AddIntrinsic = int (*)(JSContext*);
constexpr AddIntrinsic kIntrinsics[] = {
    JS_AddIntrinsicBaseObjects, JS_AddIntrinsicDate,    JS_AddIntrinsicEval,   JS_AddIntrinsicRegExp,
    JS_AddIntrinsicJSON,        JS_AddIntrinsicProxy,   JS_AddIntrinsicMapSet, JS_AddIntrinsicTypedArrays,
    JS_AddIntrinsicPromise,     JS_AddIntrinsicWeakRef,
};

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

}  // namespace assay
