// The habits of each compatibility mode, where they differ from assay's own.
#include "dialects/habits.h"

namespace assay {

ToolHabits HabitsOf(Compat compat) {
  if (compat == Compat::kAsky)
    return {.progress_on_output = true,
            .only_own_words = true,
            .ignores_verdicts = true,
            .passes_all_parameters = true,
            .retries_rate_limits_only = true,
            .max_retries = 2,
            .waits_are_tries = true,
            .makes_sessions = true};
  if (compat == Compat::kInfibench) return {.keeps_think_tags = true};
  if (compat == Compat::kPromptfoo)
    return {.keeps_think_tags = true,
            .retries_rate_limits_only = true,
            .failed_exit_code = 100,
            .leaves_stream_out = true,
            .marks_caches = false};
  if (compat != Compat::kWeval) return {};
  return {.out = ".results",
          .sums_up_unasked = true,
          .goes_on_without_fixtures = true,
          .writes_artefacts = true,
          .keeps_think_tags = true,
          .passes_all_parameters = true,
          .max_retries = 2,
          .waits_are_tries = true,
          .makes_sessions = true,
          .marks_caches = false};
}

}  // namespace assay
