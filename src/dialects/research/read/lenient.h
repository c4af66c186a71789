// Reads members of rows and summaries that any tool may have written, as Python would: int(value or 0) and
// the like; what Python refuses counts as 0.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "text/value.h"

namespace assay::research {

inline constexpr std::string_view kUnknownTool = "unknown_tool";

bool IsTrue(const Value& owner, std::string_view key);
std::int64_t CountOf(const Value& value);
std::int64_t CountAt(const Value* owner, std::string_view key);  // of a map; 0 of anything else
double NumberAt(const Value* owner, std::string_view key);
double NumberAt(const Value& owner, std::string_view key);
// str(value); `otherwise` if there is no such member.
std::string TextAt(const Value& owner, std::string_view key, std::string_view otherwise);
// Of a tool call.
std::string ToolName(const Value& call);

}  // namespace assay::research
