// What sentences about scores are made of: points, counts, intervals and differences in words. Points are
// hundredths of a score; rounding is half up, the minus sign is U+2212.
#pragma once

#include <optional>
#include <string>

#include "statistics/decisions/paired.h"

namespace assay {

// How scores are printed in one sentence: in points, with one decimal where the interval is narrower than two
// points, or where there is no interval and `without` lies below one point.
class Points {
 public:
  Points(const std::optional<Interval>& interval, double without);
  std::string Text(double score) const;     // "8", "−0.4"
  std::string Counted(double score) const;  // "1 point", "8 points"

 private:
  bool has_decimal_ = false;
};

// Scores in tables, in points: a mean with one decimal ("90.4"), one score as short as it can be ("75",
// "33.3"), an interval with none, or one where it is narrower than two points ("79 to 96"). Also "NaN".
std::string MeanPoints(double mean);
std::string ScorePoints(double score);
std::string IntervalPoints(const Interval& interval);

// "83 %"; "–" for nothing.
std::string PercentText(const std::optional<double>& share);

// "1 case", "4 clusters"; `noun` in the singular.
std::string CountedText(std::uint64_t count, std::string_view noun);

// "no spread, so no interval": why there is none, the same wherever it is said.
std::string_view NoIntervalText(Why why);
// " (95 %: 3 to 13)", " (no interval)"
std::string IntervalText(const std::optional<Interval>& interval, Why why, const Points& points);

// "A − B is 8 points (95 %: 3 to 13) on 10 cases"; of a pair with a case in common.
std::string DifferenceText(const std::string& a, const std::string& b, const PairedEstimate& estimate);
// "8 points (95 %: 3 to 13) on 10 cases": by how much the higher of the two leads.
std::string LeadText(const PairedEstimate& estimate);

// Whether the pair is shown to differ when it is compared alone.
bool IsShownAlone(const PairedEstimate& estimate);
// "; enough between two alone, not among 16": of a pair that is, and is not after correction.
std::string NotAmongText(std::size_t variants);

// "57 more cases": two digits, rounded up. Nothing where that is no advice: none, 0, or more than 20 times as
// many as there are.
std::optional<std::string> MoreCasesText(std::optional<std::uint64_t> more, std::uint64_t cases);
inline constexpr double kMoreCasesFactorMax = 20;

}  // namespace assay
