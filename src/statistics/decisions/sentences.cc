// Words estimates, comparisons, rankings, gates and power.
#include "statistics/decisions/sentences.h"

#include <fmt/core.h>

#include <cmath>
#include <vector>

#include "statistics/decisions/power.h"

namespace assay {

namespace {

constexpr double kMoreCasesFactorMax = 20;  // beyond it "more cases" is no advice

// Half away from 0; what is within 1e-9 of half is half.
double RoundHalfUp(double value) { return std::copysign(std::floor(std::abs(value) + 0.5 + 1e-9), value); }

// How scores are printed in one sentence: in points, with one decimal where the interval is that narrow.
class Points {
 public:
  Points(const std::optional<Interval>& interval, double without) {
    const double width = interval ? 100 * (interval->high - interval->low) : 0;
    has_decimal_ = interval ? width < 2 : without > 0 && 100 * without < 1;
  }
  std::string Text(double score) const {
    const double rounded = has_decimal_ ? RoundHalfUp(1000 * score) / 10 : RoundHalfUp(100 * score);
    return (rounded < 0 ? "−" : "") + (has_decimal_ ? fmt::format("{:.1f}", std::abs(rounded))
                                                    : fmt::format("{:.0f}", std::abs(rounded)));
  }
  // "1 point", "8 points".
  std::string Counted(double score) const {
    std::string text = Text(score);
    return text + (text == "1" ? " point" : " points");
  }

