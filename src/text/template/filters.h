// The filters of `{{ value | filter(…) }}`, a row each.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/errors/span.h"
#include "text/value.h"

namespace assay {

enum class FilterOutcome : std::uint8_t {
  kDone,
  kKind,  // the value, or an argument, is of the wrong kind
  kNone,  // what is wanted is not there
};

struct FilterRow {
  std::string_view name;
  std::string_view of;  // what it takes: "a text", "a list"
  std::size_t least_arguments = 0;
  std::size_t most_arguments = 0;
  FilterOutcome (*apply)(Value& value, std::span<const Value> arguments, const SourceFiles& sources);
  bool takes_null = false;
};

std::span<const FilterRow> FilterTable();
const FilterRow* FindFilter(std::string_view name);

}  // namespace assay
