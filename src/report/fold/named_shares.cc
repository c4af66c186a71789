// Adds up the criteria of each name.
#include "report/fold/named_shares.h"

#include <algorithm>

#include "spec/report/report.h"
#include "spec/suite/check.h"

namespace assay {

std::vector<NamedShare> NamedSharesOf(const std::vector<Check>& checks, const std::vector<Score>& scores) {
  struct Sum {
    std::string_view name;
    double sum = 0;
    double weight = 0;
  };
  std::vector<Sum> sums;
  for (std::size_t i = 0; i < std::min(checks.size(), scores.size()); ++i) {
    const Score& score = scores[i];
    if (score.metric.empty() || score.state != ScoreState::kScored) continue;
    auto found =
        std::find_if(sums.begin(), sums.end(), [&](const Sum& each) { return each.name == score.metric; });
    if (found == sums.end()) found = sums.insert(found, {score.metric});
    found->sum += checks[i].weight * (score.max == 0 ? score.value : score.value / score.max);
    found->weight += checks[i].weight;
  }
  std::vector<NamedShare> shares;
  for (const Sum& sum : sums) {
    if (sum.weight > 0) shares.push_back({sum.name, sum.sum / sum.weight});
  }
  return shares;
}

std::vector<std::string> NamesOfShares(const Report& report) {
  std::vector<std::string> names;
  for (const VariantSummary& variant : report.variants) {
    for (const NamedMean& named : variant.named) {
      if (std::find(names.begin(), names.end(), named.name) == names.end()) names.push_back(named.name);
    }
  }
  return names;
}

}  // namespace assay
