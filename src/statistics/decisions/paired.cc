// Intervals of paired differences (Student, Newcombe) and the exact sign-flip test.
#include "statistics/decisions/paired.h"

#include <algorithm>
#include <cmath>

#include "statistics/decisions/power.h"
#include "statistics/estimates/special.h"

namespace assay {

namespace {

constexpr std::size_t kEnumeratedMax = 20;

// Two columns of passes: how many A passed, B, and both.
struct PassTable {
  std::uint64_t count = 0;
  std::uint64_t a = 0;
  std::uint64_t b = 0;
  std::uint64_t both = 0;
};

struct Pairs {
  Weighted differences;
  double scale = 0;        // largest |score| of the pairs
  bool are_single = true;  // one scored cell each, 0 or 1
  PassTable table;         // if are_single
};

bool IsSingle(const CaseValue& value) { return value.is_binary && value.scored == 1; }

Pairs PairUp(const Sample& a, const Sample& b, const Design& design, PairedEstimate& estimate) {
  Pairs pairs;
  PassTable table;
  double scale = 0;
  std::uint32_t singles = 0;
  Weighted& differences = pairs.differences;
  differences.Resize(a.cases.size());
  std::size_t count = 0;
  for (std::size_t i = 0; i < a.cases.size(); ++i) {
    const CaseValue& x = a.cases[i];
    const CaseValue& y = b.cases[i];
    if (!design.IsUsed(x, i) || !design.IsUsed(y, i)) {
      estimate.only_a += x.scored > 0 && y.scored == 0 ? 1 : 0;
      estimate.only_b += y.scored > 0 && x.scored == 0 ? 1 : 0;
      continue;
    }
    scale = std::max(scale, std::max(std::abs(x.value), std::abs(y.value)));
    differences.values[count] = x.value - y.value;
    differences.weights[count] = design.WeightOf(i);
    differences.clusters[count] = design.ClusterOf(i);
    ++count;
    singles += static_cast<int>(IsSingle(x)) & static_cast<int>(IsSingle(y));
    table.a += x.value > 0 ? 1 : 0;
    table.b += y.value > 0 ? 1 : 0;
    table.both += static_cast<int>(x.value > 0) & static_cast<int>(y.value > 0);
  }
  differences.Resize(count);
  for (double& difference : differences.values)
    difference = std::abs(difference) <= kNoise * scale ? 0 : difference;
  differences.NumberClusters();
  table.count = count;
  pairs.scale = scale;
  pairs.are_single = singles == count;
  pairs.table = table;
  return pairs;
}

// Newcombe (1998), method 10.
Interval NewcombeInterval(const PassTable& table) {
  const auto n = static_cast<double>(table.count);
  const auto passes_a = static_cast<double>(table.a);
  const auto passes_b = static_cast<double>(table.b);
  const auto both = static_cast<double>(table.both);
  const double p_a = passes_a / n;
  const double p_b = passes_b / n;
  const Interval a = WilsonInterval(p_a, n, kNormal975);
  const Interval b = WilsonInterval(p_b, n, kNormal975);
  const double product = passes_a * (n - passes_a) * passes_b * (n - passes_b);
  // both × neither − only A × only B
  double numerator = both * (n - passes_a - passes_b + both) - (passes_a - both) * (passes_b - both);
  if (numerator > 0) numerator = std::max(0.0, numerator - n / 2);
  const double phi = product == 0 ? 0 : numerator / std::sqrt(product);
  const auto reach = [phi](double x, double y) {
    return std::sqrt(std::max(0.0, x * x - 2 * phi * x * y + y * y));
  };
  const double difference = p_a - p_b;
  return {difference - reach(p_a - a.low, b.high - p_b), difference + reach(a.high - p_a, p_b - b.low)};
}

void SetInterval(PairedEstimate& estimate, const Pairs& pairs, const Design& design) {
  const bool is_table =
      pairs.are_single && pairs.differences.has_equal_weights && estimate.clusters == estimate.cases;
  if (is_table) {
    estimate.method = PairMethod::kNewcombe;
    estimate.interval = NewcombeInterval(pairs.table);
  } else if (!estimate.se) {
    estimate.why = estimate.cases == 1 ? Why::kOneCase : Why::kOneCluster;
  } else if (*estimate.se == 0) {
    estimate.why = Why::kNoSpread;
  } else {
    const double half = StudentQuantile(0.975, *estimate.df) * *estimate.se;
    Interval interval{*estimate.difference - half, *estimate.difference + half};
    if (design.range) {
      const double width = design.range->high - design.range->low;
      interval = {std::max(interval.low, -width), std::min(interval.high, width)};
    }
    estimate.method = PairMethod::kStudent;
    estimate.interval = interval;
  }
}

// All sums of +-values, ascending.
std::vector<double> SignedSums(std::span<const double> values) {
  std::vector<double> sums = {0.0};
  std::vector<double> lower;
  std::vector<double> higher;
  for (const double value : values) {
    lower.clear();
    higher.clear();
    for (const double sum : sums) lower.push_back(sum - std::abs(value));
    for (const double sum : sums) higher.push_back(sum + std::abs(value));
    sums.resize(2 * sums.size());
    std::merge(lower.begin(), lower.end(), higher.begin(), higher.end(), sums.begin());
  }
  return sums;
}

// The share of all sign patterns whose sum is at least this; halves meet in the middle.
double ShareAtLeast(std::span<const double> sums, double least) {
  const std::vector<double> left = SignedSums(sums.first(sums.size() / 2));
  const std::vector<double> right = SignedSums(sums.subspan(sums.size() / 2));
  std::uint64_t above = 0;
  std::size_t taken = 0;  // of `right` from its end: those that reach `least` together with the left one
  for (const double sum : left) {
    while (taken < right.size() && sum + right[right.size() - 1 - taken] >= least) ++taken;
    above += taken;
  }
  return static_cast<double>(above) / std::ldexp(1.0, static_cast<int>(sums.size()));
}

enum class Sides { kTwo, kLower };

double BinomialP(std::span<const double> differing, Sides sides) {
  const std::uint64_t count = differing.size();
  const auto falls = static_cast<std::uint64_t>(
      std::count_if(differing.begin(), differing.end(), [](double sum) { return sum < 0; }));
  return sides == Sides::kTwo ? BinomialTwoSidedP(std::max(falls, count - falls), count)
                              : BinomialAtLeast(falls, count);
}

double EnumeratedP(std::span<const double> differing, Sides sides) {
  double seen = 0;
  double size = 0;
  for (const double sum : differing) {
    seen += sum;
    size += std::abs(sum);
  }
  const double noise = 1e-10 * size;
  // By symmetry those that are as low are as many as those that are as high.
  if (sides == Sides::kLower) return ShareAtLeast(differing, -seen - noise);
  return std::abs(seen) - noise <= 0 ? 1 : 2 * ShareAtLeast(differing, std::abs(seen) - noise);
}

// Of `count` clusters that differ; without spread the smallest p that so many signs allow.
double StudentP(const PairedEstimate& estimate, std::size_t count, double margin, Sides sides) {
  const bool is_two = sides == Sides::kTwo;
  const double shifted = *estimate.difference + margin;
  if (*estimate.se == 0) {
    const int exponent = static_cast<int>(std::min<std::size_t>(count, 1000));
    return is_two ? std::ldexp(1.0, 1 - exponent) : shifted < 0 ? std::ldexp(1.0, -exponent) : 1;
  }
  const double t = shifted / *estimate.se;
  return is_two ? StudentTwoSidedP(t, *estimate.df) : StudentBelow(t, *estimate.df);
}

double SignP(const PairedEstimate& estimate, std::span<const double> differing, double margin, Sides sides) {
  switch (estimate.sign_method) {
    case SignMethod::kBinomial:
      return BinomialP(differing, sides);
    case SignMethod::kEnumerated:
      return EnumeratedP(differing, sides);
    case SignMethod::kStudent:
      return StudentP(estimate, differing.size(), margin, sides);
    default:
      return 1;
  }
}

// What is left of the differences, shifted by `margin`: a sum for each cluster where it is not noise.
std::vector<double> DifferingSums(const Pairs& pairs, double margin) {
  const Weighted& differences = pairs.differences;
  const double scale = pairs.scale == 0 ? 1 : pairs.scale;
  std::vector<double> differing;
  if (differences.has_own_clusters()) {
    differing.resize(differences.size());
    std::size_t count = 0;
    for (std::size_t i = 0; i < differences.size(); ++i) {
      const double shifted = differences.values[i] + margin;
      differing[count] = differences.weights[i] * shifted;  // the next one overwrites noise
      count += std::abs(shifted) > kNoise * scale ? 1 : 0;
    }
    differing.resize(count);
    return differing;
  }
  std::vector<double> sums(differences.cluster_count, 0.0);
  for (std::size_t i = 0; i < differences.size(); ++i) {
    const double shifted = differences.values[i] + margin;
    if (std::abs(shifted) <= kNoise * pairs.scale) continue;
    sums[differences.clusters[i]] += differences.weights[i] * shifted;
  }
  const std::vector<double> cluster_weights = differences.ClusterWeights();
  for (std::size_t g = 0; g < sums.size(); ++g) {
    if (std::abs(sums[g]) > kNoise * scale * cluster_weights[g]) differing.push_back(sums[g]);
  }
  return differing;
}

void SetSignTest(PairedEstimate& estimate, std::span<const double> differing, double margin, Sides sides) {
  const double largest = LargestOf(differing);
  double least = largest;
  for (const double sum : differing) least = std::min(least, std::abs(sum));
  const bool are_equal = largest - least <= kNoise * largest;
  estimate.differ = differing.size();
  estimate.sign_method = differing.empty()                    ? SignMethod::kSame
                         : are_equal                          ? SignMethod::kBinomial
                         : differing.size() <= kEnumeratedMax ? SignMethod::kEnumerated
                                                              : SignMethod::kStudent;
  estimate.p = SignP(estimate, differing, margin, sides);
}

// All but the test of signs.
PairedEstimate Compare(const Pairs& pairs, const Design& design, PairedEstimate estimate) {
  estimate.cases = pairs.differences.size();
  if (estimate.cases == 0) {
    estimate.why = Why::kNoPair;
    return estimate;
  }
  for (const double difference : pairs.differences.values) {
    estimate.wins += difference > 0 ? 1 : 0;
    estimate.losses += difference < 0 ? 1 : 0;
  }
  estimate.ties = estimate.cases - estimate.wins - estimate.losses;
  estimate.clusters = pairs.differences.cluster_count;
  const ClusteredMean mean = MeanOver(pairs.differences, pairs.scale);
  estimate.difference = std::abs(mean.mean) <= kNoise * pairs.scale ? 0 : mean.mean;
  estimate.se = mean.se;
  if (mean.se) estimate.df = mean.df;
  SetInterval(estimate, pairs, design);
  return estimate;
}

}  // namespace

std::string_view SignMethodName(SignMethod method) {
  constexpr std::string_view kNames[] = {"", "none", "binomial", "enumerated", "t"};
  return kNames[static_cast<std::size_t>(method)];
}

std::string_view VerdictName(Verdict verdict) {
  constexpr std::string_view kNames[] = {"not_defined", "leads", "trails", "tie"};
  return kNames[static_cast<std::size_t>(verdict)];
}

PairedEstimate ComparePaired(const Sample& a, const Sample& b, const Design& design) {
  PairedEstimate estimate;
  const Pairs pairs = PairUp(a, b, design, estimate);
  estimate = Compare(pairs, design, std::move(estimate));
  if (estimate.cases > 0) SetSignTest(estimate, DifferingSums(pairs, 0), 0, Sides::kTwo);
  return estimate;
}

bool ExcludesZero(const PairedEstimate& estimate) {
  return estimate.interval ? estimate.interval->low > 0 || estimate.interval->high < 0
                           : estimate.why == Why::kNoSpread;
}

Verdict VerdictOf(const PairedEstimate& estimate, double p) {
  if (estimate.cases == 0) return Verdict::kNotDefined;
  const double difference = *estimate.difference;
  if (difference == 0 || p > kTestLevel || !ExcludesZero(estimate)) return Verdict::kTie;
  return difference > 0 ? Verdict::kLeads : Verdict::kTrails;
}

std::optional<double> SmallestDifferenceSeen(const PairedEstimate& estimate, std::size_t variants) {
  if (!estimate.se || *estimate.se == 0 || estimate.clusters < FewestClusters(variants)) return std::nullopt;
  return PowerFactor(*estimate.df, variants) * *estimate.se;
}

std::optional<std::uint64_t> MoreCasesNeeded(const PairedEstimate& estimate, std::size_t variants) {
  if (!estimate.se || *estimate.se == 0 || *estimate.difference == 0) return std::nullopt;
  if (VerdictOf(estimate, *estimate.p) != Verdict::kTie) return std::nullopt;
  const double clusters = estimate.clusters;
  const std::optional<std::uint64_t> needed =
      CasesNeeded(*estimate.se * std::sqrt(clusters), std::abs(*estimate.difference), variants);
  if (!needed) return std::nullopt;
  const std::uint64_t cases = (*needed * estimate.cases + estimate.clusters - 1) / estimate.clusters;
  return cases > estimate.cases ? cases - estimate.cases : 0;
}

std::string_view GateStateName(GateState state) {
  constexpr std::string_view kNames[] = {"not_defined", "none", "regression", "cannot_tell"};
  return kNames[static_cast<std::size_t>(state)];
}

std::uint64_t ClustersForGate(std::size_t gates) {
  return static_cast<std::uint64_t>(std::ceil(std::log2(static_cast<double>(gates) / kTestLevel)));
}

GateState GateStateOf(const GateEstimate& estimate, double p, std::size_t gates) {
  const PairedEstimate& paired = estimate.paired;
  if (paired.cases == 0) return GateState::kNotDefined;
  const bool has_dropped = *paired.difference < -estimate.margin;
  const bool is_below = paired.interval ? paired.interval->high < -estimate.margin
                                        : paired.why == Why::kNoSpread && has_dropped;
  if (is_below && p <= kTestLevel) return GateState::kRegression;
  const bool could_not_show = paired.clusters < ClustersForGate(gates) && estimate.have_all_fallen;
  return has_dropped && (is_below || could_not_show) ? GateState::kCannotTell : GateState::kNone;
}

GateEstimate TestRegression(const Sample& fresh, const Sample& base, const Design& design, double margin) {
  GateEstimate gate{.paired = {}, .margin = margin};
  const Pairs pairs = PairUp(fresh, base, design, gate.paired);
  gate.paired = Compare(pairs, design, std::move(gate.paired));
  if (gate.paired.cases == 0) return gate;
  const std::vector<double> differing = DifferingSums(pairs, margin);
  SetSignTest(gate.paired, differing, margin, Sides::kLower);
  gate.have_all_fallen = differing.size() == gate.paired.clusters &&
                         std::all_of(differing.begin(), differing.end(), [](double sum) { return sum < 0; });
  gate.state = GateStateOf(gate, *gate.paired.p, 1);
  return gate;
}

}  // namespace assay
