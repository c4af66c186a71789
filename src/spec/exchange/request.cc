// The canonical form of requests.
//
// Layout, version 1: one line of JSON, members in the order written here, absent parameters left out. The
// bytes are what the key hashes, so a change of this file that alters them needs a new "v". Headers that only
// a suite gives, and hashes of secrets in addresses, came later; what has none has the bytes that it always
// had.
#include "spec/exchange/request.h"

#include <algorithm>

#include "spec/exchange/keyed_headers.h"
#include "spec/suite/asked_members.h"
#include "text/found.h"
#include "text/javascript/number.h"
#include "text/json/compact.h"
#include "text/json/json.h"
#include "text/json/stored.h"

namespace assay {

namespace {

void AppendMember(std::string_view name, std::string_view text, std::string& out) {
  out += ",\"";
  out += name;
  out += "\":";
  AppendJsonString(text, out);
}

void AppendNumber(std::string_view name, double number, std::string& out) {
  out += ",\"";
  out += name;
  out += "\":";
  out += JsNumberText(number);
}

void AppendList(std::string_view name, const std::vector<std::string>& texts, std::string& out) {
  out += ",\"";
  out += name;
  out += "\":[";
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (i > 0) out += ',';
    AppendJsonString(texts[i], out);
  }
  out += ']';
}

// Nothing where there are none: then the bytes are what they were before there were tools.
void AppendCalls(const Message& message, std::string& out) {
  if (!message.call_id.empty()) AppendMember("call_id", message.call_id, out);
  if (!message.parts.empty()) AppendMember("parts", message.parts, out);
  if (message.calls.empty()) return;
  out += ",\"calls\":[";
  for (const ToolCall& call : message.calls) {
    out += &call == message.calls.data() ? "[" : ",[";
    AppendJsonString(call.id, out);
    out += ',';
    AppendJsonString(call.name, out);
    out += ',';
    AppendJsonString(call.arguments, out);
    if (!call.seal.empty()) {
      out += ',';
      AppendJsonString(call.seal, out);
    }
    out += ']';
  }
  out += ']';
}

void AppendTools(const ModelRequest& request, std::string& out) {
  if (!request.tools.empty()) {
    out += ",\"tools\":[";
    for (const ToolSpec& tool : request.tools) {
      out += &tool == request.tools.data() ? "[" : ",[";
      AppendJsonString(tool.name, out);
      out += ',';
      AppendJsonString(tool.description, out);
      out += ',';
      AppendJson(tool.parameters, JsonStyle::kCanonical, out);
      out += ']';
    }
    out += ']';
  }
  if (!request.tool_choice.empty()) AppendMember("tool_choice", request.tool_choice, out);
}

// How a system under test is set up. What a turn's words say already (prefix and suffix of the query) stays
// out.
void AppendProfile(const Profile& profile, std::string& out) {
  out += ",\"profile\":{\"id\":";
  AppendJsonString(profile.id, out);
  AppendMember("alias", profile.model_alias, out);
  AppendMember("sources", profile.source_provider, out);
  AppendMember("flags",
               std::string{profile.research_mode ? 'r' : '-', profile.lean ? 'l' : '-',
                           profile.preload_local_sources ? 's' : '-', profile.preload_shortlist ? 'p' : '-',
                           profile.save_history ? 'h' : '-'},
               out);
  if (!profile.disabled_tools.empty()) AppendList("disabled", profile.disabled_tools, out);
  if (profile.additional_source_context) AppendMember("context", *profile.additional_source_context, out);
  out += '}';
}

// Nothing where there are none. Of the bytes the digest alone.
void AppendMedia(const std::vector<MediaPart>& media, std::string& out) {
  if (media.empty()) return;
  out += ",\"parts\":[";
  for (const MediaPart& part : media) {
    out += &part == media.data() ? "[" : ",[";
    AppendJsonString(MediaKindName(part.kind), out);
    out += ',';
    AppendJsonString(part.type, out);
    out += ',';
    AppendJsonString(part.sha256, out);
    out += ']';
  }
  out += ']';
}

void AppendMessages(const std::vector<Message>& messages, std::string& out) {
  out += ",\"messages\":[";
  for (std::size_t i = 0; i < messages.size(); ++i) {
    out += i > 0 ? ",{\"" : "{\"";
    out += RoleName(messages[i].role);
    out += "\":";
    AppendJsonString(messages[i].text, out);
    AppendCalls(messages[i], out);
    AppendMedia(messages[i].media, out);
    out += '}';
  }
  out += ']';
}

// Nothing where there are none.
void AppendHeaders(const KeyedHeaders& headers, std::string& out) {
  if (headers.all().empty()) return;
  out += ",\"headers\":{";
  for (auto header = headers.all().begin(); header != headers.all().end(); ++header) {
    if (header != headers.all().begin()) out += ',';
    AppendJsonString(header->first, out);
    out += ':';
    AppendJsonString(header->second, out);
  }
  out += '}';
}

// What shapes the reply of a model that the suite describes, and beside it its headers.
void AppendCustom(const Value& custom, std::string& out) {
  Map shape;
  for (const std::string_view name :
       {"inherit", "format", "promptFormat", "parameters", "parameterMapping"}) {
    const Value* value = custom.Find(name);
    if (value == nullptr) continue;
    Value kept = name == "parameters" ? WithoutServiceMembers(*value) : *value;
    if (!kept.is_undefined()) shape.Append(std::string(name), std::move(kept));
  }
  out += ",\"custom\":";
  AppendJson(Value(std::move(shape)), JsonStyle::kCanonical, out);
  const Value* headers = custom.Find("headers");
  if (headers != nullptr) AppendHeaders(KeyedHeaders(*headers), out);
}

struct CanonicalWriter {
  std::string out = "{\"v\":1";

