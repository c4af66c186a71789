// Creates the realm, and installs console, localeCompare, Intl.Collator, toLocaleString, Math.cbrt, Date and
// Math.random.
#include "text/script/realm.h"

#include <algorithm>
#include <bit>
#include <cmath>
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

// The cube root as V8 rounds it, but for the last digit of a few: glibc's of 1000 is no 10. One step of
// Newton's from the root in 23 bits is exact wherever the root is a number of few digits.
double CubeRoot(double number) {
  if (number == 0 || !std::isfinite(number)) return number;
  constexpr std::uint64_t kUnit = std::uint64_t{1} << 30;
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(std::cbrt(number)) + 2 * kUnit;
  const double rough = std::bit_cast<double>(bits / kUnit * kUnit);
  const double third = number / (rough * rough);
  return rough + rough * ((third - rough) / (rough + rough + third));
}

JSValue ComputeCubeRoot(JSContext* context, JSValueConst, int count, JSValueConst* arguments) {
  double number = 0;
  if (JS_ToFloat64(context, &number, count > 0 ? arguments[0] : JS_UNDEFINED) != 0) return JS_EXCEPTION;
  return JS_NewFloat64(context, CubeRoot(number));
}

bool AddCubeRoot(JSContext* context, JSValueConst global) {
  const JsHandle math(context, JS_GetPropertyStr(context, global, "Math"));
  const JSValue function = JS_NewCFunction(context, ComputeCubeRoot, "cbrt", 1);
  if (math.is_exception() || JS_IsException(function)) return false;
  constexpr int kHidden = JS_PROP_CONFIGURABLE | JS_PROP_WRITABLE;
  return JS_DefinePropertyValueStr(context, math.get(), "cbrt", function, kHidden) >= 0;
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
  function NumberFormat(locales, options) {
    const made = Object.create(NumberFormat.prototype);
    const format = (number) => Number(number).toLocaleString(locales, options);
    return Object.defineProperty(made, 'format', { value: format });
  }
  const value = Object.create(Object.prototype, {
    Collator: { value: Collator, writable: true },
    NumberFormat: { value: NumberFormat, writable: true },
  });
  Object.defineProperty(globalThis, 'Intl', { value, writable: true, configurable: true });
})js";

constexpr char kAddStructuredClone[] = R"js(() => {
  const copy = (value, seen) => {
    if (typeof value === 'function' || typeof value === 'symbol')
      throw new TypeError('structuredClone copies no functions and no symbols');
    if (typeof value !== 'object' || value === null) return value;
    if (seen.has(value)) return seen.get(value);
    const keep = (made) => (seen.set(value, made), made);
    if (value instanceof Date) return keep(new Date(value.getTime()));
    if (value instanceof RegExp) return keep(new RegExp(value.source, value.flags));
    if (value instanceof Map) {
      const made = keep(new Map());
      for (const [key, item] of value) made.set(copy(key, seen), copy(item, seen));
      return made;
    }
    if (value instanceof Set) {
      const made = keep(new Set());
      for (const item of value) made.add(copy(item, seen));
      return made;
    }
    const made = keep(Array.isArray(value) ? new Array(value.length) : {});
    for (const key of Object.keys(value)) made[key] = copy(value[key], seen);
    return made;
  };
  const value = (given) => copy(given, new Map());
  Object.defineProperty(globalThis, 'structuredClone', { value, writable: true, configurable: true });
})js";

