// The provider `exec`: a program of the user's answers, in lines of JSON (assay-exec/1,
// docs/formats/assay-exec.md). The model is the command line; what talks to it is io/exec/transport.h.
// Source of the protocol: spec research 10.
#include "providers/codecs/exec.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/errors/diagnostics.h"
#include "base/hash.h"
#include "base/text/shell_words.h"
#include "base/text/utf8.h"
#include "providers/codecs/rows.h"
#include "providers/shapes/reply/reply_json.h"
#include "providers/shapes/reply/status.h"
#include "spec/turn/turn_details.h"
#include "text/found.h"
#include "text/javascript/text.h"
#include "text/javascript/truth.h"
#include "text/json/json.h"
#include "text/object.h"

namespace assay {
namespace {

constexpr std::string_view kProtocol = "assay-exec/1";
constexpr std::size_t kTurnDigits = 16;
Value ParametersOf(const SamplingParams& params) {
  Map map = Object{{"temperature", params.temperature},
                   {"top_p", params.top_p},
                   {"max_tokens", Number(params.max_tokens)},
                   {"effort", UnlessEmpty(params.effort)},
                   {"thinking_tokens", Number(params.thinking_tokens)},
                   {"seed", Number(params.seed)},
                   {"stop", UnlessEmpty(ArrayOf(params.stop))}};
  if (params.extra.is_map()) {
    for (const Member& member : params.extra.AsMap()) map.Set(member.key, member.value);
  }
  return Value(std::move(map));
}

// The profile of a run that has none: a plain question, nothing loaded before it, nothing kept after it.
Profile PlainProfile() {
  return {.id = "plain", .research_mode = false, .preload_local_sources = false, .preload_shortlist = false};
}

std::string InitLine(const ModelRequest& request) {
  const Profile profile = request.profile.value_or(PlainProfile());
  return WriteJson(
      Object{{"type", "init"},
             {"protocol", kProtocol},
             {"runtime_dir", kProcessFolder},
             {"run", Object{{"id", profile.id},
                            {"model_alias", profile.model_alias},
                            {"research_mode", profile.research_mode},
                            {"lean", profile.lean},
                            {"preload_local_sources", profile.preload_local_sources},
                            {"preload_shortlist", profile.preload_shortlist},
                            {"save_history", profile.save_history},
                            {"additional_source_context", OrNull(profile.additional_source_context)},
                            {"disabled_tools", ArrayOf(profile.disabled_tools)},
                            {"parameters", ParametersOf(request.params)},
                            {"source_provider", UnlessEmpty(profile.source_provider)}}}},
      JsonStyle::kJavaScript);
}

// Below the process's folder.
std::string PathOfPart(const MediaPart& part) {
  return fmt::format("parts/{}.{}", part.sha256, MediaFormat(part.type));
}

Value PartValue(const MediaPart& part) {
  return Object{{"kind", MediaKindName(part.kind)}, {"type", part.type}, {"path", PathOfPart(part)}};
}

// By the suffix of its copy, or of its address; "" where that says nothing.
std::string_view TypeOf(const BriefedDocument& document) {
  constexpr std::pair<std::string_view, std::string_view> kTypes[] = {
      {"txt", "text/plain"},
      {"md", "text/markdown"},
      {"markdown", "text/markdown"},
      {"csv", "text/csv"},
      {"json", "application/json"},
      {"html", "text/html"},
      {"htm", "text/html"},
      {"xhtml", "application/xhtml+xml"},
      {"pdf", "application/pdf"},
      {"epub", "application/epub+zip"},
      {"docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"},
      {"xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"},
      {"pptx", "application/vnd.openxmlformats-officedocument.presentationml.presentation"},
  };
  const std::string& name = document.path.empty() ? document.url : document.path;
  const std::string_view file = std::string_view(name).substr(name.rfind('/') + 1);
  const std::size_t dot = file.rfind('.');
  if (dot == std::string_view::npos) return {};
  const std::string suffix = JsToLower(file.substr(dot + 1));
  const auto* type = std::find_if(std::begin(kTypes), std::end(kTypes),
                                  [&suffix](const auto& each) { return each.first == suffix; });
  return type == std::end(kTypes) ? std::string_view() : type->second;
}

// What it is told of its case.
void AppendBriefing(const CaseBriefing& briefing, Map& line) {
  line.Append("question", briefing.question);
  List documents;
  for (const BriefedDocument& document : briefing.documents) {
    Map map = Object{{"id", document.id},
                     {"title", document.title},
                     {"url", UnlessEmpty(document.url)},
                     {"path", UnlessEmpty(document.path)}};
    if (const std::string_view type = TypeOf(document); !type.empty()) map.Append("type", type);
    documents.emplace_back(std::move(map));
  }
  Extend(line,
         {{"documents", std::move(documents)}, {"case", briefing.case_id}, {"tags", ArrayOf(briefing.tags)}});
}

std::string TurnLine(const ModelRequest& request, std::string_view turn) {
  std::string_view query;
  List messages;
  for (const Message& message : request.messages) {
    if (message.role == Role::kUser) query = message.text;
    Map map = Object{{"role", RoleName(message.role)}, {"content", message.text}};
    if (!message.media.empty()) {
      map.Append("parts", Value(ArrayOf(message.media, PartValue)));
    }
    messages.push_back(Value(std::move(map)));
  }
  Map line = Object{{"type", "turn"}, {"id", turn}, {"query", query}, {"messages", std::move(messages)}};
  if (request.briefing) AppendBriefing(*request.briefing, line);
  return WriteJson(Value(std::move(line)), JsonStyle::kJavaScript);
}

std::string InQuotes(std::string_view text) {
  const std::string json = WriteJson(Value(text), JsonStyle::kJavaScript);
  return json.substr(1, json.size() - 2);
}

Result<HttpRequest> EncodeExec(const ModelRequest& request, const ModelFacts*) {
  const Result<std::vector<std::string>> words = SplitWords(request.model);
  if (!words || words->empty()) {
    return Error{ErrorCode::kInvalidInput,
                 fmt::format("{} is no command line: {}", Quoted(request.model),
                             words ? "it names no program" : words.error().message)};
  }
  if (!request.tools.empty())
    return Error{ErrorCode::kUnsupported, "a program under test brings its own tools: it is offered none"};
  // Two requests of one process never have the same name: an attempt is part of the key.
  std::string turn = HexPrefix(KeyOf(CanonicalText(request)), kTurnDigits);
  HttpRequest wire;
  wire.method = "TALK";
  wire.url = request.model;
  wire.body = fmt::format("{}\n{}", InitLine(request), TurnLine(request, turn));
  wire.headers.push_back({std::string(kTurnHeader), std::move(turn)});
  for (const Message& message : request.messages) {
    for (const MediaPart& part : message.media)
      wire.files.push_back({.path = PathOfPart(part), .bytes = {}, .blob = part.blob});
  }
  if (request.profile) wire.headers.push_back({std::string(kRunHeader), request.profile->id});
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
  line.turn = message->TextAt("id");
  const std::string type = message->TextAt("type");
  if (type == "result") line.kind = LineKind::kResult;
  if (type == "fatal") line.kind = LineKind::kFatal;
  if (type != "ready") return line;
  const std::string protocol = message->TextAt("protocol");
  line.kind = protocol == kProtocol ? LineKind::kReady : LineKind::kBroken;
  if (line.kind == LineKind::kBroken)
    line.problem = fmt::format("expected it to speak {}, found {}", kProtocol, Quoted(protocol));
  return line;
}

// What went wrong, of {class, message} or of a text.
TurnError ErrorOf(const Value& told) {
  if (told.is_string()) return {.name = {}, .message = told.AsString()};
  return {.name = told.TextAt("class"), .message = told.TextAt("message")};
}

// Of all roles: the program and whatever models it asked.
Usage SumOf(const std::vector<std::pair<std::string, Usage>>& roles) {
  constexpr std::int64_t kMost = 1'000'000'000'000'000;  // as of one role
  Usage sum;
  for (const auto& [role, used] : roles) {
    sum += used;
    sum.input_tokens = std::min(kMost, sum.input_tokens);
    sum.output_tokens = std::min(kMost, sum.output_tokens);
  }
  return sum;
}

std::vector<std::pair<std::string, std::string>> AliasesOf(const Value& ready) {
  std::vector<std::pair<std::string, std::string>> aliases;
  const bool is_own = ready.Find("role_aliases") != nullptr;
  const Map& roles = is_own ? ready.MapAt("role_aliases") : ready.MapAt("sut").MapAt("role_aliases");
  for (const Member& role : roles) {
    if (role.value.is_string()) aliases.emplace_back(role.key, role.value.AsString());
  }
  return aliases;
}

void ReadResult(const Value& result, TurnDetails& details) {
  details.halted = IsTruthyAt(result, "halted");
  if (const std::string* reason = FindText(result, "halt_reason")) details.halt_reason = *reason;
  for (const Value& notice : result.ListAt("notices")) {
    if (notice.is_string()) details.notices.push_back(notice.AsString());
  }
  if (const Value* used = result.Find("tool_usage"); used != nullptr && used->is_map())
    details.tool_usage = *used;
  details.usage_by_role = ReadRoleUsage(result.Find("token_usage"));
  if (const auto took = result.NumberAt("client_init_ms")) details.client_init_ms = *took;
  if (const Value* error = result.Find("error"); error != nullptr && error->Truthy())
    details.error = ErrorOf(*error);
}

// Lines before the last one: what the process said when it was ready, and the turn's events.
void ReadLineBefore(std::string_view text, TurnDetails& details) {
  const Result<Value> line = ParseJson(text);
  if (!line || !line->is_map()) return;
  const std::string type = line->TextAt("type");
  if (type == "ready") details.role_aliases = AliasesOf(*line);
  if (type == "event") details.events.emplace_back(text);
}

Result<ModelReply> DecodeResult(const Value& result, TurnDetails details) {
  if (result.TextAt("type") == "fatal") {
    const Value* error = result.Find("error");
    return Error{ErrorCode::kUnsupported,
                 fmt::format("the program cannot continue: {}",
                             Quoted(error == nullptr ? std::string() : ErrorOf(*error).Text()))};
  }
  ReadResult(result, details);
  ModelReply reply;
  if (const std::string* answer = FindText(result, "answer")) {
    reply.text = *answer;
  } else if (!details.error && !details.halted) {
    return Error{ErrorCode::kCorrupt, fmt::format("expected a result with a text \"answer\", found {}",
                                                  Quoted(WriteJson(result, JsonStyle::kJavaScript)))};
  }
  reply.finish_reason = details.halted ? "halted" : "stop";
  reply.usage = SumOf(details.usage_by_role);
  TakeServed(result, reply);
  constexpr std::size_t kNameBytesMax = 200;
  if (!reply.served->model.empty())
    reply.served.edit().asked = CutToBytes(result.TextAt("requested_model"), kNameBytesMax);
  reply.details = EncodeTurnDetails(details);
  return reply;
}

Result<ModelReply> DecodeExec(const HttpReply& reply) {
  if (reply.error) return *reply.error;
  TurnDetails details;
  std::string_view rest = reply.body;
  while (rest.ends_with('\n')) rest.remove_suffix(1);
  for (std::size_t end = rest.find('\n'); end != std::string_view::npos; end = rest.find('\n')) {
    ReadLineBefore(rest.substr(0, end), details);
    rest.remove_prefix(end + 1);
  }
  const Result<Value> result = ParseJson(rest);
  if (!result || !result->is_map())
    return Error{ErrorCode::kCorrupt,
                 fmt::format("expected a result of {}, found {}", kProtocol, Quoted(rest))};
  return DecodeResult(*result, std::move(details));
}

}  // namespace

const LineProtocol& ExecProtocol() {
  static constexpr LineProtocol kLines = {
      .name = kProtocol, .goodbye = R"({"type":"shutdown"})", .read = ReadLine, .quoted = InQuotes};
  return kLines;
}

const ProviderRow kExecProvider = {
    .name = "exec",
    .help = "a program of yours that answers in lines of JSON (assay-exec/1)",
    .example = "exec:python3 agent.py --fast",
    .max_in_flight = 4,
    .encode_known = EncodeExec,
    .decode = DecodeExec,
    .classify = ClassifyByStatus,
    .max_tokens = 0,
    .route = Route::kProgram,
};

}  // namespace assay
