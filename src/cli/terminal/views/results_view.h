// Formats the results of a run for the terminal: tables of variants, of cases, and of attempts.
#pragma once

#include <string>

#include "base/errors/result.h"
#include "cli/terminal/screen.h"
#include "cli/terminal/views/statistics_view.h"
#include "spec/report/pair.h"
#include "spec/report/report.h"

namespace assay {

struct ViewOptions {
  double pass_at = 0.5;
  bool every_case = false;  // also where the table of cases would be long
  IntervalRule interval = {};
  bool verdict_first = true;  // else whoever shows the tables tells it at the end (VerdictText)
  Screen screen = {};
};

// Variants with their means, then, for small runs, cases with their scores, and with every_case all attempts.
// A score from pass_at is marked ✓.
Result<std::string> RunTables(const Report& report, const ViewOptions& options);
// Who leads, by how much, and whether that is certain.
Result<std::string> VerdictText(const Report& report);

// "✓ 83", "✗ 50!", "◐ 1 missing", "error", ...
std::string PairText(const Pair& pair, double pass_at);
// The line below a table that says from which score on a case passes.
std::string PassMarkText(double pass_at);
// "83.3", "–" if nothing was scored
std::string MeanText(const VariantSummary& summary);
// "◐ 2 missing": the mark of what is graded in part, and how many points have no verdict
std::string PartialText(std::size_t missing);
// When the run started, in the reader's zone: "2026-11-21 22:05 UTC+01:00"
std::string StartText(const RunContext& run);

}  // namespace assay
