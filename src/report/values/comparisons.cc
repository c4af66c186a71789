// Builds one JSON object for each compared variant, and for each gate.
#include "report/values/comparisons.h"

#include "report/values/json.h"
#include "spec/suite/suite.h"
#include "text/object.h"

namespace assay {

namespace {

Value IdsOf(const Suite& suite, const std::vector<CaseIndex>& cases) {
  return ArrayOf(cases, [&](const CaseIndex index) { return suite.cases[index].id; });
}

Map GroupMap(const GroupDifference& group) {
  Map map = Object{{"mean_a", NumberOrNull(group.mean_a.mean)},
                   {"mean_b", NumberOrNull(group.mean_b.mean)},
                   {"pass_rate_a", NumberOrNull(group.pass_rate_a)},
                   {"pass_rate_b", NumberOrNull(group.pass_rate_b)}};
  AppendPaired(group.paired, map);
  map.Append("p", NumberOrNull(group.p));
  return map;
}

Value MacroDifferenceValue(const std::optional<MacroDifference>& macro) {
  if (!macro) return Null{};
  const MacroEstimate& estimate = macro->difference;
  return Object{{"groups", CountValue(std::uint64_t{estimate.groups})},
                {"mean_a", NumberOrNull(macro->mean_a)},
                {"mean_b", NumberOrNull(macro->mean_b)},
                {"pass_rate_a", NumberOrNull(macro->pass_rate_a)},
                {"pass_rate_b", NumberOrNull(macro->pass_rate_b)},
                {"difference", NumberOrNull(estimate.mean)},
                {"se", NumberOrNull(estimate.se)},
                {"df", NumberOrNull(estimate.df)},
                {"interval", IntervalValue(estimate.interval)},
                {"why", TextOrNull(WhyCode(estimate.why))}};
}

Value GroupDifferencesValue(std::span<const GroupDifferences> tables) {
  return ArrayOf(tables, [&](const GroupDifferences& table) {
    List groups;
    for (const GroupDifference& each : table.groups) {
      Map group = Object{{"group", each.group}};
      for (Member& member : GroupMap(each)) group.Append(member.key, std::move(member.value));
      groups.emplace_back(std::move(group));
    }
    return Object{{"by", table.by},
                  {"groups", std::move(groups)},
                  {"micro", GroupMap(table.micro)},
                  {"macro", MacroDifferenceValue(table.macro)}};
  });
}

Value OneValue(const ComparedWith& question, std::size_t at) {
  const Comparison& comparison = question.comparisons[at];
  const Suite& suite = *question.first.suite;
  Map map =
      Object{{"a", question.first.name},
             {"b", question.others[at].name},
             {"verdict", VerdictName(comparison.verdict)},
             {"sentence", comparison.sentence},
             {"served", comparison.served
                            ? Value(List{Value(comparison.served->fresh), Value(comparison.served->base)})
                            : Value()},
             {"mean_a", NumberOrNull(comparison.mean_a.mean)},
             {"mean_b", NumberOrNull(comparison.mean_b.mean)},
             {"pass_rate_a", NumberOrNull(comparison.pass_rate_a)},
             {"pass_rate_b", NumberOrNull(comparison.pass_rate_b)}};
  AppendPaired(comparison.paired, map);
  Extend(map, {{"p", comparison.paired.p ? Value(comparison.p) : Value(Null{})},
               {"bootstrap_interval",
                comparison.drawn ? Value(List{Value(comparison.drawn->low), Value(comparison.drawn->high)})
                                 : Value()},
               {"only_a", IdsOf(suite, comparison.cases.only_a)},
               {"only_b", IdsOf(*question.others[at].suite, comparison.cases.only_b)}});
  std::vector<CaseIndex> changed;
  for (const CasePair& pair : comparison.cases.changed) changed.push_back(pair.a);
  Extend(map, {{"changed", IdsOf(suite, changed)},
               {"by_question", comparison.cases.by_question},
               {"flips", ArrayOf(comparison.flips, [&](const Flip& flip) {
                  return Object{{"case", suite.cases[flip.at.a].id}, {"a", flip.a}, {"b", flip.b}};
                })}});
  List tags;
  for (const TagDifference& each : comparison.tags) {
    Map entry = Object{{"tag", each.tag}};
    AppendPaired(each.paired, entry);
    tags.emplace_back(std::move(entry));
  }
  map.Append("tags", std::move(tags));
  map.Append("groups", question.groups.empty() ? Value(List{}) : GroupDifferencesValue(question.groups[at]));
  return map;
}

// {run, base}, null where nobody knows of a difference.
Value OtherNamesValue(const std::optional<OtherNames>& names) {
  if (!names) return Null{};
  return Object{{"run", names->fresh}, {"base", names->base}};
}

// What a gate rests on. `comparison`: the two-sided question, which is another one and may call it a tie.
void AppendGate(const VariantGate& gate, Map& map) {
  Extend(map, {{"newly_failing", ArrayOf(gate.newly_failing)},
               {"passed_before", gate.passed_before},
               {"without_score", gate.without_score},
               {"flaky_in_base", ArrayOf(gate.flaky_before)},
               {"known_flaky", Object{{"cases", CountValue(gate.known_flaky.cases)},
                                      {"newly_failing", ArrayOf(gate.known_flaky.failed)}}},
               {"models", OtherNamesValue(gate.models)},
               {"judges", OtherNamesValue(gate.judges)}});
  if (!gate.estimate) return;
  AppendPaired(gate.estimate->paired, map);
  Extend(map, {{"p", gate.estimate->paired.p ? Value(gate.p) : Value(Null{})},
               {"smallest_drop_seen", NumberOrNull(SmallestDifferenceSeen(gate.estimate->paired))},
               {"comparison", Object{{"verdict", VerdictName(gate.comparison.verdict)},
                                     {"sentence", gate.comparison.sentence},
                                     {"p", NumberOrNull(gate.comparison.paired.p)}}}});
}

}  // namespace

void AppendPaired(const PairedEstimate& paired, Map& map) {
  Extend(map, {{"cases", paired.cases},
               {"difference", NumberOrNull(paired.difference)},
               {"se", NumberOrNull(paired.se)}});
  if (paired.interval) {
    map.Append("interval", List{Value(paired.interval->low), Value(paired.interval->high)});
  } else {
    Extend(map, {{"interval", Null{}}, {"why", WhyCode(paired.why)}});
  }
  Extend(map, {{"wins", paired.wins}, {"losses", paired.losses}, {"ties", paired.ties}});
}

Value GatesValue(std::span<const TestedGate> gates) {
  List list;
  for (const TestedGate& tested : gates) {
    Map map = Object{{"gate", tested.result.kind},
                     {"variant", TextOrNull(tested.gate ? tested.gate->fresh : std::string())},
                     {"base", tested.gate ? tested.gate->base : tested.result.base},
                     {"against", tested.result.base},
                     {"state", GateStateName(tested.result.state)},
                     {"sentence", tested.gate ? tested.gate->sentence : tested.result.line}};
    if (tested.gate) AppendGate(*tested.gate, map);
    list.emplace_back(std::move(map));
  }
  return list;
}

Value ComparisonValue(const ComparisonPage& page) {
  List list;
  for (const ComparedWith& question : page.questions) {
    for (std::size_t i = 0; i < question.others.size(); ++i) list.push_back(OneValue(question, i));
  }
  return Object{
      {"comparisons", std::move(list)},
      {"runs", ArrayOf(page.runs,
                       [&](const ComparedRun& run) {
                         return Object{{"run", run.name}, {"factors", FactorsValue(*run.suite, *run.scores)}};
                       })},
      {"unpaired",
       ArrayOf(page.left,
               [&](const LeftVariant& each) {
                 return Object{{"run", each.run}, {"variant", each.variant}, {"not_in", each.other}};
               })},
      {"stopped", ArrayOf(page.stopped)},
      {"other_models", ArrayOf(page.others, [&](const OtherModelNote& each) {
         return Object{{"run", TextOrNull(each.run)}, {"note", each.line}};
       })}};
}

}  // namespace assay
