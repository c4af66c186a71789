// Builds the JSON objects of ranking, factors, judges, attempts and flaky cases.
#include "report/values/statistics.h"

#include <utility>

#include "report/decide/factors.h"
#include "report/decide/run_statistics.h"
#include "report/values/comparisons.h"
#include "report/values/json.h"
#include "spec/suite/suite.h"
#include "statistics/estimates/bootstrap.h"
#include "text/object.h"

namespace assay {

namespace {

Value AttemptsValue(const Suite& suite, const Reliability& reliability) {
  return ArrayOf(reliability.variants, [&](const VariantReliability& each) {
    return Object{{"variant", suite.variants[each.variant].id},
                  {"tries", CountValue(reliability.tries.used)},
                  {"tries_asked", CountValue(reliability.tries.asked)},
                  {"any", NumberOrNull(each.passes.any.mean)},
                  {"any_interval", IntervalValue(each.passes.any.interval)},
                  {"all", NumberOrNull(each.passes.all.mean)},
                  {"all_interval", IntervalValue(each.passes.all.interval)},
                  {"cases", CountValue(each.passes.cases)},
                  {"cases_left_out", CountValue(each.left_out)},
                  {"flaky", CountValue(each.passes.flaky)},
                  {"of_case", NumberOrNull(each.spread.of_case)},
                  {"of_sampling", NumberOrNull(each.spread.of_sampling)},
                  {"of_judge", NumberOrNull(each.spread.of_judge)},
                  {"icc", NumberOrNull(each.spread.icc)}};
  });
}

Value PassAtKValue(const Suite& suite, const std::vector<PassesAtK>& passes) {
  return ArrayOf(passes, [&](const PassesAtK& each) {
    return Object{{"variant", suite.variants[each.variant].id},
                  {"k", CountValue(each.k)},
                  {"any", NumberOrNull(each.passes.any.mean)},
                  {"any_interval", IntervalValue(each.passes.any.interval)},
                  {"all", NumberOrNull(each.passes.all.mean)},
                  {"all_interval", IntervalValue(each.passes.all.interval)},
                  {"cases", CountValue(each.passes.cases)},
                  {"cases_left_out", CountValue(each.left_out)}};
  });
}

Value FlakyValue(const Suite& suite, const Reliability& reliability) {
  return ArrayOf(reliability.flaky, [&](const FlakyCase& flaky) {
    return Object{{"case", suite.cases[flaky.case_index].id},
                  {"variant", suite.variants[flaky.variant].id},
                  {"judge", TextOrNull(flaky.judge)},
                  {"passed", CountValue(flaky.passed)},
                  {"of", CountValue(flaky.of)}};
  });
}

// How far the place at `at` is from the first: its difference to the leader.
Value BehindValue(const Ranking& ranking, std::string_view what, std::span<const std::string> names,
                  std::size_t at) {
  if (at == 0) return Null{};
  const RankTest& test = ranking.Test(0, at);
  const PairedEstimate& paired = test.paired;
  return Object{
      {what, names[test.a]},
      {"cases", CountValue(paired.cases)},
      {"difference", paired.difference ? NumberOrNull(-*paired.difference) : Value(Null{})},
      {"interval", paired.interval ? IntervalValue(Interval{-paired.interval->high, -paired.interval->low})
                                   : Value(Null{})},
      {"why", TextOrNull(WhyCode(paired.why))},
      {"p", NumberOrNull(paired.p)},
      {"p_corrected", NumberOrNull(test.p_corrected)},
      {"is_worse", test.verdict == Verdict::kLeads},
      {"excludes_0", paired.interval && ExcludesZero(paired)}};
}

Value RankingValue(const Suite& suite, const RunStatistics& statistics, const IntervalRule& rule) {
  const Standings& standings = statistics.standings;
  const std::vector<std::string> parameters = VaryingParameters(suite);
  std::vector<std::string> ids;
  for (const Variant& variant : suite.variants) ids.push_back(variant.id);
  List list;
  for (std::size_t i = 0; i < standings.ranking.places.size(); ++i) {
    const RankPlace& place = standings.ranking.places[i];
    Map map = PlaceMap(standings.ranking, i, "variant", ids);
    map.Append("parameters", TextOrNull(parameters[place.variant]));
    map.Set("interval", IntervalValue(IntervalOf(standings.scores, place, rule)));
    AppendPassRate(statistics, std::span(&place.variant, 1), map);
    if (standings.scores.is_reduced())
      map.Append("plain_mean", NumberOrNull(PlainMeanOf(standings.scores, place.variant)));
    list.emplace_back(std::move(map));
  }
  return list;
}

Value ModelsValue(const Suite& suite, const RunStatistics& statistics) {
  const Standings& standings = statistics.standings;
  const Models& models = standings.models;
  List list;
  for (std::size_t i = 0; i < standings.model_ranking.places.size(); ++i) {
    const VariantNumber model = standings.model_ranking.places[i].variant;
    const std::vector<VariantNumber> numbers = models.VariantsOf(model);
    Map map = PlaceMap(standings.model_ranking, i, "model", models.names);
    map.Append("variants", ArrayOf(numbers, [&](VariantNumber v) { return suite.variants[v].id; }));
    AppendPassRate(statistics, numbers, map);
    if (standings.scores.is_reduced())
      map.Append("plain_mean", NumberOrNull(PlainMeanOfModel(standings, model)));
    list.emplace_back(std::move(map));
  }
  return list;
}

}  // namespace

void AppendPassRate(const RunStatistics& statistics, std::span<const VariantNumber> variants, Map& map) {
  const MeanEstimate rate = PassRateOf(statistics, variants);
  Extend(map, {{"pass_rate", NumberOrNull(rate.mean)}, {"pass_interval", IntervalValue(rate.interval)}});
}

Value FewestValue(const Ranking& ranking) {
  const std::optional<std::uint64_t> fewest = ranking.fewest();
  return fewest ? CountValue(*fewest) : Value(Null{});
}

Map PlaceMap(const Ranking& ranking, std::size_t at, std::string_view what,
             std::span<const std::string> names) {
  const RankPlace& place = ranking.places[at];
  return Object{{what, names[place.variant]},
                {"rank", CountValue(place.rank)},
                {"rank_last", CountValue(place.rank_last)},
                {"can_rank", place.can_rank},
                {"mean", NumberOrNull(place.estimate.mean)},
                {"interval", IntervalValue(place.estimate.interval)},
                {"why", TextOrNull(WhyCode(place.estimate.why))},
                {"cases", CountValue(place.estimate.cases)},
                {"cases_left_out", CountValue(place.estimate.cases_left_out)},
                {"to_leader", BehindValue(ranking, what, names, at)}};
}

std::optional<Interval> IntervalOf(const CaseScores& scores, const RankPlace& place,
                                   const IntervalRule& rule) {
  const bool is_early = place.estimate.interval && place.estimate.method == MeanMethod::kNone;
  if (!rule.bootstrap_seed || is_early) return place.estimate.interval;
  const BootstrapMean drawn =
      BootstrapOfMean(scores.samples[place.variant], scores.design(), *rule.bootstrap_seed);
  return drawn.bca ? drawn.bca : drawn.percentile;
}

Value AttemptMeansValue(const Suite& suite, std::span<const AttemptMeans> variants) {
  List list;
  for (std::size_t v = 0; v < variants.size(); ++v)
    list.emplace_back(Object{
        {"variant", suite.variants[v].id},
        {"means",
         ArrayOf(variants[v].means, [&](const MeanEstimate& each) { return NumberOrNull(each.mean); })},
        {"deviation", NumberOrNull(variants[v].deviation)}});
  return list;
}

Value FactorsValue(const Suite& suite, const CaseScores& scores) {
  List list;
  for (const FactorEffect& effect : FactorEffects(suite, scores)) {
    Map map = Object{{"factor", effect.factor},
                     {"level", effect.level},
                     {"base", effect.base},
                     {"pairs", CountValue(effect.pairs)},
                     {"sentence", effect.sentence}};
    AppendPaired(effect.paired, map);
    map.Append("p", NumberOrNull(effect.paired.p));
    List by_model;
    for (const ModelEffect& each : effect.by_model) {
      Map one = Object{{"model", each.model}, {"pairs", CountValue(each.pairs)}, {"sentence", each.sentence}};
      AppendPaired(each.paired, one);
      one.Append("p", NumberOrNull(each.paired.p));
      by_model.emplace_back(std::move(one));
    }
    map.Append("by_model", std::move(by_model));
    list.emplace_back(std::move(map));
  }
  return list;
}

Value AgreementValue(const AgreementEstimate& estimate) {
  return Object{
      {"alpha", NumberOrNull(estimate.alpha)},    {"interval", IntervalValue(estimate.interval)},
      {"why", TextOrNull(WhyCode(estimate.why))}, {"points", CountValue(estimate.units)},
      {"votes", CountValue(estimate.votes)},      {"equal_pairs", NumberOrNull(estimate.equal_pairs)}};
}

Map JudgeMap(const JudgeReliability& judge) {
  return Object{{"judge", judge.judge},
                {"votes", CountValue(judge.votes)},
                {"self", AgreementValue(judge.self)},
                {"without", AgreementValue(judge.without)},
                {"against", CountValue(judge.against)},
                {"against_rate", NumberOrNull(judge.against_rate.mean)},
                {"against_interval", IntervalValue(judge.against_rate.interval)}};
}

Value StatisticsValue(const Suite& suite, const RunStatistics& statistics, const IntervalRule& rule,
                      std::span<const AttemptIndex> pass_at_k) {
  const Standings& standings = statistics.standings;
  const Reliability& reliability = statistics.reliability;
  return Object{{"sentence", standings.verdict()},
                {"bootstrap_seed", rule.bootstrap_seed ? CountValue(*rule.bootstrap_seed) : Value(Null{})},
                {"ranking", RankingValue(suite, statistics, rule)},
                {"value", standings.scores.title},
                {"pairs", CountValue(standings.ranking.tests.size())},
                {"fewest", FewestValue(standings.ranking)},
                {"models", ModelsValue(suite, statistics)},
                {"model_pairs", CountValue(standings.model_ranking.tests.size())},
                {"model_fewest", FewestValue(standings.model_ranking)},
                {"factors", FactorsValue(suite, standings.scores)},
                {"agreement", AgreementValue(reliability.agreement)},
                {"judges", ArrayOf(reliability.judges, JudgeMap)},
                {"attempts", AttemptsValue(suite, reliability)},
                {"pass_at_k",
                 PassAtKValue(suite, PassesAtEach(suite, reliability.passes, TriesToTell(suite, pass_at_k)))},
                {"flaky", FlakyValue(suite, reliability)}};
}

Result<Value> StatisticsValue(const Report& report, const PassRule& pass, const IntervalRule& rule,
                              std::span<const AttemptIndex> pass_at_k) {
  ASSAY_TRY(const std::shared_ptr<const RunStatistics> statistics, StatisticsOf(report, pass));
  return StatisticsValue(*report.suite, *statistics, rule, pass_at_k);
}

}  // namespace assay
