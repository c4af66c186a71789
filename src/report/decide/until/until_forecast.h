// What questions that may end a run early will take, before anything is asked.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "report/decide/until/stop_rule.h"

namespace assay {

struct UntilForecast {
  double gap = 0;            // scores between the variants
  std::uint64_t median = 0;  // units: in half of all runs it is decided by then
  std::uint64_t most = 0;    // in nine of ten
  double share_median = 1;   // of all cells of the run: what is asked
  double share_most = 1;
  std::string sentence;
};
// Of the first question about two variants or more, at gaps of 2, 5, 10 and 20 points; in a race every other
// variant is so far behind the leader. None: no such question is asked. `spread`: of paired differences.
std::vector<UntilForecast> ForecastsOf(const StopRule& rule, double spread);

}  // namespace assay
