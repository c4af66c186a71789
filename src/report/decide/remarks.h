// Remarks: sentences that stand behind a verdict where its own words leave a reader with the wrong idea.
#pragma once

#include <span>
#include <string>

#include "statistics/decisions/rank.h"
#include "statistics/sample.h"

namespace assay {

// Behind the sentence on a pair that is not shown to differ, because too few cases changed: which of them go
// the other way. With a space before it; "" where there is nothing to say.
std::string ContraryRemark(const PairedEstimate& estimate, double p);

// Behind the sentence on a ranking, the same, and also: the means of two variants over the cases that both
// have, where they are equal and the table's are not; how few cases two variants share, where that is why
// nobody can be ranked. `samples` by variant, as the ranking numbers them.
std::string RankingRemark(const Ranking& ranking, std::span<const Sample> samples, const Design& design);

}  // namespace assay
