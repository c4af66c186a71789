// Anthropic's messages protocol: writes messages and reads replies, for the provider `anthropic` and for
// custom models of its family.
#pragma once

#include <string_view>

#include "base/errors/result.h"
#include "providers/shapes/reply/endings.h"
#include "spec/exchange/request.h"
#include "text/value.h"

namespace assay {

// What every request says of the protocol, in the header `anthropic-version`.
inline constexpr std::string_view kAnthropicVersion = "2023-06-01";

Result<ModelReply> DecodeAnthropicBody(const Value& body, const EndWords& ends);
// Every system message of a conversation, blank lines between; "" if there is none.
std::string SystemText(const std::vector<Message>& messages);
std::vector<Message> WithoutSystem(const std::vector<Message>& messages);
// "messages" of a request, in JSON, with a mark at the end of each beginning in `repeated`
// (ModelRequest::repeated).
std::string AnthropicMessages(const std::vector<Message>& said,
                              const std::vector<std::uint32_t>& repeated = {});

}  // namespace assay
