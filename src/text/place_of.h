// Where a member of a file stands, for messages on what is wrong with it.
#pragma once

#include <string_view>

#include "base/errors/span.h"
#include "text/value.h"

namespace assay {

inline Span PlaceOf(const Map& owner, std::string_view key, Span otherwise = {}) {
  const Value* value = owner.Find(key);
  return value == nullptr ? otherwise : value->span;
}
// The owner's place if there is no such member.
inline Span PlaceOf(const Value& owner, std::string_view key) {
  return owner.is_map() ? PlaceOf(owner.AsMap(), key, owner.span) : owner.span;
}

}  // namespace assay
