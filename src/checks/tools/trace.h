// Reads the tool calls that an answer writes down, one a line: TOOL_CALL {"name": "search", "arguments":
// {...}} (spec: blueprint 11.9). Lines that are no such call are ignored, code fences too.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "text/value.h"

namespace assay {

struct TracedCall {
  std::string name;
  Value arguments;  // undefined if the call names none
};

// In the order of the text. At most one call a line; a line's JSON obeys the limits of text/json/json.h.
std::vector<TracedCall> ParseToolTrace(std::string_view text);

}  // namespace assay
