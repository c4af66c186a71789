// Moves the places of a tree that was read from a part of a file.
#pragma once

#include "base/errors/span.h"
#include "text/value.h"

namespace assay::dataset {

// `moved` says where an offset of the part is in the file.
template <class Moved>
void MovePlaces(Value& value, FileId file, const Moved& moved) {
  value.span.file = file;
  value.span.offset = moved(value.span.offset);
  if (value.is_list()) {
    for (Value& item : value.AsList()) MovePlaces(item, file, moved);
  } else if (value.is_map()) {
    for (Member& member : value.AsMap()) {
      member.key_span.file = file;
      member.key_span.offset = moved(member.key_span.offset);
      MovePlaces(member.value, file, moved);
    }
  }
}

}  // namespace assay::dataset
