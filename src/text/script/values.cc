// Builds engine values from Value trees, and reads the JSON-like part of engine values back.
#include "text/script/values.h"

#include <cstdint>
#include <utility>

#include "base/limits.h"
#include "base/text/utf8.h"
#include "text/limits.h"

namespace assay {

namespace {

// The own enumerable string keys of an object.
class OwnKeys {
 public:
  OwnKeys(JSContext* context, JSValueConst object) : context_(context) {
    failed_ =
        JS_GetOwnPropertyNames(context, &keys_, &count_, object, JS_GPN_STRING_MASK | JS_GPN_ENUM_ONLY) < 0;
  }
  ~OwnKeys() {
    if (!failed_) JS_FreePropertyEnum(context_, keys_, count_);
  }
  OwnKeys(const OwnKeys&) = delete;
  OwnKeys& operator=(const OwnKeys&) = delete;

  bool failed() const { return failed_; }
  std::uint32_t count() const { return count_; }
  JSAtom at(std::uint32_t i) const { return keys_[i].atom; }

 private:
  JSContext* context_;
  JSPropertyEnum* keys_ = nullptr;
  std::uint32_t count_ = 0;
  bool failed_ = false;
};

class Reader {
 public:
  explicit Reader(JSContext* context) : context_(context) {
    const JsHandle plain(context, JS_NewObject(context));
    plain_class_ = JS_GetClassID(plain.get());
  }

  FromJs Read(JSValueConst value, std::size_t depth, Value& out) {
    if (++nodes_ > limits::kScriptResultNodesMax || depth > limits::kScriptResultDepthMax)
      return FromJs::kTooLarge;
    if (JS_IsUndefined(value)) return Set(out, Undefined{});
    if (JS_IsNull(value)) return Set(out, Null{});
    if (JS_IsBool(value)) return Set(out, JS_VALUE_GET_BOOL(value) != 0);
    if (JS_IsNumber(value)) return ReadNumber(value, out);
    if (JS_IsString(value)) return ReadString(value, out);
    if (!JS_IsObject(value)) return FromJs::kNoForm;
    if (JS_IsDate(value)) return ReadDate(value, out);
    if (JS_IsProxy(value) || JS_IsFunction(context_, value)) return FromJs::kNoForm;
    if (JS_IsArray(value)) return ReadArray(value, depth, out);
    if (JS_GetClassID(value) != plain_class_) return FromJs::kNoForm;
    return ReadObject(value, depth, out);
  }

 private:
  template <class T>
  static FromJs Set(Value& out, T value) {
    out = Value(std::move(value));
    return FromJs::kDone;
  }
  static FromJs Set(Value& out, Undefined) {
    out = Value();
    return FromJs::kDone;
  }

  FromJs ReadNumber(JSValueConst value, Value& out) {
    double number = 0;
    if (JS_ToFloat64(context_, &number, value) < 0) return FromJs::kException;
    return Set(out, number);
  }

  FromJs ReadString(JSValueConst value, Value& out) {
    auto text = StringFromJs(context_, value);
    if (!text) return FromJs::kException;
    bytes_ += text->size();
    if (bytes_ > limits::kReplyBytesMax) return FromJs::kTooLarge;
    return Set(out, *std::move(text));
  }

  // A Date that holds no time (NaN) has no form.
  FromJs ReadDate(JSValueConst value, Value& out) {
    double ms = 0;
    if (JS_ToFloat64(context_, &ms, value) < 0) return FromJs::kException;
    constexpr double kLastMs = 8.64e15;
    if (!(ms >= -kLastMs && ms <= kLastMs)) return FromJs::kNoForm;
    return Set(out, Date{static_cast<std::int64_t>(ms)});
  }

  FromJs ReadArray(JSValueConst array, std::size_t depth, Value& out) {
    std::int64_t length = 0;
    if (JS_GetLength(context_, array, &length) < 0) return FromJs::kException;
    List list;
    for (std::int64_t i = 0; i < length; ++i) {
      const JsHandle element(context_, JS_GetPropertyInt64(context_, array, i));
      Value read;
      const FromJs outcome =
          element.is_exception() ? FromJs::kException : Read(element.get(), depth + 1, read);
      if (outcome == FromJs::kTooLarge || outcome == FromJs::kException) return outcome;
      list.push_back(std::move(read));
    }
    return Set(out, std::move(list));
  }

