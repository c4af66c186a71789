// Tool calls written into an answer's text (TOOL_CALL lines), as checks, judges and people see them; and the
// size of what a model is sent to read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "spec/exchange/request.h"

namespace assay {

// The reply's text with a line before it for each call: `TOOL_CALL {"name", "arguments"}`. Arguments that are
// no JSON stand there as a text; none, nowhere.
std::string TextWithCalls(const ModelReply& reply);

// What tells tools from others, and about as long as a model reads of them.
std::string ToolsText(const std::vector<ToolSpec>& tools);

// Of all that a model is sent to read: messages with their calls, and tools. For estimates.
std::size_t BytesToRead(const ModelRequest& request);
// And the tokens of what stands beside texts.
std::int64_t MediaTokensToRead(const ModelRequest& request);

}  // namespace assay
