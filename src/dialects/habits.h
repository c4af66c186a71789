// ToolHabits: what a format's original tool does differently from assay around a suite (folders, retries,
// output), by the compatibility mode of the run. Code asks for a habit, never for a tool's name.
#pragma once

#include <optional>
#include <string_view>

#include "spec/suite/suite_rules.h"

namespace assay {

struct ToolHabits {
  std::string_view out = "results";  // where result files go if nobody says
  bool sums_up_unasked = false;      // a run is summed up unless it is forbidden
  bool goes_on_without_fixtures =
      false;                        // fixtures that lack a reply, or the file itself, leave the model asked
  bool writes_artefacts = false;    // one small file for each pair and part, beside the whole
  bool keeps_think_tags = false;    // <think>…</think> at the start of an answer belongs to it
  bool progress_on_output = false;  // how a run goes stands on standard output
  bool only_own_words = false;      // and nothing but what its tool says itself
  bool ignores_verdicts = false;    // it ends well whatever came of the cells
  bool passes_all_parameters = false;     // also those that replace what is asked
  bool retries_rate_limits_only = false;  // of replies: 429 alone is tried again, and each of them is a try
  int max_retries = 5;                    // further tries of a call, if nobody says
  bool waits_are_tries = false;           // a service that says "wait" costs a try like any other fault
  bool makes_sessions = false;            // each command makes a session, whatever an earlier one came to
  std::optional<int> failed_exit_code = {};  // of a run that missed a gate, if nobody says
  bool leaves_stream_out = false;            // requests of chats do not say that they are answered whole
  bool marks_caches = true;  // requests mark the beginnings of prompts that other requests repeat
};

ToolHabits HabitsOf(Compat compat);

}  // namespace assay