  FromJs ReadObject(JSValueConst object, std::size_t depth, Value& out) {
    const OwnKeys keys(context_, object);
    if (keys.failed()) return FromJs::kException;
    Map map;
    for (std::uint32_t i = 0; i < keys.count(); ++i) {
      const JsHandle key(context_, JS_AtomToString(context_, keys.at(i)));
      const JsHandle member(context_, JS_GetProperty(context_, object, keys.at(i)));
      if (key.is_exception() || member.is_exception()) return FromJs::kException;
      Value name;
      Value read;
      FromJs outcome = Read(member.get(), depth + 1, read);
      if (outcome == FromJs::kNoForm) continue;
      if (outcome == FromJs::kDone) outcome = ReadString(key.get(), name);
      if (outcome != FromJs::kDone) return outcome;
      map.Append(name.AsString(), std::move(read));
    }
    return Set(out, std::move(map));
  }

  JSContext* context_;
  JSClassID plain_class_ = 0;
  std::size_t nodes_ = 0;
  std::size_t bytes_ = 0;
};

JSValue ListToJs(JSContext* context, const List& list) {
  JsHandle array(context, JS_NewArray(context));
  if (array.is_exception()) return JS_EXCEPTION;
  std::uint32_t index = 0;
  for (const Value& element : list) {
    const JSValue copy = ToJs(context, element);
    if (JS_IsException(copy)) return JS_EXCEPTION;
    if (JS_DefinePropertyValueUint32(context, array.get(), index++, copy, JS_PROP_C_W_E) < 0)
      return JS_EXCEPTION;
  }
  return array.Release();
}

JSValue MapToJs(JSContext* context, const Map& map) {
  JsHandle object(context, JS_NewObject(context));
  if (object.is_exception()) return JS_EXCEPTION;
  for (const Member& member : map) {
    const JsHandle key(context, StringToJs(context, member.key));
    if (key.is_exception()) return JS_EXCEPTION;
    const JSAtom atom = JS_ValueToAtom(context, key.get());
    const JSValue copy = atom == JS_ATOM_NULL ? JS_EXCEPTION : ToJs(context, member.value);
    // Defined, not assigned: a member named __proto__ is an ordinary member.
    const bool defined = !JS_IsException(copy) &&
                         JS_DefinePropertyValue(context, object.get(), atom, copy, JS_PROP_C_W_E) >= 0;
    JS_FreeAtom(context, atom);
    if (!defined) return JS_EXCEPTION;
  }
  return object.Release();
}

}  // namespace

JSValue StringToJs(JSContext* context, std::string_view text) {
  if (IsAscii(text)) return JS_NewStringLen(context, text.data(), text.size());
  const std::u16string units = ToUtf16(text);
  return JS_NewStringUTF16(context, reinterpret_cast<const std::uint16_t*>(units.data()), units.size());
}

JSValue ToJs(JSContext* context, const Value& value) {
  switch (value.kind()) {
    case ValueKind::kUndefined:
      return JS_UNDEFINED;
    case ValueKind::kNull:
      return JS_NULL;
    case ValueKind::kBool:
      return JS_NewBool(context, value.AsBool());
    case ValueKind::kInt:
    case ValueKind::kDouble:
      return JS_NewNumber(context, value.AsNumber());
    case ValueKind::kString:
      return StringToJs(context, value.AsString());
    case ValueKind::kDate:
      return JS_NewDate(context, static_cast<double>(value.AsDate().ms));
    case ValueKind::kBinary: {
      const std::string& bytes = value.AsBinary().bytes;
      return JS_NewUint8ArrayCopy(context, reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
    }
    case ValueKind::kList:
      return ListToJs(context, value.AsList());
    case ValueKind::kMap:
      return MapToJs(context, value.AsMap());
  }
  return JS_UNDEFINED;
}

std::optional<std::string> StringFromJs(JSContext* context, JSValueConst string) {
  std::size_t size_bytes = 0;
  const char* text = JS_ToCStringLen2(context, &size_bytes, string, false);
  if (text == nullptr) return std::nullopt;
  std::string copy(text, size_bytes);
  JS_FreeCString(context, text);
  return copy;
}

FromJs ValueFromJs(JSContext* context, JSValueConst value, Value& out) {
  return Reader(context).Read(value, 0, out);
}

}  // namespace assay
