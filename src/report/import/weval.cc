// Imports result files of blueprints (docs/formats/blueprint-results.md), of assay or of weval: one JSON text
// with every prompt, model, answer and point.
#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "report/import/import.h"
#include "report/import/import_builder.h"
#include "spec/suite/case.h"
#include "spec/suite/check.h"
#include "text/json/json.h"

namespace assay {

namespace {

constexpr std::string_view kIdealModel = "IDEAL_MODEL_ID";  // the ideal answer, among the models of a prompt

// value[one][two]; null if there is no such thing.
const Value* Below(const Value* value, std::string_view one, std::string_view two) {
  const Value* inner = value == nullptr ? nullptr : value->Find(one);
  return inner == nullptr ? nullptr : inner->Find(two);
}

const List& ListAt(const Value* value) {
  static const List kNone;
  return value != nullptr && value->is_list() ? value->AsList() : kNone;
}

class ComparisonReader {
 public:
  ComparisonReader(const Value& file, ImportBudget budget)
      : file_(file),
        scores_(Below(&file, "evaluationResults", "llmCoverageScores")),
        answers_(file.Find("allFinalAssistantResponses")),
        errors_(file.Find("errors")),
        builder_("blueprint", std::move(budget)) {}

  Result<std::shared_ptr<const ImportedRun>> Read(std::string_view name) {
    builder_.suite().id = file_.TextAt("configId");
    builder_.suite().title = file_.TextAt("configTitle");
    for (const Value& prompt : ListAt(file_.Find("promptIds"))) {
      if (!prompt.is_string()) continue;
      for (const Value& model : ListAt(file_.Find("effectiveModels"))) {
        if (model.is_string() && model.AsString() != kIdealModel)
          ASSAY_CHECK_OK(AddPair(prompt.AsString(), model.AsString()));
      }
    }
    if (!has_answers_) builder_.LacksAnswers();
    return builder_.Finish(name);
  }

 private:
  Status AddPair(const std::string& prompt, const std::string& model) {
    const Value* graded = Below(scores_, prompt, model);
    const Value* answer = Below(answers_, prompt, model);
    if (graded == nullptr && answer == nullptr) return Ok();  // the model was not asked
    const CaseIndex index = builder_.CaseOf({.label = prompt}, [&] { return CaseNamed(prompt, graded); });
    Cell cell = CellOfScore(graded == nullptr ? std::nullopt : ScoreAt(*graded, "avgCoverageExtent"));
    Transcript& transcript = cell.record.transcript;
    if (answer != nullptr) transcript.answer = ContentText(*answer);
    has_answers_ = has_answers_ || !transcript.answer.empty();
    if (const Value* failure = Below(errors_, prompt, model)) {
      transcript.error = ContentText(*failure);
      cell.state = CellState::kError;
    }
    if (graded != nullptr) {
      cell.record.grading_error = graded->TextAt("error");
      if (!cell.record.grading_error.empty()) cell.state = CellState::kError;
      for (const Value& point : ListAt(graded->Find("pointAssessments")))
        cell.record.scores.push_back(ScoreOf(point));
    }
    cell.record.scores.resize(builder_.suite().cases[index].checks.size());
    return builder_.Add(index, builder_.VariantOf(model, model), std::move(cell));
  }

  Case CaseNamed(const std::string& prompt, const Value* graded) const {
    Case the_case;
    const Value* context = file_.MapAt("promptContexts").Find(prompt);
    the_case.turns = TurnsOf(context == nullptr ? Value(List()) : *context);
    if (const Value* ideal = Below(answers_, prompt, kIdealModel)) the_case.ideal = ContentText(*ideal);
    for (const Value& point : ListAt(graded == nullptr ? nullptr : graded->Find("pointAssessments"))) {
      Check& check = the_case.checks.emplace_back();
      check.id = std::to_string(the_case.checks.size());
      check.text = point.TextAt("keyPointText");
      check.weight = ScoreAt(point, "multiplier").value_or(1);
      check.invert = ScoreAt(point, "isInverted").value_or(0) != 0;
    }
    return the_case;
  }

  static Score ScoreOf(const Value& point) {
    const std::optional<double> extent = ScoreAt(point, "coverageExtent");
    Score score = extent ? Score::Of(*extent) : Score{};
    score.explanation = point.TextAt("reflection");
    score.error = point.TextAt("error");
    if (!extent && !score.error.empty()) score.state = ScoreState::kError;
    return score;
  }

  const Value& file_;
  const Value* scores_;
  const Value* answers_;
  const Value* errors_;
  bool has_answers_ = false;
  ImportBuilder builder_;
};

}  // namespace

Result<std::shared_ptr<const ImportedRun>> ReadComparison(const SharedBytes& bytes, const ImportAsk& ask) {
  ImportBudget budget(bytes->size_bytes());
  ASSAY_TRY(const std::string text, WholeText(*bytes, budget));
  ASSAY_TRY(const Value file, ParseWithin(text, budget));
  return ComparisonReader(file, std::move(budget)).Read(ask.name);
}

}  // namespace assay
