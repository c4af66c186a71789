// The paragraph that tells the model before each request how many tokens and turns it has left. The words are
// ours; the numbers are counted as asky 0.4.15 does (spec: research, 9.4).
#pragma once

#include <cstdint>
#include <string>

namespace assay {

struct TurnBudget {
  std::int64_t used_tokens = 0;     // of the messages so far, by estimate (agent/words/reply_text.h)
  std::int64_t context_tokens = 0;  // that the model takes; 0: nobody knows
  std::int64_t turns_left = 0;      // the one that comes included
};

// One paragraph to stand behind the system text; it asks for an answer when this turn is the last.
std::string StatusBlock(const TurnBudget& budget);

}  // namespace assay
