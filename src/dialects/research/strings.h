// Sentences that belong to the output format of asky's research tool, pinned by its golden sessions; they
// must not be reworded.
#pragma once

#include <string_view>

namespace assay::research {

// Below the blocks of all runs, where a case ended in an error.
inline constexpr std::string_view kErrorsNote =
    "\nNote: Some cases had execution errors. Inspect per-case details in each run's "
    "artifacts/results.jsonl.\n";

}  // namespace assay::research
