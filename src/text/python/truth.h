// What Python takes for the truth, of a member.
#pragma once

#include <string_view>

#include "text/python/text.h"
#include "text/value.h"

namespace assay {

// Absent is false.
inline bool IsPythonTrueAt(const Value& map, std::string_view key) {
  const Value* value = map.Find(key);
  return value != nullptr && PythonTruth(*value);
}

}  // namespace assay
