// Reading and writing Google's generateContent protocol, for the provider and for custom models of its
// family.
#pragma once

#include "base/result.h"
#include "spec/request.h"
#include "text/value.h"

namespace assay {

Result<ModelReply> DecodeGoogleBody(const Value& body);
// [{"role": "user"|"model", "parts": [{"text"}]}...] without system messages.
Value GoogleContents(const std::vector<Message>& messages);
// {"parts":[{"text"}]}
Value GoogleSystem(const std::string& text);

}  // namespace assay
