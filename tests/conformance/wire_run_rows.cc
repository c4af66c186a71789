// Whole runs of the original, as what they sent: its blueprint is run again over real HTTP against a server
// on the loopback that answers as the recorded one did, and every request is compared. The prompts of judges
// and extractors are our own, so theirs are compared by the data that they carry.
#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <sstream>

#include "dialects/blueprint/blueprint.h"
#include "providers/provider.h"
#include "run/executor/executor.h"
#include "run/limits/pace/local_pace.h"
#include "run/wire/network_transport.h"
#include "spec/suite/suite.h"
#include "tests/conformance/conformance.h"
#include "tests/support/loopback_server.h"
#include "text/json/json.h"

namespace assay::conformance {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kWireRunGoldenAddress = "127.0.0.1:18917";
constexpr std::string_view kKey = "loopback-key-0123456789";

Value HeadersOf(const Value& recorded) {
  Map headers;
  for (const Member& member : recorded.AsMap()) headers.Set(member.key, member.value);
  return headers;
}

Value HeadersOf(const std::vector<HttpHeader>& arrived) {
  Map headers;
  for (const HttpHeader& header : arrived) {
    const bool is_compared = header.name == "content-type" || header.name == "authorization" ||
                             header.name == "x-api-key" || header.name == "anthropic-version";
    if (!is_compared) continue;
    std::string value = header.value;
    if (const std::size_t at = value.find(kKey); at != std::string::npos)
      value.replace(at, kKey.size(), "<key>");
    headers.Set(header.name, value);
  }
  return headers;
}

// A text without the code that marks the turns of a conversation: ours alone.
std::string WithoutCode(std::string text, const std::string& code) {
  const std::string mark = " [" + code + "]";
  for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at))
    text.erase(at, mark.size());
  return text;
}

// The fenced data of a judge's prompt.
Value SectionsOf(const std::string& prompt) {
  Map sections;
  for (const std::string_view label : {"TRANSCRIPT", "TEXT", "CRITERION"}) {
    const std::size_t open = prompt.find(fmt::format("[[{} ", label));
    const std::size_t close = prompt.find(fmt::format("\n[[END OF {} ", label));
    if (open == std::string::npos || close == std::string::npos) return {};
    const std::size_t start = prompt.find('\n', open) + 1;
    const std::size_t code = prompt.find(' ', open) + 1;
    sections.Append(std::string(label), WithoutCode(prompt.substr(start, close - start),
                                                    prompt.substr(code, prompt.find("]]", code) - code)));
  }
  return sections;
}

// What a judge's or an extractor's request says besides our own words; a body as it is otherwise.
Value BodyShape(Value body) {
  if (!body.is_map()) return body;
  Map& map = body.AsMap();
  // One text to embed, alone or in a list.
  if (const Value input = Get(body, "input"); input.is_list() && input.AsList().size() == 1)
    map.Set("input", input.AsList().front());
  const Value messages = Get(body, "messages");
  if (messages.is_string()) map.Set("messages", "extraction");
  if (messages.is_list() && !messages.AsList().empty()) {
    const std::string last = GetText(messages.AsList().back(), "content");
    const Value sections = body.Find("__sections") != nullptr ? Get(body, "__sections") : SectionsOf(last);
    if (sections.is_map()) {
      map.Set("messages", "judgement");
      map.Set("__sections", sections);
    } else if (last.find("<key_point>") != std::string::npos) {
      map.Set("messages", "extraction");
    }
  }
  return body;
}

std::string ShapeOf(std::string path, Value headers, Value body) {
  Map shape;
  shape.Append("path", std::move(path));
  shape.Append("headers", std::move(headers));
  shape.Append("body", BodyShape(std::move(body)));
  return WriteJson(Value(std::move(shape)), JsonStyle::kCanonical);
}

// Where the original sends something that we do not: told in docs/blueprint.md, "Where assay differs".
bool IsDeviation(const Value& request) {
  const std::string path = GetText(request, "path");
  return path.starts_with("/google/") || path == "/anthropic/custom";
}

