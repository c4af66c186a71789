// Calls of tools as part of an answer's text: how checks, judges and people see them.
#pragma once

#include <string>

#include "spec/request.h"

namespace assay {

// The reply's text with a line before it for each call: `TOOL_CALL {"name", "arguments"}`. Arguments that are
// no JSON stand there as a text; none, nowhere.
std::string TextWithCalls(const ModelReply& reply);

}  // namespace assay
