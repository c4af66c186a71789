// Builds objects and lists of values in one expression: Object{{"a", x}, {"b", y}}, Array(x, y) and
// ArrayOf(range, value_of).
//
// A member takes whatever a Value takes, and moves what is moved. An unsigned number becomes a JavaScript
// number, as int does; an int64 stays a whole number (see Number). A member without a value is left out: an
// undefined Value, an empty optional. A list keeps each of its items.
// Members keep the order in which they are written; of two with one key, the second value stands in the
// place of the first, as in a literal of JavaScript.
#pragma once

#include <concepts>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

#include "text/value.h"

namespace assay {

template <class T>
Value ToValue(T&& given) {
  using Given = std::remove_cvref_t<T>;
  static_assert(!std::is_pointer_v<Given> || std::is_convertible_v<T, std::string_view>,
                "a pointer is no value: write what it points at");
  if constexpr (std::unsigned_integral<Given> && !std::same_as<Given, bool>) {
    return Value(static_cast<double>(given));
  } else {
    return Value(std::forward<T>(given));
  }
}
template <class T>
Value ToValue(const std::optional<T>& given) {
  return given ? ToValue(*given) : Value();
}
template <class T>
Value ToValue(std::optional<T>&& given) {
  return given ? ToValue(*std::move(given)) : Value();
}
template <class T>
Value ToValue(std::optional<T>& given) {
  return ToValue(std::as_const(given));
}

// A JavaScript number, of a signed 64-bit number, too.
template <class T>
double Number(T number) {
  static_assert(std::is_arithmetic_v<T>);
  return static_cast<double>(number);
}
template <class T>
std::optional<double> Number(const std::optional<T>& number) {
  return number ? std::optional<double>(Number(*number)) : std::nullopt;
}

// A member's value that is left out unless `is_there`; the value is worked out in both cases.
template <class T>
Value When(bool is_there, T&& value) {
  return is_there ? ToValue(std::forward<T>(value)) : Value();
}
// Null in place of an empty optional.
template <class T>
Value OrNull(const std::optional<T>& value) {
  return value ? ToValue(*value) : Value(Null{});
}
// A text, list or map that is left out if it is empty.
template <class T>
Value UnlessEmpty(T&& value) {
  return value.empty() ? Value() : ToValue(std::forward<T>(value));
}

struct NewMember {
  template <class T>
  NewMember(std::string_view key, T&& value) : key(key), value(ToValue(std::forward<T>(value))) {}

  std::string_view key;
  mutable Value value;  // moved out of the braces
};

// Sets each member that has a value.
inline void Extend(Map& map, std::initializer_list<NewMember> members) {
  for (const NewMember& member : members) {
    if (!member.value.is_undefined()) map.Set(std::string(member.key), std::move(member.value));
  }
}

struct Object : Map {
  Object(std::initializer_list<NewMember> members) {
    Reserve(members.size());
    Extend(*this, members);
  }
};

template <class... T>
List Array(T&&... items) {
  List list;
  list.reserve(sizeof...(items));
  (list.push_back(ToValue(std::forward<T>(items))), ...);
  return list;
}

// The value of each item of a range.
template <class Range, class ValueOf>
List ArrayOf(Range&& range, const ValueOf& value_of) {
  List list;
  for (auto&& item : range) list.push_back(ToValue(value_of(item)));
  return list;
}
template <class Range>
List ArrayOf(Range&& range) {
  return ArrayOf(
      std::forward<Range>(range), [](const auto& item) -> const auto& { return item; });
}

}  // namespace assay
