// Lists where two JSON values differ, with a path and short excerpts of both, for `assay cache explain`.
#pragma once

#include <string>
#include <vector>

#include "text/value.h"

namespace assay {

struct JsonDifference {
  std::string path;    // "messages[1].text"
  std::string before;  // as JSON; around the first difference of long texts; "nothing" if it is not there
  std::string after;
};

// In the order of `before`, then what only `after` has. Maps are compared by name, lists by place.
std::vector<JsonDifference> DifferencesOf(const Value& before, const Value& after);

}  // namespace assay
