// The batch services of the simulation: their batches, result lines, and the faults that they make.
#include "tests/sim/batch_service.h"

#include <doctest/doctest.h>
#include <fmt/core.h>

#include "spec/suite/suite.h"
#include "tests/sim/sim_run.h"
#include "text/json/json.h"

namespace assay::sim {

namespace {

constexpr std::string_view kMessages = "/v1/messages";

HttpReply Said(std::string body, int status = 200) {
  HttpReply reply;
  reply.status = status;
  reply.body = std::move(body);
  return reply;
}

HttpReply Lost() {
  HttpReply reply;
  reply.error = Error{ErrorCode::kNetwork, "connection reset"};
  return reply;
}

// The same for a body that came alone and for one that came in a batch.
std::string Plain(const Value& body) { return WriteJson(body, JsonStyle::kJavaScript); }

std::string Quoted(const std::string& text) { return WriteJson(Value(text), JsonStyle::kJavaScript); }

// What stands behind `name` and the next slash.
std::string NameBehind(const std::string& url, std::string_view name) {
  const std::size_t start = url.find(name) + name.size();
  return url.substr(start, url.find('/', start) - start);
}

}  // namespace

bool BatchServices::Happens(double rate) { return static_cast<double>(dice() % 10'000) < rate * 10'000; }

std::string BatchServices::ReplyBody(const std::string& endpoint, const std::string& body) {
  ++answered[body];
  if (endpoint.ends_with("/embeddings")) {
    const Value asked = ParseJson(body).value();
    std::string rows;
    for (std::size_t i = 0; i < asked.Find("input")->AsList().size(); ++i) {
      const std::string& text = asked.Find("input")->AsList()[i].AsString();
      rows += fmt::format("{}{{\"index\":{},\"embedding\":[{},1]}}", i == 0 ? "" : ",", i, text.size());
    }
    return fmt::format(R"({{"data":[{}],"usage":{{"prompt_tokens":5,"completion_tokens":0}}}})", rows);
  }
  const std::string answer = Quoted(FakeAnswer(body));
  if (endpoint.ends_with(kMessages)) {
    return fmt::format(R"({{"type":"message","content":[{{"type":"text","text":{}}}],)"
                       R"("stop_reason":"end_turn","usage":{{"input_tokens":7,"output_tokens":3}}}})",
                       answer);
  }
  return fmt::format(R"({{"choices":[{{"message":{{"content":{}}},"finish_reason":"stop"}}],)"
                     R"("usage":{{"prompt_tokens":7,"completion_tokens":3}}}})",
                     answer);
}

std::string BatchServices::Begin(std::string endpoint,
                                 std::vector<std::pair<std::string, std::string>> requests) {
  std::string id = fmt::format("batch_{}", batches.size() + 1);
  Batch& batch = batches[id];
  batch.endpoint = std::move(endpoint);
  batch.requests = std::move(requests);
  batch.polls = static_cast<int>(dice() % static_cast<std::uint64_t>(polls_max + 1));
  batch.is_stuck = Happens(stuck_rate);
  return id;
}

bool BatchServices::HasEnded(Batch& batch) {
  return batch.is_cancelled || (!batch.is_stuck && batch.polls-- <= 0);
}

void BatchServices::MakeResults(Batch& batch) {
  if (!batch.results.empty()) return;
  const bool is_claude = batch.endpoint.ends_with(kMessages);
  for (const auto& [id, body] : batch.requests) {
    const bool is_missing = Happens(missing_rate) || (batch.is_cancelled && Happens(0.5));
    const bool is_overloaded = Happens(overload_rate);
    std::string result;
    if (is_missing) {
      result = is_claude ? R"("result":{"type":"expired"})"
                         : R"("response":null,"error":{"code":"batch_expired"})";
    } else if (is_overloaded) {
      result = is_claude ? R"("result":{"type":"errored","error":{"error":{"type":"overloaded_error"}}})"
                         : R"("response":{"status_code":503,"body":{"error":{"message":"overloaded"}}})";
    } else {
      const std::string said = ReplyBody(batch.endpoint, body);
      result = is_claude ? fmt::format(R"("result":{{"type":"succeeded","message":{}}})", said)
                         : fmt::format(R"("response":{{"status_code":200,"body":{}}})", said);
    }
    batch.results += fmt::format("{{\"custom_id\":{},{}}}\n", Quoted(id), result);
  }
  batch.results += "\n";
}

HttpReply BatchServices::AtAnthropic(const HttpRequest& request) {
  if (request.method == "POST" && request.url.ends_with(kMessages)) {
    ++alone;
    return Said(ReplyBody(std::string(kMessages), Plain(ParseJson(request.body).value())));
  }
  if (request.method == "POST" && request.url.ends_with("/batches")) {
    std::vector<std::pair<std::string, std::string>> requests;
    const Value asked = ParseJson(request.body).value();
    for (const Value& each : asked.Find("requests")->AsList())
      requests.emplace_back(each.Find("custom_id")->AsString(), Plain(*each.Find("params")));
    return Said(fmt::format(R"({{"id":"{}","processing_status":"in_progress"}})",
                            Begin(std::string(kMessages), std::move(requests))));
  }
  Batch& batch = batches.at(NameBehind(request.url, "/batches/"));
  if (request.url.ends_with("/cancel")) {
    batch.is_cancelled = true;
    return Said(R"({"processing_status":"canceling"})");
  }
  if (request.url.ends_with("/results")) {
    MakeResults(batch);
    return Said(batch.results);
  }
  return Said(fmt::format(R"({{"processing_status":"{}"}})", HasEnded(batch) ? "ended" : "in_progress"));
}

HttpReply BatchServices::AtOpenAi(const HttpRequest& request) {
  if (request.method == "POST" && request.url.ends_with("/files")) {
    constexpr std::string_view kStart = "application/jsonl\r\n\r\n";
    const std::size_t start = request.body.find(kStart) + kStart.size();
    const std::string id = fmt::format("file-{}", files.size() + 1);
    files[id] = request.body.substr(start, request.body.rfind("\r\n--") - start);
    return Said(fmt::format(R"({{"id":"{}"}})", id));
  }
  if (request.method == "POST" && request.url.ends_with("/batches")) {
    const Value asked = ParseJson(request.body).value();
    std::vector<std::pair<std::string, std::string>> requests;
    const std::string lines = files.at(asked.Find("input_file_id")->AsString());
    for (std::size_t at = 0; at < lines.size();) {
      const std::size_t end = std::min(lines.find('\n', at), lines.size());
      if (Result<Value> line = ParseJson(std::string_view(lines).substr(at, end - at)))
        requests.emplace_back(line->Find("custom_id")->AsString(), Plain(*line->Find("body")));
      at = end + 1;
    }
    return Said(fmt::format(R"({{"id":"{}","status":"validating"}})",
                            Begin(asked.Find("endpoint")->AsString(), std::move(requests))));
  }
  if (request.url.find("/files/") != std::string::npos) {
    Batch& batch = batches.at(NameBehind(request.url, "/files/out-"));
    MakeResults(batch);
    return Said(batch.results);
  }
  if (request.url.find("/batches/") != std::string::npos) {
    const std::string id = NameBehind(request.url, "/batches/");
    Batch& batch = batches.at(id);
    if (request.url.ends_with("/cancel")) {
      batch.is_cancelled = true;
      return Said(R"({"status":"cancelling"})");
    }
    if (!HasEnded(batch)) return Said(R"({"status":"in_progress"})");
    return Said(fmt::format(R"({{"status":"{}","output_file_id":"out-{}"}})",
                            batch.is_cancelled ? "cancelled" : "completed", id));
  }
  ++alone;
  return Said(ReplyBody(request.url, Plain(ParseJson(request.body).value())));
}

HttpReply BatchServices::Handle(const HttpRequest& request) {
  const bool is_claude = request.url.find("anthropic") != std::string::npos;
  // Lost on the way there, or on the way back: then it was done all the same.
  if (Happens(failure_rate)) {
    switch (dice() % 3) {
      case 0:
        return Said(R"({"error":{"message":"overloaded"}})", 503);
      case 1:
        return Lost();
      default:
        static_cast<void>(is_claude ? AtAnthropic(request) : AtOpenAi(request));
        return Lost();
    }
  }
  return is_claude ? AtAnthropic(request) : AtOpenAi(request);
}

void BatchNetwork::Send(Ticket ticket, HttpRequest request, CompletionSink& sink) {
  constexpr std::uint64_t kDelayMaxMs = 2'000;
  const std::chrono::milliseconds delay(static_cast<std::int64_t>(services_.dice() % kDelayMaxMs));
  clock_.At(clock_.Now() + delay, [this, ticket, request = std::move(request), &sink] {
    sink.Deliver({.ticket = ticket, .reply = services_.Handle(request)});
  });
}

Suite BatchedSuite() {
  Suite suite = MakeSuite();
  const auto ask = [](ModelRef& ref, std::string provider, std::string model) {
    ref.provider = std::move(provider);
    ref.model = std::move(model);
  };
  ask(suite.variants[0], "anthropic", "claude-haiku-4-5");
  ask(suite.variants[1], "openai", "gpt-4o-mini");
  for (Judge& judge : suite.judges) ask(judge, "anthropic", "claude-sonnet-4-5");
  ask(suite.judges[1], "openai", "gpt-4o");
  ask(*suite.backup_judge, "openai", "gpt-4.1");
  for (Judge& judge : suite.extractors) ask(judge, "openai", "gpt-4.1-mini");
  ask(suite.extractors[0], "anthropic", "claude-opus-4-5");
  ask(*suite.embedder, "openai", "text-embedding-3-small");
  return suite;
}

Endpoints BatchKeys() {
  Endpoints endpoints;
  for (const char* provider : {"anthropic", "openai"})
    endpoints.providers[provider] = {.base_url = {}, .key = Secret("sk-test-simulated-batches")};
  return endpoints;
}

}  // namespace assay::sim
