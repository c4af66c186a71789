// What an attempt has of the criteria that share a name (Check::metric): a column beside the score.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace assay {

struct Check;
struct Report;
struct Score;

struct NamedShare {
  std::string_view name;  // of the score's
  double share = 0;       // 0 to 1, by the weights of the criteria
};
// Those with a score, in the order of the criteria.
std::vector<NamedShare> NamedSharesOf(const std::vector<Check>& checks, const std::vector<Score>& scores);

// The names that some cell has, those of the first variant first.
std::vector<std::string> NamesOfShares(const Report& report);

}  // namespace assay
