// Asks services for their lists of models, and compares these and the table of models with what suites ask.
#include "cli/commands/asked/last_days.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <memory>
#include <utility>
#include <variant>

#include "base/clock.h"
#include "base/completion_queue.h"
#include "dialects/names.h"
#include "engine/network/network.h"
#include "engine/open/loaded.h"
#include "engine/open/model_notes.h"
#include "engine/plan/planned.h"
#include "io/http/transport.h"
#include "plan/models_of.h"
#include "providers/provider.h"
#include "text/found.h"
#include "text/json/json.h"

namespace assay {

namespace {

constexpr auto kPatience = std::chrono::seconds(10);

// A model that suites ask, in all of its roles.
struct ModelInSuites {
  std::string provider, model, base_url;
  std::string roles;       // "candidate, judge"
  bool is_placed = false;  // an alias or --base-url says where: like a run, no key is needed there
};

using ServiceKey = std::pair<std::string, std::string>;  // provider, base_url

// What a service says of its models: of each name its last day, "" if it names none.
struct ServiceList {
  std::map<std::string, std::string, std::less<>> days;
  std::string url;
  std::string problem;  // why there is no list
};

void AddRole(const PlannedModel& planned, const RunSpec& spec, std::vector<ModelInSuites>& asked) {
  const auto same = std::find_if(asked.begin(), asked.end(), [&](const ModelInSuites& each) {
    return each.provider == planned.ref->provider && each.model == planned.ref->model &&
           each.base_url == planned.ref->base_url;
  });
  const std::string role(RequestRoleName(planned.role));
  if (same == asked.end()) {
    asked.push_back({planned.ref->provider, planned.ref->model, planned.ref->base_url, role,
                     !planned.ref->base_url.empty() || GivenBaseUrl(spec, planned.ref->provider)});
  } else if (same->roles.find(role) == std::string::npos) {
    same->roles += ", " + role;
  }
}

// The list of models beside the address of answers, of services that speak OpenAI's protocol; "" of others.
std::string ListUrl(std::string url) {
  for (const std::string_view ending : {"/chat/completions", "/responses"}) {
    if (url.ends_with(ending)) return url.replace(url.size() - ending.size(), ending.size(), "/models");
  }
  return {};
}

// The request for the list of the service that would answer this model; nothing if it has none that is known.
std::optional<HttpRequest> ListRequest(const ModelInSuites& asked, const Endpoints& endpoints) {
  const ProviderRow* provider = FindProvider(asked.provider);
  if (provider == nullptr || provider->route != Route::kHttp) return std::nullopt;
  // Where the user says that the provider is, or its own address with his key: no suite decides who is asked.
  const Endpoint* endpoint = endpoints.Find(asked.provider, asked.base_url);
  if (endpoint == nullptr) return std::nullopt;
  ModelRequest request;
  request.provider = asked.provider;
  request.model = asked.model;
  request.base_url = asked.base_url;
  if (request.base_url.empty()) request.base_url = endpoint->base_url;
  request.messages = {{.role = Role::kUser, .text = "hello"}};
  Result<HttpRequest> wire = provider->Encode(request);
  if (!wire) return std::nullopt;
  wire->url = ListUrl(std::move(wire->url));
  if (wire->url.empty()) return std::nullopt;
  const bool needs_key = provider->key.need == KeyRule::Need::kRequired && !asked.is_placed;
  if (endpoint->key.empty() && needs_key) return std::nullopt;
  wire->method = "GET";
  wire->body.clear();
  wire->timeout = kPatience;
  if (!Authorise(endpoints, Request(std::move(request)), *wire)) return std::nullopt;
  return std::move(*wire);
}

ServiceList ListOfReply(std::string url, const HttpReply& reply) {
  ServiceList list{.days = {}, .url = std::move(url), .problem = {}};
  const Result<Value> body = reply.error ? Result<Value>(*reply.error) : ParseJson(reply.body);
  const List* models = body ? FindList(*body, "data") : nullptr;
  if (reply.error) {
    list.problem = reply.error->message;
  } else if (reply.status != 200) {
    list.problem = fmt::format("status {}", reply.status);
  } else if (models == nullptr) {
    list.problem = "the reply is no list of models";
  }
  if (!list.problem.empty()) return list;
  for (const Value& model : *models) {
    if (const std::string* id = FindText(model, "id")) list.days[*id] = model.TextAt("shutdown_date");
  }
  return list;
}

// What each service says, by provider and URL; one that cannot be asked is left out.
std::map<ServiceKey, ServiceList> AskServices(const std::vector<ModelInSuites>& asked,
                                              const Endpoints& endpoints, const Granted& granted) {
  std::map<ServiceKey, ServiceList> lists;
  std::vector<std::pair<ServiceKey, HttpRequest>> requests;
  for (const ModelInSuites& model : asked) {
    const ServiceKey key(model.provider, model.base_url);
    const bool is_known =
        std::any_of(requests.begin(), requests.end(), [&](const auto& each) { return each.first == key; });
    if (is_known) continue;
    if (std::optional<HttpRequest> wire = ListRequest(model, endpoints))
      requests.emplace_back(key, std::move(*wire));
  }
  if (requests.empty()) return lists;
  HttpOptions http = NetworkOptions(granted);
  http.begins = nullptr;
  http.connect = http.first_byte = http.idle = kPatience;
  const Result<std::unique_ptr<HttpTransport>> transport = HttpTransport::Open(http);
  if (!transport) return lists;
  CompletionQueue replies;
  for (std::size_t i = 0; i < requests.size(); ++i) (*transport)->Send(i, requests[i].second, replies);
  for (std::size_t i = 0; i < requests.size(); ++i) {
    const Completion done = replies.Take();
    const auto& [key, wire] = requests[done.ticket];
    lists[key] = ListOfReply(wire.url, std::get<HttpReply>(done.reply));
  }
  return lists;
}

// The last day that the model's service names; "" if it names none, or was not asked.
std::string_view DayOfService(const ModelInSuites& asked, const std::map<ServiceKey, ServiceList>& lists) {
  const auto list = lists.find({asked.provider, asked.base_url});
  if (list == lists.end()) return {};
  const auto day = list->second.days.find(asked.model);
  return day == list->second.days.end() ? std::string_view() : std::string_view(day->second);
}

// What is known of a model's end, by its service, else by the table; "": nothing, or it goes on.
std::string LastDayText(const ModelInSuites& asked, const std::map<ServiceKey, ServiceList>& lists,
                        std::int64_t now_ms) {
  const std::string_view day = DayOfService(asked, lists);
  if (!day.empty()) {
    const std::optional<Retirement> known = FindRetirement(asked.provider, asked.model);
    const Retirement said{.on = day,
                          .successor = known ? known->successor : std::string_view(),
                          .source = lists.at({asked.provider, asked.base_url}).url};
    std::string line = LastDayLine(fmt::format("{}:{}", asked.provider, asked.model), said, now_ms);
    if (!line.empty()) return line;
  }
  return RetirementLine(asked.provider, asked.model, now_ms);
}

void AddSuites(const Options& options, std::int64_t now_ms, std::vector<ModelEnd>& ends) {
  std::vector<ModelInSuites> asked;
  Endpoints endpoints;
  for (const std::string& path : options.arguments) {
    DiskFileReader files;
    SourceFiles sources;
    const RunSpec spec = options.SpecOf(path);
    Planned planned =
        MakePlan(Load(spec, options.granted, files, sources), spec, options.granted, Purpose::kPrice);
    if (planned.plan == nullptr) continue;
    for (const PlannedModel& model : ModelsOf(*planned.plan)) AddRole(model, spec, asked);
    endpoints = std::move(planned.endpoints);  // the user's: the same for all suites
  }
  const std::map<ServiceKey, ServiceList> lists = options.granted.calls.offline
                                                      ? std::map<ServiceKey, ServiceList>()
                                                      : AskServices(asked, endpoints, options.granted);
  for (const auto& [key, list] : lists) {
    if (!list.problem.empty())
      ends.push_back({key.first, fmt::format("{} gave no list of models: {}", list.url, list.problem)});
  }
  for (const ModelInSuites& model : asked) {
    const std::string line = LastDayText(model, lists, now_ms);
    if (!line.empty())
      ends.push_back(
          {fmt::format("{}:{}", model.provider, model.model), fmt::format("{}: {}", model.roles, line)});
  }
}

}  // namespace

std::vector<ModelEnd> LastDaysOf(const Options& options) {
  std::vector<ModelEnd> ends;
  const std::int64_t now_ms = SystemClock().WallMs();
  AddSuites(options, now_ms, ends);
  for (const auto& [name, alias] : options.granted.settings.aliases) {
    const ModelAddress address = ModelAddressOf(alias.model);
    const std::string line = RetirementLine(address.provider, address.model, now_ms);
    if (!line.empty()) ends.push_back({name, line});
  }
  return ends;
}

}  // namespace assay
