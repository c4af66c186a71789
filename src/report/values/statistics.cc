// Builds the JSON objects of ranking, factors, judges, attempts and flaky cases.
#include "report/values/statistics.h"

#include <utility>

#include "report/decide/factors.h"
#include "report/decide/run_statistics.h"
#include "report/values/comparisons.h"
#include "report/values/json.h"
#include "spec/suite/suite.h"
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
    map.Append("tries", CountValue(reliability.tries.used));
    map.Append("tries_asked", CountValue(reliability.tries.asked));
    map.Append("any", NumberOrNull(each.passes.any.mean));
    map.Append("any_interval", IntervalValue(each.passes.any.interval));
    map.Append("all", NumberOrNull(each.passes.all.mean));
    map.Append("all_interval", IntervalValue(each.passes.all.interval));
    map.Append("cases", CountValue(each.passes.cases));
    map.Append("cases_left_out", CountValue(each.left_out));
    map.Append("flaky", CountValue(each.passes.flaky));
    map.Append("of_case", NumberOrNull(each.spread.of_case));
    map.Append("of_sampling", NumberOrNull(each.spread.of_sampling));
    map.Append("of_judge", NumberOrNull(each.spread.of_judge));
    map.Append("icc", NumberOrNull(each.spread.icc));
    list.emplace_back(std::move(map));
  }
  return list;
}

Value PassAtKValue(const Suite& suite, const std::vector<PassesAtK>& passes) {
  List list;
  for (const PassesAtK& each : passes) {
    Map map;
    map.Append("variant", suite.variants[each.variant].id);
    map.Append("k", CountValue(each.k));
    map.Append("any", NumberOrNull(each.passes.any.mean));
    map.Append("any_interval", IntervalValue(each.passes.any.interval));
    map.Append("all", NumberOrNull(each.passes.all.mean));
    map.Append("all_interval", IntervalValue(each.passes.all.interval));
    map.Append("cases", CountValue(each.passes.cases));
    map.Append("cases_left_out", CountValue(each.left_out));
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

// How far the place at `at` is from the first: its difference to the leader.
Value BehindValue(const Ranking& ranking, std::string_view what, std::span<const std::string> names,
                  std::size_t at) {
  if (at == 0) return Null{};
  const RankTest& test = ranking.Test(0, at);
  const PairedEstimate& paired = test.paired;
  Map map;
  map.Append(std::string(what), names[test.a]);
  map.Append("cases", CountValue(paired.cases));
  map.Append("difference", paired.difference ? NumberOrNull(-*paired.difference) : Value(Null{}));
  map.Append("interval", paired.interval
                             ? IntervalValue(Interval{-paired.interval->high, -paired.interval->low})
                             : Value(Null{}));
  map.Append("why", TextOrNull(WhyCode(paired.why)));
  map.Append("p", NumberOrNull(paired.p));
  map.Append("p_corrected", NumberOrNull(test.p_corrected));
  map.Append("is_worse", test.verdict == Verdict::kLeads);
  map.Append("excludes_0", paired.interval && ExcludesZero(paired));
  return Value(std::move(map));
}

Value RankingValue(const Suite& suite, const RunStatistics& statistics, const IntervalRule& rule) {
  const Standings& standings = statistics.standings;
  const std::vector<std::string> parameters = VaryingParameters(suite);
  std::vector<std::string> ids;
  for (const Variant& variant : suite.variants) ids.push_back(variant.id);
  List list = PlacesValue(standings.ranking, "variant", ids);
  for (std::size_t i = 0; i < list.size(); ++i) {
    const RankPlace& place = standings.ranking.places[i];
    Map& map = list[i].AsMap();
    map.Append("parameters", TextOrNull(parameters[place.variant]));
    map.Set("interval", IntervalValue(IntervalOf(standings.scores, place, rule)));
    AppendPassRate(statistics, std::span(&place.variant, 1), map);
    if (standings.scores.is_reduced())
      map.Append("plain_mean", NumberOrNull(PlainMeanOf(standings.scores, place.variant)));
  }
  return list;
}

Value ModelsValue(const Suite& suite, const RunStatistics& statistics) {
  const Standings& standings = statistics.standings;
  const Models& models = standings.models;
  List list = PlacesValue(standings.model_ranking, "model", models.names);
  for (std::size_t i = 0; i < list.size(); ++i) {
    List variants;
    const std::vector<VariantNumber> numbers = models.VariantsOf(standings.model_ranking.places[i].variant);
    for (const VariantNumber v : numbers) variants.emplace_back(suite.variants[v].id);
    list[i].AsMap().Append("variants", std::move(variants));
    AppendPassRate(statistics, numbers, list[i].AsMap());
    if (standings.scores.is_reduced())
      list[i].AsMap().Append(
          "plain_mean", NumberOrNull(PlainMeanOfModel(standings, standings.model_ranking.places[i].variant)));
  }
  return list;
}

}  // namespace

void AppendPassRate(const RunStatistics& statistics, std::span<const VariantNumber> variants, Map& map) {
  const MeanEstimate rate = PassRateOf(statistics, variants);
  map.Append("pass_rate", NumberOrNull(rate.mean));
  map.Append("pass_interval", IntervalValue(rate.interval));
}

Value FewestValue(const Ranking& ranking) {
  const std::optional<std::uint64_t> fewest = ranking.fewest();
  return fewest ? CountValue(*fewest) : Value(Null{});
}

List PlacesValue(const Ranking& ranking, std::string_view what, std::span<const std::string> names) {
  List list;
  for (std::size_t i = 0; i < ranking.places.size(); ++i) {
    const RankPlace& place = ranking.places[i];
    Map map;
    map.Append(std::string(what), names[place.variant]);
    map.Append("rank", CountValue(place.rank));
    map.Append("rank_last", CountValue(place.rank_last));
    map.Append("can_rank", place.can_rank);
    map.Append("mean", NumberOrNull(place.estimate.mean));
    map.Append("interval", IntervalValue(place.estimate.interval));
    map.Append("why", TextOrNull(WhyCode(place.estimate.why)));
    map.Append("cases", CountValue(place.estimate.cases));
    map.Append("cases_left_out", CountValue(place.estimate.cases_left_out));
    map.Append("to_leader", BehindValue(ranking, what, names, i));
    list.emplace_back(std::move(map));
  }
  return list;
}

std::optional<Interval> IntervalOf(const CaseScores& scores, const RankPlace& place,
                                   const IntervalRule& rule) {
  if (!rule.bootstrap_seed) return place.estimate.interval;
  const BootstrapMean drawn =
      BootstrapOfMean(scores.samples[place.variant], scores.design(), *rule.bootstrap_seed);
  return drawn.bca ? drawn.bca : drawn.percentile;
}

Value AttemptMeansValue(const Suite& suite, std::span<const AttemptMeans> variants) {
  List list;
  for (std::size_t v = 0; v < variants.size(); ++v) {
    List means;
    for (const MeanEstimate& each : variants[v].means) means.push_back(NumberOrNull(each.mean));
    Map map;
    map.Append("variant", suite.variants[v].id);
    map.Append("means", std::move(means));
    map.Append("deviation", NumberOrNull(variants[v].deviation));
    list.emplace_back(std::move(map));
  }
  return list;
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
    List by_model;
    for (const ModelEffect& each : effect.by_model) {
      Map one;
      one.Append("model", each.model);
      one.Append("pairs", CountValue(each.pairs));
      one.Append("sentence", each.sentence);
      AppendPaired(each.paired, one);
      one.Append("p", NumberOrNull(each.paired.p));
      by_model.emplace_back(std::move(one));
    }
    map.Append("by_model", std::move(by_model));
    list.emplace_back(std::move(map));
  }
  return list;
}

