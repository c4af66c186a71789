// The provider `exec`: a program of the user's answers, in lines of JSON (assay-exec/1,
// docs/formats/assay-exec.md). The model is the command line; what talks to it is io/exec/transport.h.
// Source of the protocol: spec research 10.
#include "providers/codecs/exec.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/diagnostics.h"
#include "base/hash.h"
#include "base/shell_words.h"
#include "providers/codecs/rows.h"
#include "providers/shapes/reply_json.h"
#include "providers/shapes/status.h"
#include "text/javascript/text.h"
#include "text/json/json.h"

namespace assay {
namespace {

constexpr std::string_view kProtocol = "assay-exec/1";
constexpr std::size_t kTurnDigits = 16;
constexpr int kStatusOk = 200;

Value ParametersOf(const SamplingParams& params) {
  Map map;
  if (params.temperature) map.Append("temperature", Value(*params.temperature));
  if (params.top_p) map.Append("top_p", Value(*params.top_p));
  if (params.max_tokens) map.Append("max_tokens", Value(static_cast<double>(*params.max_tokens)));
  if (!params.effort.empty()) map.Append("effort", params.effort);
  if (params.thinking_tokens)
    map.Append("thinking_tokens", Value(static_cast<double>(*params.thinking_tokens)));
  if (params.seed) map.Append("seed", Value(static_cast<double>(*params.seed)));
  if (!params.stop.empty()) map.Append("stop", Value(List(params.stop.begin(), params.stop.end())));
  return Value(std::move(map));
}

// The profile of a run that has none: a plain question, nothing loaded before it, nothing kept after it.
std::string InitLine(const ModelRequest& request) {
  Map run;
  run.Append("id", "plain");
  run.Append("model_alias", "");
  run.Append("research_mode", Value(false));
  run.Append("lean", Value(false));
  run.Append("preload_local_sources", Value(false));
  run.Append("preload_shortlist", Value(false));
  run.Append("save_history", Value(false));
  run.Append("additional_source_context", Value(Null{}));
  run.Append("disabled_tools", Value(List{}));
  run.Append("parameters", ParametersOf(request.params));
  Map init;
  init.Append("type", "init");
  init.Append("protocol", kProtocol);
  init.Append("runtime_dir", kProcessFolder);
  init.Append("run", Value(std::move(run)));
  return WriteJson(Value(std::move(init)), JsonStyle::kJavaScript);
}

std::string TurnLine(const ModelRequest& request, std::string_view turn) {
  std::string_view query;
  List messages;
  for (const Message& message : request.messages) {
    if (message.role == Role::kUser) query = message.text;
    Map map;
    map.Append("role", RoleName(message.role));
    map.Append("content", message.text);
    messages.push_back(Value(std::move(map)));
  }
  Map line;
  line.Append("type", "turn");
  line.Append("id", turn);
  line.Append("query", query);
  line.Append("messages", Value(std::move(messages)));
  return WriteJson(Value(std::move(line)), JsonStyle::kJavaScript);
}

Result<HttpRequest> Encode(const ModelRequest& request, const ModelFacts*) {
  const Result<std::vector<std::string>> words = SplitWords(request.model);
  if (!words || words->empty()) {
    return Error{ErrorCode::kInvalidInput,
                 fmt::format("{} is no command line: {}", Quoted(request.model),
                             words ? "it names no program" : words.error().message)};
  }
  // Two requests of one process never have the same name: an attempt is part of the key.
  std::string turn = HexPrefix(KeyOf(CanonicalText(request)), kTurnDigits);
  HttpRequest wire;
  wire.method = "TALK";
  wire.url = request.model;
  wire.body = fmt::format("{}\n{}", InitLine(request), TurnLine(request, turn));
  wire.headers.push_back({std::string(kTurnHeader), std::move(turn)});
  return wire;
}

ProgramLine ReadLine(std::string_view text) {
  ProgramLine line;
  const Result<Value> message = ParseJson(text);
  if (!message || !message->is_map()) {
    line.kind = LineKind::kBroken;
    line.problem = fmt::format("expected a line of {} (one JSON object), found {}", kProtocol, Quoted(text));
    return line;
  }
  line.turn = TextMember(*message, "id");
  const std::string type = TextMember(*message, "type");
  if (type == "result") line.kind = LineKind::kResult;
  if (type == "fatal") line.kind = LineKind::kFatal;
  if (type != "ready") return line;
  const std::string protocol = TextMember(*message, "protocol");
  line.kind = protocol == kProtocol ? LineKind::kReady : LineKind::kBroken;
  if (line.kind == LineKind::kBroken)
    line.problem = fmt::format("expected it to speak {}, found {}", kProtocol, Quoted(protocol));
  return line;
}

// "class: message" of {class, message}.
std::string ErrorText(const Value& error) {
  if (error.is_string()) return Quoted(error.AsString());
  const std::string kind = TextMember(error, "class");
  const std::string message = TextMember(error, "message");
  return Quoted(kind.empty() || message.empty() ? kind + message : fmt::format("{}: {}", kind, message));
}

// Of all roles: the program and whatever models it asked.
Usage UsageOf(const Value& result) {
  constexpr std::int64_t kMost = 1'000'000'000'000'000;  // as of one role
  Usage usage;
  const Value* roles = result.Find("token_usage");
  if (roles == nullptr || !roles->is_map()) return usage;
  for (const Member& role : roles->AsMap()) {
    if (!role.value.is_map()) continue;
    usage.known = true;
    usage.input_tokens = std::min(kMost, usage.input_tokens + CountMember(role.value, "input_tokens"));
    usage.output_tokens = std::min(kMost, usage.output_tokens + CountMember(role.value, "output_tokens"));
  }
  return usage;
}

// A tool that the program called: {name, arguments}. Arguments may come as a text that holds JSON.
void AddToolCall(const Value& event, List& calls) {
  if (TextMember(event, "type") != "event" || TextMember(event, "event") != "tool_start") return;
  Map call;
  call.Append("name", TextMember(event, "tool_name"));
  const Value* arguments = event.Find("tool_arguments");
  if (arguments != nullptr && arguments->is_string()) {
    Result<Value> parsed = ParseJson(arguments->AsString());
    call.Append("arguments", parsed ? std::move(*parsed) : *arguments);
  } else {
    call.Append("arguments", arguments == nullptr ? Value(Map()) : *arguments);
  }
  calls.push_back(Value(std::move(call)));
}

Result<ModelReply> DecodeResult(const Value& result) {
  const Value* error = result.Find("error");
  const std::string problem = error == nullptr ? std::string() : ErrorText(*error);
  if (TextMember(result, "type") == "fatal")
    return Error{ErrorCode::kUnsupported, fmt::format("the program cannot go on: {}", problem)};
  if (error != nullptr && error->Truthy())
    return Error{ErrorCode::kRefused, fmt::format("the program reports {}", problem)};
  const Value* answer = result.Find("answer");
  if (answer == nullptr || !answer->is_string()) {
    return Error{ErrorCode::kCorrupt, fmt::format("expected a result with a text \"answer\", found {}",
                                                  Quoted(WriteJson(result, JsonStyle::kJavaScript)))};
  }
  ModelReply reply;
  reply.text = answer->AsString();
  reply.finish_reason = "stop";
  reply.usage = UsageOf(result);
  const Value* halted = result.Find("halted");
  if (halted == nullptr || !halted->Truthy()) return reply;
  reply.finish_reason = "halted";
  if (!JsTrim(reply.text).empty()) return reply;
  return Error{ErrorCode::kRefused, fmt::format("the program stopped before it answered: {}",
                                                Quoted(TextMember(result, "halt_reason")))};
}

// The events stay in the raw reply; what they say of tools is part of the answer's record.
Result<ModelReply> Decode(const HttpReply& reply) {
  if (reply.error) return *reply.error;
  List calls;
  std::string_view rest = reply.body;
  while (rest.ends_with('\n')) rest.remove_suffix(1);
  for (std::size_t end = rest.find('\n'); end != std::string_view::npos; end = rest.find('\n')) {
    if (const Result<Value> event = ParseJson(rest.substr(0, end)); event && event->is_map())
      AddToolCall(*event, calls);
    rest.remove_prefix(end + 1);
  }
  const Result<Value> result = ParseJson(rest);
  if (!result || !result->is_map())
    return Error{ErrorCode::kCorrupt,
                 fmt::format("expected a result of {}, found {}", kProtocol, Quoted(rest))};
  ASSAY_TRY(ModelReply decoded, DecodeResult(*result));
  if (!calls.empty()) decoded.tool_calls = Value(std::move(calls));
  return CheckedReply(std::move(decoded));
}

}  // namespace

const LineProtocol& ExecProtocol() {
  static constexpr LineProtocol kLines = {
      .name = kProtocol, .goodbye = R"({"type":"shutdown"})", .read = ReadLine};
  return kLines;
}

const ProviderRow kExecProvider = {
    .name = "exec",
    .help = "a program of your own that answers in lines of JSON (assay-exec/1)",
    .example = "exec:python3 agent.py --fast",
    .max_in_flight = 4,
    .encode_known = Encode,
    .decode = Decode,
    .classify = ClassifyByStatus,
    .max_tokens = 0,
    .route = Route::kProgram,
};

}  // namespace assay
