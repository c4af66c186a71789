// Converts a graded cell to a row of results.jsonl.
//   source  asky-cli 14f1a9e, evals/research_pipeline/evaluator.py (spec: research, 6 and 7)
//   cases   golden research/run_artifacts/s4_halted_stubbed
#pragma once

#include <string>
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

struct Row {
  Value members;           // in the original's order
  std::string summarizer;  // the alias of the model that summed up
};
// With several attempts a case, the row contains the attempt's number.
Row RowOf(const Suite& suite, const Case& the_case, const Variant& variant, AttemptIndex attempt,
          const AttemptRecord& record);

enum class CaseStatus { kPass, kFail, kError, kHalted };
std::string_view StatusName(CaseStatus status);  // "PASS", ...

// What a row says of a graded cell: `pass`, `halted`, and whether it has an `error`.
struct RowVerdict {
  bool passed = false;
  bool is_error = false;
  bool halted = false;
  CaseStatus status() const;
};
RowVerdict VerdictOf(const Case& the_case, const AttemptRecord& record);

// When the turn of a graded cell ended, and how long it took.
struct RowTime {
  std::int64_t ended_us = 0;  // since 1970; 0: nobody was asked
  double turn_ms = 0;
  double total_ms = 0;  // with the start of the client
};
RowTime TimeOf(const AttemptRecord& record);

// "2026-11-21T20:35:37.449690+00:00", as Python writes a time in UTC; microseconds since 1970.
std::string PythonTimestamp(std::int64_t time_us);

}  // namespace assay::research
