// Reading a reply of Anthropic's messages protocol, for the provider and for custom models of its family.
#pragma once

#include "base/result.h"
#include "spec/request.h"
#include "text/value.h"

namespace assay {

Result<ModelReply> DecodeAnthropicBody(const Value& body);
// Every system message of a conversation, blank lines between; "" if there is none.
std::string SystemText(const std::vector<Message>& messages);
std::vector<Message> WithoutSystem(const std::vector<Message>& messages);

}  // namespace assay
