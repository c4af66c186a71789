// Decides a pair by bets against the steps alone; bounds are searched for only where they are shown.
#include "statistics/sequential/pair.h"

#include <algorithm>
#include <cmath>

#include "statistics/estimates/special.h"
#include "statistics/sequential/bounds.h"

namespace assay {

namespace {

constexpr std::uint64_t kUnitsForTie = 20;
constexpr std::uint64_t kHeldFrom = 10;  // one case of so many
constexpr double kTieBisectedTo = 1e-13;

// How much of the error each bound may have, before comparisons share it.
struct Alphas {
  double suite = 0;
  double world = 0;
  double square = 0;
};
constexpr Alphas kAlphas[] = {{.suite = 0.025, .world = 0.025},
                              {.suite = 0.02, .world = 0.01, .square = 0.005}};

struct PairRules {
  BoundRule suite;
  BoundRule world;
  std::optional<BoundRule> square;
};

PairRules RulesOf(const PairQuestion& question, std::uint64_t units) {
  const Alphas& alphas = kAlphas[static_cast<std::size_t>(question.promise)];
  const auto share = static_cast<double>(question.share);
  PairRules rules{.suite = {.population = units, .alpha = alphas.suite / share},
                  .world = {.alpha = alphas.world / share},
                  .square = {}};
  if (question.promise == Promise::kWorld && units >= kUnitsForTie)
    rules.square = BoundRule{.population = units, .alpha = alphas.square / share};
  return rules;
}

BettingBounds SquaresOf(const UnitValues& differences, std::uint64_t units) {
  std::vector<double> squares;
  squares.reserve(differences.values.size());
  for (const double value : differences.values) squares.push_back(value * value);
  const ScoreRange& range = differences.range;
  return BettingBounds(squares, {0, std::max(range.low * range.low, range.high * range.high)}, units);
}

// The t interval over the whole suite contains 0 where |mean| < k = t √(mean square / (G - 1 + t²)). With the
// lower bound of the mean square in its place, k only becomes smaller.
class TieRule {
 public:
  TieRule(const UnitValues& differences, const BettingBounds& bounds, const PairRules& rules,
          std::uint64_t units)
      : bounds_(bounds),
        squares_(SquaresOf(differences, units)),
        rules_(rules),
        largest_(std::max(-differences.range.low, differences.range.high)) {
    const double df = static_cast<double>(units - 1);
    const double t = StudentQuantile(0.975, df);
    factor_ = t / std::sqrt(df + t * t);
    double sum = 0;
    for (const double value : differences.values) sum += value * value;
    guess_ = factor_ * std::sqrt(sum / static_cast<double>(differences.values.size()));
  }

  bool HoldsBelow() const {
    return Holds([this](double k) { return bounds_.LiesAbove(-k, rules_.suite); });
  }
  bool HoldsAbove() const {
    return Holds([this](double k) { return bounds_.LiesBelow(k, rules_.suite); });
  }

 private:
  // Whether the bound lies nearer to 0 than k. A number between the two tells: most often the first one.
  template <class IsNearer>
  bool Holds(const IsNearer& is_nearer) const {
    double low = 0;
    double high = largest_;
    double x = std::min(guess_, high);
    while (high - low > kTieBisectedTo * largest_) {
      const bool is_k_larger = squares_.LiesAbove(x / factor_ * (x / factor_), *rules_.square);
      const bool is_bound_nearer = is_nearer(x);
      if (is_k_larger == is_bound_nearer) return is_k_larger;
      (is_k_larger ? low : high) = x;
      x = low + (high - low) / 2;
    }
    return false;
  }

  const BettingBounds& bounds_;
  BettingBounds squares_;
  const PairRules& rules_;
  double largest_ = 0;
  double factor_ = 0;
  double guess_ = 0;
};

PairState StateOf(const UnitValues& differences, const PairQuestion& question, std::uint64_t units) {
  if (kHeldFrom * differences.left_out > differences.cases) return PairState::kHeld;
  const PairRules rules = RulesOf(question, units);
  const bool is_world = question.promise == Promise::kWorld;
  const BettingBounds bounds(differences.values, differences.range, units);
  const auto lies_above = [&](double mean) {
    return bounds.LiesAbove(mean, rules.suite) && (!is_world || bounds.LiesAbove(mean, rules.world));
  };
  const auto lies_below = [&](double mean) {
    return bounds.LiesBelow(mean, rules.suite) && (!is_world || bounds.LiesBelow(mean, rules.world));
  };
  if (lies_above(0)) return question.is_gate ? PairState::kNone : PairState::kLeads;
  if (lies_below(0)) return question.is_gate ? PairState::kRegression : PairState::kTrails;
  if (question.within && lies_above(-*question.within) && lies_below(*question.within))
    return PairState::kEqual;
  if (!rules.square) return PairState::kOpen;
  const TieRule tie(differences, bounds, rules, units);
  if (!tie.HoldsBelow()) return PairState::kOpen;
  if (question.is_gate) return PairState::kNone;
  return tie.HoldsAbove() ? PairState::kTie : PairState::kOpen;
}

}  // namespace

std::string_view PairStateName(PairState state) {
  constexpr std::string_view kNames[] = {"open", "held", "leads",      "trails", "equal",
                                         "tie",  "none", "regression", "all"};
  return kNames[static_cast<std::size_t>(state)];
}

bool IsDecided(PairState state) { return state != PairState::kOpen && state != PairState::kHeld; }

PairLook LookAtPair(const UnitTable& table, std::span<const CaseValue> a, std::span<const CaseValue> b,
                    const PairQuestion& question, std::uint64_t n) {
  const UnitValues differences = DifferencesOf(table, a, b, question.margin, n);
  return {.n = n,
          .mean = MeanOf(differences.values),
          .left_out = differences.left_out,
          .state = StateOf(differences, question, table.units())};
}

PairBounds BoundsOfPair(const UnitTable& table, std::span<const CaseValue> a, std::span<const CaseValue> b,
                        const PairQuestion& question, std::uint64_t n) {
  const UnitValues differences = DifferencesOf(table, a, b, question.margin, n);
  const PairRules rules = RulesOf(question, table.units());
  const BettingBounds bounds(differences.values, differences.range, table.units());
  PairBounds result{.suite = {bounds.Lower(rules.suite), bounds.Upper(rules.suite)},
                    .world = {bounds.Lower(rules.world), bounds.Upper(rules.world)}};
  if (rules.square) result.square_low = SquaresOf(differences, table.units()).Lower(*rules.square);
  return result;
}

PairCourse FollowPair(const UnitTable& table, std::span<const CaseValue> a, std::span<const CaseValue> b,
                      const PairQuestion& question, std::span<const std::uint64_t> places) {
  PairCourse course;
  for (const std::uint64_t n : places) {
    const PairLook& look = course.looks.emplace_back(LookAtPair(table, a, b, question, n));
    if (IsDecided(look.state)) {
      course.n = n;
      course.state = look.state;
      course.left_out = look.left_out;
      return course;
    }
  }
  course.n = table.units();
  course.left_out = DifferencesOf(table, a, b, question.margin, course.n).left_out;
  return course;
}

}  // namespace assay