  void operator()(const ModelRequest& request) {
    AppendMember("model_call", request.provider, out);
    AppendMember("model", request.model, out);
    if (!request.base_url.empty()) AppendMember("base_url", KeyedUrl(request.base_url), out);
    AppendMessages(request.messages, out);
    out += CanonicalParams(request.params);
    if (request.attempt > 0) AppendNumber("attempt", request.attempt, out);
    if (request.vote > 0) AppendNumber("vote", request.vote, out);
    if (!request.custom.is_undefined()) AppendCustom(request.custom, out);
    if (!request.answer_schema.is_undefined()) {
      out += ",\"answer_schema\":";
      AppendJson(request.answer_schema, JsonStyle::kCanonical, out);
    }
    AppendTools(request, out);
    if (request.profile) AppendProfile(*request.profile, out);
    if (!request.inputs.empty()) AppendList("inputs", request.inputs, out);
    if (!request.source.empty()) AppendMember("source", request.source, out);
  }

  void operator()(const EmbedRequest& request) {
    AppendMember("embedding", request.provider, out);
    AppendMember("model", request.model, out);
    if (!request.base_url.empty()) AppendMember("base_url", KeyedUrl(request.base_url), out);
    AppendList("texts", request.texts, out);
    if (!request.source.empty()) AppendMember("source", request.source, out);
  }

  void operator()(const HttpRequest& request) {
    AppendMember("http", request.method, out);
    AppendMember("url", KeyedUrl(request.url), out);
    AppendMember("body", request.body, out);
    KeyedHeaders keyed;
    for (const HttpHeader& header : request.headers) keyed.Add(header.name, header.value);
    AppendHeaders(keyed, out);
    if (request.redirects_max > 0) AppendNumber("redirects", request.redirects_max, out);
    if (request.reply_bytes_max > 0)
      AppendNumber("bytes_max", static_cast<double>(request.reply_bytes_max), out);
    if (request.attempt > 0) AppendNumber("attempt", request.attempt, out);
  }

  void operator()(const ProcessRequest& request) {
    AppendMember("program", request.toolchain_digest, out);
    AppendMember("prelude", request.prelude, out);
    AppendList("argv", request.argv, out);
    out += ",\"env\":[";
    for (std::size_t i = 0; i < request.env.size(); ++i) {
      if (i > 0) out += ',';
      AppendJsonString(request.env[i].first + "=" + request.env[i].second, out);
    }
    out += ']';
    for (const FileSpec& file : request.files) {
      if (file.blob == nullptr) {
        AppendMember("file:" + file.path, file.bytes, out);
      } else {
        AppendMember("blob:" + file.path, file.blob->sha256, out);
      }
    }
    AppendNumber("wall_ms", static_cast<double>(request.limits.wall.count()), out);
    AppendNumber("cpu_ms", static_cast<double>(request.limits.cpu.count()), out);
    AppendNumber("memory", static_cast<double>(request.limits.memory_bytes), out);
    AppendNumber("output", static_cast<double>(request.limits.output_bytes), out);
    AppendNumber("processes", request.limits.processes, out);
    if (!request.after_argv.empty()) {
      AppendList("after", request.after_argv, out);
      AppendNumber("after_wall_ms", static_cast<double>(request.after_limits.wall.count()), out);
    }
    if (!request.scope.empty()) AppendMember("scope", request.scope, out);
  }

