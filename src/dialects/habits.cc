// weval's habits; no other tool has any that assay does not share.
#include "dialects/habits.h"

namespace assay {

ToolHabits HabitsOf(Compat compat) {
  if (compat != Compat::kWeval) return {};
  return {.out = ".results",
          .sums_up_unasked = true,
          .goes_on_without_fixtures = true,
          .writes_artefacts = true,
          .keeps_think_tags = true,
          .marks_caches = false};
}

}  // namespace assay