// What toLocaleString() and its kin say where nothing else is asked for: en-US, as Node does without a
// setting. Other languages, options and dates throw, so that no point scores by words that nobody has here.
constexpr char kAddLocaleForms[] = R"js(() => {
  const refuse = (what) => {
    throw new RangeError(`${what} knows en-US without options here`);
  };
  const namedFirst = (locales) => (typeof locales === 'string' ? locales : Array.from(locales ?? [])[0]);
  const check = (what, locales, options) => {
    const first = namedFirst(locales);
    if (first !== undefined && first !== 'en-US' && first !== 'en') refuse(what);
    if (options === undefined) return;
    if (typeof options !== 'object' || options === null || Reflect.ownKeys(options).length > 0) refuse(what);
  };
  const grouped = (digits) => digits.replace(/\B(?=(?:\d{3})+$)/g, ',');
  // The shortest digits that name the number, as [digits, places in front of the point].
  const decimal = (number) => {
    const [, first, rest = '', power] = /^(\d)(?:\.(\d+))?e(.+)$/.exec(number.toExponential());
    return [first + rest, Number(power) + 1];
  };
  const shown = (number) => {
    if (number !== number) return 'NaN';
    const sign = number < 0 || Object.is(number, -0) ? '-' : '';
    if (Math.abs(number) === Infinity) return sign + '\u221e';
    const [digits, point] = decimal(Math.abs(number));
    const padded = '0'.repeat(Math.max(0, 1 - point)) + digits.padEnd(point + 4, '0');
    const whole = Math.max(point, 1);
    // Three places behind the point; halves go away from zero.
    let thousandths = BigInt(padded.slice(0, whole + 3));
    if (padded[whole + 3] >= '5') thousandths += 1n;
    const text = String(thousandths).padStart(4, '0');
    const part = text.slice(-3).replace(/0+$/, '');
    return sign + grouped(text.slice(0, -3)) + (part === '' ? '' : '.' + part);
  };
  const set = (holder, name, made) =>
    Object.defineProperty(holder, name, { value: made, writable: true, configurable: true });
  const number = Number.prototype.valueOf;
  set(Number.prototype, 'toLocaleString', function toLocaleString(locales, options) {
    const value = number.call(this);
    check('toLocaleString', locales, options);
    return shown(value);
  });
  const bigint = BigInt.prototype.valueOf;
  set(BigInt.prototype, 'toLocaleString', function toLocaleString(locales, options) {
    const text = String(bigint.call(this));
    check('toLocaleString', locales, options);
    return text[0] === '-' ? '-' + grouped(text.slice(1)) : grouped(text);
  });
  for (const holder of [Array.prototype, Object.getPrototypeOf(Int8Array.prototype)]) {
    set(holder, 'toLocaleString', function toLocaleString(locales, options) {
      const items = Array.from(this);
      return items.map((item) => (item == null ? '' : item.toLocaleString(locales, options))).join();
    });
  }
  for (const name of ['toLocaleString', 'toLocaleDateString', 'toLocaleTimeString']) {
    set(Date.prototype, name, () => {
      throw new RangeError(`${name} of dates does not exist here; use toISOString`);
    });
  }
  for (const name of ['toLocaleUpperCase', 'toLocaleLowerCase']) {
    const plain = String.prototype[name.replace('Locale', '')];
    set(String.prototype, name, function (locales) {
      if (/^(tr|az|lt|el|hy)(-|$)/i.test(namedFirst(locales))) refuse(name);
      return plain.call(this);
    });
  }
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
  const bool complete = AddConsole(context, global.get()) && AddLocaleCompare(context, global.get()) &&
                        AddCubeRoot(context, global.get());
  return complete ? context : nullptr;
}

bool FixWorld(JSContext* context, const ScriptWorld& world) {
  return CallOurs(context, kFixWorld, {static_cast<double>(world.now_ms), static_cast<double>(world.seed)});
}

bool AddIntl(JSContext* context) { return CallOurs(context, kAddIntl, {}); }

bool AddStructuredClone(JSContext* context) { return CallOurs(context, kAddStructuredClone, {}); }

bool AddLocaleForms(JSContext* context) { return CallOurs(context, kAddLocaleForms, {}); }

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

bool AddWhatIsNamed(JSContext* context, std::string_view source, const ScriptWorld& world) {
  const auto names = [&](std::string_view what) { return source.find(what) != std::string_view::npos; };
  return (!(names("Date") || names("random")) || FixWorld(context, world)) &&
         (!names("Intl") || AddIntl(context)) &&
         (!(names("toLocale") || names("NumberFormat")) || AddLocaleForms(context)) &&
         (!names("structuredClone") || AddStructuredClone(context)) &&
         (!names("RegExp") || AddLastMatch(context));
}

}  // namespace assay
