// Names of kinds of work.
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

std::optional<WorkKind> WorkKindOf(StepKind kind) {
  switch (kind) {
    case StepKind::kGenerate:
      return WorkKind::kAnswers;
    case StepKind::kJudge:
    case StepKind::kKeyPoints:
      return WorkKind::kVerdicts;
    case StepKind::kEmbedAnswer:
    case StepKind::kEmbedIdeal:
      return WorkKind::kEmbeddings;
    case StepKind::kAsk:
      return WorkKind::kChecks;
    default:
      return std::nullopt;
  }
}

}  // namespace assay
