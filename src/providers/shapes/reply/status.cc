// The rules by status, and the errors that services put inside a reply with status 200.
#include "providers/shapes/reply/status.h"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "base/text/ascii.h"
#include "base/wire/sse.h"
#include "providers/shapes/reply/endings.h"
#include "providers/shapes/reply/reply_json.h"
#include "text/found.h"
#include "text/json/json.h"

namespace assay {

bool MayPass(const Error& error) {
  switch (error.code) {
    case ErrorCode::kNetwork:
    case ErrorCode::kService:
    case ErrorCode::kTimeout:
    case ErrorCode::kRateLimited:
    case ErrorCode::kCorrupt:
    case ErrorCode::kIo:
      return true;
    default:
      break;
  }
  const Ending* ending = FindEnding(error.code);
  return ending != nullptr && ending->may_pass;
}

namespace {

constexpr std::size_t kErrorBytesMax = 65'536;

// What waiting does not bring back, in words of services.
struct SpentWords {
  std::string_view words;
  int status;
  std::string_view remedy;
};
constexpr std::string_view kTomorrow =
    "; the daily quota is used up: continue tomorrow with the same command, or raise the quota at the "
    "service";
constexpr SpentWords kSpent[] = {
    {"insufficient_quota", kTooManyRequests,
     "; the account's quota is used up: see its plan and its billing at the service"},
    {"PerDay", kTooManyRequests, kTomorrow},                   // Google
    {"Too many tokens per day", kTooManyRequests, kTomorrow},  // Bedrock
    {"credit balance is too low", 400,                         // Anthropic
     "; the account has no credit left: top it up at the service"},
};

struct NamedStatus {
  std::string_view name;
  int status;
};
// What services call their errors where no status says it: types, codes and states of theirs.
constexpr NamedStatus kNamed[] = {
    {"overloaded_error", 529},
    {"engine_overloaded", 503},
    {"rate_limit_error", kTooManyRequests},
    {"rate_limit_exceeded", kTooManyRequests},
    {"rate_limit_reached", kTooManyRequests},
    {"too_many_requests", kTooManyRequests},
    {"insufficient_quota", kTooManyRequests},
    {"RESOURCE_EXHAUSTED", kTooManyRequests},
    {"server_error", 500},
    {"api_error", 500},
    {"internal_server_error", 500},
    {"internal_error", 500},
    {"INTERNAL", 500},
    {"service_unavailable", 503},
    {"UNAVAILABLE", 503},
    {"timeout_error", 504},
    {"vector_store_timeout", 504},
    {"DEADLINE_EXCEEDED", 504},
    {"invalid_request_error", 400},
    {"INVALID_ARGUMENT", 400},
    {"authentication_error", 401},
    {"invalid_api_key", 401},
    {"UNAUTHENTICATED", 401},
    {"billing_error", 402},
    {"permission_error", 403},
    {"data_residency_mismatch", 403},
    {"PERMISSION_DENIED", 403},
    {"not_found_error", 404},
    {"model_not_found", 404},
    {"NOT_FOUND", 404},
    {"request_too_large", 413},
    {"throttlingException", kTooManyRequests},  // Bedrock's, in its streams
    {"internalServerException", 500},
    {"modelStreamErrorException", 500},
    {"serviceUnavailableException", 503},
    {"validationException", 400},
};

// What they say where they name nothing, in small letters.
constexpr NamedStatus kSaid[] = {
    {"over capacity", 498},  // Groq
    {"overloaded", 529},
    {"rate limit", kTooManyRequests},
    {"too many requests", kTooManyRequests},
};

int StatusOfName(std::string_view name) {
  for (const NamedStatus& each : kNamed) {
    if (each.name == name) return each.status;
  }
  // For what may be wrong with a picture OpenAI has a dozen names.
  if (name.find("image") != std::string_view::npos) return 400;
  int number = 0;
  const bool is_number = name.size() == 3 && std::all_of(name.begin(), name.end(), [&number](char c) {
                           number = 10 * number + (c - '0');
                           return c >= '0' && c <= '9';
                         });
  return is_number ? number : 0;
}

int StatusOfWords(std::string_view words) {
  const std::string small = AsciiLower(words);
  const auto* known = std::find_if(std::begin(kSaid), std::end(kSaid), [&small](const NamedStatus& each) {
    return small.find(each.name) != std::string::npos;
  });
  return known == std::end(kSaid) ? 0 : known->status;
}

// Whether a text may hold an error at all, so that whole answers need not be read twice: a member "error"
// that is not null, or an event of that type.
bool MayHoldError(std::string_view text) {
  constexpr std::string_view kName = "\"error\"";
  for (std::size_t at = text.find(kName); at != std::string_view::npos; at = text.find(kName, at + 1)) {
    std::size_t next = text.find_first_not_of(" \t\r\n", at + kName.size());
    if (next == std::string_view::npos || text[next] != ':') return true;
    next = text.find_first_not_of(" \t\r\n", next + 1);
    if (next != std::string_view::npos && !text.substr(next).starts_with("null")) return true;
  }
  return false;
}

int StatusInText(std::string_view text) {
  if (!MayHoldError(text)) return 0;
  const Result<Value> body = ParseJson(text);
  const Value* error = body ? ErrorIn(*body) : nullptr;
  return error == nullptr ? 0 : StatusOfError(*error);
}

}  // namespace

const Value* ErrorIn(const Value& body) {
  const auto error_of = [](const Value* holder) -> const Value* {
    const Value* error = holder == nullptr ? nullptr : holder->Find("error");
    return error != nullptr && error->Truthy() ? error : nullptr;
  };
  const List& choices = body.ListAt("choices");
  for (const Value* holder :
       {&body, body.Find("response"), body.Find("x_groq"), choices.empty() ? nullptr : &choices.front()}) {
    if (const Value* error = error_of(holder)) return error;
  }
  return body.TextAt("type") == "error" ? &body : nullptr;
}

int StatusOfError(const Value& error) {
  for (const std::string_view name : {"code", "type", "status"}) {
    const std::string* said = FindText(error, name);
    const int status =
        said != nullptr ? StatusOfName(*said) : static_cast<int>(error.NumberAt(name).value_or(0));
    if (status >= 400 && status < 600) return status;
  }
  return StatusOfWords(error.is_string() ? error.AsString() : error.TextAt("message"));
}

int StatusInside(const HttpReply& reply) {
  if (reply.error || reply.status != kStatusOk || !MayHoldError(reply.body)) return 0;
  if (!IsEventStream(reply)) return StatusInText(reply.body);
  for (const SseEvent& event : ReadSse(reply.body)) {
    if (const int status = StatusInText(event.data); status > 0) return status;
  }
  return 0;
}

std::string_view RemedyOfSpent(int status, std::string_view body) {
  const std::string_view looked = body.substr(0, kErrorBytesMax);
  for (const SpentWords& each : kSpent) {
    if (each.status == status && looked.find(each.words) != std::string_view::npos) return each.remedy;
  }
  return {};
}

bool IsQuotaSpent(const HttpReply& reply) {
  return !reply.error && !RemedyOfSpent(reply.status, reply.body).empty();
}

ReplyClass ClassifyByStatus(const HttpReply& reply) {
  if (IsQuotaSpent(reply)) return ReplyClass::kFail;
  if (reply.error) return MayPass(*reply.error) ? ReplyClass::kRetry : ReplyClass::kFail;
  if (reply.status >= 200 && reply.status < 300) return ReplyClass::kOk;
  constexpr int kMayPass[] = {408, 409, kTooManyRequests, 498};  // 498: Groq's, for want of capacity
  const bool may_pass = reply.status >= 500 || std::find(std::begin(kMayPass), std::end(kMayPass),
                                                         reply.status) != std::end(kMayPass);
  return may_pass ? ReplyClass::kRetry : ReplyClass::kFail;
}

}  // namespace assay
