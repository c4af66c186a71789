// Compares the two, and lists what does not pair.
#include "report/values/pages/compare_page.h"

#include <fmt/core.h>

#include <algorithm>
#include <vector>

#include "report/decide/factors.h"
#include "report/values/comparisons.h"
#include "report/values/json.h"
#include "report/values/pages/case_rows.h"
#include "report/values/pages/trust.h"
#include "spec/suite/suite.h"
#include "statistics/decisions/paired.h"
#include "statistics/decisions/power.h"
#include "statistics/decisions/sentence_parts.h"
#include "statistics/decisions/sentences.h"
#include "text/object.h"

namespace assay {

namespace {

Contender ContenderOf(const CompareSide& side, bool by_run) {
  const std::string& id = side.suite->variants[side.variant].id;
  const std::string spoken = SpokenNames(*side.suite)[side.variant];
  return {.name = by_run ? fmt::format("{}#{}", side.run, id) : id,
          .suite = side.suite,
          .scores = side.scores,
          .passes = side.passes,
          .variant = side.variant,
          .spoken = by_run ? fmt::format("{}#{}", side.run, spoken) : spoken};
}

// `mean` and `pass_rate`: over the cases that both sides have a score for, as the difference is.
Value SideValue(const CompareSide& side, const MeanEstimate& mean, std::optional<double> pass_rate) {
  const std::vector<std::string> names = SpokenNames(*side.suite);
  const MeanEstimate whole = EstimateMean(side.scores->samples[side.variant], side.scores->design());
  Map map = Object{{"run", side.run},
                   {"title", side.title},
                   {"started_ms", Number(side.started_ms)},
                   {"variant", side.suite->variants[side.variant].id},
                   {"name", names[side.variant]},
                   {"mean", NumberOrNull(mean.mean)},
                   {"value", side.scores->title},
                   {"interval", IntervalValue(mean.interval)},
                   {"cases", CountValue(mean.cases)},
                   {"pass_rate", NumberOrNull(pass_rate)},
                   {"whole_mean", NumberOrNull(whole.mean)},
                   {"whole_cases", CountValue(whole.cases)}};
  List variants;
  for (std::size_t v = 0; v < names.size(); ++v)
    variants.emplace_back(Object{{"id", side.suite->variants[v].id}, {"name", names[v]}});
  map.Append("variants", std::move(variants));
  return Value(std::move(map));
}

std::string_view FlipName(bool a_passes, bool b_passes) {
  if (a_passes) return b_passes ? "kept" : "won";
  return b_passes ? "lost" : "failing";
}

Value PairsValue(const CompareSide& a, const CompareSide& b, const CasePairing& cases, const PassRule& pass) {
  List list;
  for (const CasePair& pair : cases.pairs) {
    const CaseValue& of_a = a.scores->samples[a.variant].cases[pair.a];
    const CaseValue& of_b = b.scores->samples[b.variant].cases[pair.b];
    const bool has_both = of_a.scored > 0 && of_b.scored > 0;
    const Case& the_case = a.suite->cases[pair.a];
    list.emplace_back(
        Object{{"case", the_case.id},
               {"tags", ArrayOf(*the_case.tags)},
               {"a", of_a.scored > 0 ? Value(of_a.value) : Value(Null{})},
               {"b", of_b.scored > 0 ? Value(of_b.value) : Value(Null{})},
               {"difference", has_both ? Value(of_a.value - of_b.value) : Value(Null{})},
               {"flip", has_both ? Value(FlipName(IsPassed((*a.passes)[a.variant][pair.a], pass),
                                                  IsPassed((*b.passes)[b.variant][pair.b], pass)))
                                 : Value(Null{})}});
  }
  return list;
}

Value LeftValue(const CompareSide& a, const CompareSide& b, const CasePairing& cases) {
  List list;
  const auto add = [&list](const std::string& id, std::string_view why) {
    list.emplace_back(Object{{"case", id}, {"why", why}});
  };
  for (const CasePair& pair : cases.changed) add(a.suite->cases[pair.a].id, "changed");
  for (const CaseIndex index : cases.only_a) add(a.suite->cases[index].id, "only_a");
  for (const CaseIndex index : cases.only_b) add(b.suite->cases[index].id, "only_b");
  return list;
}

bool HaveSameJudges(const Suite& a, const Suite& b) {
  return std::equal(
      a.judges.begin(), a.judges.end(), b.judges.begin(), b.judges.end(),
      [](const Judge& x, const Judge& y) { return x.label == y.label && x.approach == y.approach; });
}

// Leads between good models are seldom larger: what cannot show ten points leaves a doubt.
void AddPower(const PairedEstimate& paired, std::vector<Condition>& to) {
  if (const std::optional<double> smallest = SmallestDifferenceSeen(paired)) {
    to.push_back({.sign = GoodIf(*smallest <= kUsualLead),
                  .text = fmt::format("{} can show differences from {} up", CountOf(paired.cases, "pair"),
                                      Points(std::nullopt, *smallest).Counted(*smallest))});
  } else if (paired.clusters < kClustersForPower) {
    to.push_back({.sign = Sign::kDoubt,
                  .text = fmt::format("{} cannot show a difference; at least {} can",
                                      CountOf(paired.cases, "pair"), kClustersForPower)});
  }
}

std::vector<Condition> ConditionsOfPair(const CompareSide& a, const CompareSide& b,
                                        const Comparison& comparison) {
  const CasePairing& cases = comparison.cases;
  std::vector<Condition> conditions;
  const std::size_t left = cases.changed.size() + cases.only_a.size() + cases.only_b.size();
  const std::size_t all = cases.pairs.size() + left;
  conditions.push_back({.sign = GoodIf(left == 0),
                        .text = fmt::format("{} pairs of {}", cases.pairs.size(), CountOf(all, "case"))});
  if (!cases.changed.empty())
    conditions.push_back({.sign = Sign::kDoubt,
                          .text = fmt::format("{} asked or graded otherwise: left out",
                                              CountOf(cases.changed.size(), "case"))});
  if (cases.by_question > 0)
    conditions.push_back({.sign = Sign::kDoubt,
                          .text = fmt::format("Of {} only the question is known to be the same",
                                              CountOf(cases.by_question, "case"))});
  const bool same_judges = HaveSameJudges(*a.suite, *b.suite);
  if (!a.suite->judges.empty() || !b.suite->judges.empty())
    conditions.push_back({.sign = GoodIf(same_judges),
                          .text = same_judges ? "Both were judged by the same judges" : "The judges differ"});
  if (a.suite->attempts != b.suite->attempts)
    conditions.push_back(
        {.sign = Sign::kDoubt,
         .text = fmt::format("{} against {}: each case counts by its mean",
                             CountOf(a.suite->attempts, "attempt"), CountOf(b.suite->attempts, "attempt"))});
  for (const CompareSide* side : {&a, &b}) {
    if (!side->is_stopped || (side == &b && b.run == a.run)) continue;
    conditions.push_back(
        {.sign = Sign::kDoubt,
         .text = fmt::format("{} was stopped as soon as it was decided: this difference is likely too large",
                             side->run)});
  }
  AddPower(comparison.paired, conditions);
  return conditions;
}

}  // namespace

Value ComparePageValue(const CompareSide& a, const CompareSide& b, const CompareAsk& ask) {
  const bool by_run = a.run != b.run;
  ComparedWith question{
      .first = ContenderOf(a, by_run), .others = {ContenderOf(b, by_run)}, .comparisons = {}};
  question.comparisons = CompareWith(question.first, question.others, ask.by);
  std::vector<GroupDifferences>& groups = question.groups.emplace_back();
  for (const GroupBy by : {GroupBy::kGroup, GroupBy::kLang}) {
    for (GroupDifferences& each :
         CompareGroups(question.first, question.others.front(), question.comparisons.front().cases.pairs, by))
      groups.push_back(std::move(each));
  }
  const Comparison& comparison = question.comparisons.front();
  Value value = ComparisonValue({.questions = std::span(&question, 1)});
  Map& map = value.AsMap();
  Extend(map, {{"a", SideValue(a, comparison.mean_a, comparison.pass_rate_a)},
               {"b", SideValue(b, comparison.mean_b, comparison.pass_rate_b)},
               {"sentence", comparison.sentence},
               {"pass_at", ask.pass.UsualMark(*a.suite)},
               {"pass_words", MarkWords(ask.pass, *a.suite)},
               {"pairs", PairsValue(a, b, comparison.cases, ask.pass)},
               {"left", LeftValue(a, b, comparison.cases)},
               {"smallest_seen", NumberOrNull(SmallestDifferenceSeen(comparison.paired))},
               {"trust", ConditionsValue(ConditionsOfPair(a, b, comparison))}});
  const GateEstimate gate = [&] {
    const PairedScores scores = AlignScores(question.first, question.others[0], comparison.cases.pairs);
    return TestRegression(scores.a, scores.b, scores.design(), 0);
  }();
  map.Append("gates", List{Object{{"gate", "regression"},
                                  {"state", GateStateName(gate.state)},
                                  {"sentence", GateSentence(gate, gate.paired.p.value_or(1))}}});
  Value titles = TitlesValue(map, *a.suite);
  if (a.suite != b.suite) {
    Value others = TitlesValue(map, *b.suite);
    for (Member& each : others.AsMap()) titles.AsMap().Set(each.key, std::move(each.value));
  }
  map.Append("titles", std::move(titles));
  return value;
}

}  // namespace assay
