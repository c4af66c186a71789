// Writes the paragraph about used tokens and remaining turns.
#include "agent/words/status_block.h"

#include <fmt/core.h>

#include <algorithm>

namespace assay {

std::string StatusBlock(const TurnBudget& budget) {
  std::string text;
  if (budget.context_tokens > 0) {
    const std::int64_t used = std::max<std::int64_t>(budget.used_tokens, 0);
    const double share = 100.0 * static_cast<double>(used) / static_cast<double>(budget.context_tokens);
    text += fmt::format("About {:.0f} % of your context is in use. ", std::min(share, 999.0));
  }
  if (budget.turns_left <= 1) return text + "This is your last turn: answer now, from what you have.";
  return text + fmt::format("{} turns are left, this one among them.", budget.turns_left);
}

}  // namespace assay
