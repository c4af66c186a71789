// Chat replies that come as server-sent events, and the parts of replies that both forms share.
#pragma once

#include <string_view>

#include "base/result.h"
#include "spec/request.h"
#include "text/value.h"

namespace assay {

// The whole stream, put together. kCorrupt if it ends before the model did.
Result<ModelReply> DecodeChatStream(std::string_view stream);

// [{"function":{"name","arguments": JSON text}}] -> [{name, arguments}]; undefined if there are none.
// Arguments that are no JSON stay text.
Value ToolCallsOf(const Value& calls);
Usage ChatUsage(const Value& usage);

}  // namespace assay
