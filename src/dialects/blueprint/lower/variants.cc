// Makes the variants of a blueprint: models x temperatures x system prompts, with the ids that result files
// use.
#include <algorithm>
#include <unordered_set>

#include <fmt/core.h>

#include "base/limits.h"
#include "dialects/blueprint/lower/ids.h"
#include "dialects/blueprint/lower/lower.h"
#include "dialects/blueprint/lower/models.h"
#include "dialects/blueprint/read/js_values.h"
#include "dialects/blueprint/read/model_options.h"
#include "dialects/blueprint/rows/askings.h"
#include "spec/suite/model_ref.h"
#include "spec/suite/suite_rules.h"
#include "spec/suite/variant.h"
#include "text/javascript/number.h"
#include "text/javascript/text.h"
#include "text/object.h"

namespace assay::blueprint {

namespace {

constexpr std::string_view kHumanProvider = "consumer:";  // answered by a person in weval's web page
constexpr double kDefaultTemperature = 0;

// One value of the temperature axis.
struct TemperatureChoice {
  std::optional<double> sent;  // absent: each prompt's own, by Case::temperature
  bool in_id = false;
};

// The temperature of a prompt where the header names none.
double OwnTemperature(const Value& prompt) {
  const Value* own = prompt.Find("temperature");
  return own == nullptr || !own->is_number() ? kDefaultTemperature : own->AsNumber();
}

const List* NonEmptyList(const Map& config, std::string_view key) {
  const Value* list = config.Find(key);
  return list != nullptr && list->is_list() && !list->AsList().empty() ? &list->AsList() : nullptr;
}

std::vector<TemperatureChoice> PromptTemperatures(const Map& config) {
  std::vector<TemperatureChoice> choices;
  std::unordered_set<std::string> seen;
  for (const Value& prompt : config.Find("prompts")->AsList()) {
    const double own = OwnTemperature(prompt);
    if (seen.insert(JsNumberText(own)).second) choices.push_back({own, true});
  }
  if (choices.empty()) choices.push_back({kDefaultTemperature, true});
  return choices;
}

// weval names the temperature in every id, so that a prompt's own temperature makes an id of its own; by the
// format's description only `temperatures` does.
std::vector<TemperatureChoice> TemperatureAxis(const Map& config, bool like_weval) {
  std::vector<TemperatureChoice> axis;
  if (const List* temperatures = NonEmptyList(config, "temperatures")) {
    for (const Value& temperature : *temperatures) axis.push_back({temperature.AsNumber(), true});
    return axis;
  }
  const Value* temperature = config.Find("temperature");
  if (temperature != nullptr && temperature->is_number()) return {{temperature->AsNumber(), like_weval}};
  return like_weval ? PromptTemperatures(config) : std::vector<TemperatureChoice>{{}};
}

std::vector<std::optional<std::string>> SystemAxis(const Map& config) {
  const auto text_of = [](const Value& system) {
    return system.is_nullish() ? std::nullopt : std::optional<std::string>(JsText(system));
  };
  std::vector<std::optional<std::string>> axis;
  if (const List* systems = NonEmptyList(config, "systems")) {
    for (const Value& system : *systems) axis.push_back(text_of(system));
    return axis;
  }
  const Value* system = config.Find("system");
  axis.push_back(system == nullptr ? std::nullopt : text_of(*system));
  return axis;
}

std::vector<ModelRef> FallbacksOf(const Map& config, const Value& model) {
  const Value* fallback = HasModelOptions(model) ? model.Find("fallback") : nullptr;
  if (fallback == nullptr) return {};
  const List names = fallback->is_list() ? fallback->AsList() : List{*fallback};
  std::vector<ModelRef> refs;
  for (const Value& name : names) {
    if (!name.is_string()) continue;  // an error told of it
    const Value* custom = CustomModelNamed(config, name.AsString());
    refs.push_back(ModelRefOf(custom == nullptr ? name : *custom));
  }
  return refs;
}

// Everything of a variant that depends on the model alone.
Variant OfModel(const Value& model, const Map& config, const ReadOptions& options) {
  Variant variant;
  static_cast<ModelRef&>(variant) = ModelRefOf(model);
  variant.span = model.span;
  variant.id = ModelId(model);
  variant.model_id = ModelIdWithoutOptions(model);
  if (options.compat != Compat::kWeval) {
    variant.params = WithOptions({}, config);
    if (HasModelOptions(model)) variant.params = WithOptions(std::move(variant.params), model.AsMap());
    variant.fallbacks = FallbacksOf(config, model);
    variant.answers_freely = AnswersFreely(model);
    variant.label = LabelOf(model);
  }
  if (options.max_tokens) variant.params.max_tokens = options.max_tokens;
  return variant;
}

// What a model is multiplied by.
struct Axes {
  std::vector<TemperatureChoice> temperatures;
  std::vector<std::optional<std::string>> systems;
  std::vector<std::optional<std::string>> seeds;  // of examples; one that is absent: no prompt has several
  bool has_systems = false;                       // the header lists them
  bool fills_systems = false;                     // rows fill them in
  bool by_prompt = false;                         // each temperature asks only the prompts whose own it is
};

// The seeds of examples in the order of the prompts, and whether rows fill the header's systems in.
void ReadAskings(const Map& config, Axes& axes) {
  std::unordered_set<std::string> seen;
  for (const Value& prompt : config.Find("prompts")->AsList()) {
    const Value* askings = prompt.Find("askings");
    if (askings == nullptr || !askings->is_list()) continue;
    for (const Value& asking : askings->AsList()) {
      const AskingName name = AskingNameOf(asking.TextAt("name"));
      axes.fills_systems = axes.fills_systems || name.system.has_value();
      if (name.seed && seen.insert(*name.seed).second) axes.seeds.emplace_back(*name.seed);
    }
  }
  if (axes.seeds.empty()) axes.seeds.emplace_back();
}

Axes ReadAxes(const Map& config, bool like_weval) {
  Axes axes;
  ReadAskings(config, axes);
  axes.temperatures = TemperatureAxis(config, like_weval);
  axes.systems = SystemAxis(config);
  axes.has_systems = NonEmptyList(config, "systems") != nullptr;
  axes.by_prompt = like_weval && NonEmptyList(config, "temperatures") == nullptr &&
                   config.Find("temperature") == nullptr && axes.temperatures.size() > 1;
  return axes;
}

Variant OfAxes(const Variant& of_model, const TemperatureChoice& temperature, std::size_t system,
               const std::optional<std::string>& seed, const Axes& axes) {
  Variant variant = of_model;
  VariantSuffix suffix;
  if (temperature.in_id) suffix.temperature = temperature.sent;
  if (axes.systems.size() > 1) suffix.system_index = system;
  suffix.shots_seed = seed;
  variant.id = EffectiveModelId(of_model.id, suffix);
  AskingName asking{.seed = seed};
  if (axes.fills_systems) asking.system = system;
  variant.asking = asking.Text();
  variant.params.temperature = temperature.sent;
  variant.system = axes.systems[system];
  variant.details = Object{{"temperature", temperature.sent.value_or(kDefaultTemperature)},
                           {"systemIndex", When(axes.has_systems, system)},
                           {"shotsSeed", seed}};
  return variant;
}

// The models that a program can ask.
List AskedModels(const Map& config, const ReadInput& input) {
  List asked;
  for (const Value& model : config.Find("models")->AsList()) {
    if (!ModelId(model).starts_with(kHumanProvider)) {
      asked.push_back(model);
      continue;
    }
    input.diagnostics.Warning(
        "blueprint.consumer-model",
        fmt::format("{} is answered by a person and is left out", Quoted(ModelId(model))), model.span,
        "name a model that can be asked");
  }
  return asked;
}

}  // namespace

std::vector<VariantIndex> VariantPlan::AskedOf(const Value& prompt) const {
  const auto found = variants_of_temperature.find(JsNumberText(OwnTemperature(prompt)));
  return found == variants_of_temperature.end() ? std::vector<VariantIndex>() : found->second;
}

VariantPlan PlanVariants(const Map& config, const ReadInput& input) {
  const bool like_weval = input.options.compat == Compat::kWeval;
  const Axes axes = ReadAxes(config, like_weval);
  const List models = AskedModels(config, input);
  VariantPlan plan;
  const double count = static_cast<double>(models.size()) * static_cast<double>(axes.temperatures.size()) *
                       static_cast<double>(axes.systems.size()) * static_cast<double>(axes.seeds.size());
  if (count > static_cast<double>(limits::kVariantsMax)) {
    input.diagnostics.Error(
        "blueprint.limit",
        fmt::format("{} models x {} temperatures x {} system prompts{} are more than {} variants",
                    models.size(), axes.temperatures.size(), axes.systems.size(),
                    axes.seeds.size() > 1 ? fmt::format(" x {} seeds", axes.seeds.size()) : "",
                    limits::kVariantsMax),
        config.Find("models")->span, "run fewer of them at a time");
    return plan;
  }
  std::unordered_set<std::string> seen;
  for (const Value& model : models) {
    const Variant of_model = OfModel(model, config, input.options);
    for (const TemperatureChoice& temperature : axes.temperatures) {
      for (std::size_t s = 0; s < axes.systems.size() * axes.seeds.size(); ++s) {
        Variant variant =
            OfAxes(of_model, temperature, s / axes.seeds.size(), axes.seeds[s % axes.seeds.size()], axes);
        if (!seen.insert(variant.id).second) continue;
        if (axes.by_prompt) {
          plan.variants_of_temperature[JsNumberText(*temperature.sent)].push_back(
              static_cast<VariantIndex>(plan.variants.size()));
        }
        plan.variants.push_back(std::move(variant));
      }
    }
  }
  return plan;
}

}  // namespace assay::blueprint
