// Members of one kind, where an empty one is no absent one: each is null if there is no member of that kind.
// Where empty and absent are the same, Value's TextAt, ListAt and MapAt say it shorter.
#pragma once

#include <string>
#include <string_view>

#include "text/value.h"

namespace assay {

// `Owner` is a Value or a Map.
template <class Owner>
const std::string* FindText(const Owner& owner, std::string_view key) {
  const Value* value = owner.Find(key);
  return value != nullptr && value->is_string() ? &value->AsString() : nullptr;
}
template <class Owner>
const List* FindList(const Owner& owner, std::string_view key) {
  const Value* value = owner.Find(key);
  return value != nullptr && value->is_list() ? &value->AsList() : nullptr;
}
template <class Owner>
const Map* FindMap(const Owner& owner, std::string_view key) {
  const Value* value = owner.Find(key);
  return value != nullptr && value->is_map() ? &value->AsMap() : nullptr;
}

// The text that `value` is itself, or that it has as a member: "a", or {content: "a"}.
inline const std::string* FindOwnText(const Value& value, std::string_view key) {
  return value.is_string() ? &value.AsString() : FindText(value, key);
}

}  // namespace assay
