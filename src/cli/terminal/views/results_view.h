// Formats the results of a run for the terminal: tables of variants, of cases, and of attempts.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "base/errors/result.h"
#include "cli/terminal/screen.h"
#include "cli/terminal/views/statistics_view.h"
#include "spec/report/pair.h"
#include "spec/report/report.h"
#include "spec/score/passing.h"

namespace assay {

struct ViewOptions {
  PassRule pass = {};
  bool every_case = false;  // also where the table of cases would be long
  IntervalRule interval = {};
  std::span<const AttemptIndex> pass_at_k = {};  // numbers of tries to tell of; empty: the suite's own
  std::optional<GroupBy> by = {};                // also a table of groups
  bool verdict_first = true;    // else whoever shows the tables tells it at the end (VerdictText)
  std::string_view money = {};  // a sentence behind the verdict, after a blank; "": none
  Screen screen = {};
};

// A line for each model that answered for another one, and for each that a program under test names; "":
// none.
std::string WhoAnsweredText(const Report& report);

// Variants with their means, then, for small runs, cases with their scores, and with every_case all attempts.
// What passes is marked ✓.
Result<std::string> RunTables(const Report& report, const ViewOptions& options);
// Who leads, by how much, and whether that is certain; `money` as above.
Result<std::string> VerdictText(const Report& report, std::string_view money = {});

// "✓ 83", "✗ 50!", "◐ 1 missing", "error", ...
std::string PairText(const Pair& pair, const Suite& suite, const PassRule& pass);
// The line below a table that says which answers and cases pass.
std::string PassMarkText(const Suite& suite, const PassRule& pass);
// "83.3", "–" if nothing was scored
std::string MeanText(const VariantSummary& summary);
// "◐ 2 missing": the mark of what is graded in part, and how many points have no verdict
std::string PartialText(std::size_t missing);
// When the run started, in the reader's zone: "2026-11-21 22:05 UTC+01:00"
std::string StartText(const RunContext& run);

}  // namespace assay
