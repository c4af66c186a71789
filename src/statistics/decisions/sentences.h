// Statistics in words: one sentence each. Points are hundredths of a score; rounding is half up, the minus
// sign is U+2212.
#pragma once

#include <span>
#include <string>

#include "statistics/agreement/labels.h"
#include "statistics/decisions/rank.h"

namespace assay {

// "no spread, so no interval": why there is none, the same wherever it is told.
std::string_view NoIntervalText(Why why);

// "A scores 75 (95 %: 25 to 97) on 3 cases."
std::string MeanSentence(const std::string& name, const MeanEstimate& estimate);
// "A leads B by 8 points (95 %: 3 to 13) on 10 cases."
std::string PairedSentence(const std::string& a, const std::string& b, const PairedEstimate& estimate,
                           double p);
// The verdict over all variants; `names` by variant.
std::string RankingSentence(std::span<const std::string> names, const Ranking& ranking);
// "No regression shown: −2 points (95 %: −6 to 2) on 40 cases; drops below 6 points would often go unseen."
// `p`: Holm's over `gates` of them, or the estimate's.
std::string GateSentence(const GateEstimate& estimate, double p, std::size_t gates = 1);
// "With 40 cases this suite sees differences from 16 points up." `smallest`: absent below
// kClustersForPower.
std::string PowerSentence(std::uint64_t cases, std::optional<double> smallest);
// "Humans would give 74 (95 %: 50 to 98), from 10 labels; the judges gave 72; their bias cannot be told
// from 0." `name`: "" or whose answers; fewer labels than kLabelsForMoreThanAHint are marked as a hint.
std::string LabelSentence(const std::string& name, const LabelEstimate& estimate);

}  // namespace assay