  void operator()(const CorpusRequest& request) {
    AppendMember("documents", request.operation, out);
    AppendMember("corpus", request.corpus, out);
    out += ",\"arguments\":";
    AppendJson(request.arguments, JsonStyle::kCanonical, out);
    AppendList("of", request.documents, out);
  }
};

// Of the texts in a value: of messages with calls {"role": text, "calls": [[id, name, arguments]]}, of tools.
std::size_t TextBytes(const Value& value, int depth) {
  constexpr int kDepthMax = 16;  // of a tool's schema
  if (value.is_string()) return value.AsString().size();
  std::size_t bytes = 0;
  if (depth == kDepthMax) return bytes;
  if (value.is_list()) {
    for (const Value& item : value.AsList()) bytes += TextBytes(item, depth + 1);
  } else if (value.is_map()) {
    for (const Member& member : value.AsMap()) bytes += TextBytes(member.value, depth + 1);
  }
  return bytes;
}

std::size_t RoomFor(const std::vector<Message>& messages) {
  constexpr std::size_t kAroundEach = 64;
  std::size_t bytes = 512;
  for (const Message& message : messages) {
    std::size_t text = message.text.size() + message.parts.size() + kAroundEach;
    for (const ToolCall& call : message.calls) text += call.arguments.size() + kAroundEach;
    bytes += text + text / 16;  // escapes
  }
  return bytes;
}

}  // namespace

std::string CanonicalParams(const SamplingParams& params) {
  std::string out;
  if (params.temperature) AppendNumber("temperature", *params.temperature, out);
  if (params.top_p) AppendNumber("top_p", *params.top_p, out);
  if (params.max_tokens) AppendNumber("max_tokens", static_cast<double>(*params.max_tokens), out);
  if (params.seed) AppendMember("seed", std::to_string(*params.seed), out);
  if (!params.stop.empty()) AppendList("stop", params.stop, out);
  if (!params.effort.empty()) AppendMember("effort", params.effort, out);
  if (params.thinking_tokens)
    AppendNumber("thinking_tokens", static_cast<double>(*params.thinking_tokens), out);
  if (const Value extra = WithoutServiceMembers(params.extra); !extra.is_undefined()) {
    out += ",\"extra\":";
    AppendJson(extra, JsonStyle::kJavaScript, out);
  }
  if (params.shows_thoughts) AppendMember("thoughts", "shown", out);
  return out;
}

RequestKind KindOf(const Request& request) { return static_cast<RequestKind>(request.index()); }

std::string_view RequestRoleName(RequestRole role) {
  switch (role) {
    case RequestRole::kCandidate:
      return "candidate";
    case RequestRole::kJudge:
      return "judge";
    case RequestRole::kBackupJudge:
      return "backup judge";
    case RequestRole::kExtraction:
      return "extraction";
    case RequestRole::kEmbedding:
      return "embedding";
    case RequestRole::kService:
      return "service";
    case RequestRole::kProgram:
      return "program";
    case RequestRole::kSummary:
      return "summary";
    case RequestRole::kTool:
      return "tool";
    case RequestRole::kSummarizer:
      return "summarizer";
  }
  return "request";
}

std::string CanonicalText(const Request& request) {
  CanonicalWriter writer;
  if (const auto* call = std::get_if<ModelRequest>(&request)) writer.out.reserve(RoomFor(call->messages));
  std::visit(writer, request);
  writer.out += '}';
  return std::move(writer.out);
}

std::string WithSource(std::string canonical_text, std::string_view source) {
  canonical_text.pop_back();
  AppendMember("source", source, canonical_text);
  canonical_text += '}';
  return canonical_text;
}

