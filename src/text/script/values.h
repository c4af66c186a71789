// Converts values between our Value trees and the JavaScript engine. Internal to the script engine.
#pragma once

#include <quickjs.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "text/value.h"

namespace assay {

// An owned engine value.
class JsHandle {
 public:
  JsHandle(JSContext* context, JSValue value) : context_(context), value_(value) {}
  ~JsHandle() { JS_FreeValue(context_, value_); }
  JsHandle(const JsHandle&) = delete;
  JsHandle& operator=(const JsHandle&) = delete;

  JSValueConst get() const { return value_; }
  bool is_exception() const { return JS_IsException(value_); }
  JSValue Release() { return std::exchange(value_, JS_UNDEFINED); }

 private:
  JSContext* context_;
  JSValue value_;
};

// A deep copy; JS_EXCEPTION (with the engine's exception pending) when memory ran out.
JSValue ToJs(JSContext* context, const Value& value);
JSValue StringToJs(JSContext* context, std::string_view text);

// The text of an engine string as WTF-8; nothing when memory ran out.
std::optional<std::string> StringFromJs(JSContext* context, JSValueConst string);

enum class FromJs {
  kDone,
  kNoForm,     // the value, or something inside it that matters, has no form as a Value
  kTooLarge,   // limits::kScriptResultNodesMax, kScriptResultDepthMax or kReplyBytesMax
  kException,  // code of the script that ran during the conversion threw; the exception is pending
};
// A deep copy of undefined, null, booleans, numbers, texts, dates, arrays and plain objects: own enumerable
// members with string keys. Members that have no form are left out; in arrays they are undefined. Runs
// getters and proxy traps.
FromJs ValueFromJs(JSContext* context, JSValueConst value, Value& out);

}  // namespace assay
