// Formats the statistics of a run for the terminal: ranking, effects of parameters, agreement of judges,
// spread of attempts.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "cli/settings/shown.h"
#include "report/decide/attempts/attempt_means.h"
#include "report/decide/factors.h"
#include "report/decide/reliability.h"
#include "report/decide/standings.h"
#include "report/values/statistics.h"

namespace assay {

IntervalRule IntervalRuleOf(const Shown& shown);
// "95 %: bootstrap (BCa, 10,000 draws of cases, seed 7)" as a line; "" for the default.
std::string IntervalNote(const IntervalRule& rule);

// Whether judges agree, with each other and with themselves; attempts; flaky cases. "" where a run has
// neither several judges or votes nor several attempts.
std::string ReliabilityText(const Suite& suite, const Reliability& reliability, const PassRule& pass,
                            const Screen& screen = {});

// The mean of each attempt over the cases, a row each, a column for each variant by its number; and how much
// these means vary.
std::string AttemptMeansText(std::span<const AttemptMeans> variants, const Screen& screen = {});

// How often one of k tries passes, for each k; "" if none is asked for.
std::string PassAtKText(const Suite& suite, const PassCounts& counts, std::span<const std::uint64_t> ks,
                        const Screen& screen = {});

// What each parameter does, over all variants that are equal in the others, a line each; "" if none varies.
std::string FactorText(const Suite& suite, const CaseScores& scores);

}  // namespace assay