Digest KeyOf(std::string_view canonical_text) { return Sha256Of(canonical_text); }

Billing& Billing::operator+=(const Billing& other) {
  const auto add = [](std::optional<std::int64_t>& sum, const std::optional<std::int64_t>& more) {
    if (more) sum = sum.value_or(0) + *more;
  };
  add(cost_nano_usd, other.cost_nano_usd);
  add(estimated_nano_usd, other.estimated_nano_usd);
  hour_write_tokens += other.hour_write_tokens;
  tools_nano_usd += other.tools_nano_usd;
  tool_uses.insert(tool_uses.end(), other.tool_uses.begin(), other.tool_uses.end());
  return *this;
}

Usage& Usage::operator+=(const Usage& other) {
  input_tokens += other.input_tokens;
  output_tokens += other.output_tokens;
  reasoning_tokens += other.reasoning_tokens;
  cached_read_tokens += other.cached_read_tokens;
  cached_write_tokens += other.cached_write_tokens;
  known = known || other.known;
  billing += other.billing;
  return *this;
}

void UsageByRole::Add(RequestRole role, const Usage& usage) {
  if (!usage.known) return;
  const auto place = std::lower_bound(parts_.begin(), parts_.end(), role,
                                      [](const auto& part, RequestRole r) { return part.first < r; });
  if (place != parts_.end() && place->first == role) {
    place->second += usage;
  } else {
    parts_.emplace(place, role, usage);
  }
}

UsageByRole& UsageByRole::operator+=(const UsageByRole& other) {
  for (const auto& [role, usage] : other.parts_) Add(role, usage);
  return *this;
}

Usage UsageByRole::Of(std::initializer_list<RequestRole> roles) const {
  Usage sum;
  for (const auto& [role, usage] : parts_) {
    if (std::find(roles.begin(), roles.end(), role) != roles.end()) sum += usage;
  }
  return sum;
}

std::optional<CalledModel> CalledModelOf(std::string_view canonical_text) {
  std::string_view provider, model, extra;
  JsonMember member;
  for (std::size_t at = 1; NextJsonMember(canonical_text, at, member);) {
    if (member.key == "source") return std::nullopt;
    if (member.key == "model_call" || member.key == "embedding") provider = member.value;
    if (member.key == "model") model = member.value;
    if (member.key == "extra") extra = member.value;
  }
  // Parameters that a run passed on as they stand (asked_members.h).
  if (const std::string_view sent = FindJsonMember(extra, "model"); sent.starts_with('"')) model = sent;
  const Result<Value> provider_text = ParseJson(provider);
  const Result<Value> model_text = ParseJson(model);
  if (!provider_text || !provider_text->is_string() || !model_text || !model_text->is_string())
    return std::nullopt;
  return CalledModel{.provider = provider_text->AsString(), .model = model_text->AsString()};
}

std::optional<CallFacts> CallFactsOf(std::string_view canonical_text) {
  // A long text is packed, and may be a stranger's: it may have as many values as one of a hundredth of it.
  constexpr std::size_t kPackedTo = 100;
  const Result<Value> request = ParseStoredIn(canonical_text.size() / kPackedTo, canonical_text);
  if (!request || request->Find("source") != nullptr) return std::nullopt;
  const bool is_chat = request->Find("model_call") != nullptr;
  const std::string* provider = FindText(*request, is_chat ? "model_call" : "embedding");
  const std::string* model = FindText(*request, "model");
  if (provider == nullptr || model == nullptr) return std::nullopt;
  // Parameters that a run passed on as they stand (asked_members.h).
  const std::string_view sent = request->MapAt("extra").TextAt("model", *model);
  CallFacts facts{.provider = *provider, .model = std::string(sent)};
  for (const std::string_view key : {"messages", "texts", "tools"}) {
    if (const Value* list = request->Find(key); list != nullptr) facts.text_bytes += TextBytes(*list, 0);
  }
  const List& messages = request->ListAt("messages");
  // The parts of a turn of the model's are a text.
  facts.has_media = std::any_of(messages.begin(), messages.end(),
                                [](const Value& message) { return FindList(message, "parts") != nullptr; });
  return facts;
}

}  // namespace assay
