// Golden rows of `$call` and `$factcheck`, in the compatible mode: templates and replies as they are, and
// whole calls over real HTTP to a scripted server on the loopback.
#include <algorithm>
#include <map>

#include "base/clock.h"
#include "checks/check.h"
#include "checks/service/call.h"
#include "dialects/blueprint/blueprint.h"
#include "io/http/transport.h"
#include "run/wire/wire_codec.h"
#include "spec/suite/case.h"
#include "spec/suite/check.h"
#include "spec/suite/outside.h"
#include "spec/suite/suite_rules.h"
#include "tests/conformance/conformance.h"
#include "tests/support/loopback_server.h"
#include "text/json/json.h"

namespace assay::conformance {
namespace {

constexpr std::string_view kServiceGoldenAddress = "127.0.0.1:18918";

// The value with the server's real address in its texts.
Value Readdressed(const Value& value, const std::string& address) {
  if (value.is_string()) {
    std::string text = value.AsString();
    const std::size_t at = text.find(kServiceGoldenAddress);
    if (at != std::string::npos) text.replace(at, kServiceGoldenAddress.size(), address);
    return Value(std::move(text));
  }
  if (value.is_list()) {
    List list;
    for (const Value& item : value.AsList()) list.push_back(Readdressed(item, address));
    return Value(std::move(list));
  }
  if (!value.is_map()) return value;
  Map map;
  for (const Member& member : value.AsMap()) map.Append(member.key, Readdressed(member.value, address));
  return Value(std::move(map));
}

ScriptedReply ReplyOf(const Value& row) {
  ScriptedReply reply;
  if (const Value& status = Get(row, "status"); status.is_number())
    reply.status = static_cast<int>(status.AsNumber());
  if (const Value& delay = Get(row, "delay"); delay.is_number())
    reply.delay = std::chrono::milliseconds(static_cast<int>(delay.AsNumber()));
  const Value& body = Get(row, "body");
  reply.body = body.is_string() ? body.AsString() : WriteJson(body, JsonStyle::kJavaScript);
  if (!GetText(row, "type").empty()) reply.content_type = GetText(row, "type");
  return reply;
}

// A request in the form of the golden rows: of its headers, those that a suite or a service's rules set.
Value RequestValue(const ArrivedRequest& request) {
  Map headers;
  for (const HttpHeader& header : request.headers) {
    if (header.name == "content-type" || header.name.starts_with("x-"))
      headers.Set(header.name, header.value);
  }
  Map value;
  value.Append("method", request.method);
  value.Append("path", request.path);
  value.Append("headers", std::move(headers));
  const Result<Value> body = ParseJson(request.body);
  value.Append("body", body ? *body : Value(request.body));
  return value;
}

struct Caller final : CompletionSink {
  void Deliver(Completion completion) override { replies.PushUnbounded(std::move(completion)); }

  // One request, tried again as its rule says.
  Exchange Ask(PlannedRequest planned) {
    const PreparedRequest prepared{.request = std::move(planned.request),
                                   .tag = planned.tag,
                                   .canonical = {},
                                   .key = {},
                                   .recorded = {},
                                   .refused = {},
                                   .retry = planned.retry};
    Exchange exchange;
    for (int tries = 1;; ++tries) {
      Result<WireRequest> wire = EncodeOnWire(prepared, endpoints);
      if (!wire) {
        exchange.error = std::move(wire).error();
        return exchange;
      }
      transport->Send(static_cast<Ticket>(tries), std::get<HttpRequest>(*wire), *this);
      const Completion completion = *replies.Pop();
      WireVerdict verdict =
          DecodeFromWire(prepared, Redactor(endpoints), std::get<HttpReply>(completion.reply));
      if (verdict.reply_class == ReplyClass::kRetry && tries <= prepared.retry->max_retries) {
        const SystemClock clock;
        replies.WaitUntil(clock.Now() + prepared.retry->backoff * tries);
        continue;
      }
      if (verdict.reply) {
        exchange.reply = std::move(verdict.reply).value();
      } else {
        exchange.error = std::move(verdict.reply).error();
      }
      return exchange;
    }
  }

