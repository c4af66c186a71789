// What JavaScript takes for the truth, of a member.
#pragma once

#include <string_view>

#include "text/value.h"

namespace assay {

// Absent is false.
inline bool IsTruthyAt(const Map& map, std::string_view key) {
  const Value* value = map.Find(key);
  return value != nullptr && value->Truthy();
}
inline bool IsTruthyAt(const Value& value, std::string_view key) {
  return value.is_map() && IsTruthyAt(value.AsMap(), key);
}

}  // namespace assay
