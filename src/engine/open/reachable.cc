// Lists whom a plan asks in which role, finds why some cannot be asked, and suggests the name that was meant.
#include "engine/open/reachable.h"

#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <tuple>

#include "dialects/names.h"
#include "engine/network/provider_keys.h"
#include "engine/words.h"
#include "plan/answers/generator.h"
#include "plan/models_of.h"
#include "providers/facts/model_facts.h"
#include "providers/facts/names/near_model.h"
#include "providers/provider.h"
#include "run/forecast.h"
#include "spec/exchange/unread_reply.h"
#include "spec/suite/suite.h"

namespace assay {

namespace {

constexpr Span kNowhere{};
constexpr std::size_t kModelsNamedMax = 5;

// A model that the plan can ask in one role. What is asked only if something else happens has no count.
struct ModelUse {
  RequestRole role = RequestRole::kCandidate;
  std::string id;
  std::string provider;
  std::string model;
  std::string base_url;
  Span span;
  std::uint64_t requests = 0;
  bool is_counted = false;
  bool is_found_out = false;
};

bool JudgesAnswers(RequestRole role) {
  return IsJudge(role) || role == RequestRole::kExtraction;
}

// "2 times", "as a judge 5 times", "for key points", "perhaps"
std::string HowAsked(const ModelUse& model) {
  std::string how;
  switch (model.role) {
    case RequestRole::kJudge:
      how = "as a judge";
      break;
    case RequestRole::kBackupJudge:
      how = "if a judge fails";
      break;
    case RequestRole::kExtraction:
      how = "for key points";
      break;
    case RequestRole::kEmbedding:
      how = "for embeddings";
      break;
    case RequestRole::kSummary:
      how = "for the executive summary";
      break;
    default:
      how = model.is_counted ? "" : "perhaps";
      break;
  }
  if (model.is_counted) how += fmt::format("{}{}", how.empty() ? "" : " ", Counted(model.requests, "time"));
  return how;
}

// The model of a variant is asked as such, whatever its temperature.
std::string IdOf(const PlannedModel& planned) {
  return planned.variant != nullptr ? planned.variant->model_id : std::string(planned.id);
}

// What is asked of: whether somebody is out of reach, or who may ever be asked.
enum class Question { kIsOutOfReach, kMayBeAsked };

// Whom the plan can ask; a model in one role is told once. Stand-ins may be out of reach: then they cannot
// stand in.
std::vector<ModelUse> AskedModels(const Plan& plan, Question question) {
  const std::vector<PlannedModel> all = ModelsOf(plan);
  const bool extracts = std::any_of(all.begin(), all.end(), [](const PlannedModel& model) {
    return model.role == RequestRole::kExtraction && model.requests > 0;
  });
  std::vector<ModelUse> models;
  using Key = std::tuple<RequestRole, std::string, std::string, std::string, std::string>;
  std::map<Key, std::size_t> places;
  for (const PlannedModel& planned : all) {
    if (planned.requests == 0) continue;
    if (planned.stand_in > 0 && question == Question::kIsOutOfReach) continue;
    // What its cells say already.
    if (planned.variant != nullptr && !planned.variant->problem.empty()) continue;
    ModelUse model{.role = planned.role,
                   .id = IdOf(planned),
                   .provider = planned.ref->provider,
                   .model = planned.ref->model,
                   .base_url = planned.ref->base_url,
                   .span = planned.ref->span,
                   .requests = planned.requests,
                   .is_found_out = planned.is_found_out};
    // How many key points there will be to judge, nobody knows.
    model.is_counted =
        planned.role == RequestRole::kCandidate || (planned.role == RequestRole::kJudge && !extracts);
    const auto [same, is_new] =
        places.emplace(Key(model.role, model.id, model.provider, model.model, model.base_url), models.size());
    if (is_new) {
      models.push_back(std::move(model));
    } else {
      models[same->second].requests += model.requests;
    }
  }
  return models;
}

// Why a model cannot be asked. `message` is the same for all models that the cause keeps from it.
struct Cause {
  std::string code;
  std::string message;
  std::string hint;
  bool is_of_file = false;  // it is told at the place where the file names the model
  bool names_model = false;
  bool names_all = false;  // the message needs no list of models
};

// "openai:gpt-5" for "gpt-5", and for the broker's "vendor/model" as well; "" if no table knows the name.
std::string WithProvider(const std::string& name) {
  for (const ProviderRow& row : ProviderTable()) {
    if (FindModelFacts(row.name, name)) return fmt::format("{}:{}", row.name, name);
  }
  return {};
}

std::optional<Cause> UnknownProvider(const ModelUse& model) {
  if (FindProvider(model.provider) != nullptr) return std::nullopt;
  Cause cause{.code = "run.no-provider", .message = {}, .hint = {}, .is_of_file = true};
  if (model.provider.empty()) {
    cause.message = fmt::format("{} names no provider", Quoted(model.id));
    const std::string known = WithProvider(model.id);
    cause.hint = known.empty() ? "write provider:model, for example openai:gpt-6-luna"
                               : fmt::format("write provider:model; did you mean {}?", known);
    cause.names_model = true;
    return cause;
  }
  std::vector<std::string_view> names;
  for (const ProviderRow& row : ProviderTable()) names.push_back(row.name);
  const std::string_view near = DidYouMean(model.provider, names);
  cause.message = fmt::format("there is no provider {}", Quoted(model.provider));
  cause.hint = near.empty() ? "give recorded replies (--fixtures FILE, --replay FILE), or a model of "
                              "`assay list providers` (-m)"
                            : fmt::format("did you mean {}?", near);
  return cause;
}

std::optional<Cause> CauseOf(const ModelUse& model, const Endpoints& endpoints) {
  if (std::optional<Cause> unknown = UnknownProvider(model)) return unknown;
  const ProviderRow& row = *FindProvider(model.provider);
  if (const Status allowed = endpoints.MayAsk(model.provider, model.model); !allowed) {
    return Cause{.code = "run.program",
                 .message = allowed.error().message,
                 .hint = "programs are not kept in a sandbox: look at it before you allow it",
                 .names_all = true};
  }
  if (row.base_url_variable.empty()) return std::nullopt;
  const Endpoint* endpoint = endpoints.Find(model.provider, model.base_url);
  const bool has_url = !model.base_url.empty() || (endpoint != nullptr && !endpoint->base_url.empty());
  if (!has_url && row.base_url.empty()) {
    return Cause{.code = "run.no-url",
                 .message = fmt::format("the address of {} is not known", row.name),
                 .hint = fmt::format("give it: --base-url {}=URL, or {}", row.name, row.base_url_variable)};
  }
  if (endpoint != nullptr && !endpoint->key_problem.empty()) {
    return Cause{
        .code = "run.key-file",
        .message = endpoint->key_problem,
        .hint = "repair the file that assay.toml names as key_file, or set the key in the environment"};
  }
  const bool has_key = endpoint != nullptr && (!endpoint->key.empty() || endpoint->aws);
  const bool is_of_aws = !row.aws.service.empty();  // its addresses are nobody else's
  if (row.key.need != KeyRule::Need::kRequired || has_key || (has_url && !is_of_aws)) return std::nullopt;
  const std::string_view variable = row.key.variables.substr(0, row.key.variables.find(' '));
  return Cause{
      .code = "run.no-key",
      .message = is_of_aws
                     ? fmt::format("neither {} nor AWS_ACCESS_KEY_ID and {} are set", variable, kAwsSecret)
                     : fmt::format("{} is not set", variable),
      .hint = fmt::format("run: export {}=YOUR_KEY; or name a file that holds the key in assay.toml: "
                          "[providers.{}] key_file = \"FILE\"",
                          variable, row.name)};
}

struct Group {
  Cause cause;
  std::vector<ModelUse> models;
};

// The models that a cause keeps from being asked, by cause, in order.
using FindCause = std::function<std::optional<Cause>(const ModelUse&)>;
std::vector<Group> GroupByCause(const std::vector<ModelUse>& models, const FindCause& find_cause) {
  std::vector<Group> groups;
  for (const ModelUse& model : models) {
    std::optional<Cause> cause = find_cause(model);
    if (!cause) continue;
    const auto group = std::find_if(groups.begin(), groups.end(),
                                    [&](const Group& each) { return each.cause.message == cause->message; });
    if (group != groups.end()) {
      group->models.push_back(model);
    } else {
      groups.push_back({*std::move(cause), {model}});
    }
  }
  return groups;
}

// Where what is asked depends on what was read on the way, nobody knows before the run whether the recording
// of such a run lacks something. Where it does, the case says so; it may then be asked.
bool IsFoundOut(const ModelUse& model) { return model.is_found_out && model.role != RequestRole::kEmbedding; }

// Leaves those that recordings do not answer for, with the calls that are left.
std::vector<ModelUse> LeftByRecordings(const Plan& plan, const std::vector<Recording>& recordings,
                                       Question question, std::vector<ModelUse> models) {
  if (models.empty() || recordings.empty()) return models;
  // Nobody is asked for an answer that a strict recording lacks; embeddings it knows nothing of.
  for (const Recording& recording : recordings) {
    if (!recording.strict) continue;
    std::erase_if(models, [&recording](const ModelUse& model) {
      return recording.only ? model.role == recording.only : model.role != RequestRole::kEmbedding;
    });
  }
  const auto turns = std::find_if(recordings.begin(), recordings.end(),
                                  [](const Recording& recording) { return recording.prompts.ms != 0; });
  const bool has_turns = turns != recordings.end();
  // A file of anybody's says that it has turns; whom a run asks without leave is no matter of its word.
  if (has_turns && question == Question::kIsOutOfReach) std::erase_if(models, IsFoundOut);
  if (models.empty()) return models;
  const Result<std::vector<ForecastLine>> lines =
      ForecastRun(plan, Router(recordings), nullptr, {}, has_turns ? turns->prompts : PromptClock{});
  if (!lines) return models;
  std::erase_if(models, [&](ModelUse& model) {
    const auto line = std::find_if(lines->begin(), lines->end(), [&](const ForecastLine& each) {
      return each.kind == CallKind{model.role, model.provider, model.model};
    });
    if (line == lines->end() || line->most == 0) return true;
    model.is_counted = model.is_counted && line->least > 0;
    model.requests = line->least;
    return false;
  });
  return models;
}

std::string Sentence(const Group& group) {
  const std::vector<ModelUse>& models = group.models;
  if (group.cause.names_all) return group.cause.message;
  if (models.size() == 1) {
    const std::string id = group.cause.names_model ? "it" : Quoted(models.front().id);
    return fmt::format("{}, but {} would be asked {}", group.cause.message, id, HowAsked(models.front()));
  }
  std::string names;
  for (std::size_t i = 0; i < models.size() && i < kModelsNamedMax; ++i)
    names += fmt::format("{}{} {}", i > 0 ? ", " : "", Quoted(models[i].id), HowAsked(models[i]));
  if (models.size() > kModelsNamedMax) names += fmt::format(" and {} more", models.size() - kModelsNamedMax);
  return fmt::format("{}, but these would be asked: {}", group.cause.message, names);
}

// How to do without the models of a group; `askable`: a model that can be asked, "" if there is none.
std::string HintOf(const Group& group, const Suite& suite, const std::string& askable) {
  std::string hint = group.cause.hint;
  const auto any = [&](auto holds) { return std::any_of(group.models.begin(), group.models.end(), holds); };
  // Only the default judges have a backup.
  if (any([](const ModelUse& model) { return model.role == RequestRole::kBackupJudge; }))
    hint = "no judge is named, so the default judges grade the criteria in words; " + hint;
  if (!suite.assumed_models.empty() &&
      any([](const ModelUse& model) { return model.role == RequestRole::kCandidate; })) {
    hint += fmt::format("; the file names no models, so {} is asked: name yours under `models:`, or with -m",
                        suite.assumed_models);
  }
  if (any([](const ModelUse& model) { return JudgesAnswers(model.role); })) {
    const std::string judge = askable.empty() ? "MODEL" : askable;
    hint += fmt::format(
        "; or let another model judge: --judge {0}, or in assay.toml [judges] models = [\"{0}\"]", judge);
    if (askable.empty())
      hint += "; without a key, use functions such as $icontains in place of criteria (`assay list checks`)";
  }
  return hint;
}

// Where the suite's own tool goes on without similarities, so does the run.
Severity SeverityOf(const Group& group, const Suite& suite) {
  const bool only_embeds = std::all_of(group.models.begin(), group.models.end(), [](const ModelUse& model) {
    return model.role == RequestRole::kEmbedding;
  });
  return only_embeds && !suite.refuses_unusable ? Severity::kWarning : Severity::kError;
}

void Refuse(const Plan& plan, const std::vector<Recording>& recordings, const FindCause& find_cause,
            Diagnostics& diagnostics) {
  std::vector<ModelUse> models = AskedModels(plan, Question::kIsOutOfReach);
  std::string askable;
  for (const ModelUse& model : models) {
    // A model that only repeats its question judges nothing.
    const bool may_judge = model.role == RequestRole::kCandidate && model.provider != "echo";
    if (askable.empty() && may_judge && !find_cause(model)) askable = model.id;
  }
  std::erase_if(models, [&](const ModelUse& model) { return !find_cause(model); });
  models = LeftByRecordings(plan, recordings, Question::kIsOutOfReach, std::move(models));
  for (const Group& group : GroupByCause(models, find_cause)) {
    diagnostics.Add({.severity = SeverityOf(group, plan.suite()),
                     .code = group.cause.code,
                     .message = Sentence(group),
                     .hint = HintOf(group, plan.suite(), askable),
                     .where = group.cause.is_of_file ? group.models.front().span : kNowhere});
  }
}

}  // namespace

std::vector<ModelToAsk> ModelsToAsk(const Plan& plan, const std::vector<Recording>& recordings) {
  const std::vector<ModelUse> models =
      LeftByRecordings(plan, recordings, Question::kMayBeAsked, AskedModels(plan, Question::kMayBeAsked));
  std::vector<ModelToAsk> asked;
  for (const ModelUse& model : models)
    asked.push_back({model.provider, model.model, model.base_url, model.span});
  return asked;
}

void RefuseUnreachable(const Plan& plan, const std::vector<Recording>& recordings, const Endpoints& endpoints,
                       Diagnostics& diagnostics) {
  Refuse(
      plan, recordings, [&](const ModelUse& model) { return CauseOf(model, endpoints); }, diagnostics);
}

void RefuseUnknownProviders(const Plan& plan, const std::vector<Recording>& recordings,
                            Diagnostics& diagnostics) {
  Refuse(plan, recordings, UnknownProvider, diagnostics);
}

void TellUnknownModel(std::string_view model, Span where, Diagnostics& diagnostics) {
  ModelAddress address = ModelAddressOf(model);
  ModelUse asked;
  asked.id = model;
  asked.provider = address.provider;
  asked.model = address.model;
  if (const std::optional<Cause> unknown = UnknownProvider(asked)) {
    diagnostics.Error(unknown->code, unknown->message, where, unknown->hint);
    return;
  }
  const std::string near = NearModel(address.provider, address.model);
  if (near.empty()) return;
  diagnostics.Warning(
      "plan.unknown-model",
      fmt::format("{} is not in the table of models of {}", model, OriginOfModels().as_of), where,
      fmt::format("did you mean {}:{}? `assay list models` names them", address.provider, near));
}

}  // namespace assay