 private:
  bool has_decimal_ = false;
};

std::string Cases(std::uint64_t count) { return fmt::format("{} {}", count, count == 1 ? "case" : "cases"); }

constexpr std::size_t kNamesWhole = 4;  // of longer lists the first three are named

// "A", "A and B", "A, B, C and D", "A, B, C and 2 others".
std::string Listed(std::span<const std::string> names) {
  const std::size_t shown = names.size() > kNamesWhole ? kNamesWhole - 1 : names.size();
  std::string text;
  for (std::size_t i = 0; i < shown; ++i) {
    if (i > 0) text += i + 1 == names.size() ? " and " : ", ";
    text += names[i];
  }
  return shown == names.size() ? text : fmt::format("{} and {} others", text, names.size() - shown);
}

std::string IntervalText(const std::optional<Interval>& interval, Why why, const Points& points) {
  if (interval)
    return fmt::format(" (95 %: {} to {})", points.Text(interval->low), points.Text(interval->high));
  return fmt::format(" ({})", NoIntervalText(why));
}

// "A leads B by 8 points (95 %: 3 to 13) on 10 cases", the leader first.
std::string LeadText(const std::string& a, const std::string& b, const PairedEstimate& estimate) {
  const bool is_turned = *estimate.difference < 0;
  std::optional<Interval> interval = estimate.interval;
  if (is_turned && interval) interval = Interval{-estimate.interval->high, -estimate.interval->low};
  const double difference = std::abs(*estimate.difference);
  const Points points(interval, difference);
  return fmt::format("{} leads {} by {}{} on {}", is_turned ? b : a, is_turned ? a : b,
                     points.Counted(difference), IntervalText(interval, estimate.why, points),
                     Cases(estimate.cases));
}

// Two digits, rounded up.
std::uint64_t TwoDigits(std::uint64_t count) {
  std::uint64_t unit = 1;
  while (count > 99 * unit) unit *= 10;
  return (count + unit - 1) / unit * unit;
}

bool IsAdvice(std::optional<std::uint64_t> more, std::uint64_t cases) {
  return more && static_cast<double>(*more) <= kMoreCasesFactorMax * static_cast<double>(cases);
}

std::string TieReason(const PairedEstimate& estimate) {
  if (*estimate.difference == 0) return "; their means are equal";
  if (ExcludesZero(estimate))
    return fmt::format("; too few cases changed ({}) to rule out chance", estimate.wins + estimate.losses);
  if (!estimate.se || *estimate.se == 0) return "";
  const std::optional<std::uint64_t> more = MoreCasesNeeded(estimate);
  if (!IsAdvice(more, estimate.cases))
    return "; a difference this small needs more than 20 times as many cases";
  if (*more == 0) return fmt::format("; they differ on too few cases ({})", estimate.wins + estimate.losses);
  return fmt::format("; to settle a difference of this size takes about {} more {}", TwoDigits(*more),
                     *more == 1 ? "case" : "cases");
}

// The places of one rank below the first tier, as "E and F cannot be told apart"; "" if it is one alone.
std::string TiedText(std::span<const std::string> names) {
  return names.size() < 2 ? "" : Listed(names) + " cannot be told apart";
}

// Three and more variants with a score.
std::string ManySentence(std::span<const std::string> names, const Ranking& ranking) {
  std::vector<std::string> parts;
  std::vector<std::string> top = {names[ranking.places.front().variant]};
  const RankTest* second = nullptr;    // the leader against the next that is not worse
  const RankTest* follower = nullptr;  // the leader against the first that is worse
  std::vector<bool> is_top(names.size(), false);
  for (std::size_t i = 1; i < ranking.places.size(); ++i) {
    const RankTest& test = ranking.tests[i - 1];
    if (test.is_worse) {
      if (follower == nullptr) follower = &test;
      continue;
    }
    if (second == nullptr) second = &test;
    is_top[test.b] = true;
    top.push_back(names[test.b]);
  }
  if (top.size() > 1) parts.push_back(TiedText(top));
  if (follower != nullptr)
    parts.push_back(LeadText(names[follower->a], names[follower->b], follower->paired));
  if (second != nullptr) {
    const std::optional<std::uint64_t> more = MoreCasesNeeded(second->paired);
    if (more && *more > 0 && IsAdvice(more, second->paired.cases)) {
      parts.push_back(fmt::format("to tell {} from {} takes about {} more {}", top[0], names[second->b],
                                  TwoDigits(*more), *more == 1 ? "case" : "cases"));
    }
  }
  for (std::size_t first = 1; first < ranking.places.size();) {
    std::vector<std::string> tied;
    std::size_t i = first;
    for (; i < ranking.places.size() && ranking.places[i].rank == ranking.places[first].rank; ++i) {
      if (!is_top[ranking.places[i].variant]) tied.push_back(names[ranking.places[i].variant]);
    }
    if (ranking.places[first].rank > 1 && tied.size() > 1) parts.push_back(TiedText(tied));
    first = i;
  }
  std::string sentence;
  for (const std::string& part : parts) sentence += (sentence.empty() ? "" : "; ") + part;
  return sentence + ".";
}

}  // namespace

std::string_view NoIntervalText(Why why) {
  return why == Why::kNoSpread ? "no spread, so no interval" : "no interval";
}

std::string MeanSentence(const std::string& name, const MeanEstimate& estimate) {
  if (!estimate.mean) return fmt::format("{} has no score.", name);
  const Points points(estimate.interval, 0);
  return fmt::format("{} scores {}{} on {}.", name, points.Text(*estimate.mean),
                     IntervalText(estimate.interval, estimate.why, points), Cases(estimate.cases));
}

std::string PairedSentence(const std::string& a, const std::string& b, const PairedEstimate& estimate,
                           double p) {
  if (estimate.cases == 0)
    return fmt::format("{} and {} have no case in common that both have a score for.", a, b);
  if (VerdictOf(estimate, p) != Verdict::kTie) return LeadText(a, b, estimate) + ".";
  const Points points(estimate.interval, std::abs(*estimate.difference));
  return fmt::format("{} and {} cannot be told apart: {} − {} is {}{} on {}{}.", a, b, a, b,
                     points.Counted(*estimate.difference),
                     IntervalText(estimate.interval, estimate.why, points), Cases(estimate.cases),
                     TieReason(estimate));
}

std::string RankingSentence(std::span<const std::string> names, const Ranking& ranking) {
  if (ranking.places.empty()) return "No variant has a score.";
  const RankPlace& first = ranking.places.front();
  if (ranking.places.size() == 1) return MeanSentence(names[first.variant], first.estimate);
  if (ranking.places.size() > 2) return ManySentence(names, ranking);
  const RankTest& test = ranking.tests.front();
  return PairedSentence(names[test.a], names[test.b], test.paired, test.p_holm.value_or(1));
}

namespace {

// What a gate lacks that cannot tell.
std::string GateLack(const PairedEstimate& paired, double p, std::size_t gates) {
  const std::uint64_t least = ClustersForGate(gates);
  if (paired.clusters < least) {
    return fmt::format("; fewer than {} {} cannot show a regression", least,
                       paired.clusters < paired.cases ? "clusters" : "cases");
  }
  const std::uint64_t changed = paired.differ.value_or(0);
  if (changed < least) return fmt::format(", of which {} changed; at least {} have to", changed, least);
  return fmt::format("; chance alone gives such a pattern with p = {:.2f}", p);
}

}  // namespace

std::string GateSentence(const GateEstimate& estimate, double p, std::size_t gates) {
  const PairedEstimate& paired = estimate.paired;
  if (paired.cases == 0) return "Cannot tell: no case that both runs have a score for.";
  const Points points(paired.interval, std::abs(*paired.difference));
  std::string on = Cases(paired.cases);
  if (paired.clusters < paired.cases)
    on += fmt::format(" in {} {}", paired.clusters, paired.clusters == 1 ? "cluster" : "clusters");
  const auto sentence = [&](std::string_view outcome, const std::string& more) {
    return fmt::format("{}: {}{} on {}{}.", outcome, points.Counted(*paired.difference),
                       IntervalText(paired.interval, paired.why, points), on, more);
  };
  switch (estimate.state) {
    case GateState::kRegression:
      return sentence("Regression", "");
    case GateState::kCannotTell:
      return sentence("Cannot tell", GateLack(paired, p, gates));
    default:
      break;
  }
  const std::optional<double> least = SmallestDifferenceSeen(paired);
  const std::string unseen =
      least ? fmt::format("; drops below {} would often go unseen", Points(std::nullopt, 0).Counted(*least))
            : std::string();
  return sentence("No regression shown", unseen);
}

namespace {

// "; their bias cannot be told from 0", "; they give 6 points too much (95 %: 2 to 10)"
std::string BiasText(const LabelEstimate& estimate) {
  if (!estimate.bias || !estimate.bias_interval) return {};
  const Interval& interval = *estimate.bias_interval;
  if (interval.low <= 0 && interval.high >= 0) return "; their bias cannot be told from 0";
  const bool is_less = *estimate.bias < 0;
  const Interval turned = is_less ? Interval{-interval.high, -interval.low} : interval;
  const Points points(turned, 0);
  return fmt::format("; they give {} too {} (95 %: {} to {})", points.Counted(std::abs(*estimate.bias)),
                     is_less ? "little" : "much", points.Text(turned.low), points.Text(turned.high));
}

}  // namespace

std::string LabelSentence(const std::string& name, const LabelEstimate& estimate) {
  const std::string whom = name.empty() ? std::string() : name + " ";
  if (!estimate.estimate) return fmt::format("What humans would give {}cannot be told: no label.", whom);
  const Points points(estimate.interval, 0);
  const Points plain(std::nullopt, 0);
  return fmt::format("Humans would give {}{}{}, from {} {}{}; the judges gave {}{}.", whom,
                     points.Text(*estimate.estimate), IntervalText(estimate.interval, estimate.why, points),
                     estimate.labelled, estimate.labelled == 1 ? "label" : "labels",
                     estimate.labelled < kLabelsForMoreThanAHint ? ", too few for more than a hint" : "",
                     plain.Text(estimate.judge_mean.value_or(0)), BiasText(estimate));
}

std::string PowerSentence(std::uint64_t cases, std::optional<double> smallest) {
  if (!smallest)
    return fmt::format("{} {} no difference; at least {} are needed.", cases == 0 ? "No case" : Cases(cases),
                       cases > 1 ? "show" : "shows", kClustersForPower);
  return fmt::format("With {} this suite sees differences from {} up.", Cases(cases),
                     Points(std::nullopt, 0).Counted(*smallest));
}

}  // namespace assay
