// Builds one JSON object for each compared variant, and for each gate.
#include "report/values/comparisons.h"

#include "report/values/json.h"
#include "spec/suite/suite.h"

namespace assay {

namespace {

Value IdsOf(const Suite& suite, const std::vector<CaseIndex>& cases) {
  List ids;
  for (const CaseIndex index : cases) ids.emplace_back(suite.cases[index].id);
  return ids;
}

Value OneValue(const ComparedWith& question, std::size_t at) {
  const Comparison& comparison = question.comparisons[at];
  const Suite& suite = *question.first.suite;
  Map map;
  map.Append("a", question.first.name);
  map.Append("b", question.others[at].name);
  map.Append("verdict", VerdictName(comparison.verdict));
  map.Append("sentence", comparison.sentence);
  if (comparison.served)
    map.Append("served", List{Value(comparison.served->fresh), Value(comparison.served->base)});
  map.Append("mean_a", NumberOrNull(comparison.mean_a.mean));
  map.Append("mean_b", NumberOrNull(comparison.mean_b.mean));
  map.Append("pass_rate_a", NumberOrNull(comparison.pass_rate_a));
  map.Append("pass_rate_b", NumberOrNull(comparison.pass_rate_b));
  AppendPaired(comparison.paired, map);
  map.Append("p", comparison.paired.p ? Value(comparison.p) : Value(Null{}));
  if (comparison.drawn)
    map.Append("bootstrap_interval", List{Value(comparison.drawn->low), Value(comparison.drawn->high)});
  map.Append("only_a", IdsOf(suite, comparison.cases.only_a));
  map.Append("only_b", IdsOf(*question.others[at].suite, comparison.cases.only_b));
  std::vector<CaseIndex> changed;
  for (const CasePair& pair : comparison.cases.changed) changed.push_back(pair.a);
  map.Append("changed", IdsOf(suite, changed));
  map.Append("by_question", static_cast<double>(comparison.cases.by_question));
  List flips;
  for (const Flip& flip : comparison.flips) {
    Map entry;
    entry.Append("case", suite.cases[flip.at.a].id);
    entry.Append("a", flip.a);
    entry.Append("b", flip.b);
    flips.emplace_back(std::move(entry));
  }
  map.Append("flips", std::move(flips));
  List tags;
  for (const TagDifference& each : comparison.tags) {
    Map entry;
    entry.Append("tag", each.tag);
    AppendPaired(each.paired, entry);
    tags.emplace_back(std::move(entry));
  }
  map.Append("tags", std::move(tags));
  return map;
}

// {run, base}, null where nobody knows of a difference.
Value OtherNamesValue(const std::optional<OtherNames>& names) {
  if (!names) return Null{};
  Map map;
  map.Append("run", names->fresh);
  map.Append("base", names->base);
  return Value(std::move(map));
}

// What a gate rests on. `comparison`: the two-sided question, which is another one and may call it a tie.
void AppendGate(const VariantGate& gate, Map& map) {
  List failing;
  for (const std::string& id : gate.newly_failing) failing.emplace_back(id);
  map.Append("newly_failing", std::move(failing));
  map.Append("passed_before", static_cast<double>(gate.passed_before));
  map.Append("without_score", static_cast<double>(gate.without_score));
  map.Append("flaky_in_base", List(gate.flaky_before.begin(), gate.flaky_before.end()));
  Map known;
  known.Append("cases", CountValue(gate.known_flaky.cases));
  known.Append("newly_failing", List(gate.known_flaky.failed.begin(), gate.known_flaky.failed.end()));
  map.Append("known_flaky", std::move(known));
  map.Append("models", OtherNamesValue(gate.models));
  map.Append("judges", OtherNamesValue(gate.judges));
  if (!gate.estimate) return;
  AppendPaired(gate.estimate->paired, map);
  map.Append("p", gate.estimate->paired.p ? Value(gate.p) : Value(Null{}));
  map.Append("smallest_drop_seen", NumberOrNull(SmallestDifferenceSeen(gate.estimate->paired)));
  Map two_sided;
  two_sided.Append("verdict", VerdictName(gate.comparison.verdict));
  two_sided.Append("sentence", gate.comparison.sentence);
  two_sided.Append("p", NumberOrNull(gate.comparison.paired.p));
  map.Append("comparison", std::move(two_sided));
}

}  // namespace

void AppendPaired(const PairedEstimate& paired, Map& map) {
  map.Append("cases", static_cast<double>(paired.cases));
  map.Append("difference", NumberOrNull(paired.difference));
  map.Append("se", NumberOrNull(paired.se));
  if (paired.interval) {
    map.Append("interval", List{Value(paired.interval->low), Value(paired.interval->high)});
  } else {
    map.Append("interval", Value(Null{}));
    map.Append("why", WhyCode(paired.why));
  }
  map.Append("wins", static_cast<double>(paired.wins));
  map.Append("losses", static_cast<double>(paired.losses));
  map.Append("ties", static_cast<double>(paired.ties));
}

Value GatesValue(std::span<const TestedGate> gates) {
  List list;
  for (const TestedGate& tested : gates) {
    Map map;
    map.Append("gate", tested.result.kind);
    map.Append("variant", TextOrNull(tested.gate ? tested.gate->fresh : std::string()));
    map.Append("base", tested.gate ? tested.gate->base : tested.result.base);
    map.Append("against", tested.result.base);
    map.Append("state", GateStateName(tested.result.state));
    map.Append("sentence", tested.gate ? tested.gate->sentence : tested.result.line);
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
  Map map;
  map.Append("comparisons", std::move(list));
  List runs;
  for (const ComparedRun& run : page.runs) {
    Map entry;
    entry.Append("run", run.name);
    entry.Append("factors", FactorsValue(*run.suite, *run.scores));
    runs.emplace_back(std::move(entry));
  }
  map.Append("runs", std::move(runs));
  List left;
  for (const LeftVariant& each : page.left) {
    Map entry;
    entry.Append("run", each.run);
    entry.Append("variant", each.variant);
    entry.Append("not_in", each.other);
    left.emplace_back(std::move(entry));
  }
  map.Append("unpaired", std::move(left));
  List others;
  for (const OtherModelNote& each : page.others) {
    Map entry;
    entry.Append("run", TextOrNull(each.run));
    entry.Append("note", each.line);
    others.emplace_back(std::move(entry));
  }
  map.Append("other_models", std::move(others));
  return map;
}

}  // namespace assay
