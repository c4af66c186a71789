// What a run was to cost, as it was planned before anything was asked and as the store keeps it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

struct PlannedCost {
  std::uint64_t calls = 0;  // those that are to be expected
  std::uint64_t calls_most = 0;
  double usd = 0;                          // of models whose price is known
  double usd_most = 0;                     // every call that is possible, each answer at its full length
  std::vector<std::string> unpriced = {};  // models without a known price
  std::vector<std::string> assumed =
      {};                          // models of which nothing was stored: lengths of answers are assumed
  std::uint64_t cells_walked = 0;  // fewer than the run has: what they need, in proportion
};

std::string EncodePlannedCost(const PlannedCost& planned);
// Nothing: "", or not what EncodePlannedCost writes.
std::optional<PlannedCost> DecodePlannedCost(std::string_view text);

}  // namespace assay
