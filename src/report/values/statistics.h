// The statistics of a run as JSON values: intervals, ranking, effects of parameters, judges and attempts
// (docs/cli.md, `statistics`).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/errors/result.h"
#include "report/decide/attempts/attempt_means.h"
#include "report/decide/reliability.h"
#include "report/decide/run_statistics.h"
#include "report/decide/standings.h"
#include "spec/report/report.h"
#include "text/value.h"

namespace assay {

// How 95 % intervals of means are made: of a formula, or drawn with a seed where the user asks for it.
struct IntervalRule {
  std::optional<std::uint64_t> bootstrap_seed = {};
};
std::optional<Interval> IntervalOf(const CaseScores& scores, const RankPlace& place,
                                   const IntervalRule& rule);

// {sentence, bootstrap_seed, ranking, factors, agreement, judges, attempts, flaky}.
// `pass_at_k`: the numbers of tries of its member of that name; empty: the suite's own.
Value StatisticsValue(const Suite& suite, const RunStatistics& statistics, const IntervalRule& rule,
                      std::span<const AttemptIndex> pass_at_k = {});
// The same of a report, whose statistics by this rule of passing are made if the report has none.
Result<Value> StatisticsValue(const Report& report, const PassRule& pass, const IntervalRule& rule,
                              std::span<const AttemptIndex> pass_at_k = {});

// {alpha, interval, why, points, votes, equal_pairs}: how far judges agree.
Value AgreementValue(const AgreementEstimate& estimate);
// {judge, votes, self, without, against, ...}: one of `judges`.
Map JudgeMap(const JudgeReliability& judge);

// {variant, rank, rank_last, can_rank, mean, interval, ..., to_leader} of one place of a ranking, under these
// names; `what` is the member that names who stands there.
Map PlaceMap(const Ranking& ranking, std::size_t at, std::string_view what,
             std::span<const std::string> names);

// {pass_rate, pass_interval}: the share of attempts that pass, of a variant or of several together.
void AppendPassRate(const RunStatistics& statistics, std::span<const VariantNumber> variants, Map& map);

// The number of cases (clusters of them) below which no data could rank so many; null below two.
Value FewestValue(const Ranking& ranking);

// [{variant, means: [number or null…], deviation}], by variant.
Value AttemptMeansValue(const Suite& suite, std::span<const AttemptMeans> variants);

// What each parameter does, over all variants that are equal in the others.
Value FactorsValue(const Suite& suite, const CaseScores& scores);

}  // namespace assay
