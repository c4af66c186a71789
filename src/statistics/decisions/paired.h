// Compares two variants: the mean difference A - B over the cases that both have a score for, its interval,
// and sign tests.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "statistics/estimates/mean.h"

namespace assay {

enum class PairMethod { kNone, kNewcombe, kStudent };
enum class SignMethod { kNone, kSame, kBinomial, kEnumerated, kStudent };
std::string_view SignMethodName(SignMethod method);  // "", "none", "binomial", "enumerated", "t"
enum class Verdict { kNotDefined, kLeads, kTrails, kTie };
std::string_view VerdictName(Verdict verdict);

struct PairedEstimate {
  std::uint64_t cases = 0;
  std::uint64_t only_a = 0;
  std::uint64_t only_b = 0;
  std::uint32_t clusters = 0;
  std::uint64_t wins = 0;  // cases in which A scores more
  std::uint64_t losses = 0;
  std::uint64_t ties = 0;
  std::optional<double> difference = {};
  std::optional<double> se = {};
  std::optional<std::uint32_t> df = {};
  std::optional<Interval> interval = {};  // 95 %
  PairMethod method = PairMethod::kNone;
  std::optional<double> p = {};  // two-sided: did chance alone give the differences their signs?
  SignMethod sign_method = SignMethod::kNone;
  std::optional<std::uint64_t> differ = {};  // clusters whose differences do not cancel
  Why why = Why::kNone;                      // why there is no interval, or no difference
};

// `a` and `b` are aligned by case.
PairedEstimate ComparePaired(const Sample& a, const Sample& b, const Design& design);

// Whether the interval says that there is a difference; where nothing varies, it need not.
bool ExcludesZero(const PairedEstimate& estimate);
// Both the interval and p have to say so: `p` is the estimate's, or a corrected one.
Verdict VerdictOf(const PairedEstimate& estimate, double p);

// The smallest difference that would be seen with power 0.8, by a pair alone or between two of so many
// variants that are ranked together; nothing without a standard error, or below FewestClusters.
std::optional<double> SmallestDifferenceSeen(const PairedEstimate& estimate, std::size_t variants = 2);
// Of a tie: how many more cases would show a difference of this size; nothing above a million in all, where
// there is no difference, or where nothing varies.
std::optional<std::uint64_t> MoreCasesNeeded(const PairedEstimate& estimate, std::size_t variants = 2);

// kCannotTell: it looks worse, but so few cases could not show it.
enum class GateState { kNotDefined, kNone, kRegression, kCannotTell };
std::string_view GateStateName(GateState state);  // "not_defined", "none", "regression", "cannot_tell"
struct GateEstimate {
  // new - base; its p is one-sided, and p and `differ` are those of difference + margin.
  PairedEstimate paired;
  double margin = 0;
  bool have_all_fallen = false;  // every cluster by more than the margin
  GateState state = GateState::kNotDefined;
};
// Did `fresh` get worse than `base` by more than `margin` >= 0?
GateEstimate TestRegression(const Sample& fresh, const Sample& base, const Design& design, double margin);
// The state with another p: Holm's over `gates` of them.
GateState GateStateOf(const GateEstimate& estimate, double p, std::size_t gates);
// How many clusters have to change before signs alone can show a regression in one of `gates`; 5 for one.
std::uint64_t ClustersForGate(std::size_t gates);

}  // namespace assay
