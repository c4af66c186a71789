// Encodes and decodes requests by their kind: model, embedding, service, page, program, documents.
#include "run/wire/wire_codec.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>

#include "base/errors/diagnostics.h"
#include "base/text/ascii.h"
#include "base/text/utf8.h"
#include "base/wire/sse.h"
#include "checks/judge/reading/doubt.h"
#include "providers/codecs/openai_responses.h"
#include "providers/facts/names/served_name.h"
#include "providers/facts/output_max.h"
#include "providers/shapes/parts.h"
#include "providers/shapes/reply/endings.h"
#include "providers/shapes/reply/reply_json.h"
#include "providers/shapes/reply/status.h"
#include "providers/shapes/reply/think_tags.h"
#include "providers/shapes/reply/turn_reply.h"
#include "providers/shapes/request/media.h"
#include "providers/shapes/tool_calls.h"
#include "spec/exchange/unread_reply.h"
#include "text/javascript/text.h"
#include "text/javascript/truth.h"
#include "text/json/json.h"
#include "text/python/json.h"

namespace assay {

namespace {

// Adds the members that the user wants in a request although no codec knows them (SamplingParams::extra).
// `members`: a map, or undefined for none. They stand behind the body's own, in their order and as they are;
// one whose name is there already takes its place, and a map there gets the members of the other
// (generationConfig). `body` is JSON.
void AddMembers(const Value& members, std::string& body) {
  if (!members.is_map() || members.AsMap().empty()) return;
  // Python's reader and writer: 1.0 stays 1.0, and large whole numbers keep their digits.
  Result<Value> sent = ParsePythonJson(body);
  if (!sent || !sent->is_map()) return;
  for (const Member& member : members.AsMap()) {
    Value* there = sent->AsMap().Find(member.key);
    const bool is_group = there != nullptr && there->is_map() && member.value.is_map();
    if (!is_group) {
      sent->AsMap().Set(member.key, member.value);
      continue;
    }
    for (const Member& each : member.value.AsMap()) there->AsMap().Set(each.key, each.value);
  }
  if (Result<std::string> text = WritePythonJson(*sent, {.escapes_beyond_ascii = false}))
    body = std::move(*text);
}

Error NoProvider(std::string_view provider, std::string_view model) {
  return {
      ErrorCode::kUnsupported,
      fmt::format("nobody answers for {}: there is no provider named {}; give recorded replies (--fixtures, "
                  "--replay) or use a model of `assay list providers`",
                  Quoted(fmt::format("{}:{}", provider, model)), Quoted(provider))};
}

Error NoEmbedder(const EmbedRequest& request) {
  return {ErrorCode::kUnsupported,
          fmt::format("nobody embeds texts for {}: there is no provider {} with embeddings; give recorded "
                      "replies (--replay), name another embeddingModel, or leave embedding out of "
                      "--eval-method",
                      Quoted(request.provider + ":" + request.model), Quoted(request.provider))};
}

// JSON could say nothing of it, and null would be another request.
Error NotFinite() {
  return {ErrorCode::kInvalidInput,
          "the parameters hold a number that is infinite or none, and JSON has neither; write a number"};
}

bool AreFinite(const Value& value) {
  if (value.is_number()) return std::isfinite(value.AsNumber());
  if (value.is_list()) return std::all_of(value.AsList().begin(), value.AsList().end(), AreFinite);
  if (!value.is_map()) return true;
  return std::all_of(value.AsMap().begin(), value.AsMap().end(),
                     [](const Member& member) { return AreFinite(member.value); });
}

template <class Narrow>
Result<Reply> Widen(Result<Narrow> reply) {
  if (!reply) return std::move(reply).error();
  return Reply(std::move(reply).value());
}

// The request, or what lets a model go on that was paused.
ModelRequest RequestNow(const PreparedRequest& prepared) {
  ModelRequest request = std::get<ModelRequest>(prepared.request);
  if (prepared.paused)
    request.messages.push_back(
        {.role = Role::kAssistant, .text = prepared.paused->text, .parts = prepared.paused->parts});
  return request;
}

// Beside what the reply says of who answered: whom the request named, and whether that is another model. A
// request to a program names no model; the program may say which one it has requested itself.
void NameAsked(const ModelRequest& request, const ProviderRow& codec, ModelReply& reply) {
  if (reply.served->empty()) return;
  ServedBy& served = reply.served.edit();
  const bool is_said = codec.route == Route::kProgram && !served.asked.empty();
  const bool is_named = is_said || codec.route != Route::kProgram;
  const std::string model = is_said ? served.asked : request.model;
  served.asked = fmt::format("{}:{}", request.provider, model);
  served.is_other = is_named && !served.model.empty() && !IsSameModel(request.provider, model, served.model);
}

// What a model of a service says has words or calls in it, unless whoever asks takes silence for an answer.
// `verdict` gets what it says beside that.
Result<ModelReply> AnswerOf(const PreparedRequest& prepared, const ProviderRow& codec, const HttpReply& reply,
                            WireVerdict& verdict) {
  const auto& request = std::get<ModelRequest>(prepared.request);
  Result<ModelReply> answer = AsAsked(request, codec.decode(reply));
  if (!answer) return answer;
  verdict.is_read = true;
  if (!prepared.recorded) NameAsked(request, codec, *answer);
  if (codec.route != Route::kHttp) return answer;
  if (!codec.keeps_blanks && !IsJudge(prepared.tag.role)) answer->text = JsTrim(answer->text);
  if (prepared.paused) answer = ModelReply(Continued(*prepared.paused, *std::move(answer)));
  if (answer->finish_reason == kPaused && answer->tool_calls.empty()) verdict.paused = *answer;
  ASSAY_CHECK_OK(NameCalls(answer->tool_calls, request.messages));
  // Of thoughts and words that a service hides, the count of tokens is what is left.
  const bool has_more = !answer->reasoning.empty() || answer->usage.output_tokens > 0;
  verdict.has_begun = HasBegunAnswer(*answer) || has_more || !answer->tool_calls.empty();
  if (!prepared.takes_silence) return SpokenReply(*std::move(answer));
  return HeldReply(*std::move(answer), prepared.takes_any_end);
}

// A number that is none cannot be stored, nor compared.
Result<EmbedReply> WithFiniteNumbers(Result<EmbedReply> reply) {
  if (!reply) return reply;
  for (const std::vector<double>& vector : reply->vectors) {
    if (!std::all_of(vector.begin(), vector.end(), [](double number) { return std::isfinite(number); }))
      return Error{ErrorCode::kService, "the embedding has a number that is infinite or none"};
  }
  return reply;
}

// Decodes a reply of a provider; `codec` has what `prepared` needs.
WireVerdict DecodeProvider(const PreparedRequest& prepared, const ProviderRow& codec, HttpReply reply) {
  WireVerdict verdict;
  verdict.reply_class = codec.classify(reply);
  if (std::holds_alternative<EmbedRequest>(prepared.request)) {
    verdict.reply = Widen(WithFiniteNumbers(codec.decode_embedding(reply)));
  } else {
    verdict.reply = Widen(AnswerOf(prepared, codec, reply, verdict));
  }
  if (auto* answer = verdict.reply ? std::get_if<ModelReply>(&*verdict.reply) : nullptr;
      answer != nullptr && !answer->usage.billing.cost_nano_usd)
    answer->usage.billing.cost_nano_usd = CostInHeaders(reply);
  if (verdict.reply_class == ReplyClass::kOk && !verdict.reply) {
    const bool may_pass = !prepared.recorded && MayPass(verdict.reply.error());
    verdict.reply_class = may_pass ? ReplyClass::kRetry : ReplyClass::kFail;
  }
  // What is said of one question is so the next time, whatever the status.
  if (!verdict.reply && IsEnding(verdict.reply.error().code) && !MayPass(verdict.reply.error()))
    verdict.reply_class = ReplyClass::kFail;
  if (verdict.reply_class != ReplyClass::kOk && verdict.reply) {
    verdict.reply =
        Error{ErrorCode::kService, fmt::format("the provider answered with status {}", reply.status)};
  }
  if (!verdict.reply && !prepared.recorded && !reply.error) {
    verdict.stated = StatedBy(reply);
    // The service's own word stays where it has one of its own.
    const Ending* ending = FindEnding(verdict.reply.error().code);
    const bool has_word =
        ending != nullptr && ending->code == ErrorCode::kBrokenOff && !verdict.stated.finish.empty();
    if (ending != nullptr && !has_word) verdict.stated.finish = ending->finish_reason;
  }
  // An embedding's body is its vectors again, in digits.
  const bool says_more = !prepared.recorded && (std::holds_alternative<ModelRequest>(prepared.request) ||
                                                verdict.reply_class != ReplyClass::kOk);
  if (says_more) verdict.raw = std::move(reply.body);
  return verdict;
}

const ProviderRow* CodecOf(const PreparedRequest& prepared) {
  if (const auto* model = std::get_if<ModelRequest>(&prepared.request))
    return prepared.recorded ? &RecordedProvider() : FindProvider(model->provider);
  if (const auto* embed = std::get_if<EmbedRequest>(&prepared.request)) return FindProvider(embed->provider);
  return nullptr;
}

// What the user can do about an address that the rules of trust forbid.
void ExplainRefusal(HttpReply& reply) {
  if (reply.error && reply.error->code == ErrorCode::kRefused)
    reply.error->message += "; only the suite names it: allow it with --allow-host, if it is meant";
}

// U+FFFD for each byte that is no UTF-8.
std::string WithoutIllFormed(std::string_view bytes) {
  std::string text;
  for (std::size_t at = 0; at < bytes.size();) {
    const DecodedCodePoint decoded = DecodeUtf8(bytes, at);
    AppendUtf8(decoded.code_point, text);
    at += decoded.size_bytes;
  }
  return text;
}

// A service's answer is a reply whatever its status; what is the service's own trouble may pass. It is read
// in the form in which it is stored, so that a replay sees the same.
// `answers`: it answers a case, and then a limit of rates passes as well.
WireVerdict DecodeService(HttpReply reply, bool is_page, bool answers) {
  WireVerdict verdict;
  if (reply.error) {
    verdict.reply_class = MayPass(*reply.error) ? ReplyClass::kRetry : ReplyClass::kFail;
    verdict.reply = *reply.error;
    return verdict;
  }
  constexpr int kServerTrouble = 500;
  const bool is_ok = reply.status >= 200 && reply.status < 300;
  const bool may_pass = reply.status >= kServerTrouble || (answers && reply.status == kTooManyRequests);
  verdict.reply_class = is_ok ? ReplyClass::kOk : may_pass ? ReplyClass::kRetry : ReplyClass::kFail;
  if (!is_page) {
    // Bodies of services are words: bytes that are none would not be stored as such.
    reply.content_type.clear();
    if (FindInvalidUtf8(reply.body) != std::string_view::npos) reply.body = WithoutIllFormed(reply.body);
  }
  verdict.reply = DecodeReply(RequestKind::kHttp, EncodeReply(Reply(std::move(reply))));
  return verdict;
}

// A key that comes back in words of JSON, or in pieces of a stream, shows once they are read: then the body
// as it came is not kept either. `found`: whether it held one.
WireVerdict WithoutKeys(WireVerdict verdict, const Redactor& redactor, bool found) {
  if (verdict.reply) {
    found = redactor.Redact(*verdict.reply) || found;
  } else {
    Error error = std::move(verdict.reply).error();
    found = redactor.Redact(error) || found;
    verdict.reply = std::move(error);
  }
  if (found) verdict.raw.clear();
  return verdict;
}

WireVerdict DecodeHttp(const PreparedRequest& prepared, const Redactor& redactor, HttpReply reply,
                       Redaction redaction) {
  if (prepared.recorded && !std::holds_alternative<ModelRequest>(prepared.request)) {
    return {.reply_class = ReplyClass::kOk,
            .reply = DecodeReply(KindOf(prepared.request), reply.body),
            .raw = {}};
  }
  // Before anything is read too: messages of errors quote and cut what came.
  const bool found = redaction == Redaction::kToDo && redactor.Redact(reply);
  ExplainRefusal(reply);
  if (const ProviderRow* codec = CodecOf(prepared))
    return WithoutKeys(DecodeProvider(prepared, *codec, std::move(reply)), redactor, found);
  const auto& request = std::get<HttpRequest>(prepared.request);
  const bool is_page = request.redirects_max > 0 || request.reply_bytes_max > 0;
  const bool answers = prepared.tag.role == RequestRole::kCandidate;
  return WithoutKeys(DecodeService(std::move(reply), is_page, answers), redactor, found);
}

// Replies that may take more than ten minutes are given in pieces alone: its clients refuse to wait for them
// in another way, at as many tokens.
bool MustStream(const ModelRequest& request, const ProviderRow& codec) {
  return codec.unstreamed_max > 0 && OutputTokensMax(request) > codec.unstreamed_max;
}

// Of a chat's request that is answered whole, where the service takes that for granted.
void LeaveStreamOut(HttpRequest& wire) {
  constexpr std::string_view kEnd = R"(,"stream":false})";
  if (!wire.url.ends_with("/chat/completions") || !wire.body.ends_with(kEnd)) return;
  wire.body.replace(wire.body.size() - kEnd.size(), kEnd.size(), "}");
}

Result<HttpRequest> EncodeHttp(const PreparedRequest& prepared, const Endpoints& endpoints,
                               const ModelBook& models) {
  if (const auto* model = std::get_if<ModelRequest>(&prepared.request)) {
    const ProviderRow* codec = FindProvider(model->provider);
    if (codec == nullptr) return NoProvider(model->provider, model->model);
    ASSAY_CHECK_OK(MayWordMedia(*model, codec->media));
    const std::optional<ModelFacts> facts = models.FactsOf(*model);
    Result<HttpRequest> wire =
        codec->encode_known(prepared.paused ? RequestNow(prepared) : *model, facts ? &*facts : nullptr);
    if (!wire) return wire;
    wire->route = codec->route;
    const bool streams = endpoints.streams || MustStream(*model, *codec);
    if (streams && codec->stream != nullptr) codec->stream(*wire);
    if (endpoints.leaves_stream_out) LeaveStreamOut(*wire);
    if (wire->route != Route::kHttp) return wire;
    if (!AreFinite(model->params.extra)) return NotFinite();
    AddMembers(IsResponsesRequest(*wire) ? ResponsesMembers(model->params.extra) : model->params.extra,
               wire->body);
    return wire;
  }
  if (const auto* embed = std::get_if<EmbedRequest>(&prepared.request)) {
    const ProviderRow* codec = FindProvider(embed->provider);
    if (codec == nullptr || codec->encode_embedding == nullptr) return NoEmbedder(*embed);
    Result<HttpRequest> wire = codec->encode_embedding(*embed);
    if (wire) wire->route = codec->route;
    return wire;
  }
  return std::get<HttpRequest>(prepared.request);
}

}  // namespace

Result<WireRequest> EncodeOnWire(const PreparedRequest& prepared, const Endpoints& endpoints,
                                 const ModelBook& models) {
  if (prepared.recorded) {
    return WireRequest(HttpRequest{.method = "GET",
                                   .url = {},
                                   .headers = {},
                                   .body = EncodeReply(*prepared.recorded),
                                   .timeout = {},
                                   .route = Route::kLocal});
  }
  if (const auto* process = std::get_if<ProcessRequest>(&prepared.request)) return WireRequest(*process);
  ASSAY_TRY(HttpRequest wire, EncodeHttp(prepared, endpoints, models));
  ASSAY_CHECK_OK(Authorise(endpoints, prepared.request, wire));
  return WireRequest(std::move(wire));
}

void KeepThoughtsApart(const PreparedRequest& prepared, WireVerdict& verdict) {
  auto* reply = verdict.reply ? std::get_if<ModelReply>(&*verdict.reply) : nullptr;
  if (reply == nullptr) return;
  const bool had_text = !reply->text.empty();
  // A judge may quote tags of an answer, whose author must not be able to make the verdict a thought.
  SeparateThoughts(*reply, IsJudge(prepared.tag.role) ? &kVerdictForm : nullptr);
  if (!had_text || !reply->text.empty() || prepared.takes_silence) return;
  verdict.stated = {.usage = reply->usage, .finish = reply->finish_reason};
  verdict.reply = Widen(SpokenReply(std::move(*reply)));
  if (verdict.reply) return;
  const bool may_pass = !prepared.recorded && MayPass(verdict.reply.error());
  verdict.reply_class = may_pass ? ReplyClass::kRetry : ReplyClass::kFail;
}

// Whether JSON counts tokens that a model wrote, in whatever protocol's words and wherever.
bool CountsOutput(const Value& json) {
  constexpr std::string_view kCounts[] = {"completion_tokens",    "output_tokens",      "outputTokens",
                                          "candidatesTokenCount", "thoughtsTokenCount", "reasoning_tokens"};
  if (json.is_list()) return std::any_of(json.AsList().begin(), json.AsList().end(), CountsOutput);
  if (!json.is_map()) return false;
  return std::any_of(json.AsMap().begin(), json.AsMap().end(), [&kCounts](const Member& each) {
    const bool is_count = std::find(std::begin(kCounts), std::end(kCounts), each.key) != std::end(kCounts);
    return is_count ? each.value.is_number() && each.value.AsNumber() > 0 : CountsOutput(each.value);
  });
}

// Where replies have what the model wrote: in the protocols that assay speaks, or as a program says it.
constexpr std::string_view kPlaces[] = {"choices", "output", "candidates",
                                        "content", "answer", "error_model_output"};

// Whether JSON that reports an error counts tokens of the model, or has a place for what the model wrote. A
// program that was halted had begun.
bool HasMoreThanError(std::string_view text) {
  const Result<Value> json = ParseJson(text);
  if (!json || !json->is_map()) return false;
  return CountsOutput(*json) || IsTruthyAt(*json, "halted") || !json->MapAt("message").empty() ||
         std::any_of(std::begin(kPlaces), std::end(kPlaces), [&json](std::string_view place) {
           return !json->ListAt(place).empty() || !json->TextAt(place).empty() || !json->MapAt(place).empty();
         });
}

// Whether a connection broke after its service began to send what a model wrote. Blank bytes keep a
// connection open before the model writes. Only a whole reply has a length, and half of packed bytes are
// unreadable.
bool HasBrokenWithin(const HttpReply& reply) {
  if (!reply.error || reply.status < 200 || reply.status >= 300) return false;
  const auto states = [&reply](std::string_view name) {
    return std::any_of(reply.headers.begin(), reply.headers.end(), [name](const HttpHeader& header) {
      return header.name == name && header.value != "0" && header.value != "identity";
    });
  };
  if (reply.body.empty() && states("content-encoding")) return true;
  return !IsEventStream(reply) && (!JsTrim(reply.body).empty() || states("content-length"));
}

// Whether a reply that reports an error, or broke off, has more than the error: other events, words, a count
// of tokens. Each line of a program is JSON of its own.
bool HasBegun(const HttpReply& reply) {
  if (HasBrokenWithin(reply)) return true;
  if (IsEventStream(reply)) {
    const std::vector<SseEvent> events = ReadSse(reply.body);
    return events.size() > 1 || (!events.empty() && HasMoreThanError(events.front().data));
  }
  std::string_view rest = JsTrim(reply.body);
  if (HasMoreThanError(rest)) return true;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    if (HasMoreThanError(rest.substr(0, end))) return true;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return false;
}

// Whether a service says something of what its model wrote, in whatever words and with whatever status: such
// an error is the end of a reply that had begun. The number of output tokens is none of these words.
bool SpeaksOfOutput(std::string_view body) {
  constexpr std::size_t kLooked = 16'384;
  constexpr std::string_view kWords[] = {
      "output", "generated", "produced", "parse", "parsing", "syntax error", "unknown role", "sampled token",
      "llm response", "response blocked", "response was blocked", "response was filtered", "completion was",
      "in the response", "utf-8 byte", "called a tool", "attempted to call", "after_request",
      "the generation", "or generation", "the completion", "during generation", "mid-generation",
      "incomplete generation", "grammar", "guided decoding", "harmony", "tool call", "jsondecodeerror",
      "extra data", "expecting value", "unterminated string", "invalid \\\\escape", "invalid response",
      "json mode", "model response", "conform to",
      // Of the form that a judge is asked for.
      "reflection", "classification",
      // Of services in China: "output", "generate".
      "输出", "生成"};
  body = JsTrim(body);
  if (!body.starts_with('{') && !body.starts_with('[')) return false;  // the page of a proxy
  const Result<Value> json = ParseJson(body);  // whose strings may be escaped: "\\u8f93\\u51fa"
  std::string said = json ? WriteJson(*json, JsonStyle::kJavaScript) : std::string(body);
  said.resize(std::min(said.size(), kLooked));
  const std::string small = AsciiLower(said);
  const std::string_view text = small;
  const auto stands = [text](std::string_view word) {
    for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) {
      const bool is_whole = at == 0 || !(IsAsciiAlphanumeric(text[at - 1]) || text[at - 1] == '_');
      const std::string_view rest = text.substr(at + word.size());
      constexpr std::string_view kOthers[] = {" token", "_token", "_format"};
      const bool is_other = std::any_of(std::begin(kOthers), std::end(kOthers),
                                        [rest](std::string_view other) { return rest.starts_with(other); });
      if (is_whole && !is_other) return true;
    }
    return false;
  };
  return std::any_of(std::begin(kWords), std::end(kWords), stands);
}

