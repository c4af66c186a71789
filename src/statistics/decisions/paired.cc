// Intervals of paired differences (Student, Newcombe) and the exact sign-flip test.
#include "statistics/decisions/paired.h"

#include <algorithm>
#include <cmath>

#include "statistics/decisions/power.h"
#include "statistics/estimates/special.h"

namespace assay {

namespace {

constexpr double kLevel = 0.05;
constexpr std::size_t kEnumeratedMax = 20;

// The four cells of two columns of passes.
struct PassTable {
  double both = 0, only_a = 0, only_b = 0, neither = 0;
};

struct Pairs {
  Weighted differences;
  double scale = 0;        // largest |score| of the pairs
  bool are_single = true;  // one scored cell each, 0 or 1
  PassTable table;         // if are_single
};

Pairs PairUp(const Sample& a, const Sample& b, const Design& design, PairedEstimate& estimate) {
  Pairs pairs;
  for (std::size_t i = 0; i < a.cases.size(); ++i) {
    const CaseValue& x = a.cases[i];
    const CaseValue& y = b.cases[i];
    const bool has_a = x.scored > 0;
    const bool has_b = y.scored > 0;
    if (!design.IsUsed(x, i) || !design.IsUsed(y, i)) {
      estimate.only_a += has_a && !has_b ? 1 : 0;
      estimate.only_b += has_b && !has_a ? 1 : 0;
      continue;
    }
    pairs.scale = std::max({pairs.scale, std::abs(x.value), std::abs(y.value)});
    pairs.differences.Add(x.value - y.value, design.WeightOf(i),
                          design.clusters.empty() ? static_cast<std::uint32_t>(i) : design.clusters[i]);
    pairs.are_single = pairs.are_single && x.is_binary && y.is_binary && x.scored == 1 && y.scored == 1;
    double& cell = x.value > 0 ? (y.value > 0 ? pairs.table.both : pairs.table.only_a)
                               : (y.value > 0 ? pairs.table.only_b : pairs.table.neither);
    ++cell;
  }
  for (double& difference : pairs.differences.values) {
    if (std::abs(difference) <= kNoise * pairs.scale) difference = 0;
  }
  pairs.differences.NumberClusters();
  return pairs;
}

// Newcombe (1998), method 10.
Interval NewcombeInterval(const PassTable& table) {
  const double n = table.both + table.only_a + table.only_b + table.neither;
  const double p_a = (table.both + table.only_a) / n;
  const double p_b = (table.both + table.only_b) / n;
  const Interval a = WilsonInterval(p_a, n, kNormal975);
  const Interval b = WilsonInterval(p_b, n, kNormal975);
  const double product = (table.both + table.only_a) * (table.only_b + table.neither) *
                         (table.both + table.only_b) * (table.only_a + table.neither);
  double numerator = table.both * table.neither - table.only_a * table.only_b;
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
  for (const double value : values) {
    std::vector<double> next;
    next.reserve(sums.size() * 2);
    for (const double sum : sums) next.push_back(sum - value);
    for (const double sum : sums) next.push_back(sum + value);
    sums = std::move(next);
  }
  std::sort(sums.begin(), sums.end());
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

// Of what differs, with the smallest p that `estimate` allows.
double SignP(const PairedEstimate& estimate, std::span<const double> differing, double margin, Sides sides) {
  const std::size_t count = differing.size();
  const auto falls = static_cast<std::uint64_t>(
      std::count_if(differing.begin(), differing.end(), [](double sum) { return sum < 0; }));
  double seen = 0;
  double size = 0;
  for (const double sum : differing) {
    seen += sum;
    size += std::abs(sum);
  }
  const double noise = 1e-10 * size;
  const bool is_two = sides == Sides::kTwo;
  switch (estimate.sign_method) {
    case SignMethod::kBinomial:
      return is_two ? BinomialTwoSidedP(std::max<std::uint64_t>(falls, count - falls), count)
                    : BinomialAtLeast(falls, count);
    case SignMethod::kEnumerated:
      // By symmetry those that are as low are as many as those that are as high.
      if (!is_two) return ShareAtLeast(differing, -seen - noise);
      return std::abs(seen) - noise <= 0 ? 1 : 2 * ShareAtLeast(differing, std::abs(seen) - noise);
    case SignMethod::kStudent: {
      const double shifted = *estimate.difference + margin;
      const int exponent = static_cast<int>(std::min<std::size_t>(count, 1000));
      if (*estimate.se == 0)
        return is_two ? std::ldexp(1.0, 1 - exponent) : shifted < 0 ? std::ldexp(1.0, -exponent) : 1;
      const double t = shifted / *estimate.se;
      return is_two ? StudentTwoSidedP(t, *estimate.df) : StudentBelow(t, *estimate.df);
    }
    default:
      return 1;
  }
}

// What is left of the differences, shifted by `margin`: a sum for each cluster where it is not noise.
std::vector<double> DifferingSums(const Pairs& pairs, double margin) {
  const Weighted& differences = pairs.differences;
  std::vector<double> sums(differences.cluster_count, 0.0);
  for (std::size_t i = 0; i < differences.size(); ++i) {
    const double shifted = differences.values[i] + margin;
    if (std::abs(shifted) <= kNoise * pairs.scale) continue;
    sums[differences.clusters[i]] += differences.weights[i] * shifted;
  }
  const double scale = pairs.scale == 0 ? 1 : pairs.scale;
  const std::vector<double> cluster_weights = differences.ClusterWeights();
  std::vector<double> differing;
  for (std::size_t g = 0; g < sums.size(); ++g) {
    if (std::abs(sums[g]) > kNoise * scale * cluster_weights[g]) differing.push_back(sums[g]);
  }
  return differing;
}

void SetSignTest(PairedEstimate& estimate, std::span<const double> differing, double margin, Sides sides) {
  std::vector<double> sizes;
  for (const double sum : differing) sizes.push_back(std::abs(sum));
  estimate.differ = differing.size();
  estimate.sign_method = differing.empty()                      ? SignMethod::kSame
                         : AreAllEqual(sizes, LargestOf(sizes)) ? SignMethod::kBinomial
                         : differing.size() <= kEnumeratedMax   ? SignMethod::kEnumerated
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
  for (const double difference : pairs.differences.values)
    ++(difference > 0 ? estimate.wins : difference < 0 ? estimate.losses : estimate.ties);
  estimate.clusters = pairs.differences.cluster_count;
  const ClusteredMean mean = MeanOver(pairs.differences, pairs.scale);
  estimate.difference = mean.mean;
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
  if (difference == 0 || p > kLevel || !ExcludesZero(estimate)) return Verdict::kTie;
  return difference > 0 ? Verdict::kLeads : Verdict::kTrails;
}

std::optional<double> SmallestDifferenceSeen(const PairedEstimate& estimate) {
  if (!estimate.se || *estimate.se == 0 || estimate.clusters < kClustersForPower) return std::nullopt;
  return PowerFactor(*estimate.df) * *estimate.se;
}

std::optional<std::uint64_t> MoreCasesNeeded(const PairedEstimate& estimate) {
  if (!estimate.se || *estimate.se == 0 || *estimate.difference == 0) return std::nullopt;
  if (VerdictOf(estimate, *estimate.p) != Verdict::kTie) return std::nullopt;
  const double clusters = estimate.clusters;
  const std::optional<std::uint64_t> needed =
      CasesNeeded(*estimate.se * std::sqrt(clusters), std::abs(*estimate.difference));
  if (!needed) return std::nullopt;
  const std::uint64_t cases = (*needed * estimate.cases + estimate.clusters - 1) / estimate.clusters;
  return cases > estimate.cases ? cases - estimate.cases : 0;
}

std::string_view GateStateName(GateState state) {
  constexpr std::string_view kNames[] = {"not_defined", "none", "regression", "cannot_tell"};
  return kNames[static_cast<std::size_t>(state)];
}

std::uint64_t ClustersForGate(std::size_t gates) {
  return static_cast<std::uint64_t>(std::ceil(std::log2(static_cast<double>(gates) / kLevel)));
}

GateState GateStateOf(const GateEstimate& estimate, double p, std::size_t gates) {
  const PairedEstimate& paired = estimate.paired;
  if (paired.cases == 0) return GateState::kNotDefined;
  const bool has_dropped = *paired.difference < -estimate.margin;
  const bool is_below = paired.interval ? paired.interval->high < -estimate.margin
                                        : paired.why == Why::kNoSpread && has_dropped;
  if (is_below && p <= kLevel) return GateState::kRegression;
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
