// Parses reply bodies, finds services' error messages in them, and words remedies by status.
#include "providers/shapes/reply/reply_json.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/errors/diagnostics.h"
#include "base/text/ascii.h"
#include "base/text/utf8.h"
#include "base/wire/sse.h"
#include "providers/shapes/reply/endings.h"
#include "providers/shapes/reply/status.h"
#include "providers/shapes/tool_calls.h"
#include "text/javascript/text.h"
#include "text/javascript/truth.h"
#include "text/json/json.h"
#include "text/letters/indent.h"

namespace assay {

namespace {

bool IsSuccess(int status) { return status >= 200 && status < 300; }

// The services' several ways to say what went wrong.
std::string MessageOf(const Value& body, const Value* error) {
  if (error != nullptr && error->is_string()) return error->AsString();
  for (const Value* holder : {error, &body}) {
    if (holder == nullptr) continue;
    for (const std::string_view name : {"message", "detail", "msg"}) {
      if (std::string text = holder->TextAt(name); !text.empty()) return text;
    }
  }
  return {};
}

// What a service says where an answer should stand: as an error's message, or in a list of errors.
std::string WordsInPlace(const Value& body) {
  std::string said = MessageOf(body, nullptr);
  for (const std::string_view name : {"errors", "detail"}) {
    const Value* errors = body.Find(name);
    if (!said.empty() || errors == nullptr) continue;
    const List& list = body.ListAt(name);
    const Value* first = list.empty() ? errors : &list.front();
    said = first->is_string() ? first->AsString() : first->is_map() ? MessageOf(*first, nullptr) : "";
  }
  return said;
}

// "strange: ", what a service calls an error that we do not know.
std::string NameOf(const Value* error) {
  for (const std::string_view name : {"code", "type"}) {
    const std::string said = error == nullptr ? std::string() : error->TextAt(name);
    if (!said.empty() && said != "error") return said + ": ";
  }
  return {};
}

ErrorCode CodeOfStatus(int status) {
  switch (status) {
    case 401:
    case 403:
      return ErrorCode::kRefused;
    case 404:
      return ErrorCode::kNotFound;
    case 408:
      return ErrorCode::kTimeout;
    case 429:
    case 498:
    case 529:
      return ErrorCode::kRateLimited;
    default:
      return status >= 400 && status < 500 && status != 409 ? ErrorCode::kInvalidInput : ErrorCode::kService;
  }
}

// Errors that are of one question, whatever the status: words of services, in small letters.
struct RefusalWords {
  std::string_view words;
  ErrorCode code;
};
constexpr RefusalWords kRefusals[] = {
    // Groq, with status 400 and what the model wrote beside it; llama.cpp, with 500.
    {"tool_use_failed", ErrorCode::kMalformedCall},
    {"failed to parse tool call", ErrorCode::kMalformedCall},
    {"json_validate_failed", ErrorCode::kMalformedReply},
    {"output_parse_failed", ErrorCode::kMalformedReply},
    {"failed_generation", ErrorCode::kMalformedReply},
    {"error parsing tool call", ErrorCode::kMalformedCall},        // Ollama
    {"error parsing harmony", ErrorCode::kMalformedReply},         // Ollama
    {"failed to parse input at pos", ErrorCode::kMalformedReply},  // llama.cpp
    {"remaining in message header", ErrorCode::kMalformedReply},   // vLLM, of the Harmony form
    {"expecting start token", ErrorCode::kMalformedReply},         // vLLM, of the Harmony form
    {"produced invalid content", ErrorCode::kMalformedReply},      // OpenAI, Azure
    {"model_error", ErrorCode::kMalformedReply},                   // OpenAI, Azure
    {"modelerrorexception", ErrorCode::kMalformedReply},           // Bedrock
    {"invalid_unicode_output", ErrorCode::kMalformedReply},        // OpenAI
    {"match grammar", ErrorCode::kMalformedReply},                 // Fireworks, Together
    {"match the grammar", ErrorCode::kMalformedReply},
    {"generate valid json", ErrorCode::kMalformedReply},  // DeepInfra, Groq
    {"generate json", ErrorCode::kMalformedReply},
    {"model output", ErrorCode::kMalformedReply},
    {"generated output", ErrorCode::kMalformedReply},
    {"content_filter", ErrorCode::kContentFilter},
    {"responsibleaipolicyviolation", ErrorCode::kContentFilter},
    {"content_policy_violation", ErrorCode::kContentFilter},
    {"bio_policy", ErrorCode::kContentFilter},
    {"misalignment_policy_violation", ErrorCode::kContentFilter},
    {"invalid_prompt", ErrorCode::kContentFilter},
    {"content exists risk", ErrorCode::kContentFilter},                // DeepSeek
    {"content filtering policy", ErrorCode::kContentFilter},           // Anthropic
    {"data_inspection_failed", ErrorCode::kContentFilter},             // Alibaba
    {"unsafe or sensitive content", ErrorCode::kContentFilter},        // Zhipu
    {"content violates usage guidelines", ErrorCode::kContentFilter},  // xAI
    {"flagged_input", ErrorCode::kContentFilter},  // metadata.reasons of OpenRouter stand beside it
    {"context_length_exceeded", ErrorCode::kContextWindow},
    {"prompt is too long", ErrorCode::kContextWindow},
    {"prompt tokens limit exceeded", ErrorCode::kContextWindow},  // OpenRouter, with status 402
    {"input context is too long", ErrorCode::kContextWindow},     // Google, with status 500
    {"input is too long", ErrorCode::kContextWindow},
    {"maximum context length", ErrorCode::kContextWindow},
    {"maximum prompt length", ErrorCode::kContextWindow},  // xAI
    {"too many tokens:", ErrorCode::kContextWindow},       // Cohere; others go on: "please wait"
    {"exceeds the maximum number of tokens allowed", ErrorCode::kContextWindow},
    {"exceed context limit", ErrorCode::kContextWindow},
    {"exceed_context_size", ErrorCode::kContextWindow},     // llama.cpp
    {"max_new_tokens must be", ErrorCode::kContextWindow},  // TGI
    {"request_too_large", ErrorCode::kContextWindow},       // in bytes, at Anthropic
    {"request too large", ErrorCode::kContextWindow},       // for what the account may send in a minute
};

// `error`: what the text holds of an error, if it was found; null: it says nothing of the kind. What a model
// wrote beside an error is no word of its service's.
const Ending* EndingOfRefusal(const Value* error, std::string_view text) {
  constexpr std::size_t kLooked = 16'384;
  const bool is_found = error != nullptr && error->is_map();
  const std::string own = is_found ? WriteJson(*error, JsonStyle::kJavaScript) : std::string();
  const std::string small = AsciiLower((is_found ? std::string_view(own) : text).substr(0, kLooked));
  const auto* known = std::find_if(std::begin(kRefusals), std::end(kRefusals), [&](const RefusalWords& each) {
    return small.find(each.words) != std::string::npos;
  });
  if (known != std::end(kRefusals)) return FindEnding(known->code);
  const Value* metadata = error == nullptr ? nullptr : error->Find("metadata");
  const Value* reasons = metadata == nullptr ? nullptr : metadata->Find("reasons");
  return reasons != nullptr && reasons->is_list() ? FindEnding(ErrorCode::kContentFilter) : nullptr;
}

// What a person can do about a refusal.
std::string_view RemedyOf(int status, std::string_view text) {
  struct Remedy {
    int status;
    std::string_view words;
  };
  if (const std::string_view spent = RemedyOfSpent(status, text); !spent.empty()) return spent;
  static constexpr Remedy kRemedies[] = {
      {401, "; check the key: `assay list providers` names its variable"},
      {402, "; the account has no credit left: top it up at the service"},
      {403, "; this key may not use the model, or not from here: see the account at the service"},
      {404, "; check the model's name, and the address if you gave one (--base-url)"},
  };
  const auto* known = std::find_if(std::begin(kRemedies), std::end(kRemedies),
                                   [status](const Remedy& each) { return each.status == status; });
  return known == std::end(kRemedies) ? std::string_view() : known->words;
}

bool IsPage(std::string_view text) {
  const std::string small = AsciiLower(JsTrim(text.substr(0, 256)));
  return small.starts_with("<!doctype html") || small.starts_with("<html");
}

// A page of the web is somebody else's: a proxy's, a portal's, a service's front door.
Error PageError(int status, std::string_view page) {
  const std::string small = AsciiLower(page.substr(0, 16'384));
  const std::size_t open = small.find("<title>");
  const std::size_t close = open == std::string::npos ? open : small.find("</title>", open);
  const std::string title =
      close == std::string::npos ? "" : std::string(JsTrim(page.substr(open + 7, close - open - 7)));
  const ErrorCode code = status == 0 ? ErrorCode::kCorrupt : CodeOfStatus(status);
  return {code, fmt::format("{}a page of the web{} came in place of a reply; check the address (--base-url) "
                            "and the proxy on the way",
                            status == 0 ? "" : fmt::format("status {}: ", status),
                            title.empty() ? "" : fmt::format(" ({})", Quoted(title)))};
}

// The event of a stream that has the error.
Result<Value> ErrorEvent(std::string_view stream) {
  for (const SseEvent& event : ReadSse(stream)) {
    Result<Value> data = ParseJson(event.data);
    if (data && data->is_map() && ErrorIn(*data) != nullptr) return data;
  }
  return Error{ErrorCode::kNotFound, "no error"};
}

}  // namespace

void TakeServed(const Value& body, ModelReply& reply) {
  constexpr std::size_t kNameBytesMax = 200;
  const auto take = [&](std::string_view name, std::string ServedBy::*part) {
    const std::string& said = body.TextAt(name);
    if (!said.empty()) reply.served.edit().*part = CutToBytes(said, kNameBytesMax);
  };
  take("model", &ServedBy::model);
  take("modelVersion", &ServedBy::model);
  take("system_fingerprint", &ServedBy::fingerprint);
  take("provider", &ServedBy::via);
}

std::int64_t CountMember(const Value& map, std::string_view name) {
  return map.is_map() ? CountMember(map.AsMap(), name) : 0;
}

std::int64_t CountMember(const Map& map, std::string_view name) {
  constexpr double kMost = 1e15;
  const double number = map.NumberAt(name).value_or(0);
  return number >= 0 && number <= kMost ? static_cast<std::int64_t>(number) : 0;
}

std::string UrlOf(std::string_view base_url, std::string_view path) {
  const std::size_t mark = base_url.find('?');
  const std::string_view query = mark == std::string_view::npos ? std::string_view() : base_url.substr(mark);
  base_url = base_url.substr(0, mark);
  while (base_url.ends_with('/')) base_url.remove_suffix(1);
  return fmt::format("{}{}{}", base_url, path, query);
}

std::string PathPart(std::string_view name) {
  constexpr std::string_view kPlain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/@";
  std::string part;
  for (const char c : name) {
    if (kPlain.find(c) != std::string_view::npos) {
      part += c;
    } else {
      part += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return part;
}

HttpRequest JsonPost(std::string url, std::string body) {
  HttpRequest request;
  request.url = std::move(url);
  request.headers.push_back({"content-type", "application/json"});
  request.body = std::move(body);
  return request;
}

bool IsEventStream(const HttpReply& reply) {
  for (const HttpHeader& header : reply.headers) {
    if (header.name == "content-type") return header.value.starts_with("text/event-stream");
  }
  return false;
}

Error ErrorOfReply(int status, const Value& body, std::string_view text) {
  const Value* error = ErrorIn(body);
  if (status == 0 && error != nullptr) status = StatusOfError(*error);
  const std::string said = MessageOf(body, error);
  if (const Ending* ending = EndingOfRefusal(error, text))
    return ErrorOfEnding(*ending, said.empty() ? text : said);
  if (IsPage(text)) return PageError(status, text);
  const std::string words = Quoted(said.empty() ? text : said) + std::string(RemedyOf(status, text));
  if (status == 0)
    return {ErrorCode::kService, fmt::format("the service reports {}{}", NameOf(error), words)};
  return {CodeOfStatus(status), fmt::format("status {}: {}", status, words)};
}

Error NoAnswerIn(const Value& body, std::string_view member) {
  if (ErrorIn(body) != nullptr) return ErrorOfReply(0, body, {});
  const std::string said = WordsInPlace(body);
  if (said.empty())
    return {ErrorCode::kCorrupt, fmt::format("expected a reply with \"{}\", found none", member)};
  if (const Ending* ending = EndingOfRefusal(nullptr, said)) return ErrorOfEnding(*ending, said);
  const int status = StatusOfError(Value(said));
  return {status == 0 ? ErrorCode::kService : CodeOfStatus(status),
          fmt::format("the service sent no answer, and says: {}{}", Quoted(said), RemedyOf(status, said))};
}

void SpellNumbers(std::string& body) {
  constexpr std::string_view kNames[] = {"NaN", "Infinity"};
  constexpr std::string_view kBeyondAll = "1e999";
  if (std::none_of(std::begin(kNames), std::end(kNames),
                   [&](std::string_view name) { return body.find(name) != std::string::npos; }))
    return;
  std::string spelled;
  bool in_text = false;
  char last = 0;  // that is no blank
  for (std::size_t at = 0; at < body.size();) {
    const char c = body[at];
    const std::string_view rest = std::string_view(body).substr(at);
    const auto* name = std::find_if(std::begin(kNames), std::end(kNames),
                                    [&](std::string_view each) { return rest.starts_with(each); });
    // Only where a value may begin: behind ":", ",", "[" or a sign.
    const bool is_value = last != 0 && std::string_view(":,[-").find(last) != std::string_view::npos;
    if (!in_text && name != std::end(kNames) && is_value) {
      spelled += kBeyondAll;
      last = spelled.back();
      at += name->size();
      continue;
    }
    // No text of JSON goes over the end of a line: what is none cannot upset the next.
    if (c == '"' || c == '\n') in_text = c == '"' && !in_text;
    const std::size_t taken = in_text && c == '\\' ? std::min<std::size_t>(2, rest.size()) : 1;
    spelled += rest.substr(0, taken);
    if (std::string_view(" \t\r\n").find(c) == std::string_view::npos) last = spelled.back();
    at += taken;
  }
  body = std::move(spelled);
}

namespace {

// A request that carries a key is not sent on to another address; whoever reads this may.
std::optional<Error> RedirectIn(const HttpReply& reply) {
  if (reply.status < 300 || reply.status >= 400) return std::nullopt;
  const auto location =
      std::find_if(reply.headers.begin(), reply.headers.end(),
                   [](const HttpHeader& header) { return AsciiLower(header.name) == "location"; });
  if (location == reply.headers.end()) return std::nullopt;
  const std::string_view target = location->value;
  return Error{CodeOfStatus(reply.status),
               fmt::format("status {}: the service redirects to {}, and redirects are not followed; if that "
                           "is where it is now, give its address (--base-url)",
                           reply.status, Quoted(target.substr(0, target.find_first_of("?#"))))};
}

}  // namespace

Result<Value> ReadReplyJson(const HttpReply& reply) {
  if (reply.error) return *reply.error;
  if (std::optional<Error> redirect = RedirectIn(reply)) return *std::move(redirect);
  Result<Value> body = ParseJson(reply.body);
  if (!IsSuccess(reply.status)) {
    if (!body && IsEventStream(reply)) body = ErrorEvent(reply.body);
    return ErrorOfReply(reply.status, body ? *body : Value(), reply.body);
  }
  if (IsPage(reply.body)) return PageError(0, reply.body);
  if (!body || !body->is_map()) {
    return Error{ErrorCode::kCorrupt, fmt::format("expected a JSON object as the reply, found {}",
                                                  reply.body.empty() ? "nothing" : Quoted(reply.body))};
  }
  if (IsTruthyAt(*body, "error")) return ErrorOfReply(0, *body, reply.body);
  return body;
}

namespace {

Error ErrorOfEnd(const Ending& ending, const ModelReply& reply) {
  // Only a refusal is the model's own word on it; other ends leave half an answer.
  std::string words = ending.code == ErrorCode::kRefusal && HasBegunAnswer(reply)
                          ? std::string(JsTrim(reply.text))
                          : std::string();
  if (!words.empty() && !reply.end_words.empty()) words += ": ";
  return ErrorOfEnding(ending, words + reply.end_words);
}

}  // namespace

bool HasBegunAnswer(const ModelReply& reply) {
  const std::string_view text = JsTrim(reply.text);
  return !text.empty() && text != JsTrim(reply.end_words);
}

void TrimText(ModelReply& reply) { reply.text = WithIndent(reply.text, JsTrim(reply.text)); }

Result<ModelReply> NamedReply(ModelReply reply) {
  ASSAY_CHECK_OK(NameCalls(reply.tool_calls));
  return reply;
}

Result<ModelReply> CheckedReply(ModelReply reply) {
  if (const Ending* ending = FindEnding(reply.finish_reason)) return ErrorOfEnd(*ending, reply);
  return reply;
}

Result<ModelReply> HeldReply(ModelReply reply, bool takes_any_end) {
  const Ending* ending = FindEnding(reply.finish_reason);
  const bool is_unknown = ending != nullptr && ending->code == ErrorCode::kBrokenOff && !takes_any_end;
  if (ending != nullptr && (ending->may_pass || is_unknown)) return ErrorOfEnd(*ending, reply);
  return reply;
}

Result<ModelReply> SpokenReply(ModelReply said) {
  ASSAY_TRY(ModelReply reply, CheckedReply(std::move(said)));
  if (!reply.tool_calls.empty() || !JsTrim(reply.text).empty()) return reply;
  if (reply.finish_reason == "length") {
    constexpr std::int64_t kAdvised = 16'000;
    const bool was_thinking = reply.usage.reasoning_tokens > 0 || !reply.reasoning.empty();
    return Error{
        ErrorCode::kNoAnswer,
        fmt::format("the model used all of its {} output tokens before it answered{}; allow it more: "
                    "--max-tokens {} for answers, max_tokens beside a judge's model for verdicts",
                    reply.usage.output_tokens, was_thinking ? " (it was still thinking)" : "",
                    std::max(kAdvised, 4 * reply.usage.output_tokens))};
  }
  if (!reply.reasoning.empty()) {
    return Error{ErrorCode::kCorrupt,
                 "the reply contains only thoughts: the server put all of the text into the reasoning. Check "
                 "its reasoning parser, or allow a longer answer with --max-tokens"};
  }
  return Error{ErrorCode::kCorrupt, "the reply holds no text"};
}

}  // namespace assay
