// The status line of a run: what it says, and when it is said.
#pragma once

#include <string>

#include "base/clock.h"
#include "cli/ui.h"
#include "run/executor.h"

namespace assay {

// "1,204/2,000 cells · 40 in flight · 12 reused · 3 errors · 5 retries · 81k tokens · 0:42 · 0:28 left"
std::string ProgressLine(const Progress& progress, std::chrono::milliseconds elapsed);
// "0:42", "1:02:03"
std::string DurationText(std::chrono::milliseconds duration);
// "1,204"
std::string CountText(std::uint64_t count);

class ProgressDisplay {
 public:
  ProgressDisplay(Ui& ui, const Clock& clock);
  // As often as one likes; shown ten times a second, or as a line every few seconds.
  void Update(const Progress& progress);

 private:
  Ui& ui_;
  const Clock& clock_;
  TimePoint started_;
  TimePoint next_;
};

}  // namespace assay
