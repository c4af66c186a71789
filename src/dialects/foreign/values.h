// Values that readers of other formats make: each has the place of what it was made of.
#pragma once

#include <string_view>
#include <utility>

#include "base/errors/span.h"
#include "text/object.h"
#include "text/value.h"

namespace assay::foreign {

template <class T>
Value PlacedAt(Span where, T&& given) {
  Value value = ToValue(std::forward<T>(given));
  value.span = where;
  return value;
}

// {key: value}, all of it at one place.
template <class T>
Value OneMember(Span where, std::string_view key, T&& given) {
  Map map;
  map.Append(std::string(key), PlacedAt(where, std::forward<T>(given)), where);
  return PlacedAt(where, std::move(map));
}

// {role, content}
inline Value MessageAt(Span where, std::string_view role, Value content) {
  Map message;
  message.Append("role", PlacedAt(where, role), where);
  message.Append("content", std::move(content), where);
  return PlacedAt(where, std::move(message));
}

}  // namespace assay::foreign