  Endpoints endpoints;
  BoundedQueue<Completion> replies{16};
  std::unique_ptr<HttpTransport> transport = HttpTransport::Open({}).value();
};

Endpoints EndpointsOf(const Value& row, const std::string& address) {
  Endpoints endpoints;
  endpoints.environment["CALL_TOKEN"] = Secret("tok");
  endpoints.hosts = {"127.0.0.1"};
  endpoints.factcheck.base_url = "http://" + address;
  if (GetText(row, "name") != "fc-no-token") endpoints.factcheck.key = Secret("bg");
  return endpoints;
}

Transcript ServiceTranscriptOf(const Value& row) {
  Transcript transcript;
  const Value& messages = Get(Get(row, "prompt"), "messages");
  if (messages.is_list()) {
    for (const Value& message : messages.AsList()) {
      const std::string role = GetText(message, "role");
      transcript.history.push_back({role == "system" ? Role::kSystem
                                    : role == "user" ? Role::kUser
                                                     : Role::kAssistant,
                                    GetText(message, "content")});
    }
  }
  if (const Value& indices = Get(row, "generatedAssistantIndices"); indices.is_list()) {
    for (const Value& index : indices.AsList())
      transcript.generated_indices.push_back(static_cast<std::uint32_t>(index.AsNumber()));
  }
  return transcript;
}

Score AskService(const Value& row, const std::string& address, Caller& caller) {
  Check check;
  check.kind = GetText(row, "fn");
  check.args = Readdressed(Get(row, "args"), address);
  std::vector<Service> services;
  if (const Value& described = Get(row, "services"); described.is_map()) {
    for (const Member& service : described.AsMap())
      services.push_back({service.key, Readdressed(service.value, address)});
  }
  const CheckRow* check_row = FindCheck(check.kind);
  if (check_row == nullptr) return Score::Failure("there is no such function");
  Diagnostics diagnostics;
  const CheckArgs args = check_row->parse(
      {.check = check, .grading = BlueprintGradingRules(Compat::kWeval), .services = services}, diagnostics);
  const std::string text = GetText(row, "response");
  const std::string model = GetText(row, "modelId");
  AnswerView answer(text);
  const Transcript transcript = ServiceTranscriptOf(row);
  Case the_case;
  the_case.id = GetText(Get(row, "prompt"), "id");
  WorkerState worker;
  const GradeInput grade{
      .answer = answer, .transcript = transcript, .variant_id = model, .the_case = the_case};
  if (check_row->MostRequests(args) == 0) return check_row->grade(grade, args, worker);
  caller.endpoints = EndpointsOf(row, address);
  std::vector<Exchange> so_far;
  while (true) {
    RequestTag tag;
    tag.role = RequestRole::kService;
    const AskInput input{.grade = grade, .so_far = so_far, .tag = std::move(tag), .worker = worker};
    Action action = check_row->asks->next(input, args);
    if (auto* done = std::get_if<Done>(&action)) return std::get<Score>(done->value);
    for (PlannedRequest& planned : std::get<Need>(action).requests)
      so_far.push_back(caller.Ask(std::move(planned)));
  }
}

Value Shown(const Value& score, const Value& explain, bool is_error) {
  Map result;
  if (is_error) {
    result.Append("error", true);
  } else {
    result.Append("score", score);
    if (explain.is_string() && !explain.AsString().empty()) result.Append("explain", explain);
  }
  return result;
}

Outcome RunCalls(const std::string& path) {
  Caller caller;
  return ForEachLine(path, [&caller](std::size_t, const Value& row, Outcome& outcome) {
    if (const Value* cache = Get(row, "args").Find("cache"); cache != nullptr && !cache->Truthy()) {
      outcome.Skip("deliberate deviation: replies are kept and reused, whatever `cache` says");
      return;
    }
    std::vector<ScriptedReply> replies;
    for (const Value& reply : Get(row, "server_replies").AsList()) replies.push_back(ReplyOf(reply));
    std::size_t next = 0;
    LoopbackServer server([&replies, &next](const ArrivedRequest&) {
      return next < replies.size() ? replies[next++] : ScriptedReply{.status = 599, .body = "unscripted"};
    });
    const Score score = AskService(row, server.address(), caller);
    List arrived;
    for (const ArrivedRequest& request : server.Taken()) arrived.push_back(RequestValue(request));
    outcome.Same("requests", Get(row, "requests"), arrived);
    // A second result shows the original's cache; ours is the store, which every request has.
    const Value& want = Get(row, "results").AsList()[0];
    outcome.Same("result", Shown(Get(want, "score"), Get(want, "explain"), want.Find("error") != nullptr),
                 Shown(Value(score.value), Value(score.explanation), score.state != ScoreState::kScored));
  });
}

void RunTemplate(const Value& row, Outcome& outcome) {
  const Value& data = Get(row, "data");
  const std::string response = GetText(data, "response");
  const std::string model_id = GetText(data, "modelId");
  const std::string prompt_id = GetText(data, "promptId");
  const Result<Value> filled = FillTemplate(Get(row, "input"), {.response = response,
                                                                .model_id = model_id,
                                                                .prompt_id = prompt_id,
                                                                .messages = Get(data, "messages")});
  outcome.Same("filled", Get(row, "result"), filled ? *filled : Value());
}

void RunReplyValidation(const Value& row, Outcome& outcome) {
  const Value& input = Get(row, "input");
  if (const Value& score = Get(input, "score"); score.is_number() && score.AsNumber() != score.AsNumber()) {
    outcome.Skip("deliberate deviation: a reply is JSON, which has no NaN");
    return;
  }
  outcome.Same("valid", Get(Get(row, "result"), "valid"), Value(ReadServiceReply(input).has_value()));
}

}  // namespace

std::span<const GoldenRow> ServiceRows() {
  static constexpr GoldenRow kRows[] = {{"blueprint/call_cases.jsonl", RunCalls}};
  return kRows;
}

std::span<const KindRow> ServiceKinds() {
  static constexpr KindRow kRows[] = {
      {"blueprint/misc_utils.jsonl", "call_template", RunTemplate},
      {"blueprint/misc_utils.jsonl", "call_response_validation", RunReplyValidation},
  };
  return kRows;
}

}  // namespace assay::conformance