bool HasBlankAnswer(const Value& response) {
  const Value& choices = Get(response, "choices");
  if (!choices.is_list() || choices.AsList().empty()) return false;
  const Value& content = Get(Get(choices.AsList().front(), "message"), "content");
  return content.is_string() && content.AsString().find_first_not_of(' ') == std::string::npos;
}

struct Recorded {
  std::map<std::string, std::vector<ScriptedReply>> replies;  // by shape, in order
  std::map<std::string, int> wanted;                          // by shape
  std::set<std::string> blank;                                // shapes whose answer is blank
  std::vector<Value> deviations;
  bool embeds = false;
};

Recorded ReadRecorded(const fs::path& folder) {
  Recorded recorded;
  std::istringstream lines(ReadAll(folder / "http_requests.jsonl"));
  for (std::string line; std::getline(lines, line);) {
    const Value request = ParseJson(line).value();
    const std::string path = GetText(request, "path");
    recorded.embeds = recorded.embeds || path.ends_with("/embeddings");
    if (IsDeviation(request)) {
      recorded.deviations.push_back(request);
      continue;
    }
    const std::string shape = ShapeOf(path, HeadersOf(Get(request, "headers")), Get(request, "body"));
    const Value& response = Get(request, "response");
    recorded.replies[shape].push_back(
        {.status = static_cast<int>(Get(request, "status").AsNumber()),
         .body = response.is_string() ? response.AsString() : WriteJson(response, JsonStyle::kJavaScript)});
    ++recorded.wanted[shape];
    if (HasBlankAnswer(response)) recorded.blank.insert(shape);
  }
  return recorded;
}

// Answers by shape; what deviates by the path alone.
class Replies {
 public:
  explicit Replies(const Recorded& recorded) : recorded_(recorded) {}
  ScriptedReply operator()(const ArrivedRequest& request) {
    const Result<Value> body = ParseJson(request.body);
    const std::string shape = ShapeOf(request.path, HeadersOf(request.headers), body ? *body : Value());
    if (const auto found = recorded_.replies.find(shape); found != recorded_.replies.end()) {
      const std::size_t turn = turns_[shape]++;
      return found->second[std::min(turn, found->second.size() - 1)];
    }
    for (const Value& deviation : recorded_.deviations) {
      const std::string path = GetText(deviation, "path");
      if (path.substr(0, path.find('?')) == request.path)
        return {.body = WriteJson(Get(deviation, "response"), JsonStyle::kJavaScript)};
    }
    return {.status = 404, .body = R"({"error":{"message":"unexpected"}})"};
  }

 private:
  const Recorded& recorded_;
  std::map<std::string, std::size_t> turns_;
};

struct WireRun {
  SourceFiles sources;
  Diagnostics diagnostics;
  DiskFileReader files;
  std::shared_ptr<const Plan> plan;
  std::vector<Recording> recordings;
};

void ReadRun(const fs::path& folder, const Recorded& recorded, const std::string& address, WireRun& run) {
  std::string text = ReadAll(folder / "blueprint.yml");
  for (std::size_t at = text.find(kWireRunGoldenAddress); at != std::string::npos;
       at = text.find(kWireRunGoldenAddress)) {
    text.replace(at, kWireRunGoldenAddress.size(), address);
  }
  ReadOptions options;
  options.compat = Compat::kWeval;
  if (!recorded.embeds) options.own.values["eval-method"] = {"llm-coverage"};
  const ReadInput input{"t.yml", options, run.files, run.sources, run.diagnostics};
  std::optional<Suite> suite = ReadBlueprint(input, run.sources.Add("t.yml", text), text);
  if (!suite) return;
  run.plan = Plan::Build(*std::move(suite), {}, run.diagnostics);
  const fs::path fixtures = folder / "fixtures.json";
  if (!fs::exists(fixtures)) return;
  const std::string book = ReadAll(fixtures);
  const ReadInput fixtures_input{"fixtures.json", options, run.files, run.sources, run.diagnostics};
  if (auto found = ReadBlueprintFixtures(fixtures_input, run.sources.Add("fixtures.json", book), book))
    run.recordings.push_back(*std::move(found));
}

