// Counting who is asked.
#include "plan/models_of.h"

namespace assay {

namespace {

// Slots of a case, each as often as the case has cells.
struct StepCounts {
  std::vector<std::uint64_t> by_judge;
  std::uint64_t backups = 0;
  std::uint64_t key_points = 0;
  std::uint64_t embeddings = 0;
};

StepCounts CountSteps(const Plan& plan) {
  const Suite& suite = plan.suite();
  StepCounts counts;
  counts.by_judge.resize(suite.judges.size());
  for (CaseIndex c = 0; c < suite.cases.size(); ++c) {
    const CasePlan& case_plan = plan.case_plan(c);
    const CellIndex cells = plan.grid().OfCase(c).size();
    for (const StepTemplate& step : case_plan.slots) {
      switch (step.kind) {
        case StepKind::kJudge:
          counts.by_judge[step.judge] += cells;
          break;
        case StepKind::kBackup:
          counts.backups += cells;
          break;
        case StepKind::kKeyPoints:
          counts.key_points += cells;
          break;
        case StepKind::kEmbedAnswer:
        case StepKind::kEmbedIdeal:
          counts.embeddings += cells;
          break;
        case StepKind::kGenerate:
        case StepKind::kAsk:
        case StepKind::kGrade:
          break;
      }
    }
  }
  return counts;
}

std::vector<std::uint64_t> AnswersByVariant(const Plan& plan) {
  const Suite& suite = plan.suite();
  std::vector<std::uint64_t> answers(suite.variants.size());
  for (CaseIndex c = 0; c < suite.cases.size(); ++c) {
    const CasePlan& case_plan = plan.case_plan(c);
    const std::uint64_t each = std::uint64_t{plan.grid().AttemptsOf(c)} * case_plan.slots.front().max_requests;
    for (VariantIndex v = 0; v < answers.size(); ++v) {
      if (suite.cases[c].Asks(v)) answers[v] += each;
    }
  }
  return answers;
}

}  // namespace

std::vector<PlannedModel> ModelsOf(const Plan& plan) {
  const Suite& suite = plan.suite();
  const std::vector<std::uint64_t> answers = AnswersByVariant(plan);
  const StepCounts counts = CountSteps(plan);
  std::vector<PlannedModel> models;
  for (VariantIndex v = 0; v < suite.variants.size(); ++v) {
    const Variant& variant = suite.variants[v];
    PlannedModel model{.role = suite.sums_up_run ? RequestRole::kSummary : RequestRole::kCandidate,
                       .id = variant.id,
                       .ref = &variant,
                       .params = &variant.params,
                       .requests = answers[v]};
    models.push_back(model);
    for (const ModelRef& fallback : variant.fallbacks) {
      model.ref = &fallback;
      ++model.stand_in;
      models.push_back(model);
    }
  }
  const auto add_judge = [&models](const Judge& judge, RequestRole role, std::uint64_t requests) {
    models.push_back(
        {.role = role, .id = judge.model_id, .ref = &judge, .params = &judge.params, .requests = requests});
  };
  for (std::size_t j = 0; j < suite.judges.size(); ++j)
    add_judge(suite.judges[j], RequestRole::kJudge, counts.by_judge[j] + counts.key_points);
  if (suite.backup_judge)
    add_judge(*suite.backup_judge, RequestRole::kBackupJudge, counts.backups + counts.key_points);
  for (const Judge& extractor : suite.extractors)
    add_judge(extractor, RequestRole::kExtraction, counts.key_points);
  if (suite.embedder) {
    models.push_back({.role = RequestRole::kEmbedding,
                      .id = suite.embedder->model_id,
                      .ref = &*suite.embedder,
                      .requests = counts.embeddings});
  }
  return models;
}

}  // namespace assay
