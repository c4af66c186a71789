// Compares thinking limits with reply limits, and the encoded requests of variants with each other.
#include "plan/model_requests.h"

#include <fmt/core.h>
#include <fmt/format.h>

#include <map>
#include <set>
#include <vector>

#include "providers/facts/adapt.h"
#include "providers/facts/model_kinds.h"
#include "providers/provider.h"
#include "providers/shapes/request/media.h"
#include "providers/shapes/request/thinking.h"
#include "spec/suite/names/name_problem.h"
#include "spec/suite/suite.h"
#include "text/json/json.h"

namespace assay {

namespace {

std::string NameOf(const ModelRef& ref) { return fmt::format("{}:{}", ref.provider, ref.model); }

// Thoughts are part of the reply: services refuse a number of them that leaves nothing for the answer.
void CheckThoughts(const ModelRef& ref, const SamplingParams& params, const ModelBook& models,
                   Diagnostics& diagnostics) {
  if (!params.max_tokens || params.limit_is_default) return;
  const std::optional<ModelFacts> facts = models.FactsOf(ref);
  std::int64_t thoughts = params.thinking_tokens.value_or(0);
  std::string written = fmt::format("thinking_tokens is {}", thoughts);
  // Where the model counts its thoughts, an effort is a number of them.
  if (!params.thinking_tokens && facts && facts->effort == EffortForm::kBudgetTokens) {
    const auto order = ThinkingOrderOf(params, &*facts, facts->effort);
    thoughts = order ? order->tokens : 0;
    written = fmt::format("effort {} is {} tokens of thinking", params.effort, thoughts);
  }
  if (thoughts == 0 || thoughts < *params.max_tokens) return;
  diagnostics.Error("plan.thinking-tokens",
                    fmt::format("{}: {}, and its whole reply may have {} (max_tokens)", NameOf(ref), written,
                                *params.max_tokens),
                    ref.span, fmt::format("set max_tokens above {}, or leave it out", thoughts));
}

// Of models that are asked all the same: whoever means the model that they are named for would be surprised.
void WarnOfOtherKind(const ModelRef& ref, const ModelBook& models, std::set<std::string>& told,
                     Diagnostics& diagnostics) {
  const std::string_view kind = OtherKindIn(ref.model);
  if (kind.empty() || models.FactsOf(ref) || !ref.custom.is_undefined()) return;
  const std::string named_for = ref.model.substr(0, ref.model.find(kind));
  if (!models.Find(ref.provider, named_for) || !told.insert(NameOf(ref)).second) return;
  diagnostics.Warning(
      "plan.other-kind",
      fmt::format("{}: made for {}, by its name; it has neither the price nor the habits of {}", NameOf(ref),
                  kind.substr(1), named_for),
      ref.span, "leave it out, or say under [models] and [prices] what is known of it");
}

// What would be sent for a question of the variant, with a schema for its answer or none (undefined); ""
// where that cannot be told.
std::string RequestText(const Variant& variant, const Value& schema, const ModelBook& models) {
  const ProviderRow* provider = FindProvider(variant.provider);
  if (provider == nullptr) return {};
  // Nobody is asked behind no URL.
  if (provider->base_url_variable.empty() && variant.custom.is_undefined()) return {};
  ModelRequest request;
  static_cast<ModelRef&>(request) = variant;
  request.params = variant.params;
  if (!variant.answers_freely) request.answer_schema = schema;
  if (request.base_url.empty() && provider->base_url.empty()) request.base_url = "http://localhost";
  if (variant.system) request.messages.push_back({Role::kSystem, *variant.system});
  request.messages.push_back({Role::kUser, "?" + variant.asking});
  const std::optional<ModelFacts> facts = models.FactsOf(variant);
  Result<HttpRequest> wire = provider->encode_known(request, facts ? &*facts : nullptr);
  if (!wire) return {};
  if (facts) Adapt(AdaptationOf(*facts, variant.params), *wire, variant.custom);
  const Value& extra = variant.params.extra;
  return fmt::format("{}\n{}\n{}", wire->url, wire->body,
                     extra.is_undefined() ? "" : WriteJson(extra, JsonStyle::kCanonical));
}

// "it takes no temperature", "… beside its thoughts"; "" where the table does not say why.
std::string WhySame(const Variant& variant, const ModelBook& models) {
  const std::optional<ModelFacts> facts = models.FactsOf(variant);
  if (!facts) return {};
  const std::string left_out = LeftOutParameters(*facts, variant.params);
  if (left_out.empty()) return "it has no words for the difference";
  const bool never_takes = !facts->sampling.temperature;
  return fmt::format("it takes no {}{}", left_out, never_takes ? "" : " beside its thoughts");
}

void WarnOfSameRequests(const Suite& suite, const ModelBook& models, Diagnostics& diagnostics) {
  std::map<std::string, std::size_t> places;
  std::vector<std::vector<const Variant*>> groups;  // in the order of the suite
  const auto with_schema = std::find_if(suite.cases.begin(), suite.cases.end(), [](const Case& the_case) {
    return !the_case.answer_schema->is_undefined();
  });
  const Value schema = with_schema == suite.cases.end() ? Value() : *with_schema->answer_schema;
  for (const Variant& variant : suite.variants) {
    // What turns ask is their profile's, and no two profiles are the same.
    std::string text = variant.profile ? std::string() : RequestText(variant, schema, models);
    if (text.empty()) continue;
    const auto [place, is_new] = places.try_emplace(std::move(text), groups.size());
    if (is_new) groups.emplace_back();
    groups[place->second].push_back(&variant);
  }
  for (const std::vector<const Variant*>& same : groups) {
    if (same.size() < 2) continue;
    std::vector<std::string> ids;
    for (const Variant* each : same) ids.push_back(Quoted(each->id));
    const std::string why = WhySame(*same.front(), models);
    diagnostics.Warning("plan.same-request",
                        fmt::format("{}: {} are the same request{}{}", NameOf(*same.front()),
                                    fmt::join(ids, ", "), why.empty() ? "" : ": ", why),
                        suite.span, "keep one of them, or ask several times with --attempts");
  }
}

bool HasMedia(const Case& the_case) {
  return std::any_of(the_case.turns.begin(), the_case.turns.end(),
                     [](const Turn& turn) { return !turn.media->empty(); });
}

std::string_view WordFor(MediaKind kind) {
  return kind == MediaKind::kFile ? "PDF files" : kind == MediaKind::kImage ? "images" : "audio";
}

// Of the parts of a case the first that a model is known not to take; null: it takes all, or nobody knows.
const MediaPart* PartNotTaken(const Case& the_case, const MediaKinds& taken) {
  for (const Turn& turn : the_case.turns) {
    for (const MediaPart& part : *turn.media) {
      if (!taken.Has(part.kind)) return &part;
    }
  }
  return nullptr;
}

void CheckMediaOf(const Suite& suite, const ModelRef& ref, VariantIndex variant, const MediaKinds& taken,
                  Diagnostics& diagnostics) {
  for (const Case& the_case : suite.cases) {
    const MediaPart* part = the_case.Asks(variant) ? PartNotTaken(the_case, taken) : nullptr;
    if (part == nullptr) continue;
    diagnostics.Error("plan.media",
                      fmt::format("{} takes no {}: case {} has {}", NameOf(ref), WordFor(part->kind),
                                  Quoted(the_case.id), MediaMark(*part)),
                      ref.span, "leave the model out, or say takes = [...] under [models] in assay.toml");
    return;
  }
}

void CheckMedia(const Suite& suite, const ModelBook& models, Diagnostics& diagnostics) {
  if (std::none_of(suite.cases.begin(), suite.cases.end(), HasMedia)) return;
  for (VariantIndex i = 0; i < suite.variants.size(); ++i) {
    const Variant& variant = suite.variants[i];
    CheckMediaOf(suite, variant, i, MediaTakenBy(variant, models), diagnostics);
    for (const ModelRef& fallback : variant.fallbacks)
      CheckMediaOf(suite, fallback, i, MediaTakenBy(fallback, models), diagnostics);
  }
  for (const Judge& judge : suite.judges) {
    const auto blind = std::find_if(suite.cases.begin(), suite.cases.end(), [&](const Case& the_case) {
      return !the_case.checks.empty() && PartNotTaken(the_case, judge.sees) != nullptr;
    });
    if (blind == suite.cases.end()) continue;
    const MediaPart& part = *PartNotTaken(*blind, judge.sees);
    diagnostics.Warning(
        "plan.judge-media",
        fmt::format("the judge {} takes no {}: of case {} it reads {} in its place", Quoted(judge.model_id),
                    WordFor(part.kind), Quoted(blind->id), MediaMark(part)),
        judge.span, "name a judge that takes them");
  }
}

// Of a model that is known to follow no schema: it is never asked as if there were none.
void CheckSchemas(const Suite& suite, const ModelBook& models, Diagnostics& diagnostics) {
  const auto check = [&](const ModelRef& ref, VariantIndex variant) {
    const std::optional<ModelFacts> facts = models.FactsOf(ref);
    if (!facts || facts->takes_schema.value_or(true)) return;
    const auto asked = std::find_if(suite.cases.begin(), suite.cases.end(), [&](const Case& the_case) {
      return the_case.Asks(variant) && !the_case.answer_schema->is_undefined();
    });
    if (asked == suite.cases.end()) return;
    diagnostics.Error(
        "plan.schema",
        fmt::format("{} takes no JSON Schema for its answers: case {} has one (response_format)", NameOf(ref),
                    Quoted(asked->id)),
        ref.span,
        "write {model: ..., response_format: false} to ask it without, or schema = true under "
        "[models] in assay.toml");
  };
  for (VariantIndex i = 0; i < suite.variants.size(); ++i) {
    const Variant& variant = suite.variants[i];
    if (variant.answers_freely) continue;
    check(variant, i);
    for (const ModelRef& fallback : variant.fallbacks) check(fallback, i);
  }
}

}  // namespace

MediaKinds MediaTakenBy(const ModelRef& ref, const ModelBook& models) {
  const ProviderRow* provider = FindProvider(ref.provider);
  const MediaKinds kAll = {.image = true, .pdf = true, .audio = true};
  MediaKinds taken = provider == nullptr ? kAll : provider->media;
  if (!ref.custom.is_undefined()) taken = MediaOfCustom(ref.custom);
  const std::optional<ModelFacts> facts = models.FactsOf(ref);
  if (!facts || !facts->takes) return taken;
  return {.image = taken.image && facts->takes->image,
          .pdf = taken.pdf && facts->takes->pdf,
          .audio = taken.audio && facts->takes->audio};
}

ModelBook WithModelsOf(const Suite& suite, ModelBook models) {
  for (const Variant& variant : suite.variants) {
    models.Remember(variant.provider, variant.model);
    for (const ModelRef& fallback : variant.fallbacks) models.Remember(fallback.provider, fallback.model);
  }
  for (const Judge* judge : JudgesOf(suite)) models.Remember(judge->provider, judge->model);
  return models;
}

void CheckModelRequests(const Suite& suite, const ModelBook& models, Diagnostics& diagnostics) {
  if (std::string problem = SuiteNameProblem(suite); !problem.empty()) {
    diagnostics.Error("suite.name", std::move(problem), suite.span,
                      "give it a name that a command line, a path and a table can show");
  }
  for (const Variant& variant : suite.variants) {
    CheckThoughts(variant, variant.params, models, diagnostics);
    for (const ModelRef& fallback : variant.fallbacks)
      CheckThoughts(fallback, variant.params, models, diagnostics);
  }
  for (const Judge* judge : JudgesOf(suite)) CheckThoughts(*judge, judge->params, models, diagnostics);
  std::set<std::string> told;
  for (const Variant& variant : suite.variants) WarnOfOtherKind(variant, models, told, diagnostics);
  for (const Judge& judge : suite.judges) WarnOfOtherKind(judge, models, told, diagnostics);
  for (const Judge& judge : suite.named_judges) WarnOfOtherKind(judge, models, told, diagnostics);
  WarnOfSameRequests(suite, models, diagnostics);
  CheckMedia(suite, models, diagnostics);
  CheckSchemas(suite, models, diagnostics);
}

}  // namespace assay