// Every provider at the server, behind its name and its usual path.
Endpoints EndpointsAt(const std::string& address) {
  Endpoints endpoints;
  endpoints.hosts = {"127.0.0.1"};
  for (const ProviderRow& row : ProviderTable()) {
    const std::string usual(row.base_url);
    const std::size_t path = usual.find('/', usual.find("://") + 3);
    if (usual.empty()) continue;
    endpoints.providers[std::string(row.name)] = {
        .base_url = fmt::format("http://{}/{}{}", address, row.name,
                                path == std::string::npos ? std::string() : usual.substr(path)),
        .key = Secret(std::string(kKey))};
  }
  return endpoints;
}

// A store that ends with the test.
struct TempStore {
  TempStore() {
    std::string pattern = (fs::temp_directory_path() / "assay-conformance-XXXXXX").string();
    if (mkdtemp(pattern.data()) != nullptr) folder = pattern;
    store = OpenStore({.path = (folder / "store.db").string(), .read_only = false}).value();
  }
  ~TempStore() {
    store.reset();
    fs::remove_all(folder);
  }
  TempStore(const TempStore&) = delete;
  TempStore& operator=(const TempStore&) = delete;
  fs::path folder;
  std::unique_ptr<Store> store;
};

Result<RunEnding> Execute(const WireRun& run, const std::string& address) {
  TempStore temp;
  RunRecord record;
  record.context.run_id = "wire";
  record.cells = run.plan->CellCount();
  ASSAY_CHECK_OK(temp.store->BeginRun(record));
  SystemClock clock;
  NetworkTransport transport{HttpOptions{}};
  const Endpoints endpoints = EndpointsAt(address);
  std::map<std::string, std::string> base_urls;
  for (const auto& [provider, endpoint] : endpoints.providers) base_urls[provider] = endpoint.base_url;
  const Router router(run.recordings, base_urls);
  ExecutorOptions options;
  options.retry.base = std::chrono::milliseconds(1);
  LocalPace pace(run.plan->pools(), options.limits, options.retry);
  PlanCells cells(run.plan->grid(), run.plan->suite());
  Executor executor(*run.plan, record,
                    {.clock = clock,
                     .store = *temp.store,
                     .transport = transport,
                     .router = router,
                     .endpoints = endpoints,
                     .pace = pace,
                     .source = cells},
                    options);
  return executor.Run();
}

}  // namespace

void CompareRequests(const std::string& path, Outcome& outcome) {
  const fs::path folder(path);
  const Recorded recorded = ReadRecorded(folder);
  Replies replies(recorded);
  LoopbackServer server([&replies](const ArrivedRequest& request) { return replies(request); });
  WireRun run;
  ReadRun(folder, recorded, server.address(), run);
  outcome.place = "http_requests.jsonl";
  if (run.plan == nullptr) {
    outcome.Fail("the blueprint could not be read");
    return;
  }
  if (const Result<RunEnding> end = Execute(run, server.address()); !end) {
    outcome.Fail(end.error().message);
    return;
  }
  std::map<std::string, int> arrived;
  std::size_t deviating = 0;
  for (const ArrivedRequest& request : server.Taken()) {
    Map head;
    head.Append("path", request.path);
    if (IsDeviation(Value(std::move(head)))) {
      ++deviating;
      continue;
    }
    const Result<Value> body = ParseJson(request.body);
    ++arrived[ShapeOf(request.path, HeadersOf(request.headers), body ? *body : Value())];
  }
  for (const auto& [shape, count] : recorded.wanted) {
    if (recorded.blank.contains(shape) && arrived[shape] > count) {
      outcome.Skip("deliberate deviation: a blank answer is asked for again");
    } else if (arrived[shape] == count) {
      for (int i = 0; i < count; ++i) outcome.Pass();
    } else {
      outcome.Fail(fmt::format("want {} times, got {}: {}", count, arrived[shape], shape));
    }
  }
  for (const auto& [shape, count] : arrived) {
    if (!recorded.wanted.contains(shape)) outcome.Fail(fmt::format("unexpected, {} times: {}", count, shape));
  }
  for (std::size_t i = 0; i < deviating; ++i) {
    outcome.Skip("deliberate deviation: google and custom anthropic models get system prompts as such");
  }
}

}  // namespace assay::conformance
