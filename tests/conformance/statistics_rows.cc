// Golden files of statistics: inputs and numbers that reference libraries computed.
#include <algorithm>
#include <string>
#include <vector>

#include "base/hash.h"
#include "statistics/agreement/labels.h"
#include "statistics/decisions/power.h"
#include "statistics/decisions/rank.h"
#include "statistics/decisions/sentences.h"
#include "statistics/estimates/bootstrap.h"
#include "statistics/estimates/groups.h"
#include "statistics/estimates/pass_k.h"
#include "statistics/estimates/special.h"
#include "statistics/estimates/spread.h"
#include "tests/conformance/conformance.h"
#include "tests/conformance/number_values.h"
#include "tests/conformance/statistics_values.h"

namespace assay::conformance {
namespace {

Value MeanValue(const MeanEstimate& estimate, const LeftOutCounts& left_out) {
  constexpr std::string_view kMethods[] = {"", "wilson", "t"};
  MapOf out;
  out.With("n", NumberOf(estimate.cases)).With("cells", NumberOf(estimate.cells));
  out.With("left_out", MapOf()
                           .With("partial", NumberOf(left_out[0]))
                           .With("error", NumberOf(left_out[1]))
                           .With("unscored", NumberOf(left_out[2]))
                           .With("skipped", NumberOf(left_out[3]))
                           .map);
  out.With("cases_left_out", NumberOf(estimate.cases_left_out));
  out.With("clusters", NumberOf(std::uint64_t{estimate.clusters})).With("mean", NumberOf(estimate.mean));
  out.With("se", NumberOf(estimate.se)).With("df", NumberOf(estimate.df));
  out.With("n_eff", NumberOf(estimate.effective_cases)).With("crit", NumberOf(estimate.quantile));
  out.With("lo", Low(estimate.interval)).With("hi", High(estimate.interval));
  out.With("method", Text(kMethods[static_cast<std::size_t>(estimate.method)]));
  out.With("reason", Text(WhyCode(estimate.why)));
  return Value(std::move(out.map));
}

Value RunMean(const Value& in) {
  const RowDesign row(in);
  const Sample sample = SampleOf(Get(in, "cases"));
  return MeanValue(EstimateMean(sample, row.design), sample.left_out);
}

Value RunPassK(const Value& in) {
  const RowDesign row(in);
  const auto k = static_cast<std::uint64_t>(Get(in, "k").AsNumber());
  std::vector<PassCount> counts;
  List any;
  List all;
  for (const Value& pair : Get(in, "counts").AsList()) {
    const std::vector<double> numbers = Numbers(pair);
    counts.push_back({static_cast<std::uint64_t>(numbers[0]), static_cast<std::uint64_t>(numbers[1])});
    if (counts.back().scored < k) continue;
    any.emplace_back(PassAny(counts.back(), k));
    all.emplace_back(PassAll(counts.back(), k));
  }
  const PassEstimate estimate = EstimatePasses(counts, k, row.design);
  const bool is_long = estimate.cases > 30;
  return Value(MapOf()
                   .With("k", NumberOf(k))
                   .With("n", NumberOf(estimate.cases))
                   .With("cases_left_out", NumberOf(estimate.cases_left_out))
                   .With("flaky", NumberOf(estimate.flaky))
                   .With("per_case_at", is_long ? Value(Null{}) : Value(std::move(any)))
                   .With("per_case_all", is_long ? Value(Null{}) : Value(std::move(all)))
                   .With("pass_at_k", MeanValue(estimate.any, {}))
                   .With("pass_hat_k", MeanValue(estimate.all, {}))
                   .map);
}

// Means of groups of cases with one attempt each, and the pass rate from a mark up.
Value RunGroups(const Value& in) {
  constexpr double kRounding = 1e-9;
  Sample scores;
  Sample passes;
  std::vector<std::string> names;
  std::vector<std::uint32_t> group_of;
  for (const Value& each : Get(in, "cases").AsList()) {
    const std::string name = GetText(each, "group");
    const auto found = std::find(names.begin(), names.end(), name);
    group_of.push_back(static_cast<std::uint32_t>(found - names.begin()));
    if (found == names.end()) names.push_back(name);
    const Value& score = Get(each, "score");
    std::vector<double> of_case;
    if (score.is_number()) of_case.push_back(score.AsNumber());
    scores.Add(of_case);
    for (double& value : of_case) value = value >= Get(in, "mark").AsNumber() - kRounding ? 1 : 0;
    passes.Add(of_case);
  }
  const Design design{.range = ScoreRange{0, 1}};
  const auto count = static_cast<std::uint32_t>(names.size());
  const GroupMeans means = EstimateGroups(scores, group_of, count, design);
  const GroupMeans rates = EstimateGroups(passes, group_of, count, design);
  List groups;
  for (std::size_t g = 0; g < names.size(); ++g) {
    const MeanEstimate& mean = means.groups[g];
    if (mean.cases == 0) continue;
    groups.emplace_back(MapOf()
                            .With("group", Value(names[g]))
                            .With("cases", NumberOf(mean.cases))
                            .With("mean", NumberOf(mean.mean))
                            .With("se", NumberOf(mean.se))
                            .With("pass", NumberOf(rates.groups[g].mean))
                            .map);
  }
  return Value(MapOf()
                   .With("groups", Value(std::move(groups)))
                   .With("micro", NumberOf(means.micro.mean))
                   .With("pass", NumberOf(rates.micro.mean))
                   .With("macro", NumberOf(means.macro.mean))
                   .With("macro_se", NumberOf(means.macro.se))
                   .With("macro_df", NumberOf(means.macro.df))
                   .With("left_out", NumberOf(means.micro.cases_left_out))
                   .map);
}

Value RunPassAtK(const Value& in) {
  const auto number = [&in](std::string_view key) {
    return static_cast<std::uint64_t>(Get(in, key).AsNumber());
  };
  const PassCount count{.scored = number("n"), .passed = number("c")};
  return count.scored < number("k") ? Value(Null{}) : Value(PassAny(count, number("k")));
}

Value RunPassAtKSuite(const Value& in) {
  std::vector<PassCount> counts;
  for (const Value& pair : Get(in, "counts").AsList()) {
    const std::vector<double> numbers = Numbers(pair);
    counts.push_back({static_cast<std::uint64_t>(numbers[0]), static_cast<std::uint64_t>(numbers[1])});
  }
  List out;
  for (const double k : Numbers(Get(in, "k"))) {
    const PassEstimate estimate = EstimatePasses(counts, static_cast<std::uint64_t>(k), {});
    out.emplace_back(MapOf()
                         .With("k", Value(k))
                         .With("cases", NumberOf(estimate.cases))
                         .With("left_out", NumberOf(estimate.cases_left_out))
                         .With("pass_at_k", NumberOf(estimate.any.mean))
                         .map);
  }
  return Value(std::move(out));
}

MapOf PairedValue(const PairedEstimate& estimate, const std::string& a, const std::string& b) {
  constexpr std::string_view kMethods[] = {"", "newcombe", "t"};
  const Verdict verdict = VerdictOf(estimate, estimate.p.value_or(1));
  MapOf out;
  out.With("n", NumberOf(estimate.cases)).With("only_a", NumberOf(estimate.only_a));
  out.With("only_b", NumberOf(estimate.only_b)).With("clusters", NumberOf(std::uint64_t{estimate.clusters}));
  out.With("wins", NumberOf(estimate.wins)).With("losses", NumberOf(estimate.losses));
  out.With("ties", NumberOf(estimate.ties)).With("diff", NumberOf(estimate.difference));
  out.With("se", NumberOf(estimate.se)).With("df", NumberOf(estimate.df));
  out.With("lo", Low(estimate.interval)).With("hi", High(estimate.interval));
  out.With("method", Text(kMethods[static_cast<std::size_t>(estimate.method)]));
  out.With("p", NumberOf(estimate.p)).With("p_method", Text(SignMethodName(estimate.sign_method)));
  out.With("differ", NumberOf(estimate.differ)).With("mde", NumberOf(SmallestDifferenceSeen(estimate)));
  out.With("more_cases", NumberOf(MoreCasesNeeded(estimate)));
  out.With("verdict", VerdictName(verdict)).With("reason", Text(WhyCode(estimate.why)));
  out.With("sentence", PairedSentence(a, b, estimate, estimate.p.value_or(1)));
  return out;
}

Value RunPaired(const Value& in) {
  const RowDesign row(in);
  const List& names = Get(in, "names").AsList();
  return Value(PairedValue(ComparePaired(SampleOf(Get(in, "a")), SampleOf(Get(in, "b")), row.design),
                           names[0].AsString(), names[1].AsString())
                   .map);
}

Value RunGate(const Value& in) {
  const RowDesign row(in);
  const GateEstimate gate = TestRegression(SampleOf(Get(in, "new")), SampleOf(Get(in, "base")), row.design,
                                           Get(in, "margin").AsNumber());
  MapOf out = PairedValue(gate.paired, "new", "base");
  out.With("only_new", NumberOf(gate.paired.only_a)).With("only_base", NumberOf(gate.paired.only_b));
  out.With("gate", GateStateName(gate.state));
  out.With("sentence", GateSentence(gate, gate.paired.p.value_or(1)));
  return Value(std::move(out.map));
}

Value RunHolm(const Value& in) {
  const std::vector<double> p = Numbers(Get(in, "p"));
  List adjusted;
  for (const double one : HolmAdjusted(p, p.size())) adjusted.emplace_back(one);
  return Value(MapOf().With("p_holm", std::move(adjusted)).map);
}

Value RunRank(const Value& in) {
  const RowDesign row(in);
  std::vector<Sample> samples;
  std::vector<std::string> names;
  for (const Value& cases : Get(in, "variants").AsList()) samples.push_back(SampleOf(cases));
  for (const Value& name : Get(in, "names").AsList()) names.push_back(name.AsString());
  const Ranking ranking = Rank(samples, row.design);
  List order;
  for (const RankPlace& place : ranking.places) {
    order.emplace_back(MapOf()
                           .With("name", names[place.variant])
                           .With("mean", NumberOf(place.estimate.mean))
                           .With("lo", Low(place.estimate.interval))
                           .With("hi", High(place.estimate.interval))
                           .With("n", NumberOf(place.estimate.cases))
                           .With("rank", NumberOf(std::uint64_t{place.rank}))
                           .With("rank_last", NumberOf(std::uint64_t{place.rank_last}))
                           .With("can_rank", place.can_rank)
                           .map);
  }
  List unranked;
  for (const VariantNumber variant : ranking.unranked) unranked.emplace_back(names[variant]);
  List tests;
  for (const RankTest& test : ranking.tests) {
    tests.emplace_back(MapOf()
                           .With("a", names[test.a])
                           .With("b", names[test.b])
                           .With("n", NumberOf(test.paired.cases))
                           .With("diff", NumberOf(test.paired.difference))
                           .With("lo", Low(test.paired.interval))
                           .With("hi", High(test.paired.interval))
                           .With("p", NumberOf(test.paired.p))
                           .With("p_corrected", NumberOf(test.p_corrected))
                           .With("verdict", VerdictName(test.verdict))
                           .map);
  }
  return Value(MapOf()
                   .With("order", std::move(order))
                   .With("unranked", std::move(unranked))
                   .With("fewest", NumberOf(ranking.fewest()))
                   .With("tests", std::move(tests))
                   .With("sentence", RankingSentence(names, ranking))
                   .map);
}

// The pairs of variants that differ in the one factor alone, level first.
std::vector<std::pair<VariantNumber, VariantNumber>> PairsOf(const List& variants, const std::string& factor,
                                                             const Value& level, const Value& against) {
  std::vector<std::pair<VariantNumber, VariantNumber>> pairs;
  for (std::size_t a = 0; a < variants.size(); ++a) {
    for (std::size_t b = 0; b < variants.size(); ++b) {
      Map wanted = Get(variants[a], "factors").AsMap();
      if (!SameValue(*wanted.Find(factor), level)) continue;
      wanted.Set(factor, against);
      if (SameValue(Value(wanted), Get(variants[b], "factors"))) pairs.emplace_back(a, b);
    }
  }
  return pairs;
}

Value RunFactor(const Value& in) {
  const RowDesign row(in);
  const List& variants = Get(in, "variants").AsList();
  std::vector<Sample> samples;
  for (const Value& variant : variants) samples.push_back(SampleOf(Get(variant, "cases")));
  const auto pairs = PairsOf(variants, GetText(in, "factor"), Get(in, "level"), Get(in, "against"));
  List matched;
  for (const auto& [a, b] : pairs)
    matched.emplace_back(List{NumberOf(std::uint64_t{a}), NumberOf(std::uint64_t{b})});
  MapOf out = PairedValue(CompareFactor(samples, pairs, row.design), "A", "B");
  out.With("matched", std::move(matched));
  return Value(std::move(out.map));
}

std::vector<VoteUnit> StatisticsUnitsOf(const Value& in) {
  std::vector<VoteUnit> units;
  const std::vector<std::uint32_t> clusters = Clusters(Get(in, "clusters"));
  for (const Value& votes : Get(in, "units").AsList()) {
    VoteUnit unit;
    for (const Value& vote : votes.AsList()) {
      if (vote.is_number()) unit.votes.push_back(vote.AsNumber());
    }
    unit.cluster = clusters.empty() ? static_cast<std::uint32_t>(units.size()) : clusters[units.size()];
    units.push_back(std::move(unit));
  }
  return units;
}

Value RunAlpha(const Value& in) {
  const AgreementEstimate estimate = EstimateAgreement(StatisticsUnitsOf(in));
  return Value(MapOf()
                   .With("units", NumberOf(estimate.units))
                   .With("units_left_out", NumberOf(estimate.units_left_out))
                   .With("votes", NumberOf(estimate.votes))
                   .With("clusters", NumberOf(std::uint64_t{estimate.clusters}))
                   .With("equal_pairs", NumberOf(estimate.equal_pairs))
                   .With("alpha", NumberOf(estimate.alpha))
                   .With("se", NumberOf(estimate.se))
                   .With("lo", Low(estimate.interval))
                   .With("hi", High(estimate.interval))
                   .With("reason", Text(WhyCode(estimate.why)))
                   .map);
}

Value RunPpi(const Value& in) {
  const std::vector<double> labels = Numbers(Get(in, "label"));
  const std::vector<double> judged = Numbers(Get(in, "judge"));
  const std::vector<double> unlabelled = Numbers(Get(in, "unlabelled"));
  const std::vector<std::uint32_t> clusters = Clusters(Get(in, "clusters"));
  const std::vector<std::uint32_t> others = Clusters(Get(in, "clusters_unlabelled"));
  const LabelEstimate result = EstimateFromLabels({.labels = labels,
                                                   .judged = judged,
                                                   .unlabelled = unlabelled,
                                                   .clusters = clusters,
                                                   .unlabelled_clusters = others});
  return Value(MapOf()
                   .With("n", NumberOf(result.labelled))
                   .With("N", NumberOf(result.unlabelled))
                   .With("judge_mean", NumberOf(result.judge_mean))
                   .With("estimate", NumberOf(result.estimate))
                   .With("lam", NumberOf(result.lambda))
                   .With("se", NumberOf(result.se))
                   .With("df", NumberOf(result.df))
                   .With("lo", Low(result.interval))
                   .With("hi", High(result.interval))
                   .With("bias", NumberOf(result.bias))
                   .With("bias_lo", Low(result.bias_interval))
                   .With("bias_hi", High(result.bias_interval))
                   .With("alpha", NumberOf(result.alpha))
                   .With("reason", Text(WhyCode(result.why)))
                   .map);
}

Value RunParts(const Value& in) {
  std::vector<std::vector<double>> cases;
  for (const Value& cells : Get(in, "cases").AsList()) {
    cases.emplace_back();
    for (const Value& cell : cells.AsList()) {
      if (cell.is_number()) cases.back().push_back(cell.AsNumber());
    }
  }
  const Value& judge = Get(in, "judge_var");
  const SpreadParts parts =
      SplitSpread(cases, judge.is_number() ? std::optional(judge.AsNumber()) : std::nullopt);
  return Value(MapOf()
                   .With("n", NumberOf(parts.cases))
                   .With("cells", NumberOf(parts.cells))
                   .With("ms_between", NumberOf(parts.ms_between))
                   .With("ms_within", NumberOf(parts.ms_within))
                   .With("k0", NumberOf(parts.attempts))
                   .With("case", NumberOf(parts.case_part))
                   .With("sampling", NumberOf(parts.sampling_part))
                   .With("judge", NumberOf(parts.judge_part))
                   .With("icc", NumberOf(parts.icc))
                   .With("of_case", NumberOf(parts.of_case))
                   .With("of_sampling", NumberOf(parts.of_sampling))
                   .With("of_judge", NumberOf(parts.of_judge))
                   .With("se", NumberOf(parts.se))
                   .With("reason", Text(WhyCode(parts.why)))
                   .map);
}

Value RunJudgePart(const Value& in) {
  std::vector<JudgedPoint> points;
  for (const Value& point : Get(in, "points").AsList())
    points.push_back({.weight = Get(point, "weight").AsNumber(), .votes = Numbers(Get(point, "votes"))});
  return Value(MapOf().With("variance", NumberOf(JudgeVariance(points))).map);
}

double In(const Value& in, std::string_view key) { return Get(in, key).AsNumber(); }

Value RunMde(const Value& in) {
  return Value(MapOf()
                   .With("mde", NumberOf(SmallestDifferenceSeen(In(in, "sd"),
                                                                static_cast<std::uint64_t>(In(in, "n")))))
                   .map);
}
Value RunCases(const Value& in) {
  return Value(MapOf().With("cases", NumberOf(CasesNeeded(In(in, "sd"), In(in, "diff")))).map);
}
Value RunSuitePower(const Value& in) {
  const auto variants = static_cast<std::size_t>(In(in, "variants"));
  const SuiteReach reach = ReachOf(In(in, "sd"), static_cast<std::uint64_t>(In(in, "n")), variants);
  return Value(MapOf()
                   .With("mde", NumberOf(reach.between_two))
                   .With("mde_ranked", NumberOf(reach.in_ranking))
                   .With("fewest", NumberOf(FewestClusters(variants)))
                   .With("sentence", PowerSentence(reach))
                   .map);
}
Value RunFewest(const Value& in) {
  return Value(
      MapOf().With("fewest", NumberOf(FewestClusters(static_cast<std::size_t>(In(in, "variants"))))).map);
}
Value RunSdAtAttempts(const Value& in) {
  return Value(MapOf()
                   .With("sd", SpreadAtAttempts(In(in, "sd"), In(in, "within_a") + In(in, "within_b"),
                                                In(in, "attempts"), In(in, "planned")))
                   .map);
}

Value Special(double value) { return Value(MapOf().With("value", value).map); }
Value RunNormPpf(const Value& in) { return Special(NormalQuantile(In(in, "q"))); }
Value RunStudentPpf(const Value& in) { return Special(StudentQuantile(In(in, "q"), In(in, "df"))); }
Value RunStudentP(const Value& in) { return Special(StudentTwoSidedP(In(in, "t"), In(in, "df"))); }
Value RunBinomialP(const Value& in) {
  return Special(
      BinomialTwoSidedP(static_cast<std::uint64_t>(In(in, "k")), static_cast<std::uint64_t>(In(in, "m"))));
}

Value RunStream(const Value& in) {
  const CounterRandom draws(GetText(in, "label"), std::stoull(GetText(in, "seed")));
  List numbers;
  for (const std::uint64_t counter : {0ULL, 1ULL, 2ULL, 3ULL, 1000ULL, 1'000'000'000ULL, 1ULL << 40})
    numbers.emplace_back(HexOf(draws.At(counter)));
  return Value(MapOf().With("key", HexOf(draws.key())).With("u64", std::move(numbers)).map);
}

Value RunBelow(const Value& in) {
  const CounterRandom draws(GetText(in, "label"), std::stoull(GetText(in, "seed")));
  List indices;
  for (std::uint64_t counter = 0; counter < 40; ++counter)
    indices.push_back(NumberOf(std::uint64_t{draws.Below(static_cast<std::uint32_t>(In(in, "n")), counter)}));
  return Value(MapOf().With("index", std::move(indices)).map);
}

Value RunBootstrap(const Value& in) {
  const RowDesign row(in);
  Sample sample;
  for (const double value : Numbers(Get(in, "y"))) sample.Add(std::span(&value, 1));
  const BootstrapMean result = BootstrapOfMean(sample, row.design, std::stoull(GetText(in, "seed")));
  return Value(MapOf()
                   .With("n", NumberOf(result.cases))
                   .With("clusters", NumberOf(std::uint64_t{result.clusters}))
                   .With("mean", NumberOf(result.mean))
                   .With("percentile", PairOf(result.percentile))
                   .With("bca", PairOf(result.bca))
                   .With("reason", Text(WhyCode(result.why)))
                   .map);
}

Value RunAlphaBootstrap(const Value& in) {
  const BootstrapAgreement result =
      BootstrapOfAgreement(StatisticsUnitsOf(in), std::stoull(GetText(in, "seed")));
  return Value(MapOf()
                   .With("alpha", NumberOf(result.alpha))
                   .With("lo", Low(result.interval))
                   .With("hi", High(result.interval))
                   .With("resamples", NumberOf(result.resamples))
                   .With("reason", Text(WhyCode(result.why)))
                   .map);
}

}  // namespace

std::span<const KindRow> StatisticsKinds() {
  static const KindRow rows[] = {
      {"statistics/mean.jsonl", "mean", RunStatisticsRow<RunMean>},
      {"statistics/pass_k.jsonl", "pass_k", RunStatisticsRow<RunPassK>},
      {"datasets/groups.jsonl", "groups", RunStatisticsRow<RunGroups>},
      {"datasets/pass_at_k.jsonl", "pass_at_k", RunStatisticsRow<RunPassAtK>},
      {"datasets/pass_at_k_suite.jsonl", "pass_at_k_suite", RunStatisticsRow<RunPassAtKSuite>},
      {"statistics/paired.jsonl", "paired", RunStatisticsRow<RunPaired>},
      {"statistics/gate.jsonl", "gate", RunStatisticsRow<RunGate>},
      {"statistics/holm.jsonl", "holm", RunStatisticsRow<RunHolm>},
      {"statistics/rank.jsonl", "rank", RunStatisticsRow<RunRank>},
      {"statistics/factor.jsonl", "factor", RunStatisticsRow<RunFactor>},
      {"statistics/alpha.jsonl", "alpha", RunStatisticsRow<RunAlpha>},
      {"statistics/ppi.jsonl", "ppi", RunStatisticsRow<RunPpi>},
      {"statistics/variance.jsonl", "parts", RunStatisticsRow<RunParts>},
      {"statistics/variance.jsonl", "judge_part", RunStatisticsRow<RunJudgePart>},
      {"statistics/power.jsonl", "mde", RunStatisticsRow<RunMde>},
      {"statistics/power.jsonl", "cases", RunStatisticsRow<RunCases>},
      {"statistics/power.jsonl", "sd_at_attempts", RunStatisticsRow<RunSdAtAttempts>},
      {"statistics/power.jsonl", "suite_power", RunStatisticsRow<RunSuitePower>},
      {"statistics/power.jsonl", "fewest", RunStatisticsRow<RunFewest>},
      {"statistics/special.jsonl", "norm_ppf", RunStatisticsRow<RunNormPpf>},
      {"statistics/special.jsonl", "t_ppf", RunStatisticsRow<RunStudentPpf>},
      {"statistics/special.jsonl", "t_two_sided_p", RunStatisticsRow<RunStudentP>},
      {"statistics/special.jsonl", "binomial_two_sided_p", RunStatisticsRow<RunBinomialP>},
      {"statistics/rng.jsonl", "stream", RunStatisticsRow<RunStream>},
      {"statistics/rng.jsonl", "below", RunStatisticsRow<RunBelow>},
      {"statistics/bootstrap.jsonl", "bootstrap", RunStatisticsRow<RunBootstrap>},
      {"statistics/bootstrap.jsonl", "alpha_bootstrap", RunStatisticsRow<RunAlphaBootstrap>},
  };
  return rows;
}

}  // namespace assay::conformance
