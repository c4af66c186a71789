// Classifies steps by what people call their work, and counts the work of a plan.
#include "run/progress.h"

namespace assay {

std::string_view WorkKindName(WorkKind kind) {
  switch (kind) {
    case WorkKind::kAnswers:
      return "answers";
    case WorkKind::kVerdicts:
      return "verdicts";
    case WorkKind::kEmbeddings:
      return "embeddings";
    case WorkKind::kChecks:
      return "checks";
  }
  return {};
}

std::optional<WorkKind> WorkKindOf(const StepTemplate& step) {
  switch (step.kind) {
    case StepKind::kGenerate:
      return WorkKind::kAnswers;
    case StepKind::kAsk:
      return step.asks == RequestRole::kJudge ? WorkKind::kVerdicts : WorkKind::kChecks;
    case StepKind::kEmbed:
      return WorkKind::kEmbeddings;
    case StepKind::kGrade:
      break;
  }
  return std::nullopt;
}

void CountWork(const Plan& plan, WorkTallies& work) {
  for (CaseIndex i = 0; i < plan.CaseCount(); ++i) {
    for (const StepTemplate& step : plan.case_plan(i).slots) {
      if (const auto kind = WorkKindOf(step))
        work[static_cast<std::size_t>(*kind)].total += plan.grid().OfCase(i).size();
    }
  }
}

}  // namespace assay