// A judge's service that breaks its reply off, or holds it back, may have been made to by what the judge
// quotes, whatever it calls that.
void NameBrokenEnd(const HttpReply& reply, WireVerdict& verdict) {
  if (verdict.reply) return;
  constexpr ErrorCode kBroken[] = {ErrorCode::kService, ErrorCode::kInvalidInput, ErrorCode::kRefused};
  constexpr ErrorCode kHeld[] = {ErrorCode::kContentFilter, ErrorCode::kPersonalData, ErrorCode::kLanguage};
  ErrorCode& code = verdict.reply.error().code;
  const auto is_one_of = [code](const auto& codes) {
    return std::find(std::begin(codes), std::end(codes), code) != std::end(codes);
  };
  const bool is_ok = reply.status >= 200 && reply.status < 300;
  const bool is_half = verdict.has_begun && !MayQuoteUnread(code);
  const bool is_too_long = reply.error && code == ErrorCode::kLimit;
  const bool has_end = is_one_of(kBroken) && !verdict.stated.finish.empty();
  const bool is_broken = has_end || ((!IsEnding(code) || !verdict.is_read) && HasBegun(reply));
  // Words of the answer that its service repeats can make it look like a full context.
  const bool is_said = is_one_of(kBroken) || is_one_of(kHeld) || code == ErrorCode::kContextWindow;
  const bool is_of_output = is_said && SpeaksOfOutput(reply.body);
  if (is_half || is_broken || is_too_long || is_of_output || (is_ok && is_one_of(kHeld)))
    code = ErrorCode::kBrokenOff;
}

WireVerdict DecodeFromWire(const PreparedRequest& prepared, const Redactor& redactor, WireReply reply,
                           Redaction redaction) {
  if (auto* http = std::get_if<HttpReply>(&reply)) {
    if (!IsJudge(prepared.tag.role)) return DecodeHttp(prepared, redactor, std::move(*http), redaction);
    WireVerdict verdict = DecodeHttp(prepared, redactor, *http, redaction);
    verdict.has_begun = verdict.has_begun || prepared.paused;
    NameBrokenEnd(*http, verdict);
    return verdict;
  }
  if (auto* answer = std::get_if<Result<CorpusReply>>(&reply)) {
    WireVerdict verdict{.reply_class = *answer ? ReplyClass::kOk : ReplyClass::kFail,
                        .reply = Widen(std::move(*answer))};
    return WithoutKeys(std::move(verdict), redactor, false);
  }
  auto& process = std::get<ProcessReply>(reply);
  WireVerdict verdict;
  if (process.error) {
    verdict.reply_class = ReplyClass::kFail;
    verdict.reply = *process.error;
  } else {
    verdict.reply_class = ReplyClass::kOk;
    verdict.reply = Reply(std::move(process));
  }
  return verdict;
}

}  // namespace assay
