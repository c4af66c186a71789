// Chooses the judges of a blueprint: those it names, else the default ones and their backup (spec: blueprint
// 12.2).
#include <fmt/core.h>

#include "dialects/blueprint/lower/lower.h"
#include "dialects/blueprint/lower/models.h"
#include "dialects/blueprint/read/js_values.h"
#include "dialects/blueprint/read/model_options.h"
#include "dialects/default_models.h"
#include "dialects/names.h"
#include "spec/extraction.h"
#include "spec/suite/suite.h"

namespace assay::blueprint {

namespace {

constexpr std::string_view kDefaultApproach = "standard";

constexpr std::string_view kDefaultJudgesApproach = "holistic";

Judge MakeJudge(std::string_view id, std::string_view model_id, std::string_view approach) {
  Judge judge;
  judge.id = id;
  judge.model_id = model_id;
  judge.approach = approach;
  judge.label = fmt::format("{}({})", id.empty() ? approach : id, model_id);
  static_cast<ModelRef&>(judge) = ModelRefOf(Value(std::string(model_id)));
  judge.params = ParamsOfJudges();
  return judge;
}

// A model that the blueprint describes itself: here in place, or among its models under the same id.
const Value* CustomModelOf(const Value& model, const Map& config) {
  return model.is_map() ? &model : CustomModelNamed(config, model.AsString());
}

constexpr double kExtractionTemperature = 0.1;
constexpr std::int64_t kExtractionTokensMax = 2000;

void AddExtractor(Judge extractor, Suite& suite) {
  // weval extracts first of all, whatever becomes of the answers.
  extractor.approach = suite.compat == Compat::kWeval ? kBeforeAnswers : std::string_view();
  extractor.params.temperature = kExtractionTemperature;
  extractor.params.max_tokens = kExtractionTokensMax;
  suite.extractors.push_back(std::move(extractor));
}

void AddExtractor(std::string_view model_id, Span span, Suite& suite) {
  Judge extractor = MakeJudge("", model_id, "");
  extractor.span = span;
  AddExtractor(std::move(extractor), suite);
}

// Who extracts key points from ideals: evaluationConfig's judgeModels, or the default ones.
void AddExtractors(const Value* models, Diagnostics& diagnostics, Suite& suite) {
  if (models == nullptr || !models->is_list() || models->AsList().empty()) {
    for (const std::string_view model : DefaultModelsOf(suite.compat).extractors)
      AddExtractor(model, Span{}, suite);
    return;
  }
  for (const Value& model : models->AsList()) {
    if (model.is_string() && !IsBlank(model.AsString())) {
      AddExtractor(model.AsString(), model.span, suite);
    } else {
      diagnostics.Error("blueprint.judges",
                        fmt::format("judgeModels: expected a model, found {}", KindName(model)), model.span,
                        "write provider:model");
    }
  }
}

std::string TextOr(const Value& object, std::string_view key, std::string_view otherwise) {
  const Value* value = object.Find(key);
  return IsTruthy(value) ? JsText(*value) : std::string(otherwise);
}

// The models of --judge: they judge as the default ones do, and extract key points as well. No backup, as of
// all judges that somebody names.
void AddChosenJudges(const Map& config, const std::vector<std::string>& names, Suite& suite) {
  for (const std::string& name : names) {
    const Value id(CorrectedModel(name));
    suite.judges.push_back(MakeJudge("", id.AsString(), kDefaultJudgesApproach));
    if (const Value* custom = CustomModelOf(id, config))
      static_cast<ModelRef&>(suite.judges.back()) = ModelRefOf(*custom);
    AddExtractor(suite.judges.back(), suite);
  }
}

}  // namespace

Judge JudgeNamed(std::string_view model_id) {
  const Value id(CorrectedModel(std::string(model_id)));
  Judge judge = MakeJudge("", id.AsString(), "");
  judge.label = judge.model_id;
  return judge;
}

void AddJudges(const Map& config, const ReadInput& input, Suite& suite) {
  if (!input.options.judges.empty()) {
    AddChosenJudges(config, input.options.judges, suite);
    return;
  }
  Diagnostics& diagnostics = input.diagnostics;
  const Value* evaluation = config.Find("evaluationConfig");
  const Value* coverage = evaluation == nullptr ? nullptr : evaluation->Find("llm-coverage");
  AddExtractors(coverage == nullptr ? nullptr : coverage->Find("judgeModels"), diagnostics, suite);
  const Value* judges = coverage == nullptr ? nullptr : coverage->Find("judges");
  if (IsTruthy(judges) && !judges->is_list()) {
    diagnostics.Error("blueprint.judges", fmt::format("judges: expected a list, found {}", KindName(*judges)),
                      judges->span, "write a list of {model, approach}");
    return;
  }
  if (!IsTruthy(judges) || judges->AsList().empty()) {
    const DefaultModels& defaults = DefaultModelsOf(suite.compat);
    for (const NamedJudge& judge : defaults.judges)
      suite.judges.push_back(MakeJudge(judge.id, judge.model_id, kDefaultJudgesApproach));
    suite.backup_judge =
        MakeJudge(defaults.backup_judge.id, defaults.backup_judge.model_id, kDefaultJudgesApproach);
    return;
  }
  for (const Value& judge : judges->AsList()) {
    const Value* model = judge.Find("model");
    const bool is_object = model != nullptr && model->is_map();
    if (is_object) CheckCustomModel(*model, input.options.compat, diagnostics);
    if (model == nullptr || (!is_object && !model->is_string()) || IsBlank(ModelId(*model))) {
      diagnostics.Error("blueprint.judges", "judge: expected a mapping with a text \"model\"",
                        model == nullptr ? judge.span : model->span,
                        "write {model: provider:model}, or describe a model of your own as in `models`");
      continue;
    }
    Judge& added = suite.judges.emplace_back(
        MakeJudge(TextOr(judge, "id", ""), ModelId(*model), TextOr(judge, "approach", kDefaultApproach)));
    if (const Value* custom = CustomModelOf(*model, config))
      static_cast<ModelRef&>(added) = ModelRefOf(*custom);
    added.span = model->span;
    if (suite.compat == Compat::kWeval || !judge.is_map()) continue;
    Map fields = judge.AsMap();
    NormaliseModelOptions(fields, added.model_id, diagnostics);
    added.params = WithOptions(std::move(added.params), fields);
  }
}

}  // namespace assay::blueprint
