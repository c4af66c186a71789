// Writes TOOL_CALL lines, and counts the bytes of messages and tools.
#include "spec/exchange/tool_calls.h"

#include "spec/suite/asked_members.h"
#include "text/json/json.h"
#include "text/object.h"

namespace assay {

std::string TextWithCalls(const ModelReply& reply) {
  if (reply.tool_calls.empty()) return reply.text;
  std::string text;
  for (const ToolCall& call : reply.tool_calls) {
    Map line = Object{{"name", call.name}};
    if (!call.arguments.empty()) {
      Result<Value> arguments = ParseJson(call.arguments);
      line.Append("arguments", arguments ? *std::move(arguments) : Value(call.arguments));
    }
    text += "TOOL_CALL ";
    AppendJson(Value(std::move(line)), JsonStyle::kJavaScript, text);
    text += '\n';
  }
  if (reply.text.empty()) text.pop_back();
  return text + reply.text;
}

std::string ToolsText(const std::vector<ToolSpec>& tools) {
  std::string text;
  for (const ToolSpec& tool : tools) {
    text += tool.name + '\n' + tool.description + '\n';
    AppendJson(tool.parameters, JsonStyle::kJavaScript, text);
    text += '\n';
  }
  return text;
}

std::size_t BytesToRead(const ModelRequest& request) {
  std::size_t bytes = 0;
  for (const Message& message : request.messages) {
    // A turn that goes back as it came says its text and calls itself.
    if (!message.parts.empty()) {
      bytes += message.parts.size();
      continue;
    }
    bytes += message.text.size();
    for (const ToolCall& call : message.calls)
      bytes += call.name.size() + call.arguments.size() + call.seal.size();
  }
  return bytes + ToolsText(request.tools).size() + BytesOfExtra(request.params.extra);
}

std::int64_t MediaTokensToRead(const ModelRequest& request) {
  std::int64_t tokens = 0;
  for (const Message& message : request.messages) tokens += MediaTokens(message.media);
  return tokens;
}

}  // namespace assay
