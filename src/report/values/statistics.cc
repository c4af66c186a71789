// A map for each variant, judge, parameter and flaky case.
#include "report/values/statistics.h"

#include "report/decide/factors.h"
#include "report/decide/run_statistics.h"
#include "report/values/comparisons.h"
#include "report/values/json.h"
#include "statistics/estimates/bootstrap.h"

namespace assay {

namespace {

Value AgreementValue(const AgreementEstimate& estimate) {
  Map map;
  map.Append("alpha", NumberOrNull(estimate.alpha));
  map.Append("interval", IntervalValue(estimate.interval));
  map.Append("why", TextOrNull(WhyCode(estimate.why)));
  map.Append("points", CountValue(estimate.units));
  map.Append("votes", CountValue(estimate.votes));
  map.Append("equal_pairs", NumberOrNull(estimate.equal_pairs));
  return map;
}

Value JudgesValue(const Reliability& reliability) {
  List list;
  for (const JudgeReliability& judge : reliability.judges) {
    Map map;
    map.Append("judge", judge.judge);
    map.Append("votes", CountValue(judge.votes));
    map.Append("self", AgreementValue(judge.self));
    map.Append("without", AgreementValue(judge.without));
    map.Append("against", CountValue(judge.against));
    map.Append("against_rate", NumberOrNull(judge.against_rate.mean));
    map.Append("against_interval", IntervalValue(judge.against_rate.interval));
    list.emplace_back(std::move(map));
  }
  return list;
}

Value AttemptsValue(const Suite& suite, const Reliability& reliability) {
  List list;
  for (const VariantReliability& each : reliability.variants) {
    Map map;
    map.Append("variant", suite.variants[each.variant].id);
    map.Append("tries", CountValue(each.tries));
    map.Append("any", NumberOrNull(each.passes.any.mean));
    map.Append("any_interval", IntervalValue(each.passes.any.interval));
    map.Append("all", NumberOrNull(each.passes.all.mean));
    map.Append("all_interval", IntervalValue(each.passes.all.interval));
    map.Append("cases", CountValue(each.passes.cases));
    map.Append("flaky", CountValue(each.passes.flaky));
    map.Append("of_case", NumberOrNull(each.spread.of_case));
    map.Append("of_sampling", NumberOrNull(each.spread.of_sampling));
    map.Append("of_judge", NumberOrNull(each.spread.of_judge));
    map.Append("icc", NumberOrNull(each.spread.icc));
    list.emplace_back(std::move(map));
  }
  return list;
}

Value FlakyValue(const Suite& suite, const Reliability& reliability) {
  List list;
  for (const FlakyCase& flaky : reliability.flaky) {
    Map map;
    map.Append("case", suite.cases[flaky.case_index].id);
    map.Append("variant", suite.variants[flaky.variant].id);
    map.Append("judge", TextOrNull(flaky.judge));
    map.Append("passed", CountValue(flaky.passed));
    map.Append("of", CountValue(flaky.of));
    list.emplace_back(std::move(map));
  }
  return list;
}

Value RankingValue(const Suite& suite, const Standings& standings, const IntervalRule& rule) {
  const std::vector<std::string> parameters = VaryingParameters(suite);
  List list;
  for (const RankPlace& place : standings.ranking.places) {
    Map map;
    map.Append("variant", suite.variants[place.variant].id);
    map.Append("parameters", TextOrNull(parameters[place.variant]));
    map.Append("rank", CountValue(place.rank));
    map.Append("mean", NumberOrNull(place.estimate.mean));
    map.Append("interval", IntervalValue(IntervalOf(standings.scores, place, rule)));
    map.Append("why", TextOrNull(WhyCode(place.estimate.why)));
    map.Append("cases", CountValue(place.estimate.cases));
    map.Append("cases_left_out", CountValue(place.estimate.cases_left_out));
    list.emplace_back(std::move(map));
  }
  return list;
}

}  // namespace

std::optional<Interval> IntervalOf(const CaseScores& scores, const RankPlace& place,
                                   const IntervalRule& rule) {
  if (!rule.bootstrap_seed) return place.estimate.interval;
  const BootstrapMean drawn =
      BootstrapOfMean(scores.samples[place.variant], scores.design(), *rule.bootstrap_seed);
  return drawn.bca ? drawn.bca : drawn.percentile;
}

Value FactorsValue(const Suite& suite, const CaseScores& scores) {
  List list;
  for (const FactorEffect& effect : FactorEffects(suite, scores)) {
    Map map;
    map.Append("factor", effect.factor);
    map.Append("level", effect.level);
    map.Append("base", effect.base);
    map.Append("pairs", CountValue(effect.pairs));
    map.Append("sentence", effect.sentence);
    AppendPaired(effect.paired, map);
    map.Append("p", NumberOrNull(effect.paired.p));
    list.emplace_back(std::move(map));
  }
  return list;
}

Result<Value> StatisticsValue(const Report& report, double pass_at, const IntervalRule& rule) {
  const Suite& suite = *report.suite;
  ASSAY_TRY(const std::shared_ptr<const RunStatistics> statistics, StatisticsOf(report, pass_at));
  const Standings& standings = statistics->standings;
  const Reliability& reliability = statistics->reliability;
  Map map;
  map.Append("sentence", standings.verdict);
  map.Append("bootstrap_seed", rule.bootstrap_seed ? CountValue(*rule.bootstrap_seed) : Value(Null{}));
  map.Append("ranking", RankingValue(suite, standings, rule));
  map.Append("factors", FactorsValue(suite, standings.scores));
  map.Append("agreement", AgreementValue(reliability.agreement));
  map.Append("judges", JudgesValue(reliability));
  map.Append("attempts", AttemptsValue(suite, reliability));
  map.Append("flaky", FlakyValue(suite, reliability));
  return Value(std::move(map));
}

}  // namespace assay
