// Words points, counts, intervals and differences.
#include "statistics/decisions/sentence_parts.h"

#include <fmt/core.h>

#include <cmath>

namespace assay {

namespace {

// Half away from 0; what is within 1e-9 of half is half.
double RoundHalfUp(double value) { return std::copysign(std::floor(std::abs(value) + 0.5 + 1e-9), value); }

std::uint64_t TwoDigits(std::uint64_t count) {
  std::uint64_t unit = 1;
  while (count > 99 * unit) unit *= 10;
  return (count + unit - 1) / unit * unit;
}

}  // namespace

Points::Points(const std::optional<Interval>& interval, double without) {
  const double width = interval ? 100 * (interval->high - interval->low) : 0;
  has_decimal_ = interval ? width < 2 : without > 0 && 100 * without < 1;
}

std::string Points::Text(double score) const {
  const double rounded = has_decimal_ ? RoundHalfUp(1000 * score) / 10 : RoundHalfUp(100 * score);
  return (rounded < 0 ? "−" : "") +
         (has_decimal_ ? fmt::format("{:.1f}", std::abs(rounded)) : fmt::format("{:.0f}", std::abs(rounded)));
}

std::string Points::Counted(double score) const {
  std::string text = Text(score);
  return text + (text == "1" ? " point" : " points");
}

namespace {

// Points with one decimal; a minus sign only where a digit is left.
std::string OneDecimal(double score) {
  if (std::isnan(score)) return "NaN";
  const double rounded = RoundHalfUp(1000 * score) / 10;
  return fmt::format("{}{:.1f}", rounded < 0 ? "−" : "", std::abs(rounded));
}

}  // namespace

std::string MeanPoints(double mean) { return OneDecimal(mean); }

std::string ScorePoints(double score) {
  std::string text = OneDecimal(score);
  const bool is_whole = std::abs(100 * score - std::round(100 * score)) < 1e-9;
  if (is_whole) text.resize(text.size() - std::string_view(".0").size());
  return text;
}

std::string IntervalPoints(const Interval& interval) {
  const Points points(interval, 0);
  return fmt::format("{} to {}", points.Text(interval.low), points.Text(interval.high));
}

std::string PercentText(const std::optional<double>& share) {
  return share ? fmt::format("{:.0f} %", RoundHalfUp(100 * *share)) : std::string("–");
}

std::string CountedText(std::uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string_view NoIntervalText(Why why) {
  return why == Why::kNoSpread ? "no spread, so no interval" : "no interval";
}

std::string IntervalText(const std::optional<Interval>& interval, Why why, const Points& points) {
  if (interval)
    return fmt::format(" (95 %: {} to {})", points.Text(interval->low), points.Text(interval->high));
  return fmt::format(" ({})", NoIntervalText(why));
}

std::string DifferenceText(const std::string& a, const std::string& b, const PairedEstimate& estimate) {
  const Points points(estimate.interval, std::abs(*estimate.difference));
  return fmt::format("{} − {} is {}{} on {}", a, b, points.Counted(*estimate.difference),
                     IntervalText(estimate.interval, estimate.why, points),
                     CountedText(estimate.cases, "case"));
}

std::string LeadText(const PairedEstimate& estimate) {
  std::optional<Interval> interval = estimate.interval;
  if (*estimate.difference < 0 && interval)
    interval = Interval{-estimate.interval->high, -estimate.interval->low};
  const double difference = std::abs(*estimate.difference);
  const Points points(interval, difference);
  return fmt::format("{}{} on {}", points.Counted(difference), IntervalText(interval, estimate.why, points),
                     CountedText(estimate.cases, "case"));
}

bool IsShownAlone(const PairedEstimate& estimate) {
  const Verdict verdict = VerdictOf(estimate, estimate.p.value_or(1));
  return verdict == Verdict::kLeads || verdict == Verdict::kTrails;
}

std::string NotAmongText(std::size_t variants) {
  return fmt::format("; enough between two alone, not among {}", variants);
}

std::optional<std::string> MoreCasesText(std::optional<std::uint64_t> more, std::uint64_t cases) {
  const bool is_advice =
      more && *more > 0 && static_cast<double>(*more) <= kMoreCasesFactorMax * static_cast<double>(cases);
  if (!is_advice) return std::nullopt;
  return fmt::format("{} more {}", TwoDigits(*more), *more == 1 ? "case" : "cases");
}

}  // namespace assay
