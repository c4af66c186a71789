// ParseStored: ParseJson for the records of a store, which may be a stranger's. A value takes sixty bytes of
// memory and two of text, and packed text takes hardly any: so what is stored in little has few values.
#pragma once

#include <cstddef>
#include <string_view>

#include "base/errors/result.h"
#include "text/json/json.h"

namespace assay {

// As ParseJson; the values of the text are taken off `values_left`. kLimit: there are more of them, or more
// than any record has.
Result<Value> ParseStored(std::string_view text, std::size_t& values_left);
// Of a record that is stored in so many bytes.
Result<Value> ParseStoredIn(std::size_t stored_bytes, std::string_view text);

}  // namespace assay
