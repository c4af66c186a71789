// Paired differences: Student's or Newcombe's interval, and the exact sign-flip test.
#include "statistics/paired.h"

#include <algorithm>
#include <cmath>

#include "statistics/power.h"
#include "statistics/special.h"

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

// The share of all sign patterns whose sum is as far from 0 as the one seen; halves meet in the middle.
double EnumeratedP(std::span<const double> sums) {
  double seen = 0;
  double size = 0;
  for (const double sum : sums) {
    seen += sum;
    size += std::abs(sum);
  }
  const double least = std::abs(seen) - 1e-10 * size;
  if (least <= 0) return 1;
  const std::vector<double> left = SignedSums(sums.first(sums.size() / 2));
  const std::vector<double> right = SignedSums(sums.subspan(sums.size() / 2));
  std::uint64_t above = 0;
  std::size_t taken = 0;  // of `right` from its end: those that reach `least` together with the left one
  for (const double sum : left) {
    while (taken < right.size() && sum + right[right.size() - 1 - taken] >= least) ++taken;
    above += taken;
  }
  return 2 * static_cast<double>(above) / std::ldexp(1.0, static_cast<int>(sums.size()));
}

// Sets p of the differences shifted by `margin`.
void SetSignTest(PairedEstimate& estimate, const Pairs& pairs, double margin) {
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
  std::vector<double> sizes;
  for (std::size_t g = 0; g < sums.size(); ++g) {
    if (std::abs(sums[g]) <= kNoise * scale * cluster_weights[g]) continue;
    differing.push_back(sums[g]);
    sizes.push_back(std::abs(sums[g]));
  }
  const std::size_t count = differing.size();
  estimate.differ = count;
  if (count == 0) {
    estimate.sign_method = SignMethod::kSame;
    estimate.p = 1;
  } else if (AreAllEqual(sizes, LargestOf(sizes))) {
    const auto positive = static_cast<std::uint64_t>(
        std::count_if(differing.begin(), differing.end(), [](double sum) { return sum > 0; }));
    estimate.sign_method = SignMethod::kBinomial;
    estimate.p = BinomialTwoSidedP(std::max<std::uint64_t>(positive, count - positive), count);
  } else if (count <= kEnumeratedMax) {
    estimate.sign_method = SignMethod::kEnumerated;
    estimate.p = EnumeratedP(differing);
  } else {
    estimate.sign_method = SignMethod::kStudent;
    estimate.p = *estimate.se == 0
                     ? std::ldexp(1.0, 1 - static_cast<int>(std::min<std::size_t>(count, 1000)))
                     : StudentTwoSidedP((*estimate.difference + margin) / *estimate.se, *estimate.df);
  }
}

PairedEstimate Compare(const Sample& a, const Sample& b, const Design& design, double margin) {
  PairedEstimate estimate;
  const Pairs pairs = PairUp(a, b, design, estimate);
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
  SetSignTest(estimate, pairs, margin);
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
  return Compare(a, b, design, 0);
}

Verdict VerdictOf(const PairedEstimate& estimate, double p) {
  if (estimate.cases == 0) return Verdict::kNotDefined;
  const double difference = *estimate.difference;
  const bool excludes_zero = estimate.interval ? estimate.interval->low > 0 || estimate.interval->high < 0
                                               : estimate.why == Why::kNoSpread;
  if (difference == 0 || p > kLevel || !excludes_zero) return Verdict::kTie;
  return difference > 0 ? Verdict::kLeads : Verdict::kTrails;
}

std::optional<double> SmallestDifferenceSeen(const PairedEstimate& estimate) {
  if (!estimate.se || *estimate.se == 0) return std::nullopt;
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

GateState GateStateOf(const PairedEstimate& estimate, double margin, double p) {
  if (estimate.cases == 0) return GateState::kNotDefined;
  const bool is_below = estimate.interval                ? estimate.interval->high < -margin
                        : estimate.why == Why::kNoSpread ? *estimate.difference < -margin
                                                         : false;
  return is_below && p <= kLevel ? GateState::kRegression : GateState::kNone;
}

GateEstimate TestRegression(const Sample& fresh, const Sample& base, const Design& design, double margin) {
  GateEstimate gate{.paired = Compare(fresh, base, design, margin)};
  if (gate.paired.p) gate.state = GateStateOf(gate.paired, margin, *gate.paired.p);
  return gate;
}

}  // namespace assay
