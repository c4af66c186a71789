// Fills the templates in: texts as they are, bodies leaf by leaf.
#include "plan/answers/http/request_template.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/errors/diagnostics.h"
#include "base/limits.h"
#include "base/text/ascii.h"
#include "base/wire/url.h"
#include "checks/limits.h"
#include "plan/answers/http/raw_request.h"
#include "plan/answers/http/snippet.h"
#include "text/found.h"
#include "text/javascript/text.h"
#include "text/javascript/values.h"
#include "text/json/json.h"

namespace assay {

namespace {

// What this provider has elsewhere and not here, and what to do instead.
struct MemberOfElsewhere {
  std::string_view name;
  std::string_view instead;
};
constexpr MemberOfElsewhere kElsewhere[] = {
    {"auth", "write the header: Authorization: 'Bearer {{env.NAME}}'"},
    {"signatureAuth", "ask a proxy that signs requests"},
    {"tls", "ask a proxy that has the certificates"},
    {"session", "requests have no session here"},
    {"sessionParser", "requests have no session here"},
    {"sessionSource", "requests have no session here"},
    {"multipart", "write the body as a text"},
};
constexpr std::string_view kMayNameFiles[] = {
    "body", "request", "transformRequest", "transformResponse", "responseParser", "validateStatus"};

constexpr std::string_view kContentType = "content-type";

// The address that the config has, else the one that the provider is named by; "": neither is one.
std::string AddressOf(const Value& config, std::string_view id) {
  const std::string& url = config.TextAt("url");
  if (!url.empty()) return url;
  return id.starts_with("http://") || id.starts_with("https://") ? std::string(id) : std::string();
}

bool IsMethod(std::string_view method) {
  return !method.empty() &&
         std::all_of(method.begin(), method.end(), [](char c) { return IsAsciiLetter(c); });
}

std::string UpperLetters(std::string text) {
  for (char& c : text) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return text;
}

bool IsObject(const Value& value) { return value.is_map() || value.is_list(); }

// A browser's way to write what a URL cannot hold.
std::string EscapedUrl(std::string_view url) {
  constexpr std::string_view kNever = "\"<>`\\^{|}";
  std::string escaped;
  for (const char c : url) {
    const auto byte = static_cast<unsigned char>(c);
    constexpr unsigned char kDelete = 0x7f;
    if (byte > ' ' && byte < kDelete && kNever.find(c) == std::string_view::npos) {
      escaped += c;
    } else {
      escaped += fmt::format("%{:02X}", byte);
    }
  }
  return escaped;
}

// As forms write their members: a blank is a plus sign.
std::string FormEscaped(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    const bool is_plain = IsAsciiLetter(c) || (c >= '0' && c <= '9') ||
                          std::string_view("*-._").find(c) != std::string_view::npos;
    if (is_plain) {
      escaped += c;
    } else if (c == ' ') {
      escaped += '+';
    } else {
      escaped += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return escaped;
}

// The variables as texts within a string of JSON.
Map WithinJson(const Map& variables) {
  Map escaped = variables;
  for (Member& member : escaped) {
    if (!member.value.is_string()) continue;
    const std::string quoted = WriteJson(member.value, JsonStyle::kJavaScript);
    member.value = Value(quoted.substr(1, quoted.size() - 2));
  }
  return escaped;
}

class RequestMaker {
 public:
  explicit RequestMaker(const TemplateCall& call) : call_(call), variables_(call.variables) {
    variables_.Set("prompt", call.prompt);
  }

  Result<HttpRequest> Make() {
    ASSAY_CHECK_OK(TransformPrompt());
    ASSAY_TRY(HttpRequest request, FindText(call_.config, "request") != nullptr ? OfWhole() : OfMembers());
    if (!IsHttpUrl(request.url))
      return Error{
          ErrorCode::kInvalidInput,
          fmt::format("config.url: expected an address that begins with http:// or https://, found {}",
                      ShownUrl(request.url))};
    if (!IsMethod(request.method))
      return Error{ErrorCode::kInvalidInput,
                   fmt::format("config.method: expected GET, POST or another method, found {}",
                               Quoted(request.method))};
    if (request.body.size() > limits::kServiceBodyBytesMax)
      return Error{ErrorCode::kLimit, fmt::format("config.body: what would be sent is longer than {} bytes",
                                                  limits::kServiceBodyBytesMax)};
    return request;
  }

 private:
  Result<std::string> Filled(std::string_view member, const Value& text, const Map& variables) const {
    if (!text.is_string()) return JsString(text);
    Result<std::string> filled = call_.fill_in(text.AsString(), variables);
    if (filled) return filled;
    return Error{filled.error().code, fmt::format("config.{}: {}", member, filled.error().message)};
  }
  Result<std::string> Filled(std::string_view member, const Value& text) const {
    return Filled(member, text, variables_);
  }

  // transformRequest: a template, an expression over `prompt`, or a function of it.
  Status TransformPrompt() {
    const std::string* code = FindText(call_.config, "transformRequest");
    if (code == nullptr || code->empty()) return Ok();
    const bool is_template = code->find("{{") != std::string::npos || code->find("{%") != std::string::npos;
    if (is_template && code->find("=>") == std::string::npos) {
      ASSAY_TRY(std::string made, Filled("transformRequest", Value(*code)));
      variables_.Set("prompt", std::move(made));
      return Ok();
    }
    const Value context(Map{});
    ASSAY_TRY(
        const Value made,
        RunSnippet("config.transformRequest", *code,
                   {{"prompt", Value(call_.prompt)}, {"vars", Value(call_.variables)}, {"context", context}},
                   call_.world));
    if (IsObject(made)) {
      body_of_prompt_ = made;
    } else if (!made.is_nullish()) {
      variables_.Set("prompt", JsString(made));
    } else {
      return Error{ErrorCode::kInvalidInput,
                   "config.transformRequest gave no value: expected a text or an object"};
    }
    return Ok();
  }

  Result<HttpRequest> OfMembers() {
    const Value* body = call_.config.Find("body");
    if (body != nullptr && body->is_nullish()) body = nullptr;
    HttpRequest request;
    const bool sends_body = body != nullptr || body_of_prompt_;
    const Value* method = call_.config.Find("method");
    ASSAY_TRY(request.method,
              Filled("method", method == nullptr || method->is_nullish() ? Value(sends_body ? "POST" : "GET")
                                                                         : *method));
    request.method = UpperLetters(std::move(request.method));
    ASSAY_CHECK_OK(AddHeaders(body, request));
    ASSAY_TRY(request.url, UrlOfMembers());
    if (request.method == "GET" || !sends_body) return request;
    ASSAY_TRY(request.body, BodyOf(body, request));
    return request;
  }

  Status AddHeaders(const Value* body, HttpRequest& request) const {
    const bool is_object = body_of_prompt_ || (body != nullptr && IsObject(*body));
    if (request.method != "GET" && (is_object || body != nullptr)) {
      request.headers.push_back(
          {std::string(kContentType), is_object ? "application/json" : "application/x-www-form-urlencoded"});
    }
    for (const Member& member : call_.config.MapAt("headers")) {
      ASSAY_TRY(std::string name, Filled("headers", Value(AsciiLower(member.key))));
      ASSAY_TRY(std::string value, Filled("headers." + member.key, member.value));
      std::erase_if(request.headers, [&](const HttpHeader& header) { return header.name == name; });
      request.headers.push_back({std::move(name), std::move(value)});
    }
    return Ok();
  }

  Result<std::string> UrlOfMembers() const {
    ASSAY_TRY(std::string url, Filled("url", Value(AddressOf(call_.config, call_.id))));
    url = EscapedUrl(JsTrim(url));
    char before = url.find('?') == std::string::npos ? '?' : '&';
    for (const Member& member : call_.config.MapAt("queryParams")) {
      ASSAY_TRY(const std::string value, Filled("queryParams." + member.key, member.value));
      url += fmt::format("{}{}={}", before, FormEscaped(member.key), FormEscaped(value));
      before = '&';
    }
    return url;
  }

  static bool SendsJson(const HttpRequest& request) {
    return std::any_of(request.headers.begin(), request.headers.end(), [](const HttpHeader& header) {
      return header.name == kContentType && header.value.find("application/json") != std::string::npos;
    });
  }

  Result<std::string> BodyOf(const Value* body, const HttpRequest& request) const {
    const bool is_object = body_of_prompt_ || IsObject(*body);
    if (!SendsJson(request)) {
      if (!is_object) return Filled("body", *body);
      return Error{ErrorCode::kInvalidInput,
                   "config.body is an object, which needs the header content-type: application/json"};
    }
    if (!is_object) return JsonText(*body);
    Value filled = body == nullptr ? Value(Map()) : *body;
    ASSAY_CHECK_OK(FillLeaves(filled));
    if (body_of_prompt_ && (!filled.is_map() || !body_of_prompt_->is_map())) {
      filled = *body_of_prompt_;
    } else if (body_of_prompt_) {
      for (const Member& member : body_of_prompt_->AsMap()) filled.AsMap().Set(member.key, member.value);
    }
    return WriteJson(filled, JsonStyle::kJavaScript);
  }

  // A leaf that comes out as an object or a list of JSON is put in as that.
  Status FillLeaves(Value& value) const {
    if (value.is_map()) {
      for (Member& member : value.AsMap()) ASSAY_CHECK_OK(FillLeaves(member.value));
    } else if (value.is_list()) {
      for (Value& item : value.AsList()) ASSAY_CHECK_OK(FillLeaves(item));
    } else if (value.is_string()) {
      ASSAY_TRY(std::string text, Filled("body", value));
      const std::string_view bare = JsTrim(text);
      Result<Value> parsed =
          bare.starts_with('{') || bare.starts_with('[') ? ParseJson(bare) : Result<Value>(Value());
      value = parsed && IsObject(*parsed) ? *std::move(parsed) : Value(std::move(text));
    }
    return Ok();
  }

  // The JSON that the text is, with the variables as they are, else as they stand within quotes; what is none
  // is sent as it is.
  Result<std::string> JsonText(const Value& body) const {
    ASSAY_TRY(std::string text, Filled("body", body));
    if (const Result<Value> parsed = ParseJson(text)) return WriteJson(*parsed, JsonStyle::kJavaScript);
    ASSAY_TRY(const std::string escaped, Filled("body", body, WithinJson(variables_)));
    if (const Result<Value> parsed = ParseJson(escaped)) return WriteJson(*parsed, JsonStyle::kJavaScript);
    return text;
  }

  Result<RawRequest> Whole(const Map& variables) const {
    ASSAY_TRY(const std::string text, Filled("request", *call_.config.Find("request"), variables));
    Result<RawRequest> raw = ReadRawRequest(text);
    if (raw) return raw;
    return Error{raw.error().code, "config.request: " + raw.error().message};
  }

  Result<HttpRequest> OfWhole() const {
    ASSAY_TRY(RawRequest raw, Whole(variables_));
    HttpRequest request;
    request.headers = raw.headers;
    if (SendsJson(request) && !raw.body.empty() && !ParseJson(raw.body)) {
      const Result<RawRequest> escaped = Whole(WithinJson(variables_));
      if (escaped && ParseJson(escaped->body)) raw = *escaped;
    }
    if (raw.host.empty() && !IsHttpUrl(raw.target))
      return Error{ErrorCode::kInvalidInput, "config.request: expected the header Host, found none"};
    request.method = UpperLetters(std::move(raw.method));
    request.headers = std::move(raw.headers);
    const bool is_secure = call_.config.BoolAt("useHttps").value_or(false);
    request.url = EscapedUrl(
        IsHttpUrl(raw.target) ? raw.target
                              : fmt::format("{}://{}{}", is_secure ? "https" : "http", raw.host, raw.target));
    request.body = std::move(raw.body);
    return request;
  }

  const TemplateCall& call_;
  Map variables_;
  std::optional<Value> body_of_prompt_;  // what transformRequest made, if that is an object
};

}  // namespace

std::string ConfigProblem(const Value& config, std::string_view id) {
  for (const MemberOfElsewhere& member : kElsewhere) {
    const Value* given = config.Find(member.name);
    if (given != nullptr && given->Truthy())
      return fmt::format("config.{} is not supported here; {}", member.name, member.instead);
  }
  for (const std::string_view name : kMayNameFiles) {
    const std::string* text = FindText(config, name);
    if (text != nullptr && text->starts_with("file://"))
      return fmt::format(
          "config.{} names the file {}, which is not read here; write what it has into the config", name,
          Quoted(*text));
  }
  if (FindText(config, "request") != nullptr || !AddressOf(config, id).empty()) return {};
  return "config.url: expected the address of a service, found none";
}

Result<HttpRequest> RequestOfTemplates(const TemplateCall& call) { return RequestMaker(call).Make(); }

std::optional<RetryRule> RetryOfConfig(const Value& config) {
  constexpr std::chrono::milliseconds kBackoff{1'000};
  const std::optional<double> retries = config.NumberAt("maxRetries");
  if (!retries || !(*retries >= 0)) return std::nullopt;
  return RetryRule{.max_retries = static_cast<int>(std::min(*retries, double{limits::kRetriesMax})),
                   .backoff = kBackoff};
}

}  // namespace assay
