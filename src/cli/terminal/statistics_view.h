// What a run's numbers are worth: ranking, parameters, judges and attempts, for the terminal and `--json`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/result.h"
#include "cli/settings/shown.h"
#include "report/factors.h"
#include "report/reliability.h"
#include "report/standings.h"
#include "spec/report.h"
#include "text/value.h"

namespace assay {

// How 95 % intervals of means are made: of a formula, or drawn with a seed where the user asks for it.
struct IntervalRule {
  std::optional<std::uint64_t> bootstrap_seed = {};
};
IntervalRule IntervalRuleOf(const Shown& shown);
std::optional<Interval> IntervalOf(const CaseScores& scores, const RankPlace& place,
                                   const IntervalRule& rule);
// "95 %: bootstrap (BCa, 10,000 draws of cases, seed 7)" as a line; "" for the default.
std::string IntervalNote(const IntervalRule& rule);

// Whether judges agree, with each other and with themselves; attempts; flaky cases. "" where a run has
// neither several judges or votes nor several attempts.
std::string ReliabilityText(const Suite& suite, const Reliability& reliability, double pass_at);

// "statistics" of `--json` (docs/cli.md).
Result<Value> StatisticsValue(const Report& report, double pass_at, const IntervalRule& rule);

// What each parameter does, over all variants that are equal in the others, a line each; "" if none varies.
std::string FactorText(const Suite& suite, const CaseScores& scores);
Value FactorsValue(const Suite& suite, const CaseScores& scores);

}  // namespace assay
