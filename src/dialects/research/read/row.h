// Converts a graded cell to a row of results.jsonl.
//   source  asky-cli 14f1a9e, evals/research_pipeline/evaluator.py (spec: research, 6 and 7)
//   cases   golden research/run_artifacts/s4_halted_stubbed
#pragma once

#include <string_view>

#include "spec/ids.h"
#include "spec/score/score.h"
#include "text/value.h"

namespace assay {
struct Case;
struct Suite;
struct Variant;
}  // namespace assay

namespace assay::research {

// In the original's order of members. `run` is the profile's, as its variant has it. With several attempts a
// case, the attempt stands behind the test's id.
Value RowOf(const Suite& suite, const Case& the_case, const Variant& variant, AttemptIndex attempt,
            const AttemptRecord& record);

// What a row says of a graded cell: `pass`, and whether it has an `error`.
struct RowVerdict {
  bool passed = false;
  bool is_error = false;
};
RowVerdict VerdictOf(const Case& the_case, const AttemptRecord& record);

// When the turn of a graded cell ended, and how long it took.
struct RowTime {
  std::int64_t ended_us = 0;  // since 1970; 0: nobody was asked
  double total_ms = 0;
};
RowTime TimeOf(const AttemptRecord& record);

// "2026-11-21T20:35:37.449690+00:00", as Python writes a time in UTC; microseconds since 1970.
std::string PythonTimestamp(std::int64_t time_us);

}  // namespace assay::research