Value StatisticsValue(const Suite& suite, const RunStatistics& statistics, const IntervalRule& rule,
                      std::span<const std::uint64_t> pass_at_k) {
  const Standings& standings = statistics.standings;
  const Reliability& reliability = statistics.reliability;
  Map map;
  map.Append("sentence", standings.verdict());
  map.Append("bootstrap_seed", rule.bootstrap_seed ? CountValue(*rule.bootstrap_seed) : Value(Null{}));
  map.Append("ranking", RankingValue(suite, statistics, rule));
  map.Append("value", standings.scores.title);
  map.Append("pairs", CountValue(standings.ranking.tests.size()));
  map.Append("fewest", FewestValue(standings.ranking));
  map.Append("models", ModelsValue(suite, statistics));
  map.Append("model_pairs", CountValue(standings.model_ranking.tests.size()));
  map.Append("model_fewest", FewestValue(standings.model_ranking));
  map.Append("factors", FactorsValue(suite, standings.scores));
  map.Append("agreement", AgreementValue(reliability.agreement));
  map.Append("judges", JudgesValue(reliability));
  map.Append("attempts", AttemptsValue(suite, reliability));
  map.Append("pass_at_k", PassAtKValue(suite, PassesAtEach(suite, reliability.passes, pass_at_k)));
  map.Append("flaky", FlakyValue(suite, reliability));
  return Value(std::move(map));
}

Result<Value> StatisticsValue(const Report& report, const PassRule& pass, const IntervalRule& rule,
                              std::span<const std::uint64_t> pass_at_k) {
  ASSAY_TRY(const std::shared_ptr<const RunStatistics> statistics, StatisticsOf(report, pass));
  return StatisticsValue(*report.suite, *statistics, rule, pass_at_k);
}

}  // namespace assay
