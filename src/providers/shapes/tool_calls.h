// Writes tools and reads tool calls in the forms of the chat, Responses, Anthropic and Google protocols.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/errors/result.h"
#include "spec/exchange/request.h"
#include "text/value.h"

namespace assay {

// `tools` of a request in the words of each protocol: JSON.
std::string ChatTools(const std::vector<ToolSpec>& tools);
std::string ResponsesTools(const std::vector<ToolSpec>& tools);
std::string AnthropicTools(const std::vector<ToolSpec>& tools);
std::string GoogleTools(const std::vector<ToolSpec>& tools);
// `tool_choice`, which is not "".
std::string AnthropicToolChoice(std::string_view choice);
std::string GoogleToolConfig(std::string_view choice);

// A call's arguments where the protocol wants JSON as a text: "{}" for none.
std::string_view ArgumentsText(const ToolCall& call);
// Where it wants an object: {} for anything else.
Value ArgumentsObject(const ToolCall& call);

// A member that holds arguments, as a text of JSON or as its value; "" if it is not there.
std::string ArgumentsOf(const Value* arguments);
// Where a call of the chat protocol says what it calls: {"function": {"name","arguments"}}, or {"custom":
// {"name","input"}} of a tool that takes a text. Null: nowhere.
struct CalledTool {
  const Value* called = nullptr;
  std::string_view arguments = {};  // the member that has them
};
CalledTool CalledToolOf(const Value& call);
// The one call of a message's older member {"function_call": {"name","arguments"}} as today's have it.
Value AsCall(const Value& function_call);
// The calls of a message of the chat protocol.
std::vector<ToolCall> ChatCalls(const Value& message);

// Gives every call an id of its own: "call_0", "call_1", ... by its place where the service gave none, one
// that another call of the reply or of `said` has, or one that is no sensible name. kLimit: more calls, or
// longer arguments, than a reply may have.
Status NameCalls(std::vector<ToolCall>& calls, const std::vector<Message>& said = {});
// Whether a call's seal is the signed thoughts of Anthropic's protocol, a list of blocks in JSON; that of
// Google's is one word.
bool IsSealOfThoughts(std::string_view seal);
// Whether an id may be one that NameCalls has made.
bool IsMadeCallId(std::string_view id);

}  // namespace assay
