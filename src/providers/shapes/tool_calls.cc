// Writes tool schemas, reads arguments, and gives calls without an id one of our own.
#include "providers/shapes/tool_calls.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "providers/limits.h"
#include "providers/shapes/reply/reply_json.h"
#include "providers/shapes/request/json_body.h"
#include "text/found.h"
#include "text/json/json.h"
#include "text/object.h"

namespace assay {

namespace {

constexpr std::string_view kMadeId = "call_";

// The arguments of a tool that takes none.
constexpr std::string_view kNoParameters = R"({"type":"object","properties":{}})";

std::string SchemaText(const ToolSpec& tool) {
  return tool.parameters.is_map() ? WriteJson(tool.parameters, JsonStyle::kJavaScript)
                                  : std::string(kNoParameters);
}

// {"name","description",`schema_name`}, the last under the name that the protocol gives it.
JsonBody Described(const ToolSpec& tool, std::string_view schema_name, JsonBody body = {}) {
  body.Text("name", tool.name);
  if (!tool.description.empty()) body.Text("description", tool.description);
  body.Raw(schema_name, SchemaText(tool));
  return body;
}

template <class Write>
std::string ListOf(const std::vector<ToolSpec>& tools, Write write) {
  std::string list = "[";
  for (const ToolSpec& tool : tools) {
    if (list.size() > 1) list += ',';
    list += write(tool);
  }
  return list + "]";
}

bool IsSensibleId(std::string_view id) {
  return !id.empty() && id.size() <= limits::kCallIdBytesMax &&
         std::all_of(id.begin(), id.end(), [](char c) { return c > ' ' && c < '\x7F'; });
}

}  // namespace

std::string ChatTools(const std::vector<ToolSpec>& tools) {
  return ListOf(tools, [](const ToolSpec& tool) {
    JsonBody body;
    body.Text("type", "function");
    body.Raw("function", Described(tool, "parameters").Finish());
    return std::move(body).Finish();
  });
}

std::string ResponsesTools(const std::vector<ToolSpec>& tools) {
  return ListOf(tools, [](const ToolSpec& tool) {
    JsonBody body;
    body.Text("type", "function");
    body = Described(tool, "parameters", std::move(body));
    body.Bool("strict", false);
    return std::move(body).Finish();
  });
}

std::string AnthropicTools(const std::vector<ToolSpec>& tools) {
  return ListOf(tools, [](const ToolSpec& tool) { return Described(tool, "input_schema").Finish(); });
}

std::string GoogleTools(const std::vector<ToolSpec>& tools) {
  return fmt::format(R"([{{"functionDeclarations":{}}}])", ListOf(tools, [](const ToolSpec& tool) {
                       return Described(tool, "parametersJsonSchema").Finish();
                     }));
}

std::string AnthropicToolChoice(std::string_view choice) {
  JsonBody body;
  body.Text("type", choice == "required" ? "any" : choice);
  return std::move(body).Finish();
}

std::string GoogleToolConfig(std::string_view choice) {
  JsonBody mode;
  mode.Text("mode", choice == "required" ? "ANY" : choice == "none" ? "NONE" : "AUTO");
  JsonBody body;
  body.Raw("functionCallingConfig", std::move(mode).Finish());
  return std::move(body).Finish();
}

std::string_view ArgumentsText(const ToolCall& call) {
  return call.arguments.empty() ? std::string_view("{}") : std::string_view(call.arguments);
}

Value ArgumentsObject(const ToolCall& call) {
  Result<Value> arguments = ParseJson(call.arguments);
  return arguments && arguments->is_map() ? *std::move(arguments) : Value(Map());
}

std::string ArgumentsOf(const Value* arguments) {
  if (arguments == nullptr) return {};
  return arguments->is_string() ? arguments->AsString() : WriteJson(*arguments, JsonStyle::kJavaScript);
}

CalledTool CalledToolOf(const Value& call) {
  if (const Value* function = call.Find("function")) return {function, "arguments"};
  return {call.Find("custom"), "input"};
}

Value AsCall(const Value& function_call) { return Object{{"function", function_call}}; }

std::vector<ToolCall> ChatCalls(const Value& message) {
  std::vector<ToolCall> list;
  const auto take = [&list](const Value& call) {
    const CalledTool tool = CalledToolOf(call);
    if (tool.called == nullptr) return;
    list.push_back({.id = call.TextAt("id"),
                    .name = tool.called->TextAt("name"),
                    .arguments = ArgumentsOf(tool.called->Find(tool.arguments))});
  };
  if (const List* calls = FindList(message, "tool_calls")) {
    for (const Value& call : *calls) take(call);
  } else if (const Value* function = message.Find("function_call");
             function != nullptr && function->is_map()) {
    take(AsCall(*function));
  }
  return list;
}

Status NameCalls(std::vector<ToolCall>& calls, const std::vector<Message>& said) {
  if (calls.empty()) return Ok();
  if (calls.size() > limits::kReplyCallsMax)
    return Error{ErrorCode::kLimit, fmt::format("the reply calls {} tools; {} are the most of one reply",
                                                calls.size(), limits::kReplyCallsMax)};
  std::set<std::string, std::less<>> taken;
  for (const Message& message : said) {
    for (const ToolCall& call : message.calls) taken.insert(call.id);
  }
  std::vector<ToolCall*> nameless;
  for (ToolCall& call : calls) {
    if (call.arguments.size() > limits::kCallArgumentsBytesMax)
      return Error{ErrorCode::kLimit,
                   fmt::format("the reply calls a tool with {} bytes of arguments; {} are the most",
                               call.arguments.size(), limits::kCallArgumentsBytesMax)};
    if (!IsSensibleId(call.id) || !taken.insert(call.id).second) nameless.push_back(&call);
  }
  for (ToolCall* call : nameless) {
    // One of as many numbers as there are calls, and one more, is free.
    for (std::size_t number = static_cast<std::size_t>(call - calls.data());; ++number) {
      call->id = fmt::format("{}{}", kMadeId, number);
      if (taken.insert(call->id).second) break;
    }
  }
  return Ok();
}

bool IsSealOfThoughts(std::string_view seal) { return seal.starts_with("[{") && seal.ends_with("}]"); }

bool IsMadeCallId(std::string_view id) {
  if (!id.starts_with(kMadeId)) return false;
  id.remove_prefix(kMadeId.size());
  return !id.empty() && std::all_of(id.begin(), id.end(), [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace assay
