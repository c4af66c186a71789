// Statistics in words, tables and JSON.
#include "cli/terminal/statistics_view.h"

#include <fmt/core.h>

#include <algorithm>

#include "cli/terminal/comparison_view.h"
#include "cli/terminal/json_values.h"
#include "cli/terminal/results_view.h"
#include "cli/terminal/text_table.h"
#include "cli/words.h"
#include "statistics/bootstrap.h"

namespace assay {

namespace {

constexpr std::size_t kFlakyShown = 10;
constexpr std::size_t kVariantsShown = 12;
constexpr std::size_t kIdColumns = 48;
constexpr std::string_view kNone = "–";

std::string Share(std::optional<double> share) {
  return share ? fmt::format("{:.0f} %", 100 * *share) : std::string(kNone);
}

std::string TwoDigits(std::optional<double> value) {
  return value ? fmt::format("{:.2f}", *value) : std::string(kNone);
}

bool HasVotes(const Reliability& reliability) {
  return std::any_of(reliability.judges.begin(), reliability.judges.end(),
                     [](const JudgeReliability& judge) { return judge.self.units > 0 || judge.against > 0; });
}

// α of a judge's own votes says how alike they are against how far points differ.
std::string JudgeTable(const Reliability& reliability) {
  TextTable table({{"judge"},
                   {"votes", Align::kRight},
                   {"same again", Align::kRight},
                   {"α with itself", Align::kRight},
                   {"α without it", Align::kRight},
                   {"against its words", Align::kRight}});
  for (const JudgeReliability& judge : reliability.judges) {
    table.Add({Printable(judge.judge), CountText(judge.votes), Share(judge.self.equal_pairs),
               TwoDigits(judge.self.alpha), TwoDigits(judge.without.alpha), CountText(judge.against)});
  }
  std::string text = table.Text();
  const bool any_against = std::any_of(reliability.judges.begin(), reliability.judges.end(),
                                       [](const JudgeReliability& judge) { return judge.against > 0; });
  if (any_against)
    text += "against its words: the reasons name classes of the scale, but not the one that was given\n";
  return text;
}

std::string AttemptsTable(const Suite& suite, const Reliability& reliability) {
  const bool has_judges =
      std::any_of(reliability.variants.begin(), reliability.variants.end(),
                  [](const VariantReliability& each) { return each.spread.of_judge.has_value(); });
  std::vector<TextTable::Column> columns = {{"#", Align::kRight},
                                            {"variant"},
                                            {"tries", Align::kRight},
                                            {"any passes", Align::kRight},
                                            {"all pass", Align::kRight},
                                            {"flaky cases", Align::kRight},
                                            {"spread by cases", Align::kRight},
                                            {"by attempts", Align::kRight}};
  if (has_judges) columns.push_back({"by judges", Align::kRight});
  TextTable table(std::move(columns));
  for (const VariantReliability& each : reliability.variants) {
    std::vector<std::string> row = {
        std::to_string(each.variant + 1), Printable(suite.variants[each.variant].id),
        std::to_string(each.tries),       Share(each.passes.any.mean),
        Share(each.passes.all.mean),      fmt::format("{} of {}", each.passes.flaky, each.passes.cases),
        Share(each.spread.of_case),       Share(each.spread.of_sampling)};
    if (has_judges) row.push_back(Share(each.spread.of_judge));
    table.Add(std::move(row));
  }
  return table.Text();
}

std::string FlakyTable(const Suite& suite, const Reliability& reliability) {
  TextTable table({{"flaky case"}, {"variant"}, {"passed", Align::kRight}});
  for (std::size_t i = 0; i < std::min(reliability.flaky.size(), kFlakyShown); ++i) {
    const FlakyCase& flaky = reliability.flaky[i];
    table.Add({CutToWidth(Printable(suite.cases[flaky.case_index].id), kIdColumns),
               Printable(suite.variants[flaky.variant].id),
               flaky.judge.empty()
                   ? fmt::format("{} of {} attempts", flaky.passed, flaky.of)
                   : fmt::format("{} of {} votes of {}", flaky.passed, flaky.of, Printable(flaky.judge))});
  }
  const std::uint64_t more =
      reliability.flaky_more + reliability.flaky.size() - std::min(reliability.flaky.size(), kFlakyShown);
  return table.Text() + (more > 0 ? fmt::format("and {} more\n", CountText(more)) : std::string());
}

Value IntervalValue(const std::optional<Interval>& interval) {
  return interval ? Value(List{Value(interval->low), Value(interval->high)}) : Value(Null{});
}

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

IntervalRule IntervalRuleOf(const Shown& shown) {
  return {.bootstrap_seed = shown.bootstrap ? std::optional(shown.bootstrap_seed) : std::nullopt};
}

std::optional<Interval> IntervalOf(const CaseScores& scores, const RankPlace& place,
                                   const IntervalRule& rule) {
  if (!rule.bootstrap_seed) return place.estimate.interval;
  const BootstrapMean drawn =
      BootstrapOfMean(scores.samples[place.variant], scores.design(), *rule.bootstrap_seed);
  return drawn.bca ? drawn.bca : drawn.percentile;
}

std::string IntervalNote(const IntervalRule& rule) {
  if (!rule.bootstrap_seed) return {};
  return fmt::format("95 %: bootstrap (BCa; {} draws of cases, seed {})\n", CountText(kResamples),
                     *rule.bootstrap_seed);
}

std::string ReliabilityText(const Suite& suite, const Reliability& reliability, double pass_at) {
  std::string text;
  if (!reliability.sentence.empty()) text += "\n" + reliability.sentence + "\n";
  if (reliability.asks_judges && reliability.judged_cases < suite.cases.size())
    text += fmt::format("(votes on the first {})\n", Counted(reliability.judged_cases, "case"));
  if (HasVotes(reliability)) text += "\n" + JudgeTable(reliability);
  if (!reliability.variants.empty() && suite.variants.size() <= kVariantsShown)
    text += "\n" + AttemptsTable(suite, reliability) + PassMarkText(pass_at);
  if (!reliability.flaky.empty()) text += "\n" + FlakyTable(suite, reliability);
  return text;
}

std::string FactorText(const Suite& suite, const CaseScores& scores) {
  std::string text;
  for (const FactorEffect& effect : FactorEffects(suite, scores))
    text +=
        fmt::format("{} Over {} of variants.\n", Printable(effect.sentence), Counted(effect.pairs, "pair"));
  return text;
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
  ASSAY_TRY(const Standings standings, StandingsOf(report));
  ASSAY_TRY(const Reliability reliability, ReliabilityOf(report, pass_at));
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
