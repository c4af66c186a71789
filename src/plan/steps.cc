// Kind -> step function.
#include "plan/steps.h"

namespace assay {

Action NextOf(const Plan& plan, const StepTemplate& step, const StepContext& context,
              std::span<const Exchange> so_far) {
  switch (step.kind) {
    case StepKind::kGenerate:
      return NextGenerate(plan, step, context, so_far);
    case StepKind::kJudge:
      return NextJudge(plan, step, context, so_far);
    case StepKind::kBackup:
      return NextBackup(plan, step, context, so_far);
    case StepKind::kKeyPoints:
      return NextKeyPoints(plan, step, context, so_far);
    case StepKind::kEmbedAnswer:
      return NextEmbedAnswer(plan, step, context, so_far);
    case StepKind::kEmbedIdeal:
      return NextEmbedIdeal(plan, step, context, so_far);
    case StepKind::kGrade:
      return NextGrade(plan, step, context, so_far);
  }
  return Failed{{ErrorCode::kUnsupported, "a step of an unknown kind"}};
}

}  // namespace assay
