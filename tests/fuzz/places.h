// What readers promise of places: every value that they yield lies within the text.
#pragma once

#include <cstddef>

#include "base/errors/assert.h"
#include "text/value.h"

namespace assay {

inline void CheckPlaces(const Value& value, std::size_t size_bytes) {
  ASSAY_ASSERT(value.span.offset <= size_bytes && value.span.length <= size_bytes - value.span.offset);
  if (value.is_list()) {
    for (const Value& element : value.AsList()) CheckPlaces(element, size_bytes);
  }
  if (value.is_map()) {
    for (const Member& member : value.AsMap()) CheckPlaces(member.value, size_bytes);
  }
}

}  // namespace assay
