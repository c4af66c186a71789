// PointItem: one rubric point as graders see it, a criterion or a function call (spec: blueprint 12.1). Also
// reads the forms that a `$ref` to a mapping leaves as they were written.
#pragma once

#include <optional>
#include <string>

#include "base/errors/diagnostics.h"
#include "text/value.h"

namespace assay::blueprint {

struct PointItem {
  bool is_function = false;
  std::string function;  // is_function
  Value args;            // is_function; undefined if there are none
  std::string text;      // the criterion, or `Function: NAME(ARGS)`
  double multiplier = 1;
  Value citation;    // undefined if there is none
  Value extract;     // the same
  std::string name;  // of its score; "" if there is none
  Span span;
};

// What a definition that a `$ref` copied may call its weight.
enum class WeightNames { kBoth, kOnlyMultiplier };

// Nothing, with an error naming `prompt`, if the point is neither.
std::optional<PointItem> ReadPointItem(const Value& point, std::string_view prompt, WeightNames weights,
                                       Diagnostics& diagnostics);

}  // namespace assay::blueprint
