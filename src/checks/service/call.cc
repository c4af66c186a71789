// Grades `$call: {service or url, ...}`: the score that a service outside gives the answer.
//   args    service (a name of the header's externalServices), or url with method, headers, timeout_ms,
//           max_retries and retry_backoff_ms; everything else is sent along, its templates filled in
//   asks    one request: {response, modelId, promptId, what is sent along} as JSON. ${NAME} in headers stays
//   as
//           it is here: secrets are put in where requests leave, by the rules of trust.
//   score   the service's own (call.h); a reply that gives none is an error
//   source  weval 51dc4d3 (spec: blueprint 11.6)
#include <fmt/core.h>

#include <algorithm>
#include <iterator>

#include "base/limits.h"
#include "base/wire/url.h"
#include "checks/graders.h"
#include "checks/limits.h"
#include "checks/service/call.h"
#include "spec/suite/case.h"
#include "text/found.h"
#include "text/javascript/truth.h"
#include "text/json/json.h"
#include "text/object.h"
#include "text/place_of.h"

namespace assay {
namespace {

constexpr std::string_view kReserved[] = {"service",    "url",   "method",      "headers",
                                          "timeout_ms", "cache", "max_retries", "retry_backoff_ms"};
constexpr std::string_view kMethods[] = {"POST", "PUT", "PATCH", "DELETE"};
constexpr double kTimeoutMs = 30'000;
constexpr double kTimeMsMax = 86'400'000;  // a day
constexpr double kBackoffMs = 1'000;
constexpr double kRetries = 2;

struct CallRule {
  HttpRequest request;  // all but the body
  RetryRule retry;
  Value parameters;
  bool is_turned_around = false;
};

bool Holds(std::span<const std::string_view> names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::string NamesOf(std::span<const Service> services) {
  std::string names;
  for (const Service& service : services) {
    if (!names.empty()) names += ", ";
    names += Quoted(service.name);
  }
  return names.empty() ? "none" : names;
}

// Where and how to call: a service that the suite describes, or the arguments themselves.
Result<const Value*> SettingsOf(const ParseInput& input) {
  const Value& args = input.check.args;
  if (const Value* given = args.Find("service"); given != nullptr && given->Truthy()) {
    const std::string* name = FindText(args, "service");
    const auto service =
        std::find_if(input.services.begin(), input.services.end(),
                     [name](const Service& candidate) { return name != nullptr && candidate.name == *name; });
    if (service != input.services.end()) return &service->settings;
    return Error{ErrorCode::kInvalidInput,
                 fmt::format("externalServices has no service {}; it has {}",
                             name != nullptr ? Quoted(*name) : KindName(*given), NamesOf(input.services))};
  }
  if (IsTruthyAt(args, "url")) return &args;
  return Error{ErrorCode::kInvalidInput, "expected a service of externalServices, or a url, found neither"};
}

std::string UpperAscii(std::string text) {
  for (char& c : text) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return text;
}

Result<std::string> MethodOf(const Value& settings) {
  const Value* method = settings.Find("method");
  if (method == nullptr || !method->Truthy()) return std::string("POST");
  const std::string* written = FindText(settings, "method");
  std::string name = written != nullptr ? UpperAscii(*written) : std::string(KindName(*method));
  if (Holds(kMethods, name)) return name;
  return Error{ErrorCode::kInvalidInput,
               fmt::format("a request with the method {} carries no answer; use POST or PUT", Quoted(name))};
}

// Only the network.
Result<std::string> UrlOf(const Value& settings) {
  const std::string& text = settings.TextAt("url");
  for (const std::string_view scheme : {"http://", "https://"}) {
    if (text.size() <= scheme.size()) continue;
    std::string start = UpperAscii(text.substr(0, scheme.size()));
    if (start == UpperAscii(std::string(scheme))) return std::string(scheme) + text.substr(scheme.size());
  }
  return Error{ErrorCode::kInvalidInput,
               fmt::format("expected a URL such as https://host/path, found {}",
                           settings.Find("url") == nullptr ? "none" : Quoted(text))};
}

// The suite's own word on the content's type replaces ours.
Result<std::vector<HttpHeader>> HeadersOf(const Value& settings) {
  constexpr std::string_view kType = "CONTENT-TYPE";
  std::vector<HttpHeader> headers = {{"content-type", "application/json"}};
  for (const Member& member : settings.MapAt("headers")) {
    if (!member.value.is_string()) {
      return Error{ErrorCode::kInvalidInput, fmt::format("header {}: expected a text, found {}",
                                                         Quoted(member.key), KindName(member.value))};
    }
    if (UpperAscii(member.key) == kType) headers.erase(headers.begin());
    headers.push_back({member.key, member.value.AsString()});
  }
  return headers;
}

double NumberOr(const Value& settings, std::string_view key, double otherwise) {
  const double number = settings.NumberAt(key).value_or(-1);
  return number >= 0 ? number : otherwise;
}

std::chrono::milliseconds TimeOf(const Value& settings, std::string_view key, double otherwise_ms) {
  return std::chrono::milliseconds(
      static_cast<std::int64_t>(std::min(NumberOr(settings, key, otherwise_ms), kTimeMsMax)));
}

Value ParametersOf(const Value& args) {
  Map parameters;
  for (const Member& member : args.AsMap()) {
    if (!Holds(kReserved, member.key)) parameters.Append(member.key, member.value);
  }
  return parameters;
}

// What is wrong with a url, or with what should be the name of a service, that would leave the network; also
// an error. "" if nothing is.
std::string RefuseForeignScheme(const ParseInput& input, Diagnostics& diagnostics) {
  const auto is_service = [&](const std::string& name) {
    return std::any_of(input.services.begin(), input.services.end(),
                       [&](const Service& service) { return service.name == name; });
  };
  for (const std::string_view key : {"url", "service"}) {
    const std::string* address = FindText(input.check.args, key);
    if (address == nullptr || is_service(*address)) continue;
    const std::string scheme = SchemeOf(*address);
    if (scheme.empty() || scheme == "http" || scheme == "https") continue;
    std::string problem =
        fmt::format("$call: {}: expected an address that begins with http:// or https://, found {}", key,
                    Quoted(*address));
    diagnostics.Error("check.address", problem, PlaceOf(input.check.args, key),
                      "a suite reaches the network only");
    return problem;
  }
  return {};
}

Result<CallRule> RuleOf(const ParseInput& input) {
  ASSAY_TRY(const Value* settings, SettingsOf(input));
  CallRule rule;
  ASSAY_TRY(rule.request.method, MethodOf(*settings));
  ASSAY_TRY(rule.request.url, UrlOf(*settings));
  ASSAY_TRY(rule.request.headers, HeadersOf(*settings));
  rule.request.timeout = std::max(TimeOf(*settings, "timeout_ms", kTimeoutMs), std::chrono::milliseconds(1));
  const double retries = NumberOr(*settings, "max_retries", kRetries);
  rule.retry.max_retries = static_cast<int>(std::min(retries, double{limits::kRetriesMax}));
  rule.retry.backoff = TimeOf(*settings, "retry_backoff_ms", kBackoffMs);
  rule.parameters = ParametersOf(input.check.args);
  return rule;
}

Value MessagesOf(const Transcript& transcript) {
  return ArrayOf(transcript.history, [&](const Message& message) {
    return Object{{"role", RoleName(message.role)}, {"content", message.text}};
  });
}

Result<std::string> BodyOf(const GradeInput& input, const Value& parameters) {
  const CallData data{.response = input.answer.text(),
                      .model_id = input.variant_id,
                      .prompt_id = input.the_case.id,
                      .messages = MessagesOf(input.transcript)};
  ASSAY_TRY(Value filled, FillTemplate(parameters, data));
  Map body = Object{{"response", data.response}, {"modelId", data.model_id}, {"promptId", data.prompt_id}};
  for (Member& member : filled.AsMap()) body.Set(member.key, std::move(member.value));
  body.SortLikeJavaScript();
  std::string text = WriteJson(Value(std::move(body)), JsonStyle::kJavaScript);
  if (text.size() <= limits::kServiceBodyBytesMax) return text;
  return Error{ErrorCode::kLimit,
               fmt::format("what would be sent is longer than {} bytes", limits::kServiceBodyBytesMax)};
}

}  // namespace

CheckArgs ParseCall(const ParseInput& input, Diagnostics& diagnostics) {
  const Value& args = input.check.args;
  if (!args.is_map()) {
    return UnusableArgs<CallRule>(TellUnexpected(input, "a mapping with a service or a url", diagnostics));
  }
  std::string problem = RefuseForeignScheme(input, diagnostics);
  if (!problem.empty()) return UnusableArgs<CallRule>(std::move(problem));
  Result<CallRule> rule = RuleOf(input);
  if (rule) rule->is_turned_around = IsTurnedAround(input.check);
  if (rule) return MakeArgs(std::move(rule).value());
  return UnusableArgs<CallRule>(TellBroken(input, rule.error().message, ArgsSpan(input.check), diagnostics));
}

Score GradeCall(const GradeInput&, const CheckArgs& args, WorkerState&) {
  return ProblemScore<CallRule>(args);
}

std::uint32_t RequestsOfCall(const CheckArgs& args) { return OneRequestIfUsable<CallRule>(args); }

Action NextCall(const AskInput& input, const CheckArgs& args) {
  const CallRule& rule = static_cast<const ParsedArgs<CallRule>*>(args.get())->value;
  if (!input.so_far.empty()) return Done{ScoreOfService("call", input.so_far.front())};
  HttpRequest request = rule.request;
  Result<std::string> body = BodyOf(input.grade, rule.parameters);
  if (!body) return Done{LostScore("no credit: $call: " + body.error().message, rule.is_turned_around)};
  request.body = std::move(body).value();
  return Need{{{.request = std::move(request), .tag = input.tag, .retry = rule.retry}}};
}

}  // namespace assay
